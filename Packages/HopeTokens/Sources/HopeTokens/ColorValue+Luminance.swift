import Foundation

extension ColorValue {
    /// WCAG 2.2's relative luminance: 0 for black, 1 for white; the opacity plays no part.
    public var relativeLuminance: Double {
        0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue)
    }

    /// How different two colours look, by their straight distance in Oklab (Björn Ottosson, 2020); opacity is ignored.
    func visualDistance(to other: ColorValue) -> Double {
        let (mine, theirs) = (oklab, other.oklab)
        return ((mine - theirs) * (mine - theirs)).sum().squareRoot()
    }

    private var oklab: SIMD4<Double> {
        let (r, g, b) = (Self.linear(red), Self.linear(green), Self.linear(blue))
        let l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
        let m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
        let s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
        return SIMD4(
            0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
            1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
            0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
            0
        )
    }

    // sRGB's own threshold; the older 0.03928 of WCAG's text gives the same for every 8-bit value.
    private static func linear(_ component: Double) -> Double {
        component <= 0.04045 ? component / 12.92 : pow((component + 0.055) / 1.055, 2.4)
    }
}
