public import HopeTokens
public import MapDocs

/// Something that a map can be drawn on: a picture, a file, a screen.
///
/// For implementers: what is drawn later lies over what was drawn before; coordinates are points from the top leading
/// corner and always finite, but may lie outside the surface.
public protocol MapSurface {
    /// Fills the inside of rings by the even-odd rule.
    ///
    /// - Parameters:
    ///   - rings: The corners of each ring, open.
    ///   - color: The colour, with its opacity.
    mutating func fill(_ rings: [[ScreenPoint]], color: ColorValue)

    /// Draws lines with round ends and corners.
    ///
    /// - Parameters:
    ///   - lines: The points of each line.
    ///   - width: The width in points.
    ///   - color: The colour, with its opacity.
    mutating func stroke(_ lines: [[ScreenPoint]], width: Double, color: ColorValue)

    /// Draws a disk.
    ///
    /// - Parameters:
    ///   - center: Its middle.
    ///   - radius: Its radius in points.
    ///   - color: The colour, with its opacity.
    mutating func dot(_ center: ScreenPoint, radius: Double, color: ColorValue)

    /// Writes a line of text; a surface without letters leaves it out.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - position: Where its base line begins, or its middle.
    ///   - size: The height of the letters' body in points.
    ///   - isCentered: Whether `position` is the middle of the base line.
    ///   - color: The colour.
    mutating func write(_ text: String, at position: ScreenPoint, size: Double, isCentered: Bool, color: ColorValue)

    /// Begins a part with a name, such as a layer; parts follow each other.
    ///
    /// - Parameter name: What the part shows, in words.
    mutating func begin(_ name: String)
}
