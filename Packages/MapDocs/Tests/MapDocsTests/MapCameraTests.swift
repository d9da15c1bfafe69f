import MapDocs
import Testing
import TransportCore

struct MapCameraTests {
    private let seattle: MapCoordinate

    init() throws {
        seattle = try MapCoordinate(latitude: 47.60621, longitude: -122.33207)
    }

    @Test("Zoom is clamped to 0...22", arguments: [(-1.0, 0.0), (0, 0), (12.4, 12.4), (22, 22), (1e300, 22)])
    func clampsZoom(given: Double, kept: Double) throws {
        #expect(try MapCamera(center: seattle, zoom: given).zoom == kept)
    }

    @Test("Pitch is clamped to 0...60", arguments: [(-0.1, 0.0), (0, 0), (60, 60), (60.1, 60), (85, 60)])
    func clampsPitch(given: Double, kept: Double) throws {
        #expect(try MapCamera(center: seattle, zoom: 1, pitch: given).pitch == kept)
    }

    @Test(
        "Bearing wraps into 0..<360",
        arguments: [(-90.0, 270.0), (360, 0), (725, 5), (-1e-20, 0), (315, 315), (-720, 0), (359.9999999, 359.9999999)]
    )
    func wrapsBearing(given: Double, kept: Double) throws {
        let bearing = try MapCamera(center: seattle, zoom: 1, bearing: given).bearing
        #expect(bearing == kept)
        #expect(bearing.sign == .plus)
    }

    @Test("The centre stays in the Web Mercator world")
    func clampsCenter() throws {
        let camera = try MapCamera(center: MapCoordinate(latitude: -89, longitude: 200), zoom: 3)
        #expect(camera.center.latitude == -85.051129)
        #expect(camera.center.longitude == -160)
    }

    @Test("Values that are not finite are refused by name", arguments: [Double.nan, .infinity, -.infinity])
    func refusesNonFinite(value: Double) {
        #expect(throws: MapValueError.notFinite(name: "zoom")) { try MapCamera(center: seattle, zoom: value) }
        #expect(throws: MapValueError.notFinite(name: "bearing")) {
            try MapCamera(center: seattle, zoom: 1, bearing: value)
        }
        #expect(throws: MapValueError.notFinite(name: "pitch")) {
            try MapCamera(center: seattle, zoom: 1, pitch: value)
        }
        #expect(MapValueError.notFinite(name: "zoom").message.contains("zoom"))
    }

    @Test("A camera within range keeps every bit when it is made again", arguments: UInt64(1)...50)
    func keepsBits(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let center = try MapCoordinate(
            latitude: random.nextUnit() * 170 - 85,
            longitude: random.nextUnit() * 360 - 180
        )
        let zoom = random.nextUnit() * 22
        let bearing = random.nextUnit() * 360
        let pitch = random.nextUnit() * 60
        let camera = try MapCamera(center: center, zoom: zoom, bearing: bearing, pitch: pitch)
        #expect(camera.center == center)
        #expect([camera.zoom, camera.bearing, camera.pitch] == [zoom, bearing, pitch])
    }

    @Test("Turning, tilting and resetting leave the centre and the zoom alone")
    func orbits() throws {
        let camera = try MapCamera(center: seattle, zoom: 16.53, bearing: 315, pitch: 55)
        let turned = try camera.rotated(by: 50).tilted(by: 10)
        #expect(turned == (try MapCamera(center: seattle, zoom: 16.53, bearing: 5, pitch: 60)))
        #expect(turned.flatNorthUp == (try MapCamera(center: seattle, zoom: 16.53)))
        #expect(throws: MapValueError.notFinite(name: "pitch")) { try camera.tilted(by: .nan) }
    }

    @Test(
        "The readouts have five decimals and one",
        arguments: [
            (47.60621, -122.33207, 12.4, "47.60621, -122.33207", "z 12.4"),
            (-0.000001, 0, 0, "0.00000, 0.00000", "z 0.0"),
            (-33.8688197, 151.2092955, 9.96, "-33.86882, 151.20930", "z 10.0"),
            (0.1, -179.999999, 22, "0.10000, -180.00000", "z 22.0"),
        ]
    )
    func readouts(latitude: Double, longitude: Double, zoom: Double, place: String, level: String) throws {
        let camera = try MapCamera(center: MapCoordinate(latitude: latitude, longitude: longitude), zoom: zoom)
        #expect(camera.coordinateReadout == place)
        #expect(camera.zoomReadout == level)
    }
}
