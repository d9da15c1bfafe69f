import MapDocs
import Testing

struct MapCoordinateTests {
    @Test("Only values that are not finite are refused", arguments: [Double.nan, .infinity, -.infinity])
    func refusesNonFinite(value: Double) {
        #expect(throws: MapValueError.notFinite(name: "latitude")) {
            try MapCoordinate(latitude: value, longitude: 0)
        }
        #expect(throws: MapValueError.notFinite(name: "longitude")) {
            try MapCoordinate(latitude: 0, longitude: value)
        }
    }

    @Test("A latitude beyond a pole is the pole", arguments: [(91.0, 90.0), (-1e300, -90), (90, 90), (12.5, 12.5)])
    func clampsLatitude(given: Double, kept: Double) throws {
        #expect(try MapCoordinate(latitude: given, longitude: 0).latitude == kept)
    }

    @Test(
        "Wrapping brings a longitude into -180...180 and leaves one that is there alone",
        arguments: [(180.0, 180.0), (-180, -180), (190, -170), (-190, 170), (540, -180), (900.5, -179.5), (0.1, 0.1)]
    )
    func wraps(given: Double, wrapped: Double) throws {
        #expect(try MapCoordinate(latitude: 0, longitude: given).wrapped.longitude == wrapped)
    }

    @Test(
        "The nearest copy of a place lies at most 180 degrees away",
        arguments: [(179.9999, -179.9999, -180.0001), (-179.9999, 180, 180.0001), (10, 20, 10), (-170, 170, 190)]
    )
    func nearest(place: Double, center: Double, nearest: Double) throws {
        let coordinate = try MapCoordinate(latitude: 1, longitude: place)
        let moved = coordinate.nearest(to: try MapCoordinate(latitude: 0, longitude: center))
        #expect(abs(moved.longitude - nearest) < 1e-9)
        #expect(moved.latitude == 1)
    }
}
