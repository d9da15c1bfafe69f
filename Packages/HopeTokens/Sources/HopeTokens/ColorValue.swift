/// A colour in sRGB with straight (not premultiplied) opacity.
///
/// Components lie in 0…1. A value outside is held to that range, and NaN becomes 0.
public struct ColorValue: Hashable, Sendable {
    /// The red component, 0…1, gamma encoded.
    public var red: Double { didSet { red = Self.unit(red) } }
    /// The green component, 0…1, gamma encoded.
    public var green: Double { didSet { green = Self.unit(green) } }
    /// The blue component, 0…1, gamma encoded.
    public var blue: Double { didSet { blue = Self.unit(blue) } }
    /// How much the colour hides what is behind it: 0 nothing, 1 everything.
    public var opacity: Double { didSet { opacity = Self.unit(opacity) } }

    /// Makes a colour of components in 0…1.
    public init(red: Double, green: Double, blue: Double, opacity: Double = 1) {
        self.red = Self.unit(red)
        self.green = Self.unit(green)
        self.blue = Self.unit(blue)
        self.opacity = Self.unit(opacity)
    }

    /// Makes a colour of a number such as `0x8BA7FF`, for tables in source; bits above the lowest 24 are ignored.
    public init(rgb: UInt32, opacity: Double = 1) {
        self.init(
            red: Double(rgb >> 16 & 0xFF) / 255,
            green: Double(rgb >> 8 & 0xFF) / 255,
            blue: Double(rgb & 0xFF) / 255,
            opacity: opacity
        )
    }

    /// Reads 3, 4, 6 or 8 hexadecimal digits, with or without a leading `#`, as CSS does.
    ///
    /// - Parameter hex: For instance `#f0f`, `#f0f8`, `08111F` or `#ff00ff80`; the 4th or last pair is the opacity.
    /// - Throws: `ColorSyntaxError` when the text has another length or another character.
    public init(hex: String) throws(ColorSyntaxError) {
        var digits: [UInt32] = []
        for byte in hex.hasPrefix("#") ? hex.dropFirst().utf8 : hex[...].utf8 {
            guard let digit = Self.hexDigit(byte) else {
                throw ColorSyntaxError(hex, "it has a character that is no hexadecimal digit")
            }
            guard digits.count < 8 else { break }
            digits.append(digit)
        }
        let length = hex.utf8.count - (hex.hasPrefix("#") ? 1 : 0)
        guard [3, 4, 6, 8].contains(length) else {
            throw ColorSyntaxError(hex, "it has \(length) digits instead of 3, 4, 6 or 8")
        }
        let bytes: [UInt32] =
            length < 6
            ? digits.map { $0 * 17 }
            : stride(from: 0, to: length, by: 2).map { digits[$0] * 16 + digits[$0 + 1] }
        self.init(
            rgb: bytes[0] << 16 | bytes[1] << 8 | bytes[2],
            opacity: bytes.count == 4 ? Double(bytes[3]) / 255 : 1
        )
    }

    /// The three components as six upper-case digits, each rounded to 8 bits; the opacity is left out.
    public var hex: String {
        var text = ""
        for component in [red, green, blue] {
            let byte = Int((component * 255).rounded())
            text += (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
        return text
    }

    /// The colour that is seen when this one lies on another (Porter and Duff's "over"), not rounded to 8 bits.
    ///
    /// - Parameter backdrop: What is behind.
    /// - Returns: An opaque colour when the backdrop is opaque, else perhaps a translucent one.
    public func composited(over backdrop: ColorValue) -> ColorValue {
        if opacity == 1 { return self }
        let behind = backdrop.opacity * (1 - opacity)
        let total = opacity + behind
        guard total > 0 else { return withOpacity(0) }
        // Over an opaque backdrop the sum is 1 but for the last bit, and dividing by it would only add an error.
        let scale = backdrop.opacity == 1 ? 1 : 1 / total
        return ColorValue(
            red: (red * opacity + backdrop.red * behind) * scale,
            green: (green * opacity + backdrop.green * behind) * scale,
            blue: (blue * opacity + backdrop.blue * behind) * scale,
            opacity: backdrop.opacity == 1 ? 1 : total
        )
    }

    /// The colour part of the way to another, mixed premultiplied in sRGB as CSS transitions do.
    ///
    /// - Parameters:
    ///   - other: The colour at fraction 1.
    ///   - fraction: How far to go, where NaN counts as 0. Curves that overshoot may give fractions outside 0…1.
    /// - Returns: This colour at 0 and the other at 1, both exactly; the components stay in range.
    public func mixed(with other: ColorValue, by fraction: Double) -> ColorValue {
        if fraction == 0 || fraction.isNaN { return self }
        if fraction == 1 { return other }
        let rest = 1 - fraction
        let total = opacity * rest + other.opacity * fraction
        // With equal opacities the weights cancel, and a mix of two invisible colours has nothing to weigh by.
        let plain = opacity == other.opacity || !(total > 0)
        let mine = plain ? rest : opacity * rest / total
        let theirs = plain ? fraction : other.opacity * fraction / total
        return ColorValue(
            red: red * mine + other.red * theirs,
            green: green * mine + other.green * theirs,
            blue: blue * mine + other.blue * theirs,
            opacity: total
        )
    }

    /// The same colour with another opacity, 0…1.
    public func withOpacity(_ opacity: Double) -> ColorValue {
        ColorValue(red: red, green: green, blue: blue, opacity: opacity)
    }

    static func hexDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }

    // The comparison is written so that NaN and -0 both become 0.
    private static func unit(_ value: Double) -> Double {
        value > 0 ? min(value, 1) : 0
    }
}

extension ColorValue {
    /// Opaque white, the brightest backdrop.
    public static let white = ColorValue(rgb: 0xFFFFFF)
    /// Opaque black, the darkest backdrop.
    public static let black = ColorValue(rgb: 0x000000)
}
