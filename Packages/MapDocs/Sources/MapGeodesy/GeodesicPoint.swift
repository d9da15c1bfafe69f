/// A position on an ellipsoid, in degrees.
///
/// Any values can be kept; a latitude beyond ±90 or a value that is not finite is no place, and whatever is computed
/// from such a point is NaN.
public struct GeodesicPoint: Hashable, Sendable {
    /// Geodetic latitude in degrees north of the equator, -90...90.
    public var latitude: Double
    /// Degrees east of the prime meridian; any finite value, 190 and -170 being the same place.
    public var longitude: Double

    /// Makes a point from degrees north and east.
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Whether the values name a place.
    var isPlace: Bool {
        abs(latitude) <= 90 && longitude.isFinite
    }
}
