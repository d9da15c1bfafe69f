import Foundation
import MapDocs
import MapDocsPeers
import MapGeoPackage
import Testing
import TransportCore

struct GeometryBlobTests {
    /// Well-known binary, put together by hand.
    private struct Binary {
        var bytes: [UInt8] = []
        var isLittle = true

        static func header(_ flags: UInt8 = 1, version: UInt8 = 0) -> [UInt8] {
            [0x47, 0x50, version, flags] + (flags & 1 == 1 ? [0xE6, 0x10, 0, 0] : [0, 0, 0x10, 0xE6])
        }

        init(_ kind: UInt32, isLittle: Bool = true) {
            self.isLittle = isLittle
            bytes = [isLittle ? 1 : 0]
            count(kind)
        }

        mutating func count(_ value: UInt32) {
            withUnsafeBytes(of: isLittle ? value.littleEndian : value.bigEndian) { bytes += Array($0) }
        }

        mutating func doubles(_ values: Double...) {
            for value in values {
                let pattern = isLittle ? value.bitPattern.littleEndian : value.bitPattern.bigEndian
                withUnsafeBytes(of: pattern) { bytes += Array($0) }
            }
        }

        static func build(_ kind: UInt32, isLittle: Bool = true, _ body: (inout Binary) -> Void) -> [UInt8] {
            var binary = Binary(kind, isLittle: isLittle)
            body(&binary)
            return binary.bytes
        }
    }

    /// Stores blobs as the geometries of a table, and reads them.
    private func read(_ blobs: [[UInt8]]) throws -> [MapFeature] {
        let folder = try TestFolder("cities")
        let raw = try folder.raw("BEGIN; DELETE FROM cities")
        for (index, blob) in blobs.enumerated() {
            let hex = blob.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            try raw.run("INSERT INTO cities VALUES (\(index + 1), X'\(hex)', 'x')")
        }
        try raw.run("COMMIT; DELETE FROM gpkg_extensions")
        raw.close()
        let package = try folder.open(for: .reading)
        // The boxes must not trip over them either.
        try package.readBounds(in: "cities") { _, box in
            #expect(box.west <= box.east && box.south <= box.north)
        }
        var features: [MapFeature] = []
        try package.readFeatures(in: "cities", FeatureQuery()) { feature in
            features.append(feature)
            return true
        }
        return features
    }

    private let line = MapGeometry.lineString([
        MapPosition(longitude: 1, latitude: 2, altitude: 3), MapPosition(longitude: 4, latitude: 5, altitude: 6),
    ])

    @Test("Both byte orders, both numberings of Z and M, and every envelope are read")
    func dialects() throws {
        var blobs: [[UInt8]] = []
        for isLittle in [true, false] {
            for kind: UInt32 in [1002, 0x8000_0002, 0xA000_0002] {
                for (envelope, ordinates) in [(0, 0), (1, 4), (2, 6), (3, 6), (4, 8)] {
                    let flags = UInt8(envelope << 1) | (isLittle ? 1 : 0)
                    let wkb = Binary.build(kind, isLittle: isLittle) { binary in
                        if kind & 0x2000_0000 != 0 { binary.count(4326) }
                        binary.count(2)
                        binary.doubles(1, 2, 3, 4, 5, 6)
                    }
                    let box = Binary.build(0, isLittle: isLittle) { binary in
                        for place in 0..<ordinates { binary.doubles([1, 4, 2, 5, 3, 6, 0, 0][place]) }
                    }
                    blobs.append(Binary.header(flags) + box.dropFirst(5) + wkb)
                }
            }
        }
        let features = try read(blobs)
        #expect(features.count == 30)
        for feature in features { #expect(feature.geometry == line, "\(feature)") }
    }

    @Test("Measures, both ordinates, and mixed byte orders inside a collection")
    func ordinates() throws {
        let blobs = [
            Binary.header() + Binary.build(2001) { $0.doubles(1, 2, 9) },
            Binary.header() + Binary.build(3001) { $0.doubles(1, 2, 3, 4) },
            Binary.header() + Binary.build(0xC000_0001) { $0.doubles(1, 2, 3, 4) },
            Binary.header()
                + Binary.build(7) { binary in
                    binary.count(2)
                    binary.bytes += Binary.build(1, isLittle: false) { $0.doubles(1, 2) }
                    binary.bytes += Binary.build(1004) { inner in
                        inner.count(1)
                        inner.bytes += Binary.build(1001) { $0.doubles(1, 2, 3) }
                    }
                },
        ]
        let both = MapGeometry.point(MapPosition(longitude: 1, latitude: 2, altitude: 3, measure: 4))
        #expect(
            try read(blobs).map(\.geometry) == [
                .point(MapPosition(longitude: 1, latitude: 2, measure: 9)), both, both,
                .collection([
                    .point(MapPosition(longitude: 1, latitude: 2)),
                    .multiPoint([MapPosition(longitude: 1, latitude: 2, altitude: 3)]),
                ]),
            ]
        )
    }

    @Test("NULL, an empty geometry and POINT EMPTY are three things, read and written")
    func emptiness() throws {
        let folder = try TestFolder("cities")
        try folder.raw("UPDATE gpkg_geometry_columns SET geometry_type_name = 'GEOMETRY'").close()
        let package = try folder.open()
        let values: [MapGeometry?] = [
            nil, .point(nil), .lineString([]), .polygon([]), .multiPoint([]), .multiPoint([nil]), .collection([]),
            .collection([.point(nil), .polygon([[]])]), .multiPolygon([[]]),
        ]
        try package.transaction { edits throws(MapPackageError) in
            for (index, value) in values.enumerated() {
                try edits.update(value, of: FeatureID("\(index + 1)"), in: "cities")
            }
        }
        for (index, value) in values.enumerated() {
            let feature = try #require(try package.feature(withKey: Int64(index + 1), in: "cities"))
            #expect(feature.geometry == value)
            #expect(feature.geometryProblem == nil)
        }
        // The flag for empty, and two NaN in a point (clause 2.1.3).
        let rows = try folder.raw().rows("SELECT hex(geom) FROM cities WHERE fid IN (2, 3) ORDER BY fid")
        #expect(
            rows == [
                "47500011E61000000101000000000000000000F87F000000000000F87F", "47500011E6100000010200000000000000",
            ]
        )
    }

    @Test(
        "Every kind is stored and read back, with height and measure",
        arguments: [
            MapGeometry.point(MapPosition(longitude: -0.0, latitude: 90, altitude: -1e300, measure: 1e-300)),
            .lineString([MapPosition(longitude: 1, latitude: 2), MapPosition(longitude: 180, latitude: 3)]),
            .polygon([
                [(0, 0), (4, 0), (4, 4), (0, 0)].map { MapPosition(longitude: $0.0, latitude: $0.1) },
                [(1, 1), (2, 1), (2, 2), (1, 1)].map { MapPosition(longitude: $0.0, latitude: $0.1) },
            ]),
            .multiPoint([MapPosition(longitude: 1, latitude: 2), nil]),
            .multiLineString([[MapPosition(longitude: 1, latitude: 2, measure: 3)], []]),
            .multiPolygon([[[(0, 0), (4, 0), (4, 4), (0, 0)].map { MapPosition(longitude: $0.0, latitude: $0.1) }]]),
            .collection([.collection([.point(MapPosition(longitude: 1, latitude: 2, altitude: 3))]), .lineString([])]),
        ]
    )
    func roundTrip(geometry: MapGeometry) throws {
        let folder = try TestFolder("cities")
        try folder.raw("UPDATE gpkg_geometry_columns SET geometry_type_name = 'GEOMETRY', z = 2, m = 2").close()
        let package = try folder.open()
        try package.transaction { edits throws(MapPackageError) in
            try edits.update(geometry, of: FeatureID("1"), in: "cities")
        }
        #expect(try package.feature(withKey: 1, in: "cities")?.geometry == geometry)
        #expect(try TestFolder.format.findFaults(in: folder.path) == [])
    }

    @Test("Shapes of another kind, heights where there are none, and numbers that are none are refused")
    func refuses() throws {
        let folder = try TestFolder("cities")
        let package = try folder.open()
        var deep = MapGeometry.point(nil)
        for _ in 0..<40 { deep = .collection([deep]) }
        for geometry in [
            deep, line, .point(MapPosition(longitude: 1, latitude: 2, altitude: 3)),
            .point(MapPosition(longitude: .nan, latitude: 2)), .point(MapPosition(longitude: 1, latitude: .infinity)),
        ] {
            let error = #expect(throws: MapPackageError.self) {
                try package.transaction { edits throws(MapPackageError) in
                    try edits.update(geometry, of: FeatureID("1"), in: "cities")
                }
            }
            #expect(error?.code == .refused)
        }
    }

    @Test("Bytes that are no geometry say why, and the feature's values are shown")
    func problems() throws {
        let point = Binary.build(1) { $0.doubles(1, 2) }
        var deep = point
        for _ in 0..<100 { deep = Binary.build(7) { $0.count(1) } + deep }
        let cases: [([UInt8], String)] = [
            ([], "cut off"), ([0x47], "cut off"), (Array("hello world".utf8), "binary form"),
            (Binary.header(1, version: 1) + point, "version 1"), (Binary.header(0x21) + point, "extended"),
            (Binary.header(0x0B) + point, "binary form"), (Binary.header(0x03) + point, "cut off"),
            (Binary.header() + point.dropLast(), "cut off"), (Binary.header() + point + [0], "more bytes"),
            (Binary.header() + [7] + point.dropFirst(), "binary form"),
            (Binary.header() + Binary.build(2) { $0.count(0xFFFF_FFFF) }, "cut off"),
            (Binary.header() + Binary.build(7) { $0.count(0x0FFF_FFFF) }, "cut off"),
            (Binary.header() + Binary.build(8) { $0.count(0) }, "curved"),
            (Binary.header() + Binary.build(16) { $0.count(0) }, "triangles"),
            (Binary.header() + Binary.build(99) { $0.count(0) }, "binary form"),
            (Binary.header() + Binary.build(4001) { $0.doubles(1, 2) }, "binary form"),
            (Binary.header() + Binary.build(1) { $0.doubles(1, .nan) }, "not a number"),
            (Binary.header() + Binary.build(1) { $0.doubles(.infinity, 1) }, "not a number"),
            (
                Binary.header() + Binary.build(4) { $0.count(1) }
                    + Binary.build(2) {
                        $0.count(0); $0.doubles(1, 2)
                    }, "kind"
            ),
            (Binary.header() + deep, "nested"),
        ]
        let features = try read(cases.map(\.0))
        #expect(features.count == cases.count)
        for (feature, (_, words)) in zip(features, cases) {
            #expect(feature.geometry == nil)
            #expect(feature.values["name"] == .text("x"))
            #expect(feature.geometryProblem?.contains(words) == true, "\(words): \(feature)")
        }
    }

    @Test("Rings that were not closed are closed")
    func rings() throws {
        let blob =
            Binary.header()
            + Binary.build(3) { binary in
                binary.count(1)
                binary.count(3)
                binary.doubles(0, 0, 4, 0, 4, 4)
            }
        let ring = [(0, 0), (4, 0), (4, 4), (0, 0)].map { MapPosition(longitude: $0.0, latitude: $0.1) }
        #expect(try read([blob]).map(\.geometry) == [.polygon([ring])])
    }

    @Test("Mutated blobs never crash, and what is read has only finite coordinates", arguments: UInt64(1)...4)
    func fuzz(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let folder = try TestFolder("countries")
        let hex = try folder.raw().rows("SELECT hex(geom) FROM countries WHERE length(geom) < 900")
        let seeds = hex.map { row in
            let digits = row.utf8.map { $0 - ($0 < 65 ? 48 : 55) }
            return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        }
        var blobs: [[UInt8]] = []
        for _ in 0..<500 {
            var blob = seeds[random.nextInt(below: seeds.count)]
            for _ in 0...random.nextInt(below: 4) where !blob.isEmpty {
                switch random.nextInt(below: 4) {
                case 0: blob[random.nextInt(below: min(blob.count, 70))] = UInt8(random.nextInt(below: 256))
                case 1: blob[random.nextInt(below: blob.count)] ^= 1 << UInt8(random.nextInt(below: 8))
                case 2: blob.removeLast(random.nextInt(below: blob.count))
                default: blob.insert(0xFF, at: random.nextInt(below: blob.count + 1))
                }
            }
            blobs.append(blob)
        }
        for feature in try read(blobs) {
            #expect((feature.geometry == nil) == (feature.geometryProblem != nil))
            feature.geometry?.forEachPosition { #expect($0.longitude.isFinite && $0.latitude.isFinite) }
        }
    }
}
