import Foundation
import MapDocs
import MapDocsPeers
import MapGeoPackage
import Testing

struct TextSearchTests {
    private func places(of needle: String, after sql: String) throws -> [PackagePlace] {
        let folder = try TestFolder("cities")
        try folder.raw(sql).close()
        var places: [PackagePlace] = []
        try folder.open(for: .reading).readTexts { place, bytes in
            if Data(bytes).range(of: Data(needle.utf8)) != nil { places.append(place) }
            return true
        }
        return places
    }

    @Test(
        "Case 24: a secret is found wherever it stands in the database",
        arguments: [
            ("UPDATE cities SET name = 'password=swordfish' WHERE fid = 7", "cities", "name", Int64(7)),
            (
                "CREATE TABLE qgis_projects (name TEXT PRIMARY KEY, content BLOB); "
                    + "INSERT INTO qgis_projects VALUES ('p', X'73776f726466697368')", "qgis_projects", "content", 1
            ),
            (
                "INSERT INTO gpkg_metadata VALUES (9, 'dataset', '', 'text/xml', '<x>swordfish</x>')", "gpkg_metadata",
                "metadata", 9
            ),
            ("CREATE TABLE t (a TEXT PRIMARY KEY) WITHOUT ROWID; INSERT INTO t VALUES ('swordfish')", "t", "a", nil),
            ("CREATE TABLE t (rowid, _rowid_, oid, a); INSERT INTO t VALUES (1, 2, 3, 'swordfish')", "t", "a", nil),
            ("CREATE TABLE \"swordfish\" (x)", "swordfish", nil, nil),
            ("CREATE TABLE t (\"swordfish\" x)", "t", "swordfish", nil),
            ("CREATE TABLE t (x DEFAULT 'swordfish')", "sqlite_schema", "sql", nil),
            ("CREATE VIEW v AS SELECT 1 /* swordfish */", "sqlite_schema", "sql", nil),
            ("CREATE VIRTUAL TABLE f USING fts5(x); INSERT INTO f VALUES ('swordfish')", "f_content", "c0", 1),
            (
                "UPDATE rtree_cities_geom_node SET data = data || 'swordfish' WHERE nodeno = 2",
                "rtree_cities_geom_node", "data", 2
            ),
        ]
    )
    func finds(sql: String, table: String, column: String?, key: Int64?) throws {
        let places = try places(of: "swordfish", after: sql)
        #expect(
            places.contains { place in
                place.file == "data.gpkg" && place.table == table && (column == nil || place.column == column)
                    && (key == nil || place.key == key)
            },
            "\(places)"
        )
    }

    @Test("Reading ends when the reader has had enough, and sees no more than there is")
    func ends() throws {
        let folder = try TestFolder("cities")
        let package = try folder.open(for: .reading)
        var count = 0
        try package.readTexts { _, _ in
            count += 1
            return count < 10
        }
        #expect(count == 10)
        var names: [String] = []
        try package.readTexts { place, bytes in
            if place.table == "cities", place.column == "name", place.key != nil {
                names.append(String(decoding: bytes, as: UTF8.self))
            }
            return true
        }
        #expect(names.count == 243)
        #expect(names.first == "Vatican City")
    }
}
