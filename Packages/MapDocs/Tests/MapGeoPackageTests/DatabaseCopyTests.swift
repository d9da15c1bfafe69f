import Foundation
import MapDocs
import MapDocsPeers
import MapGeoPackage
import Testing

struct DatabaseCopyTests {
    private func copy(of package: any MapPackage, _ folder: TestFolder) throws -> TestFolder {
        let target = try TestFolder()
        try package.copyDatabase(to: target.database)
        #expect(try target.names == ["data.gpkg"])
        let bytes = try target.bytes()
        #expect(bytes[18...19] == [1, 1])
        #expect(try TestFolder.format.findFaults(in: target.path) == [])
        return target
    }

    @Test("Cases 8 and 10: an edit that is only in the log, while a reader holds an older state, is in the copy")
    func snapshot() throws {
        let folder = try TestFolder("cities")
        let package = try folder.open()
        let reader = try folder.raw("BEGIN")
        #expect(try reader.rows("SELECT name FROM cities WHERE fid = 1") == ["Vatican City"])
        try package.transaction { edits throws(MapPackageError) in
            try edits.update(["name": .text("Edited")], of: FeatureID("1"), in: "cities")
        }
        #expect(try reader.rows("SELECT name FROM cities WHERE fid = 1") == ["Vatican City"])
        let target = try copy(of: package, folder)
        #expect(try target.open(for: .reading).feature(FeatureID("1"), in: "cities")?.values["name"] == .text("Edited"))
        #expect(try target.open(for: .reading).contentDigest() == package.contentDigest())
        reader.close()
    }

    @Test("A deleted secret in a free page is not in the copy")
    func freePages() throws {
        let folder = try TestFolder("cities")
        let secret = "sk-live-0123456789"
        let raw = try folder.raw("CREATE TABLE secrets (t TEXT)")
        try raw.run(
            "INSERT INTO secrets VALUES (printf('%.*c', 9000, 'x') || '\(secret)'), (printf('%.*c', 9000, 'y'))"
        )
        try raw.run("DROP TABLE secrets")
        raw.close()
        let before = Data(try folder.bytes())
        #expect(before.range(of: Data(secret.utf8)) != nil)
        let target = try copy(of: folder.open(), folder)
        #expect(Data(try target.bytes()).range(of: Data(secret.utf8)) == nil)
        #expect(try target.bytes().count < before.count)
    }

    @Test("A deleted secret in a page that is still in use is not in the copy, and the pages stay where they are")
    func usedPages() throws {
        let folder = try TestFolder("cities")
        let secret = "sk-live-0123456789"
        let raw = try folder.raw("CREATE TABLE secrets (t TEXT PRIMARY KEY)")
        try raw.run("INSERT INTO secrets VALUES ('first'), ('\(secret) one'), ('\(secret) two'), ('last')")
        try raw.run("DELETE FROM secrets WHERE t LIKE 'sk%'")
        // Where pages were split, what went elsewhere and was deleted there can be left.
        try raw.run("CREATE TABLE many (t TEXT)")
        try raw.run(
            "INSERT INTO many SELECT printf('%.*c', 700, 'x') || name FROM cities; DELETE FROM many WHERE rowid % 10 = 0"
        )
        try raw.run("UPDATE secrets SET t = 'end' WHERE t = 'last'")
        raw.close()
        let before = try folder.bytes()
        #expect(Data(before).range(of: Data(secret.utf8)) != nil)
        let package = try folder.open()
        let target = try copy(of: package, folder)
        let after = try target.bytes()
        #expect(Data(after).range(of: Data(secret.utf8)) == nil)
        #expect(after.count == before.count)
        #expect(try target.open(for: .reading).contentDigest() == package.contentDigest())
        #expect(try target.raw().rows("SELECT t FROM secrets ORDER BY t") == ["end", "first"])
    }

    @Test("Pages stay where they are: one changed value changes few of them")
    func stablePages() throws {
        let folder = try TestFolder("countries")
        let package = try folder.open()
        let first = try copy(of: package, folder).bytes()
        try package.transaction { edits throws(MapPackageError) in
            try edits.update(
                ["name": .text(String(repeating: "Fiji", count: 500))],
                of: FeatureID("1"),
                in: "countries"
            )
        }
        let second = try copy(of: package, folder).bytes()
        let pages = stride(from: 0, to: min(first.count, second.count), by: 4096).filter { start in
            first[start..<start + 4096] != second[start..<start + 4096]
        }
        #expect(pages.count <= 8, "\(pages.count) of \(first.count / 4096)")
        // Free pages that were emptied are left alone.
        try package.transaction { edits throws(MapPackageError) in
            try edits.update(["name": .text("Fiji")], of: FeatureID("1"), in: "countries")
        }
        #expect(try copy(of: package, folder).bytes().count == second.count)
    }

    @Test("Two copies of one state are the same bytes")
    func sameBytes() throws {
        let folder = try TestFolder("cities")
        let package = try folder.open()
        #expect(try copy(of: package, folder).bytes() == copy(of: package, folder).bytes())
    }

    @Test("Nothing is overwritten, and nothing is left of a copy that failed")
    func fails() throws {
        let folder = try TestFolder("cities")
        let package = try folder.open()
        let before = try folder.bytes()
        let error = #expect(throws: MapPackageError.self) { try package.copyDatabase(to: folder.database) }
        #expect(error?.code == .storage)
        #expect(try folder.bytes() == before)
        #expect(throws: MapPackageError.self) { try package.copyDatabase(to: folder.path + "/none/data.gpkg") }
        #expect(try !folder.names.contains("none"))
    }
}
