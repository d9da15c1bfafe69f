import Foundation
import MapDocs
import MapDocsPeers
import MapGeoPackage
import Testing

struct GeoPackageEditingTests {
    private let one = FeatureID("1")

    @Test("What a transaction did is there, and there for the next who opens")
    func confirms() throws {
        let folder = try TestFolder("countries")
        let package = try folder.open()
        #expect(package.readOnlyReason == nil)
        try package.transaction { edits throws(MapPackageError) in
            try edits.update(["name": .text("Viti"), "gdp_md_est": .integer(.min)], of: one, in: "countries")
        }
        #expect(try package.feature(one, in: "countries")?.values["name"] == .text("Viti"))
        // Another program sees it while the package is open.
        #expect(
            try folder.raw().rows("SELECT name, gdp_md_est FROM countries WHERE fid = 1") == [
                "Viti|-9223372036854775808"
            ]
        )
        package.close()
        #expect(try folder.names == ["data.gpkg"])
        #expect(try folder.open(for: .reading).feature(one, in: "countries")?.values["gdp_md_est"] == .integer(.min))
    }

    @Test("When a transaction throws nothing has happened")
    func undoes() throws {
        let folder = try TestFolder("countries")
        let package = try folder.open()
        let before = try package.contentDigest()
        let error = #expect(throws: MapPackageError.self) {
            try package.transaction { edits throws(MapPackageError) in
                try edits.update(["name": .text("x")], of: one, in: "countries")
                try edits.delete(FeatureID("2"), from: "countries")
                try edits.update(["name": .text("y")], of: FeatureID("999"), in: "countries")
            }
        }
        #expect(error?.code == .noFeature)
        #expect(try package.contentDigest() == before)
        var kept: (any MapPackageEdits)?
        try package.transaction { kept = $0 }
        let late = #expect(throws: MapPackageError.self) { try kept?.delete(one, from: "countries") }
        #expect(late?.code == .closed)
        #expect(try package.contentDigest() == before)
    }

    @Test("A change that was refused leaves the others of its transaction")
    func refusedAlone() throws {
        let folder = try TestFolder("countries")
        let package = try folder.open()
        try package.transaction { edits throws(MapPackageError) in
            try edits.update(["name": .text("x")], of: one, in: "countries")
            do throws(MapPackageError) {
                try edits.update(["continent": .text("y"), "gdp_md_est": .text("z")], of: one, in: "countries")
                Issue.record("accepted")
            } catch {
                #expect(error.code == .refused)
            }
        }
        let values = try #require(try package.feature(one, in: "countries")?.values)
        #expect(values["name"] == .text("x"))
        #expect(values["continent"] == .text("Oceania"))
    }

    @Test("When SQLite takes the whole transaction back, the reason is told and nothing after it is written")
    func takenBack() throws {
        let folder = try TestFolder("countries")
        let package = try folder.open()
        try package.transaction { edits throws(MapPackageError) in
            try edits.createTable("notes", columns: [], geometryKind: nil)
            try edits.insert(FeatureID("old"), geometry: nil, values: [:], into: "notes")
        }
        // No key is left, which SQLite treats as a full disk.
        try folder.raw("UPDATE notes SET fid = 9223372036854775807").close()
        let before = try package.contentDigest()
        let error = #expect(throws: MapPackageError.self) {
            try package.transaction { edits throws(MapPackageError) in
                try edits.update(["name": .text("x")], of: one, in: "countries")
                do throws(MapPackageError) {
                    try edits.insert(FeatureID("new"), geometry: nil, values: [:], into: "notes")
                } catch {
                    #expect(error.code == .full)
                }
                do throws(MapPackageError) {
                    try edits.update(["name": .text("y")], of: one, in: "countries")
                } catch {
                    #expect(error.code == .full)
                }
            }
        }
        #expect(error?.code == .full)
        #expect(try package.contentDigest() == before)
    }

    @Test("Triggers that a file brings along do not run")
    func triggers() throws {
        let folder = try TestFolder("countries")
        try folder.raw("CREATE TRIGGER evil AFTER UPDATE ON countries BEGIN DELETE FROM countries; END").close()
        let package = try folder.open()
        try package.transaction { edits throws(MapPackageError) in
            try edits.update(["name": .text("x")], of: one, in: "countries")
            try edits.update(.multiPolygon([]), of: one, in: "countries")
        }
        #expect(try package.featureCount(in: "countries") == 177)
    }

    @Test("The spatial index, the feature count and the extent follow the changes")
    func follows() throws {
        let folder = try TestFolder("cities")
        let package = try folder.open()
        try package.transaction { edits throws(MapPackageError) in
            try edits.update(.point(MapPosition(longitude: 1, latitude: 89)), of: one, in: "cities")
            try edits.update(.point(nil), of: FeatureID("2"), in: "cities")
            try edits.update(nil, of: FeatureID("3"), in: "cities")
            try edits.delete(FeatureID("4"), from: "cities")
        }
        var boxes: [Int64: MapBounds] = [:]
        try package.readBounds(in: "cities") { boxes[$0] = $1 }
        #expect(boxes.count == 240)
        #expect(boxes[1] == MapBounds(west: 1, south: 89, east: 1, north: 89))
        #expect(boxes[2] == nil && boxes[3] == nil && boxes[4] == nil)
        let raw = try folder.raw()
        #expect(try raw.rows("SELECT rtreecheck('rtree_cities_geom')") == ["ok"])
        #expect(try raw.rows("SELECT feature_count FROM gpkg_ogr_contents") == ["242"])
        #expect(try raw.rows("SELECT max_y, last_change FROM gpkg_contents") == ["89.0|2026-11-29T14:03:45.000Z"])
        #expect(
            try raw.rows("SELECT hex(geom) FROM cities WHERE fid = 3") == [""]
                || raw.rows("SELECT geom IS NULL FROM cities WHERE fid = 3") == ["1"]
        )
        raw.close()
        let found = try TestFolder.format.findFaults(in: folder.path)
        #expect(found == [])
    }

    @Test(
        "Case 14: integers of 64 bits stay as they are",
        arguments: [2_192_502_720, 9_007_199_254_740_993, Int64.min, .max]
    )
    func integers(number: Int64) throws {
        let folder = try TestFolder("countries")
        let package = try folder.open()
        try package.transaction { edits throws(MapPackageError) in
            try edits.update(["gdp_md_est": .integer(number)], of: one, in: "countries")
        }
        let copy = folder.path + "/copy"
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
        try package.copyDatabase(to: copy + "/data.gpkg")
        let published = try TestFolder.format.open(copy, for: .reading)
        #expect(try published.feature(one, in: "countries")?.values["gdp_md_est"] == .integer(number))
    }

    @Test("Case 13: NULL and empty are two values in text and date-time columns, both ways")
    func nullAndEmpty() throws {
        let folder = try TestFolder("cities")
        try folder.raw("ALTER TABLE cities ADD COLUMN seen DATETIME").close()
        let package = try folder.open()
        for column in ["name", "seen"] {
            for value in [FeatureValue.null, .text("2026-03-29T10:15:00.000Z"), .null, .text(""), .null] {
                let before = try package.contentDigest()
                let current = try package.feature(one, in: "cities")?.values[column]
                try package.transaction { edits throws(MapPackageError) in
                    try edits.update([column: value], of: one, in: "cities")
                }
                #expect(try package.feature(one, in: "cities")?.values[column] == value)
                #expect(try (package.contentDigest() == before) == (current == value))
            }
        }
    }

    @Test(
        "A value that the column would make another of is refused",
        arguments: [
            ("name", FeatureValue.integer(7)), ("name", .blob([1])), ("gdp_md_est", .text("007")),
            ("gdp_md_est", .real(7)), ("pop_est", .integer(7)), ("pop_est", .real(.nan)), ("pop_est", .text("1")),
            ("day", .text("2026")), ("day", .integer(2026)), ("flag", .integer(2)), ("flag", .text("1")),
            ("small", .integer(128)), ("small", .integer(-129)), ("needed", .null),
        ]
    )
    func coercion(column: String, value: FeatureValue) throws {
        let folder = try TestFolder("countries")
        let raw = try folder.raw("ALTER TABLE countries ADD COLUMN day DATE")
        try raw.run("ALTER TABLE countries ADD COLUMN flag BOOLEAN; ALTER TABLE countries ADD COLUMN small TINYINT")
        try raw.run("ALTER TABLE countries ADD COLUMN needed TEXT NOT NULL DEFAULT 'x'")
        raw.close()
        let package = try folder.open()
        let error = #expect(throws: MapPackageError.self) {
            try package.transaction { edits throws(MapPackageError) in
                try edits.update([column: value], of: one, in: "countries")
            }
        }
        #expect(error?.code == .refused)
    }

    @Test(
        "Text that looks like a number stays text in a text column",
        arguments: ["007", "1e5", " 1", "", "é", "e\u{301}", "a\0b"]
    )
    func text(text: String) throws {
        let folder = try TestFolder("cities")
        let package = try folder.open()
        try package.transaction { edits throws(MapPackageError) in
            try edits.update(["name": .text(text)], of: one, in: "cities")
        }
        guard case .text(let read) = try package.feature(one, in: "cities")?.values["name"] else {
            Issue.record("no text")
            return
        }
        #expect(Array(read.utf8) == Array(text.utf8))
    }

    @Test(
        "Cases 16 and 17: long texts, families, dates and instants are the same after a copy",
        arguments: [
            ("name", String(repeating: "👨‍👩‍👧‍👦", count: 200)), ("name", String(repeating: "x", count: 5_000_000)),
            ("day", "2026-03-29"), ("moment", "2026-03-29T01:30:00.000Z"), ("moment", "2026-03-29T03:30:00+02:00"),
        ]
    )
    func texts(column: String, text: String) throws {
        let folder = try TestFolder("cities")
        try folder.raw("ALTER TABLE cities ADD COLUMN day DATE; ALTER TABLE cities ADD COLUMN moment DATETIME").close()
        let package = try folder.open()
        try package.transaction { edits throws(MapPackageError) in
            try edits.update([column: .text(text)], of: one, in: "cities")
        }
        let target = try TestFolder()
        try package.copyDatabase(to: target.database)
        #expect(try target.open(for: .reading).feature(one, in: "cities")?.values[column] == .text(text))
    }

    @Test("Keys, geometries, generated columns and types of others are not written")
    func notWritable() throws {
        let folder = try TestFolder("cities")
        try folder.raw(
            "ALTER TABLE cities ADD COLUMN twice AS (name || name); ALTER TABLE cities ADD COLUMN other VARCHAR(9)"
        ).close()
        let package = try folder.open()
        for column in ["fid", "geom", "twice", "other", "none"] {
            let error = #expect(throws: MapPackageError.self) {
                try package.transaction { edits throws(MapPackageError) in
                    try edits.update([column: .text("x")], of: one, in: "cities")
                }
            }
            #expect(error?.code == .noColumn, "\(column)")
        }
        #expect(try package.feature(one, in: "cities")?.values["twice"] == .text("Vatican CityVatican City"))
    }

    @Test("A new layer is a table that takes features by their uuid, and that GDAL would index")
    func newLayer() throws {
        let folder = try TestFolder("cities")
        let package = try folder.open()
        let columns = [
            FeatureColumn(name: "text", label: "Text", type: .text(maximumLength: 20), isRequired: true),
            FeatureColumn(
                name: "kind",
                type: .text(maximumLength: nil),
                domain: .choices([.init(value: .text("a"), label: "Alpha"), .init(value: .text("b"), label: "Beta")])
            ),
            FeatureColumn(
                name: "width",
                details: "In points",
                type: .double,
                domain: .range(minimum: 0, includesMinimum: false, maximum: 9, includesMaximum: true)
            ),
            FeatureColumn(name: "code", type: .text(maximumLength: nil), domain: .glob("[A-Z]*")),
        ]
        try package.transaction { edits throws(MapPackageError) in
            try edits.createTable("Notes \"x\"", columns: columns, geometryKind: nil)
            try edits.insert(
                FeatureID("n-1"),
                geometry: .point(MapPosition(longitude: 5, latitude: 6)),
                values: ["text": .text("Hello")],
                into: "Notes \"x\""
            )
        }
        let tables = try package.tables()
        #expect(tables.map(\.name) == ["Notes \"x\"", "cities"])
        #expect(Array(tables[0].columns.dropFirst(3)) == columns)
        #expect(tables[0].columns.prefix(3).map(\.role) == [.key, .geometry, .identifier])
        #expect(tables[0].hasSpatialIndex)
        let note = try #require(try package.feature(FeatureID("n-1"), in: "Notes \"x\""))
        #expect(note.geometry == .point(MapPosition(longitude: 5, latitude: 6)))
        #expect(note.values == ["text": .text("Hello"), "kind": .null, "width": .null, "code": .null])
        for (code, body) in [
            (
                MapPackageError.Code.refused,
                { (edits: any MapPackageEdits) throws(MapPackageError) in
                    try edits.insert(FeatureID("n-1"), geometry: nil, values: ["text": .text("")], into: "Notes \"x\"")
                }
            ),
            (
                .refused,
                { (edits: any MapPackageEdits) throws(MapPackageError) in
                    try edits.insert(FeatureID("n-2"), geometry: nil, values: [:], into: "Notes \"x\"")
                }
            ),
            (
                .refused,
                { (edits: any MapPackageEdits) throws(MapPackageError) in
                    try edits.createTable("CITIES", columns: [], geometryKind: nil)
                }
            ),
            (
                .refused,
                { (edits: any MapPackageEdits) throws(MapPackageError) in
                    try edits.createTable("gpkg_notes", columns: [], geometryKind: nil)
                }
            ),
            (
                .refused,
                { (edits: any MapPackageEdits) throws(MapPackageError) in
                    try edits.insert(FeatureID("x"), geometry: nil, values: [:], into: "cities")
                }
            ),
        ] {
            let error = #expect(throws: MapPackageError.self) { try package.transaction(body) }
            #expect(error?.code == code)
        }
        try package.transaction { edits throws(MapPackageError) in
            try edits.delete(FeatureID("n-1"), from: "Notes \"x\"")
        }
        #expect(try package.featureCount(in: "Notes \"x\"") == 0)
        #expect(try TestFolder.format.findFaults(in: folder.path) == [])
    }

    @Test("A table that was not to be is not there")
    func newLayerUndone() throws {
        let folder = try TestFolder("cities")
        let package = try folder.open()
        #expect(throws: MapPackageError.self) {
            try package.transaction { edits throws(MapPackageError) in
                try edits.createTable("notes", columns: [], geometryKind: .point)
                throw MapPackageError(code: .refused, subject: "", message: "")
            }
        }
        #expect(try package.tables().map(\.name) == ["cities"])
        try package.transaction { edits throws(MapPackageError) in
            try edits.createTable("notes", columns: [], geometryKind: .point)
        }
        #expect(try package.tables().map(\.name) == ["cities", "notes"])
    }

    @Test("Somebody else's lock is waited for, then named")
    func busy() throws {
        let folder = try TestFolder("cities")
        let package = try folder.open()
        let other = try folder.raw("BEGIN IMMEDIATE")
        let error = #expect(throws: MapPackageError.self) { try package.transaction { _ in } }
        #expect(error?.code == .storage)
        #expect(error?.message.contains("another program is writing") == true)
        try other.run("ROLLBACK")
        try package.transaction { _ in }
        other.close()
    }
}
