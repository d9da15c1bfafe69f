import MapDocs
import Testing
import TransportCore

/// Every test runs with the package's own index and with the one in memory.
struct MapHitTesterTests {
    static let cameras: [(zoom: Double, latitude: Double, bearing: Double, pitch: Double)] = [
        (16, 47.6, 0, 0), (5, 47.6, 0, 0), (18, 80, 0, 0), (12, -33.9, 135, 0), (14, 47.6, 30, 60), (20, 80, 275, 45),
    ]

    @Test(arguments: cameras, [false, true])
    func `of two wells thirty points apart the nearer is hit`(
        camera: (zoom: Double, latitude: Double, bearing: Double, pitch: Double),
        inMemory: Bool
    ) throws {
        let projection = try MapProjection.phone(
            camera.latitude,
            11,
            zoom: camera.zoom,
            bearing: camera.bearing,
            pitch: camera.pitch
        )
        let scene = try TapScene([
            ("wells", .point, [.point(projection.place(180, 400)), .point(projection.place(210, 400))])
        ])
        if inMemory { try scene.prepareIndexes() }
        #expect(try scene.hit(194, 400, through: projection) == "wells-1")
        #expect(try scene.hit(196, 400, through: projection) == "wells-2")
        #expect(try scene.hit(158.1, 400, through: projection) == "wells-1")
        #expect(try scene.hit(157.9, 400, through: projection) == nil)
        #expect(try scene.hit(210, 421.9, through: projection) == "wells-2")
        #expect(try scene.hit(210, 422.1, through: projection) == nil)
    }

    @Test(arguments: cameras, [false, true])
    func `a line is hit from 22 points away at every zoom`(
        camera: (zoom: Double, latitude: Double, bearing: Double, pitch: Double),
        inMemory: Bool
    ) throws {
        let projection = try MapProjection.phone(
            camera.latitude,
            11,
            zoom: camera.zoom,
            bearing: camera.bearing,
            pitch: camera.pitch
        )
        let scene = try TapScene([
            ("roads", .lineString, [.lineString([projection.place(-900, 300), projection.place(1300, 300)])])
        ])
        if inMemory { try scene.prepareIndexes() }
        #expect(try scene.hit(200, 278.1, through: projection) == "roads-1")
        #expect(try scene.hit(200, 321.9, through: projection) == "roads-1")
        #expect(try scene.hit(200, 277.9, through: projection) == nil)
        #expect(try scene.hit(200, 322.1, through: projection) == nil)
    }

    @Test(arguments: cameras, [false, true])
    func `a tap inside a polygon hits it, in its hole it does not`(
        camera: (zoom: Double, latitude: Double, bearing: Double, pitch: Double),
        inMemory: Bool
    ) throws {
        let projection = try MapProjection.phone(
            camera.latitude,
            11,
            zoom: camera.zoom,
            bearing: camera.bearing,
            pitch: camera.pitch
        )
        let parcel = MapGeometry.polygon([projection.ring(50, 200, 350, 600), projection.ring(150, 350, 250, 450)])
        let scene = try TapScene([("parcels", .polygon, [parcel])])
        if inMemory { try scene.prepareIndexes() }
        #expect(try scene.hit(100, 250, through: projection) == "parcels-1")
        #expect(try scene.hit(200, 400, through: projection) == nil)
        #expect(try scene.hit(155, 400, through: projection) == nil)
        #expect(try scene.hit(145, 400, through: projection) == "parcels-1")
        #expect(try scene.hit(28.1, 400, through: projection) == "parcels-1")
        #expect(try scene.hit(27.9, 400, through: projection) == nil)
    }

    @Test(arguments: [false, true])
    func `a well in a parcel can be tapped, and the parcel away from it`(inMemory: Bool) throws {
        let projection = try MapProjection.phone(47.6, 11, zoom: 16)
        let scene = try TapScene([
            ("wells", .point, [.point(projection.place(200, 400))]),
            ("parcels", .polygon, [.polygon([projection.ring(50, 200, 350, 600)])]),
        ])
        if inMemory { try scene.prepareIndexes() }
        #expect(try scene.hit(210, 410, through: projection) == "wells-1")
        #expect(try scene.hit(230, 430, through: projection) == "parcels-1")
    }

    @Test(arguments: [false, true])
    func `at the same distance points go before lines, then the upper layer, then what is drawn last`(
        inMemory: Bool
    ) throws {
        let projection = try MapProjection.phone(47.6, 11, zoom: 16)
        let place = projection.place(200, 400)
        let line = MapGeometry.lineString([place, projection.place(300, 400)])
        let scene = try TapScene([
            ("lower", .point, [.point(place), .point(place)]),
            ("wells", .point, [.point(place), .point(place)]),
            ("roads", .lineString, [line]),
        ])
        if inMemory { try scene.prepareIndexes() }
        #expect(try scene.hit(190, 400, through: projection) == "wells-2")
        #expect(try scene.hit(260, 400, through: projection) == "roads-1")
        #expect(try scene.hit(205, 400, through: projection) == "roads-1")
    }

    @Test(arguments: [false, true])
    func `of neighbouring parcels the one under the finger is hit, close to their border too`(inMemory: Bool) throws {
        let projection = try MapProjection.phone(47.6, 11, zoom: 16)
        let scene = try TapScene([
            (
                "parcels", .polygon,
                [
                    .polygon([projection.ring(0, 200, 200, 600)]), .polygon([projection.ring(200, 200, 390, 600)]),
                ]
            )
        ])
        if inMemory { try scene.prepareIndexes() }
        #expect(try scene.hit(199, 400, through: projection) == "parcels-1")
        #expect(try scene.hit(201, 400, through: projection) == "parcels-2")
    }

    @Test(arguments: [179.9999, -179.9999], [180.0, -180.0, 179.9, -179.9])
    func `a feature beside the antimeridian is hit from both sides`(longitude: Double, center: Double) throws {
        let projection = try MapProjection.phone(10, center, zoom: 9)
        let well = MapGeometry.point(MapPosition(longitude: longitude, latitude: 10))
        let west = MapPosition(longitude: 179.99, latitude: 10.1)
        let east = MapPosition(longitude: 180.01, latitude: 10.1)
        let scene = try TapScene([
            ("wells", .point, [well]),
            ("roads", .lineString, [.lineString([west, east])]),
        ])
        for prepare in [false, true] {
            if prepare { try scene.prepareIndexes() }
            for shown in [180.0, -180.0] {
                let place = try MapCoordinate(latitude: 10, longitude: shown).nearest(to: projection.camera.center)
                let point = try #require(projection.project(place))
                #expect(try scene.hit(point.x, point.y, through: projection) == "wells-1")
                let road = try MapCoordinate(latitude: 10.1, longitude: shown).nearest(to: projection.camera.center)
                let crossing = try #require(projection.project(road))
                #expect(try scene.hit(crossing.x, crossing.y, through: projection) == "roads-1")
            }
        }
    }

    @Test(arguments: [false, true])
    func `what has no shape is never hit and hides nothing`(inMemory: Bool) throws {
        let projection = try MapProjection.phone(0, 0, zoom: 3)
        let scene = try TapScene([
            (
                "mixed", nil,
                [
                    nil, .point(nil), .lineString([]), .polygon([]), .polygon([[]]), .collection([]),
                    .multiPoint([nil, projection.place(200, 400)]),
                    .lineString([projection.place(100, 100)]),
                ]
            )
        ])
        if inMemory { try scene.prepareIndexes() }
        #expect(try scene.hit(195, 422, through: projection) == nil)
        #expect(try scene.hit(200, 405, through: projection) == "mixed-7")
        #expect(try scene.hit(100, 105, through: projection) == "mixed-8")
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
    func `a tap at no place hits nothing`(value: Double) throws {
        let projection = try MapProjection.phone(0, 0, zoom: 3, pitch: 60)
        let scene = try TapScene([("world", .polygon, [.polygon([projection.ring(-50, -50, 500, 1000)])])])
        #expect(try scene.hit(value, 400, through: projection) == nil)
        #expect(try scene.hit(200, -value, through: projection) == nil)
    }

    @Test func `edges are straight on the flat world, so an area reaches as far as it is drawn`() throws {
        // Halfway up the map from 0° to 80° lies 57.04° (asin(tanh(ψ/2)) with ψ = atanh(sin 80°)), not 40°.
        let projection = try MapProjection.phone(40, 50, zoom: 2)
        let triangle = [(0.0, 0.0), (100, 80), (100, 0), (0, 0)].map {
            MapPosition(longitude: $0.0, latitude: $0.1)
        }
        let scene = try TapScene([("areas", .polygon, [.polygon([triangle])])])
        func distance(latitude: Double) throws -> Double? {
            let point = try #require(projection.project(try MapCoordinate(latitude: latitude, longitude: 50)))
            return try scene.tester.hit(at: point, through: projection, layers: scene.layers)?.distance
        }
        #expect(try distance(latitude: 57.0) == 0)
        #expect(try distance(latitude: 57.1) ?? 0 > 0)
    }

    @Test(arguments: 0..<12)
    func `random taps hit what is closest among all features, with either index`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let projection = try MapProjection.phone(
            .random(in: -70...70, using: &random),
            .random(in: -180...180, using: &random),
            zoom: .random(in: 2...18, using: &random),
            bearing: .random(in: 0...360, using: &random),
            pitch: .random(in: 0...60, using: &random)
        )
        func point() -> (x: Double, y: Double) {
            (.random(in: -50...450, using: &random), .random(in: -50...900, using: &random))
        }
        let points = (0..<60).map { _ in point() }
        let lines = (0..<12).map { _ in (0..<4).map { _ in point() } }
        let scene = try TapScene([
            ("points", .point, points.map { .point(projection.place($0.x, $0.y)) }),
            ("lines", .lineString, lines.map { line in .lineString(line.map { projection.place($0.x, $0.y) }) }),
        ])
        let taps = (0..<60).map { _ in point() }
        var hits: [[MapHit?]] = []
        for prepare in [false, true] {
            if prepare { try scene.prepareIndexes() }
            hits.append(
                try taps.map {
                    try scene.tester.hit(at: ScreenPoint(x: $0.x, y: $0.y), through: projection, layers: scene.layers)
                }
            )
        }
        #expect(hits[0] == hits[1], "seed \(seed)")
        for (tap, hit) in zip(taps, hits[0]) {
            // A plain search over the points of the screen that the shapes were made from.
            let toPoints = points.map { Self.distance(tap, $0, $0) }
            let toLines = lines.map { zip($0, $0.dropFirst()).map { Self.distance(tap, $0, $1) }.min() ?? .infinity }
            let closest = min(toPoints.min() ?? .infinity, toLines.min() ?? .infinity)
            if closest > 22.001 {
                #expect(hit == nil, "seed \(seed)")
            } else if closest < 21.999 {
                #expect(abs((hit?.distance ?? .infinity) - closest) < 1e-3, "seed \(seed)")
            }
        }
    }

    private static func distance(
        _ tap: (x: Double, y: Double),
        _ start: (x: Double, y: Double),
        _ end: (x: Double, y: Double)
    ) -> Double {
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        let square = dx * dx + dy * dy
        let part = square == 0 ? 0 : min(max(((tap.x - start.x) * dx + (tap.y - start.y) * dy) / square, 0), 1)
        let (x, y) = (start.x + dx * part - tap.x, start.y + dy * part - tap.y)
        return (x * x + y * y).squareRoot()
    }
}
