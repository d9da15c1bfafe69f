public import HopeTokens

/// A colour at a place of a gradient.
public struct GradientStop: Hashable, Sendable {
    /// Where, from 0 (start or centre) to 1 (end or rim).
    public var position: Double
    /// The colour there, with its opacity.
    public var color: ColorValue

    /// Makes a stop.
    public init(position: Double, color: ColorValue) {
        self.position = position
        self.color = color
    }
}

/// What a shape is filled with.
///
/// Gradients mix premultiplied in sRGB, as CSS does. Before the first stop and after the last the end colours go on.
/// Stops are taken in their order; one that lies before its predecessor, or at no finite number, counts as at its
/// predecessor's place (the first then as at 0).
public enum RasterPaint: Hashable, Sendable {
    /// One colour.
    case solid(ColorValue)
    /// Colours along a line between two points.
    case linearGradient(from: RasterPoint, to: RasterPoint, stops: [GradientStop])
    /// Colours from a centre outwards; the radius is in pixels.
    case radialGradient(center: RasterPoint, radius: Double, stops: [GradientStop])
    /// The whole shape in one colour, and around it a soft edge that fades to nothing `radius` pixels outside.
    case glow(ColorValue, radius: Double)
}
