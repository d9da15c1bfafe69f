import Foundation
import MapDocs
import MapDocsPeers
import MapGeoPackage
import Testing

@Suite(
    "With GDAL",
    .enabled(if: PeerProgram.path("ogrinfo") != nil && PeerProgram.path("ogr2ogr") != nil, "GDAL is not installed")
)
struct GDALPeerTests {
    @Test("What GDAL writes is read, whatever its version", arguments: ["1.2", "1.3", "1.4"])
    func versions(version: String) throws {
        let folder = try TestFolder()
        let made = try PeerProgram.run(
            "ogr2ogr",
            [
                "-f", "GPKG", folder.database, TestFolder.fixture("countries"), "-dsco", "VERSION=\(version)", "-where",
                "continent = 'Africa'", "-nln", "afrika", "-lco", "GEOMETRY_NAME=shape", "-lco", "FID=id",
            ]
        )
        guard made.status == 0, !made.errors.contains("VERSION") else {
            // GDAL before 3.7 does not know 1.4.
            #expect(version == "1.4")
            return
        }
        let package = try folder.open()
        #expect(try package.tables().map(\.name) == ["afrika"])
        #expect(try package.featureCount(in: "afrika") == 51)
        let first = try #require(try package.feature(FeatureID("1"), in: "afrika"))
        #expect(first.geometry?.kind == .multiPolygon)
        try package.transaction { edits throws(MapPackageError) in
            try edits.update(["name": .text("Edited")], of: FeatureID("1"), in: "afrika")
            try edits.update(.multiPolygon([]), of: FeatureID("2"), in: "afrika")
        }
        package.close()
        #expect(try TestFolder.format.findFaults(in: folder.path) == [])
    }

    @Test("GDAL reads what was written without a word of warning")
    func reads() throws {
        let folder = try TestFolder("countries")
        let package = try folder.open()
        try package.transaction { edits throws(MapPackageError) in
            try edits.createTable(
                "Notes",
                columns: [FeatureColumn(name: "text", type: .text(maximumLength: 40), isRequired: true)],
                geometryKind: .point
            )
            for index in 1...3 {
                try edits.insert(
                    FeatureID("note-\(index)"),
                    geometry: .point(MapPosition(longitude: Double(index), latitude: 50.5)),
                    values: ["text": .text("Note \(index)")],
                    into: "Notes"
                )
            }
            try edits.update(["gdp_md_est": .integer(9_007_199_254_740_993)], of: FeatureID("1"), in: "countries")
        }
        let target = try TestFolder()
        try package.copyDatabase(to: target.database)
        let info = try PeerProgram.run("ogrinfo", ["-ro", "-al", target.database, "Notes"])
        #expect(info.status == 0)
        #expect(info.errors.isEmpty, "\(info.errors)")
        for words in [
            "Geometry: ", "Feature Count: 3", "Extent: (1.000000, 50.500000) - (3.000000, 50.500000)",
            "FID Column = fid",
            "text: String (40.0) NOT NULL", "uuid (String) = note-2", "text (String) = Note 2", "POINT (2.0 50.5)",
        ] {
            #expect(info.output.contains(words), "\(words) in \(info.output)")
        }
        let spatial = try PeerProgram.run(
            "ogrinfo",
            ["-ro", "-so", "-al", "-spat", "1.5", "50", "2.5", "51", target.database, "Notes"]
        )
        #expect(spatial.output.contains("Feature Count: 1"))
        let numbers = try PeerProgram.run("ogrinfo", ["-ro", "-al", "-fid", "1", target.database, "countries"])
        #expect(numbers.output.contains("gdp_md_est (Integer64) = 9007199254740993"))
    }

    @Test("GDAL goes on writing where this left off: its triggers and its index agree")
    func goesOn() throws {
        let folder = try TestFolder("countries")
        let package = try folder.open()
        try package.transaction { edits throws(MapPackageError) in
            try edits.createTable("Notes", columns: [], geometryKind: nil)
            try edits.insert(
                FeatureID("a"),
                geometry: .point(MapPosition(longitude: 1, latitude: 2)),
                values: [:],
                into: "Notes"
            )
        }
        package.close()
        for sql in [
            "INSERT INTO Notes (uuid, geom) VALUES ('b', ST_GeomFromText('POINT(7 8)', 4326))",
            "UPDATE Notes SET geom = ST_GeomFromText('POINT(5 6)', 4326) WHERE uuid = 'a'",
            "UPDATE countries SET geom = NULL WHERE fid = 1",
        ] {
            let outcome = try PeerProgram.run("ogrinfo", [folder.database, "-sql", sql])
            #expect(outcome.errors.isEmpty, "\(outcome.errors)")
        }
        let again = try folder.open(for: .reading)
        var boxes: [Int64: MapBounds] = [:]
        try again.readBounds(in: "Notes") { boxes[$0] = $1 }
        #expect(
            boxes == [
                1: MapBounds(west: 5, south: 6, east: 5, north: 6), 2: MapBounds(west: 7, south: 8, east: 7, north: 8),
            ]
        )
        #expect(try TestFolder.format.findFaults(in: folder.path) == [])
    }
}

@Suite("With Python's sqlite3", .enabled(if: PeerProgram.path("python3") != nil, "python3 is not installed"))
struct PythonPeerTests {
    @Test("A copy is one whole file in Python's eyes too")
    func copies() throws {
        let folder = try TestFolder("cities")
        let package = try folder.open()
        try package.transaction { edits throws(MapPackageError) in
            try edits.update(.point(MapPosition(longitude: 1, latitude: 2)), of: FeatureID("1"), in: "cities")
        }
        let target = try TestFolder()
        try package.copyDatabase(to: target.database)
        let script = """
            import sqlite3, sys
            path = sys.argv[1]
            print(list(open(path, 'rb').read()[18:20]))
            db = sqlite3.connect('file:' + path + '?mode=ro', uri=True)
            for sql in ['PRAGMA journal_mode', 'PRAGMA integrity_check', "SELECT rtreecheck('rtree_cities_geom')",
                        'SELECT count(*) FROM pragma_foreign_key_check', 'PRAGMA application_id',
                        'SELECT minx, miny FROM rtree_cities_geom WHERE id = 1']:
                print(db.execute(sql).fetchone())
            """
        let outcome = try PeerProgram.run("python3", ["-c", script, target.database])
        #expect(outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(
            outcome.output.split(separator: "\n") == [
                "[1, 1]", "('delete',)", "('ok',)", "('ok',)", "(0,)", "(1196444487,)", "(1.0, 2.0)",
            ]
        )
    }
}
