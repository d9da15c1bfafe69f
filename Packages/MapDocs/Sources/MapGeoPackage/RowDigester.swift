import CMapSQLite
import MapDocs
import TransportCore

/// Digests the rows of all tables in the order of their keys.
///
/// Left out is what programs change by mere opening, and what follows from the rest: how rows lie in the file, spatial
/// indexes, other indexes, triggers, `last_change` and extents in `gpkg_contents`, GDAL's feature counts, SQLite's
/// statistics and counters.
struct RowDigester {
    private static let chunkSize = 1 << 16
    private var hasher: any ContentHasher
    private var buffer: [UInt8] = []

    init(_ digest: any ContentDigest) {
        hasher = digest.makeHasher()
        buffer.reserveCapacity(Self.chunkSize * 2)
    }

    mutating func addAll(_ connection: SQLiteConnection) throws(MapPackageError) {
        let entries = try connection.schemaEntries()
        let indexes = Set(try connection.currentCatalog().layers.compactMap { $0.indexName?.foldedASCII })
        let skipped = Set(indexes.flatMap { index in ["_node", "_parent", "_rowid"].map { index + $0 } })
            .union(["gpkg_ogr_contents"])
        let tables = entries.filter { entry in
            (entry.kind == "table" || entry.kind == "shadow") && !entry.name.foldedASCII.hasPrefix("sqlite_")
                && !skipped.contains(entry.name.foldedASCII)
        }
        for table in tables.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
            try add(table.name, withoutRowID: table.withoutRowID, connection)
        }
    }

    mutating func finalize() -> String {
        hasher.update(buffer)
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: hasher.finalize().flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
            as: UTF8.self
        )
    }

    private mutating func add(
        _ table: String,
        withoutRowID: Bool,
        _ connection: SQLiteConnection
    ) throws(MapPackageError) {
        let derived: Set<String> =
            table.foldedASCII == "gpkg_contents" ? ["last_change", "min_x", "min_y", "max_x", "max_y"] : []
        let all = try connection.columns(of: table)
        let columns = all.filter { !$0.isGenerated && !derived.contains($0.name.foldedASCII) }
        append(0x54, Array(table.utf8))
        for column in columns {
            append(0x43, Array(column.name.utf8))
            append(0x44, Array(column.type.utf8))
        }
        guard !columns.isEmpty else { return }
        let keys = all.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }
        var order = keys.map { "\(SQLText.name($0.name)) COLLATE BINARY" }
        if !withoutRowID {
            // Rows without a key, or whose key is NULL, stand in the order in which they were added.
            let names = Set(all.map(\.name.foldedASCII))
            if let row = ["_rowid_", "rowid", "oid"].first(where: { !names.contains($0) }) { order.append(row) }
        }
        let statement = try connection.prepare(
            "SELECT \(columns.map { SQLText.name($0.name) }.joined(separator: ", ")) FROM \(SQLText.name(table))"
                + (order.isEmpty ? "" : " ORDER BY \(order.joined(separator: ", "))")
        )
        defer { statement.reset() }
        while try statement.step() {
            buffer.append(0x52)
            for place in columns.indices {
                switch statement.storageClass(place) {
                case SQLITE_INTEGER: append(1, UInt64(bitPattern: statement.integer(place)))
                case SQLITE_FLOAT: append(2, (statement.number(place) ?? 0).bitPattern)
                case SQLITE_TEXT: append(3, statement, place)
                case SQLITE_BLOB: append(4, statement, place)
                default: buffer.append(0)
                }
            }
            flush()
        }
    }

    private mutating func append(_ tag: UInt8, _ value: UInt64) {
        buffer.append(tag)
        withUnsafeBytes(of: value.bigEndian) { buffer.append(contentsOf: $0) }
    }

    private mutating func append(_ tag: UInt8, _ bytes: [UInt8]) {
        append(tag, UInt64(bytes.count))
        buffer += bytes
    }

    private mutating func append(_ tag: UInt8, _ statement: SQLiteStatement, _ place: Int) {
        append(tag, UInt64(statement.withBytes(place) { $0.count }))
        statement.withBytes(place) { buffer.append(contentsOf: $0) }
    }

    private mutating func flush() {
        guard buffer.count >= Self.chunkSize else { return }
        hasher.update(buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
