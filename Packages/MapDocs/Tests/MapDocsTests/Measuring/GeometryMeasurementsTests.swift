import MapDocs
import Testing

struct GeometryMeasurementsTests {
    private func ring(_ places: [(Double, Double)]) -> [MapPosition] {
        places.map { MapPosition(longitude: $0.1, latitude: $0.0) }
    }

    /// Made with GeographicLib's Planimeter (version 2.1.2): the square of one degree at the equator and one inside it.
    @Test func `a polygon's holes are subtracted from its area and added to its perimeter`() {
        let square = ring([(0, 0), (0, 1), (1, 1), (1, 0), (0, 0)])
        let hole = ring([(0.25, 0.25), (0.25, 0.75), (0.75, 0.75), (0.75, 0.25), (0.25, 0.25)])
        let whole = GeometryMeasurements(.polygon([square]))
        #expect(abs((whole.area ?? 0) - 12_308_778_361.469) < 0.1)
        #expect(abs((whole.perimeter ?? 0) - 443_770.917_248) < 1e-5)
        #expect(whole.length == nil)
        let holed = GeometryMeasurements(.polygon([square, hole]))
        #expect(abs((holed.area ?? 0) - (12_308_778_361.469 - 3_077_164_136.65)) < 0.2)
        #expect(abs((holed.perimeter ?? 0) - (443_770.917_248 + 221_888.595_301)) < 1e-5)
    }

    @Test func `lines have a length, points have nothing and collections have the sum`() {
        let line = ring([(47.6, -122.3), (35.7, 139.7)])
        let measured = GeometryMeasurements(
            .collection([.lineString(line), .point(line[0]), .multiLineString([line])])
        )
        #expect(abs((measured.length ?? 0) - 2 * 7_716_240.636_425_2) < 1e-6)
        #expect(measured.area == nil)
        let point = GeometryMeasurements(.point(line[0]))
        #expect(point.length == nil && point.perimeter == nil && point.area == nil)
    }

    @Test func `a summary counts the corner that closes a ring once`() {
        let square = ring([(0, 0), (0, 1), (1, 1), (1, 0), (0.5, -1), (0, 0)])
        #expect(MapGeometry.polygon([square]).summary == "Polygon · 5 vertices")
        #expect(MapGeometry.point(square[0]).summary == "Point")
        #expect(MapGeometry.point(nil).summary == "Point · empty")
        #expect(MapGeometry.multiPoint([square[0], nil]).summary == "Points · 1 point")
        #expect(MapGeometry.lineString([square[0]]).summary == "Line · 1 vertex")
        #expect(MapGeometry.multiPolygon([[square], [square]]).summary == "Polygons · 10 vertices")
    }
}
