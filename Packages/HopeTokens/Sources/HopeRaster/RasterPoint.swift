/// A place on a canvas in pixels, from the top left corner; the centre of the first pixel is (0.5, 0.5).
public struct RasterPoint: Hashable, Sendable {
    /// Pixels from the left edge.
    public var x: Double
    /// Pixels from the top edge.
    public var y: Double

    /// Makes a point.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}
