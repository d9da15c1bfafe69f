/// An outline that can be filled, measured in pixels; a shape with a negative or non-finite measure draws nothing.
public indirect enum RasterShape: Hashable, Sendable {
    /// A disk.
    case circle(center: RasterPoint, radius: Double)
    /// An ellipse turned clockwise by an angle in radians; its edge is exact, its distance off the edge is close.
    case ellipse(center: RasterPoint, radiusX: Double, radiusY: Double, rotation: Double = 0)
    /// A rectangle whose corners are quarter circles; the radius is held to half of the shorter side.
    case roundedRectangle(x: Double, y: Double, width: Double, height: Double, radius: Double = 0)
    /// A straight line with round ends.
    case line(from: RasterPoint, to: RasterPoint, width: Double)
    /// The outline of another shape, half of its width on each side of the edge: a circle becomes a ring.
    case stroke(RasterShape, width: Double)
}
