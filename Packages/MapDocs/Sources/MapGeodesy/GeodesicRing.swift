/// The perimeter and area of a closed ring.
///
/// Areas are those of simple polygons; where a ring crosses itself, parts that it goes round the other way are subtracted.
public struct GeodesicRing: Hashable, Sendable {
    /// Length of all edges in metres, the closing one included.
    public let perimeter: Double
    /// Square metres, positive where the ring runs counterclockwise round the smaller side, else negative.
    ///
    /// At most half the ellipsoid's surface.
    public let signedArea: Double
    /// Square metres on the left of someone who walks along the ring, from 0 to the ellipsoid's whole surface.
    public let leftArea: Double

    /// The area in square metres whichever way the ring runs: that of the smaller of its two sides.
    public var area: Double {
        abs(signedArea)
    }

    /// Whether the ring runs counterclockwise round the smaller of its two sides.
    public var isCounterclockwise: Bool {
        signedArea > 0
    }
}
