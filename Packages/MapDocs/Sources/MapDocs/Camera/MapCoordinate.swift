/// A position on the WGS84 ellipsoid, in degrees.
public struct MapCoordinate: Hashable, Sendable {
    /// Degrees north of the equator, in -90...90.
    public let latitude: Double
    /// Degrees east of Greenwich: any finite value, so that a line across the antimeridian stays continuous.
    public let longitude: Double

    /// Makes a coordinate from degrees.
    ///
    /// - Parameters:
    ///   - latitude: Degrees north; clamped to -90...90, beyond which there is no place.
    ///   - longitude: Degrees east; kept as it is, 190 and -170 being the same place in two copies of the world.
    /// - Throws: `MapValueError.notFinite` when either value is NaN or infinite; nothing else is refused.
    public init(latitude: Double, longitude: Double) throws(MapValueError) {
        self.init(
            finiteLatitude: try latitude.finite("latitude"),
            longitude: try longitude.finite("longitude")
        )
    }

    init(finiteLatitude latitude: Double, longitude: Double) {
        self.latitude = min(max(latitude, -90), 90)
        self.longitude = longitude
    }

    /// The same place with its longitude in -180...180; a longitude that is there already keeps every bit.
    public var wrapped: MapCoordinate {
        MapCoordinate(finiteLatitude: latitude, longitude: longitude.remainder(dividingBy: 360))
    }

    /// Returns the same place in the copy of the world in which it is at most 180 degrees from another.
    ///
    /// A point at 179.9999 next to a map centred at -179.9999 becomes -180.0001, so that it is drawn and hit there.
    ///
    /// - Parameter other: The coordinate to come close to, usually the camera's centre.
    /// - Returns: The coordinate with a longitude that may lie outside -180...180.
    public func nearest(to other: MapCoordinate) -> MapCoordinate {
        let distance = longitude - other.longitude
        guard abs(distance) > 180 else { return self }
        return MapCoordinate(
            finiteLatitude: latitude,
            longitude: other.longitude + distance.remainder(dividingBy: 360)
        )
    }
}
