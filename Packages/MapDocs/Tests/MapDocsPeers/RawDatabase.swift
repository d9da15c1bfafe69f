import CMapSQLite
import Foundation

/// SQLite as other programs use it: nothing hardened, deleted bytes left where they were.
package final class RawDatabase {
    package struct Failure: Error { package let message: String }

    private var handle: OpaquePointer?

    /// - Parameters:
    ///   - path: The file.
    ///   - runsTriggers: Whether triggers run; those of spatial indexes call functions that only GIS programs have.
    /// - Throws: `Failure`.
    package init(_ path: String, runsTriggers: Bool = false) throws {
        guard sqlite3_open(path, &handle) == SQLITE_OK else { throw Failure(message: "cannot open \(path)") }
        _ = hope_sqlite3_db_config_switch(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, runsTriggers ? 1 : 0)
        try run("PRAGMA secure_delete = OFF")
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    package func close() {
        sqlite3_close_v2(handle)
        handle = nil
    }

    package func run(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
            throw Failure(message: String(cString: sqlite3_errmsg(handle)))
        }
    }

    /// The rows of a query, each as SQLite writes it as text, with a bar between the columns.
    package func rows(_ sql: String) throws -> [String] {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
            throw Failure(message: String(cString: sqlite3_errmsg(handle)))
        }
        defer { sqlite3_finalize(statement) }
        var rows: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            rows.append(
                (0..<sqlite3_column_count(statement)).map { column in
                    sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
                }.joined(separator: "|")
            )
        }
        return rows
    }
}
