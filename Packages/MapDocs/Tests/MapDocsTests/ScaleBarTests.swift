import MapDocs
import Testing

struct ScaleBarTests {
    private func bar(
        _ zoom: Double,
        latitude: Double = 0,
        bearing: Double = 0,
        _ units: MeasurementUnits = .metric,
        width: Double = 100
    ) throws -> ScaleBar {
        let center = try MapCoordinate(latitude: latitude, longitude: 10)
        return try ScaleBar(
            camera: MapCamera(center: center, zoom: zoom, bearing: bearing, pitch: 50),
            units: units,
            maximumWidth: width
        )
    }

    // At the equator a point is 78271.516964 m / 2^zoom: 40075016.686 m in 512 points.
    @Test(
        "The label is the longest round distance that fits",
        arguments: [
            (0.0, MeasurementUnits.metric, "5000 km", 63.8802),
            (0, .imperial, "2000 mi", 41.1221),
            (10, .metric, "5 km", 65.4133),
            (16, .metric, "100 m", 83.7292),
            (16, .imperial, "200 ft", 51.0413),
            (22, .metric, "1 m", 53.5867),
            (22, .imperial, "5 ft", 81.6661),
        ]
    )
    func rounds(zoom: Double, units: MeasurementUnits, label: String, width: Double) throws {
        let bar = try bar(zoom, units)
        #expect(bar.label == label)
        #expect(abs(bar.width - width) < 0.0005)
    }

    @Test("Small distances are in centimetres and inches")
    func small() throws {
        #expect(try bar(22, latitude: 85).label == "10 cm")
        #expect(try bar(22, latitude: 85, .imperial).label == "5 in")
    }

    // Lengths of one degree on WGS84, in metres: along the parallel and along the meridian.
    @Test(
        "The length is true on the ellipsoid in both directions",
        arguments: [
            (0.0, 111_320.0, 110_574.0), (15, 107_551, 110_649), (30, 96_486, 110_852), (45, 78_847, 111_132),
            (60, 55_800, 111_412), (75, 28_902, 111_618),
        ]
    )
    func trueLength(latitude: Double, parallel: Double, meridian: Double) throws {
        let pointsPerDegree = 512.0 * 1024 / 360
        let eastward = try bar(10, latitude: latitude)
        #expect(abs(eastward.meters / eastward.width * pointsPerDegree / parallel - 1) < 2e-5)
        // The map is stretched along the meridian as much as along the parallel.
        let northward = try bar(10, latitude: latitude, bearing: 90)
        let stretch = try bar(10, latitude: latitude).width / eastward.width
        let cosine = parallel / 111_320 * (1 - 0.00669438 * (1 - parallel * parallel / 111_320 / 111_320)).squareRoot()
        #expect(abs(northward.meters / northward.width * pointsPerDegree / (meridian * cosine) * stretch - 1) < 5e-5)
    }

    @Test("The bar is 1, 2 or 5 times a power of ten and never wider than allowed")
    func everyZoom() throws {
        for step in 0...220 {
            for units in MeasurementUnits.allCases {
                let bar = try bar(Double(step) / 10, latitude: 47, units, width: 96)
                let digits = bar.label.split(separator: " ")[0].filter { $0 != "0" && $0 != "." }
                #expect(["1", "2", "5"].contains(digits), "\(bar)")
                #expect(bar.width <= 96 && bar.width > 24, "\(bar)")
            }
        }
    }

    @Test("A width has to be a positive number of points", arguments: [0, -5, Double.nan, .infinity])
    func refuses(width: Double) {
        #expect(throws: MapValueError.self) { try bar(3, width: width) }
    }

    @Test("The smallest width there is makes no trouble")
    func tiny() throws {
        #expect(try bar(22, latitude: 85, width: .leastNonzeroMagnitude).width >= 0)
    }
}
