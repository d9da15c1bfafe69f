import CMapSQLite
import Foundation
import MapDocs

/// One connection to a database, with everything switched off that a hostile file could use.
///
/// Used by one call at a time: whoever takes it from the package's pool has it alone, which the compiler cannot see.
final class SQLiteConnection: @unchecked Sendable {
    /// How a database is opened.
    enum Mode: Hashable, Sendable {
        /// To read and write, with its write-ahead log.
        case editing
        /// To read, with locks against others that write.
        case shared
        /// To read the one file as it lies there: no lock, no journal, nothing beside it is looked at.
        case immutable
        /// To write a file of which nobody knows yet, without caring for crashes.
        case building
    }

    let handle: OpaquePointer
    /// The name of the file, for messages.
    let fileName: String
    /// What the tables were like when they were last looked at.
    var catalog: GeoPackageCatalog?

    private var statements: [String: SQLiteStatement] = [:]
    private static let statementLimit = 100

    /// Opens a database.
    ///
    /// - Parameters:
    ///   - path: The file; made when it is not there if the mode is `building`.
    ///   - mode: How.
    ///   - busyTimeout: How long to wait for another program's lock.
    /// - Throws: `MapPackageError`.
    init(_ path: String, _ mode: Mode, busyTimeout: Duration) throws(MapPackageError) {
        let fileName = (path as NSString).lastPathComponent
        var handle: OpaquePointer?
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI | SQLITE_OPEN_EXRESCODE
        var query = ""
        switch mode {
        case .editing: flags |= SQLITE_OPEN_READWRITE
        case .shared:
            flags |= SQLITE_OPEN_READONLY
            query = "?readonly_shm=1"
        case .immutable:
            flags |= SQLITE_OPEN_READONLY
            query = "?immutable=1"
        case .building: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        }
        let result = sqlite3_open_v2("file:" + Self.uriPath(path) + query, &handle, flags, nil)
        guard let handle else { throw .storage(fileName, "there is not enough memory to open it") }
        guard result == SQLITE_OK else {
            let error = MapPackageError.sqlite(result, String(cString: sqlite3_errmsg(handle)), file: fileName)
            sqlite3_close_v2(handle)
            throw error
        }
        self.handle = handle
        self.fileName = fileName
        harden(mode)
        sqlite3_busy_timeout(handle, Int32(min(max(busyTimeout / .milliseconds(1), 0), 1e9)))
        // Deleted secrets must not linger in free pages.
        try execute("PRAGMA secure_delete=ON")
        try execute("PRAGMA cell_size_check=ON")
        try execute("PRAGMA foreign_keys=ON")
        switch mode {
        case .editing:
            try execute("PRAGMA journal_mode=WAL")
            try execute("PRAGMA synchronous=FULL")
        case .building:
            try execute("PRAGMA journal_mode=OFF")
            try execute("PRAGMA synchronous=OFF")
        case .shared, .immutable: break
        }
    }

    deinit {
        statements.removeAll()
        sqlite3_close_v2(handle)
    }

    /// Follows SQLite's own advice on files from others (sqlite.org/security.html).
    private func harden(_ mode: Mode) {
        for (option, value) in [
            (SQLITE_DBCONFIG_DEFENSIVE, mode == .building ? 0 : 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
            (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
            (SQLITE_DBCONFIG_ENABLE_VIEW, 0), (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
            (SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0), (SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0),
            (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_DQS_DDL, 0),
        ] {
            _ = hope_sqlite3_db_config_switch(handle, option, Int32(value))
        }
        for (limit, value) in [
            (SQLITE_LIMIT_SQL_LENGTH, 1_000_000), (SQLITE_LIMIT_EXPR_DEPTH, 200), (SQLITE_LIMIT_COMPOUND_SELECT, 50),
            (SQLITE_LIMIT_VDBE_OP, 250_000), (SQLITE_LIMIT_FUNCTION_ARG, 100), (SQLITE_LIMIT_ATTACHED, 1),
            (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000), (SQLITE_LIMIT_TRIGGER_DEPTH, 10),
            (SQLITE_LIMIT_WORKER_THREADS, 0),
        ] {
            sqlite3_limit(handle, limit, Int32(value))
        }
    }

    private static func uriPath(_ path: String) -> String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in path.utf8 {
            if plain.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: Statements

    /// The last failure as an error.
    func error(_ result: Int32) -> MapPackageError {
        .sqlite(result, String(cString: sqlite3_errmsg(handle)), file: fileName)
    }

    /// Whether the medium or the rights make writing impossible.
    var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

    /// The primary key of the row that was added last.
    var lastKey: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Runs statements that need nothing and give nothing.
    func execute(_ sql: String) throws(MapPackageError) {
        let result = sqlite3_exec(handle, sql, nil, nil, nil)
        if result != SQLITE_OK { throw error(result) }
    }

    /// A statement that is ready to be bound; prepared once as long as it is used.
    func prepare(_ sql: String) throws(MapPackageError) -> SQLiteStatement {
        if let statement = statements[sql], !statement.isRunning { return statement }
        let statement = try SQLiteStatement(sql, on: self)
        if statements.count >= Self.statementLimit {
            statements = statements.filter { $0.value.isRunning }
        }
        statements[sql] = statement
        return statement
    }

    /// The first number of the first row, or nil.
    func integer(_ sql: String, _ values: FeatureValue...) throws(MapPackageError) -> Int64? {
        let statement = try prepare(sql)
        defer { statement.reset() }
        for (index, value) in values.enumerated() { try statement.bind(value, at: index + 1) }
        guard try statement.step(), !statement.isNull(0) else { return nil }
        return statement.integer(0)
    }

    /// Whether a transaction is open; SQLite takes one back itself when the disk is full or cannot be read.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Ends what a call left unfinished, so that the connection can be used by the next one.
    func rest() {
        for statement in statements.values where statement.isRunning { statement.reset() }
        if isInTransaction { try? execute("ROLLBACK") }
    }

    /// Reads from one state of the database, whatever others write meanwhile.
    func withSnapshot<Result>(_ body: () throws(MapPackageError) -> Result) throws(MapPackageError) -> Result {
        try execute("BEGIN")
        do throws(MapPackageError) {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            rest()
            throw error
        }
    }
}
