import Foundation
import MapDocs

/// Looks for everything that is wrong with a GeoPackage.
///
/// SQLite's own check calls an empty file, an altered text and a damaged spatial index good; the first and the last are
/// looked for here, and a text is only known to be altered by the fingerprint of its file.
struct FaultSearch {
    private static let faultLimit = 20

    private let path: String
    private let name: String
    private let format: GeoPackageFormat

    init(_ path: String, format: GeoPackageFormat) {
        self.path = path
        name = (path as NSString).lastPathComponent
        self.format = format
    }

    func faults() throws(MapPackageError) -> [String] {
        do throws(MapPackageError) {
            let header = try DatabaseHeader(ofFileAt: path)
            let hasLog = FileManager.default.fileExists(atPath: path + "-wal")
            if let cutOff = header.cutOff, !hasLog { return [sentence(cutOff)] }
            if let otherKind = header.otherKind { return [sentence(otherKind)] }
            let mode: SQLiteConnection.Mode =
                header.hasLog || hasLog || FileManager.default.fileExists(atPath: path + "-journal")
                ? .immutable : .shared
            return try faults(on: SQLiteConnection(path, mode, busyTimeout: format.busyTimeout))
        } catch  where error.code == .damaged {
            return [error.message]
        }
    }

    private func faults(on connection: SQLiteConnection) throws(MapPackageError) -> [String] {
        var faults: [String] = []
        for line in try rows("PRAGMA integrity_check(\(Self.faultLimit))", connection) where line != "ok" {
            faults.append("“\(name)” contradicts itself: \(line.replacing("\n", with: "; ")).")
        }
        // Nothing further can be relied on in a file like this.
        guard faults.isEmpty else { return faults }
        let entries = try connection.schemaEntries()
        let tables = Set(entries.filter { $0.kind != "shadow" }.map(\.name.foldedASCII))
        let stored = Set(entries.filter { $0.kind == "table" }.map(\.name.foldedASCII))
        for table in GeoPackageCatalog.requiredTables where !stored.contains(table) {
            faults.append("“\(name)” lacks the table “\(table)”, which every GeoPackage has.")
        }
        guard faults.isEmpty else { return faults }
        for (table, count) in try brokenReferences(connection) {
            faults.append(
                "“\(name)” has \(count) \(count == 1 ? "row" : "rows") in “\(table)” that refer to rows that are not there."
            )
        }
        let registered = try rows("SELECT table_name FROM gpkg_contents ORDER BY table_name", connection)
        for table in registered where !tables.contains(table.foldedASCII) {
            faults.append("“\(name)” lists the table “\(table)”, which it does not have.")
        }
        let hasFeatures = try connection.integer(
            "SELECT count(*) FROM gpkg_contents WHERE lower(data_type) = 'features'"
        )
        if hasFeatures ?? 0 > 0, !stored.contains("gpkg_geometry_columns") {
            faults.append("“\(name)” lacks the table “gpkg_geometry_columns”, though it has feature tables.")
        }
        for index in try connection.currentCatalog().layers.compactMap(\.indexName) {
            for fault in try RTreeCheck(index, on: connection).faults() {
                faults.append("“\(name)” has a damaged spatial index “\(index)”: \(fault).")
            }
        }
        return faults
    }

    private func sentence(_ reason: String) -> String {
        MapPackageError.damaged(name, reason).message
    }

    private func rows(_ sql: String, _ connection: SQLiteConnection) throws(MapPackageError) -> [String] {
        let statement = try connection.prepare(sql)
        defer { statement.reset() }
        var rows: [String] = []
        while try statement.step() { rows.append(statement.text(0) ?? "") }
        return rows
    }

    private func brokenReferences(_ connection: SQLiteConnection) throws(MapPackageError) -> [(String, Int)] {
        var counts: [String: Int] = [:]
        for table in try rows("PRAGMA foreign_key_check", connection) { counts[table, default: 0] += 1 }
        return counts.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { ($0.key, $0.value) }
    }
}
