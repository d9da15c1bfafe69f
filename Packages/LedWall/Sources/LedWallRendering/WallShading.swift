import HopeTokens
import LedWall

/// How bright a dot is where its diameter cannot be drawn, and what lies behind it.
enum WallShading {
    /// Characters from dark to bright.
    static let ramp = Array(" .:-=+*#%@".utf8)

    /// The weight of a dot, 0...1: its opacity, raised by half at the largest size and lowered below size 1.
    static func weight(opacity: Float, size: Float) -> Double {
        let gain = 1 + 0.5 * (Double(size) - 1) / 1.4
        let weight = Double(opacity) * max(0, gain)
        return weight > 0 ? min(1, weight) : 0
    }

    /// The character for a weight; dark ones are lifted, so that a wall at rest can be told from none.
    static func character(for weight: Double) -> UInt8 {
        let lifted = weight.squareRoot() * Double(ramp.count - 1)
        return ramp[min(max(Int(lifted.rounded()), 0), ramp.count - 1)]
    }

    /// The middle row of a frame in characters.
    static func line(of frame: WallFrame) -> [UInt8] {
        let start = frame.side / 2 * frame.side
        return (start..<start + frame.side).map { dot in
            character(for: weight(opacity: frame.opacity[dot], size: frame.size[dot]))
        }
    }

    /// The colour of the plate's glass over the app's canvas.
    ///
    /// - Parameter distance: From the plate's centre, in half sides.
    /// - Returns: An opaque colour.
    static func plate(atDistance distance: Double) -> ColorValue {
        let glow = ColorToken.glassGlow.value
        let fade = max(0, 1 - distance / WallGlass.gradientRadius(ofSide: 2))
        return glow.withOpacity(glow.opacity * fade)
            .composited(over: ColorToken.glassFill.value.composited(over: ColorToken.canvas.value))
    }
}

/// The measures of the glass that backs the wall.
enum WallGlass {
    /// Where the glass's radial gradient has become transparent: at 62 % of the way to a corner, as in CSS.
    static func gradientRadius(ofSide side: Double) -> Double { 0.62 * side / 2 * 2.0.squareRoot() }
}
