import MapDocs
import Testing

struct MeasureModeTests {
    private func coordinate(_ latitude: Double, _ longitude: Double) throws -> MapCoordinate {
        try MapCoordinate(latitude: latitude, longitude: longitude)
    }

    /// Made with GeographicLib's GeodSolve and Planimeter (version 2.1.2).
    @Test func `a line and the area that it closes agree with GeographicLib`() throws {
        var measure = MeasureMode()
        #expect(measure.length == 0)
        measure.add(try coordinate(47.6, -122.3))
        measure.add(try coordinate(35.7, 139.7))
        #expect(abs(measure.length - 7_716_240.636_425_2) < 1e-6)
        #expect(measure.perimeter == nil)
        #expect(measure.area == nil)
        measure.add(try coordinate(-33.9, 151.2))
        #expect(abs(measure.length - 15_513_477.501_582_6) < 1e-6)
        #expect(abs((measure.perimeter ?? 0) - 27_971_983.244_434_8) < 1e-6)
        #expect(abs((measure.area ?? 0) - 41_036_920_115_075.44) < 1)
    }

    @Test func `from three points on the shape can be chosen, and undoing below three returns to the line`() throws {
        var measure = MeasureMode()
        measure.add(try coordinate(0, 0))
        measure.add(try coordinate(0, 1))
        measure.choose(.area)
        #expect(measure.shape == .line)
        #expect(!measure.canChooseShape)
        measure.add(try coordinate(1, 1))
        measure.choose(.area)
        #expect(measure.shape == .area)
        measure.undo()
        #expect(measure.shape == .line)
        #expect(measure.points.count == 2)
        measure.undo()
        measure.undo()
        measure.undo()
        #expect(measure == MeasureMode())
    }

    @Test func `undoing gives exactly what was there before`() throws {
        let points = try [coordinate(12, 179), coordinate(13, -179), coordinate(15, 178), coordinate(-80, 0)]
        var measure = MeasureMode(points: points, shape: .area)
        measure.add(try coordinate(1, 2))
        measure.undo()
        #expect(measure == MeasureMode(points: points, shape: .area))
    }
}
