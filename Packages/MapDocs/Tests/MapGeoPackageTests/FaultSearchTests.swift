import Foundation
import MapDocs
import MapDocsPeers
import MapGeoPackage
import Testing

struct FaultSearchTests {
    private func faults(_ folder: TestFolder) throws -> [String] {
        try TestFolder.format.findFaults(in: folder.path)
    }

    private func errorOnOpening(_ folder: TestFolder) -> MapPackageError? {
        #expect(throws: MapPackageError.self) { try folder.open(for: .reading) }
    }

    @Test("A database that GDAL made has no faults", arguments: ["cities", "countries"])
    func whole(name: String) throws {
        #expect(try faults(TestFolder(name)) == [])
    }

    @Test("No database is an error of its own")
    func missing() throws {
        let folder = try TestFolder()
        #expect(errorOnOpening(folder)?.code == .noDatabase)
        let error = #expect(throws: MapPackageError.self) { try faults(folder) }
        #expect(error?.code == .noDatabase)
    }

    @Test("Case 12: cut off, empty, no database and a page flipped are four sentences that say which file and what")
    func damaged() throws {
        let whole = try TestFolder("countries").bytes()
        var sentences: [String] = []
        for (bytes, opens) in [
            (Array(whole.prefix(100_000)), false), ([], false), (Array(repeating: 0x20, count: 5000), false),
            (Array(whole.prefix(60)), false),
            (whole.enumerated().map { $0.offset / 4096 == 20 ? ~$0.element : $0.element }, true),
        ] {
            let folder = try TestFolder()
            try folder.write(bytes)
            let found = try faults(folder)
            let sentence = try #require(found.first)
            #expect(sentence.contains("“data.gpkg”"))
            sentences.append(sentence)
            if !opens {
                let error = errorOnOpening(folder)
                #expect(error?.code == .damaged)
                #expect(error?.message == sentence)
            }
        }
        #expect(
            sentences.dropLast() == [
                "“data.gpkg” is damaged: it is cut off: 100000 of 339968 bytes are left. Fetch the project again.",
                "“data.gpkg” is damaged: it is empty (0 bytes). Fetch the project again.",
                "“data.gpkg” is damaged: it is no SQLite database. Fetch the project again.",
                "“data.gpkg” is damaged: it is cut off: only 60 bytes are left. Fetch the project again.",
            ]
        )
        #expect(sentences.last?.contains("“data.gpkg” contradicts itself") == true)
    }

    @Test("Case 12: one altered text is whole to every check, but the digests of file and content tell")
    func alteredText() throws {
        let folder = try TestFolder("cities")
        let before = try folder.open(for: .reading).contentDigest()
        var bytes = try folder.bytes()
        let place = try #require(Data(bytes).range(of: Data("Vaduz".utf8))?.lowerBound)
        bytes[place] = UInt8(ascii: "W")
        try folder.write(bytes)
        #expect(try faults(folder) == [])
        #expect(try folder.open(for: .reading).contentDigest() != before)
    }

    @Test("A flipped page is an error that names the file when its rows are read")
    func flippedPage() throws {
        let folder = try TestFolder("countries")
        let whole = try folder.bytes()
        try folder.write(whole.enumerated().map { (5..<80).contains($0.offset / 4096) ? ~$0.element : $0.element })
        let error = #expect(throws: MapPackageError.self) {
            let package = try folder.open(for: .reading)
            try package.readFeatures(in: "countries", FeatureQuery()) { _ in true }
        }
        #expect(error?.code == .damaged)
        #expect(error?.subject == "data.gpkg")
    }

    @Test(
        "What SQLite calls good is found all the same",
        arguments: [
            ("PRAGMA application_id = 0", "no GeoPackage"),
            ("DROP TABLE gpkg_contents", "lacks the table “gpkg_contents”"),
            ("ALTER TABLE gpkg_contents RENAME TO c; CREATE VIEW gpkg_contents AS SELECT * FROM c", "lacks the table"),
            ("DROP TABLE gpkg_spatial_ref_sys", "lacks the table “gpkg_spatial_ref_sys”"),
            ("DROP TABLE gpkg_geometry_columns", "lacks the table “gpkg_geometry_columns”"),
            ("DROP TABLE cities", "lists the table “cities”, which it does not have"),
            ("UPDATE gpkg_contents SET srs_id = 77", "1 row in “gpkg_contents”"),
            ("DELETE FROM rtree_cities_geom_rowid WHERE rowid = 5", "damaged spatial index “rtree_cities_geom”"),
            ("UPDATE rtree_cities_geom_node SET data = zeroblob(3) WHERE nodeno = 1", "damaged spatial index"),
        ]
    )
    func unseen(sql: String, words: String) throws {
        let folder = try TestFolder("cities")
        let raw = try folder.raw("PRAGMA foreign_keys = OFF")
        try raw.run(sql)
        #expect(try raw.rows("PRAGMA integrity_check") == ["ok"])
        raw.close()
        let found = try faults(folder)
        #expect(found.contains { $0.contains(words) && $0.contains("“data.gpkg”") }, "\(found)")
    }

    @Test("Looking for faults leaves no trace")
    func traceless() throws {
        let folder = try TestFolder("cities")
        try folder.raw("PRAGMA journal_mode = WAL; UPDATE cities SET name = 'x' WHERE fid = 1").close()
        let before = try folder.bytes()
        #expect(try faults(folder) == [])
        #expect(try folder.names == ["data.gpkg"])
        #expect(try folder.bytes() == before)
    }
}
