import Foundation
import MapDocs
import MapGeoPackage
import TransportCore

/// Times taps on a package; hit-test-peer.py asks SQLite's RTree for the windows of the same taps.
///
///     HitTestBenchmark measure PACKAGE WINDOWS    prints name and figures, and writes the windows of the taps
///     HitTestBenchmark tap PACKAGE LAT LON ZOOM   opens the package in place and taps once
@main
struct HitTestBenchmark {
    private static let taps = 20_000

    static func main() throws {
        let arguments = CommandLine.arguments
        switch (arguments.dropFirst().first, arguments.count) {
        case ("measure", 4): try measure(arguments[2], windows: arguments[3])
        case ("tap", 6): try tap(arguments[2], arguments[3...].compactMap(Double.init))
        default:
            print("usage: HitTestBenchmark measure PACKAGE WINDOWS | tap PACKAGE LAT LON ZOOM")
            exit(2)
        }
    }

    private static let format = GeoPackageFormat(digest: SoftwareContentDigest(), now: { Date() })

    private static func layers(_ package: any MapPackage) throws -> [HitTestLayer] {
        try package.tables().map { HitTestLayer(id: $0.name, table: $0.name, geometryKind: $0.geometryKind) }
    }

    private static func tap(_ path: String, _ place: [Double]) throws {
        let package = try format.open(path, for: .reading)
        let center = try MapCoordinate(latitude: place[0], longitude: place[1])
        let projection = try MapProjection(camera: MapCamera(center: center, zoom: place[2]), width: 390, height: 844)
        let hit = try MapHitTester(package: package).hit(
            at: projection.centerPoint,
            through: projection,
            layers: try layers(package)
        )
        print(hit.map { "\($0.table) \($0.key)" } ?? "nothing")
    }

    private static func measure(_ path: String, windows: String) throws {
        let clock = ContinuousClock()
        let package = try format.open(path, for: .reading)
        let layers = try layers(package)
        let tester = MapHitTester(package: package)
        let preparing = try clock.measure {
            for layer in layers { try tester.prepareIndex(of: layer.table) }
        }
        var random = SeededRandom(seed: 3)
        var bytes = Data()
        var cases: [(MapProjection, ScreenPoint)] = []
        for _ in 0..<taps {
            let center = try MapCoordinate(
                latitude: .random(in: 41...59, using: &random),
                longitude: .random(in: 1...29, using: &random)
            )
            let camera = try MapCamera(
                center: center,
                zoom: Double(Int.random(in: 8...16, using: &random)),
                bearing: .random(in: 0..<360, using: &random),
                pitch: Bool.random(using: &random) ? 45 : 0
            )
            let projection = try MapProjection(camera: camera, width: 390, height: 844)
            let point = ScreenPoint(x: .random(in: 0...390, using: &random), y: .random(in: 0...844, using: &random))
            cases.append((projection, point))
            // The box of the fingertip's square on the ground.
            let corners = [(-22.0, -22.0), (22, -22), (-22, 22), (22, 22)].compactMap {
                projection.unproject(ScreenPoint(x: point.x + $0.0, y: point.y + $0.1))
            }
            let longitudes = corners.map(\.longitude).sorted()
            let latitudes = corners.map(\.latitude).sorted()
            for value in [longitudes[0], latitudes[0], longitudes[3], latitudes[3]] {
                withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
            }
        }
        try bytes.write(to: URL(fileURLWithPath: windows))
        var hits = 0
        var times: [Duration] = []
        for (projection, point) in cases {
            let start = clock.now
            let hit = try tester.hit(at: point, through: projection, layers: layers)
            times.append(clock.now - start)
            if hit != nil { hits += 1 }
        }
        times.sort()
        let total = times.reduce(.zero, +)
        let figures = [
            ("prepare_ms", preparing / .milliseconds(1)), ("mean_us", total / .microseconds(taps)),
            ("median_us", times[taps / 2] / .microseconds(1)),
            ("p99_us", times[taps * 99 / 100] / .microseconds(1)), ("hits", Double(hits)),
        ]
        print(figures.map { "\($0.0)=\(String(format: "%.2f", $0.1))" }.joined(separator: " "))
    }
}
