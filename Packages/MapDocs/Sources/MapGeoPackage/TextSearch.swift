import CMapSQLite
import MapDocs

/// Hands out every text and every block of bytes of a database, for the search for secrets.
struct TextSearch {
    private let connection: SQLiteConnection

    init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    func readAll(_ body: (PackagePlace, [UInt8]) -> Bool) throws(MapPackageError) {
        // The statements that made tables, views and triggers carry comments, defaults and the names of columns.
        guard try read("sqlite_schema", columns: ["name", "tbl_name", "sql"], key: "rowid", body) else { return }
        let entries = try connection.schemaEntries()
        for entry in entries.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
            // What virtual tables hold lies in tables of their own; views hold nothing.
            guard entry.kind == "table" || entry.kind == "shadow", entry.name != "sqlite_schema" else { continue }
            let columns = try connection.columns(of: entry.name)
            let place = PackagePlace(file: connection.fileName, table: entry.name)
            guard body(place, Array(entry.name.utf8)) else { return }
            for column in columns {
                let place = PackagePlace(file: connection.fileName, table: entry.name, column: column.name)
                guard body(place, Array(column.name.utf8)) else { return }
            }
            let names = Set(columns.map(\.name.foldedASCII))
            let key = entry.withoutRowID ? nil : ["_rowid_", "rowid", "oid"].first { !names.contains($0) }
            let stored = columns.filter { !$0.isGenerated }.map(\.name)
            guard try read(entry.name, columns: stored, key: key, body) else { return }
        }
    }

    /// Reads one table; false when the reader has had enough.
    private func read(
        _ table: String,
        columns: [String],
        key: String?,
        _ body: (PackagePlace, [UInt8]) -> Bool
    ) throws(MapPackageError) -> Bool {
        guard !columns.isEmpty else { return true }
        let statement = try connection.prepare(
            "SELECT \(key ?? "NULL"), \(columns.map(SQLText.name).joined(separator: ", ")) FROM \(SQLText.name(table))"
        )
        defer { statement.reset() }
        while try statement.step() {
            for (place, column) in columns.enumerated() {
                let kind = statement.storageClass(place + 1)
                guard kind == SQLITE_TEXT || kind == SQLITE_BLOB else { continue }
                let bytes = statement.withBytes(place + 1) { Array($0) }
                let origin = PackagePlace(
                    file: connection.fileName,
                    table: table,
                    column: column,
                    key: key == nil ? nil : statement.integer(0)
                )
                guard body(origin, bytes) else { return false }
            }
        }
        return true
    }
}
