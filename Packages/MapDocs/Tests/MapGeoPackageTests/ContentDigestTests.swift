import Foundation
import MapDocs
import MapDocsPeers
import MapGeoPackage
import Testing

struct ContentDigestTests {
    private func digest(after sql: String, of name: String = "cities") throws -> String {
        let folder = try TestFolder(name)
        try folder.raw(sql).close()
        return try folder.open(for: .reading).contentDigest()
    }

    @Test(
        "Case 6: what a GIS program does by opening a file changes its bytes, not its content",
        arguments: [
            "PRAGMA journal_mode = WAL; CREATE TABLE t (x); DROP TABLE t",
            "VACUUM", "PRAGMA page_size = 1024; VACUUM", "ANALYZE", "CREATE INDEX i ON cities (name)",
            "UPDATE gpkg_contents SET last_change = '2020-01-01T00:00:00Z', min_x = NULL, max_x = NULL",
            "DELETE FROM gpkg_ogr_contents", "DROP TRIGGER rtree_cities_geom_update1",
            "UPDATE cities SET fid = fid + 1000; UPDATE cities SET fid = fid - 1000",
            "DELETE FROM rtree_cities_geom",
        ]
    )
    func bytesOnly(sql: String) throws {
        let folder = try TestFolder("cities")
        let before = try folder.bytes()
        let digest = try folder.open(for: .reading).contentDigest()
        #expect(digest.count == 64 && digest.allSatisfy { $0.isHexDigit && !$0.isUppercase })
        try folder.raw(sql).close()
        #expect(try folder.bytes() != before)
        #expect(try folder.open(for: .reading).contentDigest() == digest)
    }

    @Test(
        "Whatever is data changes the digest",
        arguments: [
            "UPDATE cities SET name = '' WHERE fid = 1", "UPDATE cities SET name = NULL WHERE fid = 1",
            "UPDATE cities SET name = CAST(name AS BLOB) WHERE fid = 1", "DELETE FROM cities WHERE fid = 1",
            "UPDATE cities SET fid = 1000 WHERE fid = 1", "UPDATE cities SET geom = NULL WHERE fid = 1",
            "UPDATE cities SET geom = X'' WHERE fid = 1", "ALTER TABLE cities ADD COLUMN x",
            "ALTER TABLE cities RENAME COLUMN name TO title",
            "CREATE TABLE qgis_projects (name TEXT PRIMARY KEY, content BLOB)",
            "INSERT INTO gpkg_metadata VALUES (9, 'dataset', '', 'text/xml', 'x')",
            "UPDATE gpkg_contents SET description = 'x'",
        ]
    )
    func data(sql: String) throws {
        #expect(try digest(after: sql) != digest(after: "SELECT 1"))
    }

    @Test("Text and bytes, numbers of two kinds, and NULL and empty are told apart")
    func values() throws {
        let values = ["NULL", "''", "X''", "1", "1.0", "'1'", "X'31'", "0", "0.0", "'a', 'b'", "'ab', ''", "'', 'ab'"]
        let digests = try values.map { value in
            let columns = value.contains(",") ? "x, y" : "x"
            return try digest(after: "CREATE TABLE t (x, y); INSERT INTO t (\(columns)) VALUES (\(value))")
        }
        #expect(Set(digests).count == values.count)
    }

    @Test("Rows count in the order of their keys, whatever the order in which they were added")
    func keyOrder() throws {
        let first = "CREATE TABLE t (a TEXT, b, PRIMARY KEY (b, a)) WITHOUT ROWID;"
        let rows = [
            "INSERT INTO t VALUES ('x', 1);", "INSERT INTO t VALUES ('a', 2);", "INSERT INTO t VALUES ('é', 1);",
        ]
        let digests = try [rows, rows.reversed(), [rows[1], rows[2], rows[0]]].map {
            try digest(after: first + $0.joined())
        }
        #expect(Set(digests).count == 1)
        let plain = "CREATE TABLE t (a TEXT PRIMARY KEY, b);"
        let others = ["INSERT INTO t VALUES ('x', 1);", "INSERT INTO t VALUES ('a', 2);"]
        #expect(try digest(after: plain + others.joined()) == digest(after: plain + others.reversed().joined()))
    }

    @Test("A copy has the content of what it was copied from")
    func copies() throws {
        let folder = try TestFolder("countries")
        let package = try folder.open()
        let target = try TestFolder()
        try package.copyDatabase(to: target.database)
        #expect(try target.open(for: .reading).contentDigest() == package.contentDigest())
    }
}
