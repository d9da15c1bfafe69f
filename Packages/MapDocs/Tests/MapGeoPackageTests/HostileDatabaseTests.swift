import Foundation
import MapDocs
import MapDocsPeers
import MapGeoPackage
import Testing
import TransportCore

struct HostileDatabaseTests {
    @Test("A view in the place of a table is listed with the reason why it is not read")
    func view() throws {
        let folder = try TestFolder("cities")
        let raw = try folder.raw("ALTER TABLE cities RENAME TO real_cities")
        try raw.run(
            """
            CREATE VIEW cities AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)
            SELECT n AS fid, NULL AS geom, 'x' AS name FROM r
            """
        )
        raw.close()
        let package = try folder.open()
        let table = try #require(try package.tables().first { $0.name == "cities" })
        #expect(table.lockReason?.contains("view") == true)
        #expect(try package.featureCount(in: "cities") == 0)
        #expect(try package.feature(FeatureID("1"), in: "cities") == nil)
        try package.readFeatures(in: "cities", FeatureQuery()) { _ in
            Issue.record("read")
            return false
        }
        let error = #expect(throws: MapPackageError.self) {
            try package.transaction { edits throws(MapPackageError) in
                try edits.update(["name": .text("y")], of: FeatureID("1"), in: "cities")
            }
        }
        #expect(error?.code == .refused)
        _ = try package.contentDigest()
        try package.readTexts { _, _ in true }
    }

    @Test(
        "Names with everything in them are names",
        arguments: [
            "a\"b", "x'; DROP TABLE cities; --", "\"\u{301}", "'\u{301}", "👨‍👩‍👧", "sel ect", "ünï", "[x]", "a.b", "%_?1",
        ]
    )
    func names(name: String) throws {
        let folder = try TestFolder("cities")
        let package = try folder.open()
        let columns = [FeatureColumn(name: name, type: .text(maximumLength: nil))]
        try package.transaction { edits throws(MapPackageError) in
            try edits.createTable(name, columns: columns, geometryKind: .point)
            try edits.insert(
                FeatureID(name),
                geometry: .point(MapPosition(longitude: 1, latitude: 2)),
                values: [name: .text(name)],
                into: name
            )
            try edits.update([name: .text("new")], of: FeatureID(name), in: name)
        }
        let feature = try #require(try package.feature(FeatureID(name), in: name))
        #expect(feature.values == [name: .text("new")])
        var found = 0
        let box = MapBounds(west: 0, south: 0, east: 2, north: 2)
        try package.readFeatures(in: name, FeatureQuery(bounds: box)) { _ in
            found += 1
            return true
        }
        #expect(found == 1)
        _ = try package.contentDigest()
        try package.readTexts { _, _ in true }
        #expect(try TestFolder.format.findFaults(in: folder.path) == [])
        #expect(try package.featureCount(in: "cities") == 243)
    }

    @Test("A spatial index that runs in circles, or claims what it does not have, is an error")
    func index() throws {
        // A root of depth 2 whose cells lead back to the root, to one node twice, and nowhere.
        for hex in [
            "0002000100000000000000010000000000000000000000000000000000", "00020002", "FFFF0000", "0001FFFF", "",
        ] {
            let folder = try TestFolder("cities")
            let cells =
                hex == "00020002"
                ? String(repeating: "0000000000000002" + String(repeating: "0", count: 32), count: 2) : ""
            try folder.raw("UPDATE rtree_cities_geom_node SET data = X'\(hex)\(cells)' WHERE nodeno = 1").close()
            let package = try folder.open(for: .reading)
            let error = #expect(throws: MapPackageError.self) { try package.readBounds(in: "cities") { _, _ in } }
            #expect(error?.code == .damaged, "\(hex)")
            #expect(try package.featureCount(in: "cities") == 243)
        }
    }

    @Test("What only looks like a spatial index is not one")
    func otherIndex() throws {
        let folder = try TestFolder("cities")
        let raw = try folder.raw("DROP TABLE rtree_cities_geom")
        try raw.run("CREATE TABLE rtree_cities_geom (id, minx, maxx, miny, maxy)")
        raw.close()
        let package = try folder.open()
        #expect(try package.tables().first?.hasSpatialIndex == false)
        var count = 0
        try package.readBounds(in: "cities") { _, _ in count += 1 }
        #expect(count == 243)
        try package.transaction { edits throws(MapPackageError) in
            try edits.update(.point(nil), of: FeatureID("1"), in: "cities")
        }
    }

    @Test("A text of five megabytes, and bytes that are not UTF-8, are read")
    func bigText() throws {
        let folder = try TestFolder("cities")
        try folder.raw(
            "UPDATE cities SET name = printf('%.*c', 5000000, 'x') WHERE fid = 1; UPDATE cities SET name = CAST(X'FF41' AS TEXT) WHERE fid = 2"
        ).close()
        let package = try folder.open()
        guard case .text(let text) = try package.feature(FeatureID("1"), in: "cities")?.values["name"] else {
            Issue.record("no text")
            return
        }
        #expect(text.utf8.count == 5_000_000)
        #expect(try package.feature(FeatureID("2"), in: "cities")?.values["name"] == .text("\u{FFFD}A"))
    }

    @Test("Features that another program added without a uuid, or with one that is none, go by their keys")
    func identifiers() throws {
        let folder = try TestFolder("cities")
        let raw = try folder.raw("ALTER TABLE cities ADD COLUMN uuid TEXT")
        try raw.run("CREATE UNIQUE INDEX u ON cities (uuid); UPDATE cities SET uuid = 'id-' || fid WHERE fid > 2")
        try raw.run("UPDATE cities SET uuid = X'01' WHERE fid = 2")
        raw.close()
        let package = try folder.open()
        for (id, key) in [("1", Int64(1)), ("2", 2), ("id-3", 3)] {
            let feature = try #require(try package.feature(FeatureID(id), in: "cities"))
            #expect(feature.key == key)
            #expect(feature.id == FeatureID(id))
        }
        #expect(try package.feature(FeatureID("3"), in: "cities") == nil)
        let columns = try #require(try package.tables().first?.columns)
        #expect(columns.last?.role == .identifier)
    }

    @Test("A table without a whole-number key is listed and locked")
    func noKey() throws {
        let folder = try TestFolder("cities")
        let raw = try folder.raw("ALTER TABLE cities RENAME TO old")
        try raw.run("CREATE TABLE cities (fid INTEGER, geom POINT, name TEXT, PRIMARY KEY (fid, name)) WITHOUT ROWID")
        raw.close()
        let package = try folder.open()
        #expect(try package.tables().first { $0.name == "cities" }?.lockReason?.contains("primary key") == true)
        #expect(try package.feature(FeatureID("1"), in: "cities") == nil)
    }

    @Test("A thousand mutated files are opened or refused, and never crash", arguments: UInt64(1)...10)
    func fuzz(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let source = try TestFolder("cities")
        let whole = try source.bytes()
        let folder = try TestFolder()
        for _ in 0..<100 {
            var bytes = whole
            let isLocal = random.nextBool(probability: 0.5)
            let page = random.nextInt(below: whole.count / 4096)
            for _ in 0...random.nextInt(below: 20) {
                let place = isLocal ? page * 4096 + random.nextInt(below: 4096) : random.nextInt(below: bytes.count)
                bytes[place] = UInt8(random.nextInt(below: 256))
            }
            if random.nextBool(probability: 0.1) { bytes.removeLast(random.nextInt(below: bytes.count)) }
            try? FileManager.default.removeItem(atPath: folder.database + "-wal")
            try? FileManager.default.removeItem(atPath: folder.database + "-shm")
            try folder.write(bytes)
            do {
                _ = try TestFolder.format.findFaults(in: folder.path)
                let package = try TestFolder.format.open(
                    folder.path,
                    for: random.nextBool(probability: 0.5) ? .reading : .editing
                )
                defer { package.close() }
                for table in try package.tables() {
                    _ = try package.featureCount(in: table.name)
                    try package.readFeatures(in: table.name, FeatureQuery()) { _ in true }
                    try package.readBounds(in: table.name) { _, _ in }
                }
                try package.readTexts { _, _ in true }
                guard package.readOnlyReason == nil else { continue }
                try package.transaction { edits throws(MapPackageError) in
                    try edits.update(["name": .text("x")], of: FeatureID("5"), in: "cities")
                    try edits.update(.point(nil), of: FeatureID("6"), in: "cities")
                    try edits.delete(FeatureID("7"), from: "cities")
                }
            } catch {
                #expect(
                    [.damaged, .refused, .storage, .noFeature, .readOnly, .noTable].contains(error.code),
                    "\(error)"
                )
            }
        }
    }
}
