import Foundation
import MapDocs
import MapDocsPeers
import MapGeoPackage
import Testing
import TransportCore

struct SpatialIndexCheckTests {
    @Test("What SQLite's own check of a spatial index finds is found", arguments: UInt64(1)...4)
    func agrees(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let folder = try TestFolder("cities")
        let whole = try folder.bytes()
        var found = 0
        for _ in 0..<25 {
            try folder.write(whole)
            let node = random.nextInt(below: 8) + 1
            let place = random.nextInt(below: 400) + 1
            let byte = String(random.nextInt(below: 256) + 256, radix: 16).dropFirst()
            let sql = [
                """
                UPDATE rtree_cities_geom_node SET data = CAST(substr(data, 1, \(place - 1)) || X'\(byte)'
                || substr(data, \(place + 1)) AS BLOB) WHERE nodeno = \(node)
                """,
                "UPDATE rtree_cities_geom_rowid SET nodeno = \(node) WHERE rowid = \(place % 243 + 1)",
                "DELETE FROM rtree_cities_geom_rowid WHERE rowid = \(place % 243 + 1)",
                "UPDATE rtree_cities_geom_parent SET parentnode = \(node) WHERE nodeno = \(place % 8)",
                "INSERT INTO rtree_cities_geom_rowid VALUES (\(1000 + place), \(node))",
                "DELETE FROM rtree_cities_geom_node WHERE nodeno = \(node)",
            ][random.nextInt(below: 6)]
            let raw = try folder.raw(sql)
            let report = try raw.rows("SELECT rtreecheck('rtree_cities_geom')")
            raw.close()
            let isDamaged = report != ["ok"]
            found += isDamaged ? 1 : 0
            let faults = try TestFolder.format.findFaults(in: folder.path)
            #expect(
                isDamaged == faults.contains { $0.contains("damaged spatial index") },
                "\(sql): \(report), \(faults)"
            )
        }
        #expect(found > 5)
    }
}
