import CMapSQLite
import MapDocs

/// A prepared statement.
///
/// What it hands out as a pointer is valid until the next step.
final class SQLiteStatement {
    private let handle: OpaquePointer
    private unowned let connection: SQLiteConnection
    /// Whether it is between its first step and its reset.
    private(set) var isRunning = false

    init(_ sql: String, on connection: SQLiteConnection) throws(MapPackageError) {
        var handle: OpaquePointer?
        let result = sqlite3_prepare_v2(connection.handle, sql, -1, &handle, nil)
        guard result == SQLITE_OK, let handle else { throw connection.error(result) }
        self.handle = handle
        self.connection = connection
    }

    deinit {
        sqlite3_finalize(handle)
    }

    // MARK: Parameters

    @discardableResult
    func bind(_ values: FeatureValue...) throws(MapPackageError) -> SQLiteStatement {
        for (index, value) in values.enumerated() { try bind(value, at: index + 1) }
        return self
    }

    /// Sets a parameter.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - index: The parameter, from 1.
    /// - Throws: `MapPackageError` when there is not enough memory, or no such parameter.
    func bind(_ value: FeatureValue, at index: Int) throws(MapPackageError) {
        let index = Int32(index)
        let result: Int32
        switch value {
        case .null: result = sqlite3_bind_null(handle, index)
        case .integer(let number): result = sqlite3_bind_int64(handle, index, number)
        case .real(let number): result = sqlite3_bind_double(handle, index, number)
        case .text(var text):
            result = text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { characters in
                    guard let start = characters.baseAddress else {
                        return hope_sqlite3_bind_text(handle, index, "", 0)
                    }
                    return hope_sqlite3_bind_text(handle, index, start, sqlite3_uint64(characters.count))
                }
            }
        case .blob(let bytes):
            result =
                bytes.isEmpty
                ? sqlite3_bind_zeroblob(handle, index, 0)
                : bytes.withUnsafeBytes {
                    hope_sqlite3_bind_blob(handle, index, $0.baseAddress, sqlite3_uint64($0.count))
                }
        }
        if result != SQLITE_OK { throw connection.error(result) }
    }

    // MARK: Rows

    /// Moves to the next row; false when there is none, and the statement is then ready for its next use.
    func step() throws(MapPackageError) -> Bool {
        isRunning = true
        let result = sqlite3_step(handle)
        if result == SQLITE_ROW { return true }
        let error = result == SQLITE_DONE ? nil : connection.error(result)
        reset()
        if let error { throw error }
        return false
    }

    /// Runs it to its end.
    func run() throws(MapPackageError) {
        while try step() {}
    }

    /// Makes it ready for its next use.
    func reset() {
        isRunning = false
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    var columnCount: Int { Int(sqlite3_column_count(handle)) }

    func isNull(_ column: Int) -> Bool { sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL }

    func integer(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }

    /// A number of any kind, or nil.
    func number(_ column: Int) -> Double? {
        switch sqlite3_column_type(handle, Int32(column)) {
        case SQLITE_INTEGER, SQLITE_FLOAT: sqlite3_column_double(handle, Int32(column))
        default: nil
        }
    }

    /// A text, or nil for anything else.
    func text(_ column: Int) -> String? {
        guard sqlite3_column_type(handle, Int32(column)) == SQLITE_TEXT else { return nil }
        return withBytes(column) { String(decoding: $0, as: UTF8.self) }
    }

    func value(_ column: Int) -> FeatureValue {
        switch sqlite3_column_type(handle, Int32(column)) {
        case SQLITE_INTEGER: .integer(integer(column))
        case SQLITE_FLOAT: .real(sqlite3_column_double(handle, Int32(column)))
        case SQLITE_TEXT: .text(withBytes(column) { String(decoding: $0, as: UTF8.self) })
        case SQLITE_BLOB: .blob(withBytes(column) { Array($0) })
        default: .null
        }
    }

    /// The storage class, as SQLite numbers them.
    func storageClass(_ column: Int) -> Int32 { sqlite3_column_type(handle, Int32(column)) }

    /// The bytes of a text or a block of bytes; none for anything that has none.
    func withBytes<Result>(_ column: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        // The order of the two calls matters: the first can convert, the second then counts.
        let start: UnsafeRawPointer? =
            sqlite3_column_type(handle, Int32(column)) == SQLITE_TEXT
            ? UnsafeRawPointer(sqlite3_column_text(handle, Int32(column)))
            : sqlite3_column_blob(handle, Int32(column))
        let count = Int(sqlite3_column_bytes(handle, Int32(column)))
        return body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }
}
