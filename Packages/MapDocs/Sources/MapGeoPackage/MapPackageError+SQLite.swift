import CMapSQLite
import MapDocs

extension MapPackageError {
    /// What SQLite says, in words for people.
    ///
    /// - Parameters:
    ///   - result: The result code, extended or not.
    ///   - detail: SQLite's own message.
    ///   - file: The name of the database.
    /// - Returns: The error.
    static func sqlite(_ result: Int32, _ detail: String, file: String) -> MapPackageError {
        switch result & 0xFF {
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT:
            .damaged(file, "SQLite cannot read it (\(detail))")
        case SQLITE_FULL:
            MapPackageError(
                code: .full,
                subject: file,
                message: "“\(file)” cannot grow because the disk is full; make room and try again. Nothing was changed."
            )
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
            .readOnly(file, "the file or its folder cannot be written to")
        case SQLITE_BUSY, SQLITE_LOCKED:
            .storage(file, "another program is writing to it; try again when it is done")
        case SQLITE_CONSTRAINT:
            MapPackageError(
                code: .refused,
                subject: file,
                message: "“\(file)” refuses the change by its own rules (\(detail)); choose another value."
            )
        case SQLITE_IOERR:
            // Fetching again would drop what was changed here, so it is no way out; a full disk is the usual cause.
            .storage(file, "reading or writing it failed (\(detail)); look whether the disk is full and try again")
        default:
            .storage(file, "SQLite reports “\(detail)”; try again, or fetch the project again")
        }
    }

    static func damaged(_ file: String, _ reason: String) -> MapPackageError {
        MapPackageError(
            code: .damaged,
            subject: file,
            message: "“\(file)” is damaged: \(reason). Fetch the project again."
        )
    }

    static func storage(_ file: String, _ reason: String) -> MapPackageError {
        MapPackageError(code: .storage, subject: file, message: "“\(file)” cannot be used: \(reason).")
    }

    static func readOnly(_ subject: String, _ reason: String) -> MapPackageError {
        MapPackageError(
            code: .readOnly,
            subject: subject,
            message: "“\(subject)” cannot be changed: \(reason)."
        )
    }

    static func closed(_ file: String) -> MapPackageError {
        MapPackageError(code: .closed, subject: file, message: "“\(file)” was closed; open the project again.")
    }

    static func noTable(_ table: String, in file: String) -> MapPackageError {
        MapPackageError(
            code: .noTable,
            subject: table,
            message: "“\(file)” has no feature table “\(table)”; reload the project."
        )
    }

    static func noColumn(_ column: String, in table: String) -> MapPackageError {
        MapPackageError(
            code: .noColumn,
            subject: "\(table).\(column)",
            message: "The table “\(table)” has no column “\(column)”; reload the project."
        )
    }

    static func notWritable(_ column: String, in table: String, _ reason: String) -> MapPackageError {
        MapPackageError(
            code: .noColumn,
            subject: "\(table).\(column)",
            message: "The column “\(column)” of the table “\(table)” cannot be written: \(reason)."
        )
    }

    static func noFeature(_ id: FeatureID, in table: String) -> MapPackageError {
        MapPackageError(
            code: .noFeature,
            subject: "\(table)/\(id)",
            message: "The table “\(table)” has no feature “\(id)”; it may have been deleted. Reload the project."
        )
    }

    static func refused(_ subject: String, _ message: String) -> MapPackageError {
        MapPackageError(code: .refused, subject: subject, message: message)
    }
}
