/// The shortest path between two points.
public struct GeodesicInverse: Hashable, Sendable {
    /// Length in metres, from 0 to half the circumference through the poles.
    public let distance: Double
    /// Direction at the first point in degrees clockwise from north, -180...180.
    ///
    /// Where several paths are equally short (points opposite each other), it belongs to one of them. It is 0 when the
    /// points are the same. At a pole, north is along the meridian that the point's longitude names.
    public let initialAzimuth: Double
    /// Direction at the second point in degrees clockwise from north, -180...180: onwards, not back to the first point.
    public let finalAzimuth: Double
    /// The length as an angle on the auxiliary sphere, in degrees, 0...180.
    public let arcLength: Double
    /// The reduced length m12 in metres: how far the end moves sideways for one radian at the start.
    public let reducedLength: Double

    /// What is answered for points that are no places.
    static let invalid = GeodesicInverse(
        distance: .nan,
        initialAzimuth: .nan,
        finalAzimuth: .nan,
        arcLength: .nan,
        reducedLength: .nan
    )
}
