/// Where a walk straight ahead ends.
public struct GeodesicDirect: Hashable, Sendable {
    /// The end of the walk, with its longitude in -180...180.
    public let end: GeodesicPoint
    /// Direction at the end in degrees clockwise from north, -180...180.
    public let finalAzimuth: Double
    /// The way as an angle on the auxiliary sphere, in degrees; negative for a walk backwards.
    public let arcLength: Double

    /// What is answered for a start, a direction or a distance that is none.
    static let invalid = GeodesicDirect(
        end: GeodesicPoint(latitude: .nan, longitude: .nan),
        finalAzimuth: .nan,
        arcLength: .nan
    )
}
