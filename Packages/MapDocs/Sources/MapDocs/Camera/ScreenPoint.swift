/// A place in a map's viewport, in points from its top leading corner, y growing downwards.
public struct ScreenPoint: Hashable, Sendable {
    /// Points from the left edge.
    public var x: Double
    /// Points from the top edge.
    public var y: Double

    /// Makes a point of the viewport.
    ///
    /// - Parameters:
    ///   - x: Points from the left edge.
    ///   - y: Points from the top edge.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}
