import Foundation
package import MapDocs
import Synchronization
import TransportCore

/// An open GeoPackage.
///
/// Each call takes a connection of its own from a small pool: a call can be made from within another's closure, long
/// reads see one state of the data and do not hold up changes, and SQLite's locks put changes one after the other.
package final class GeoPackage: Sendable {
    private struct State {
        var idle: [SQLiteConnection] = []
        var isClosed = false
    }

    private static let idleLimit = 4

    package let readOnlyReason: String?
    let fileName: String
    let format: GeoPackageFormat
    private let path: String
    private let mode: SQLiteConnection.Mode
    private let state: Mutex<State>

    init(
        _ path: String,
        _ mode: SQLiteConnection.Mode,
        readOnlyReason: String?,
        format: GeoPackageFormat
    ) throws(MapPackageError) {
        self.path = path
        self.mode = mode
        self.readOnlyReason = readOnlyReason
        self.format = format
        let connection = try SQLiteConnection(path, mode, busyTimeout: format.busyTimeout)
        fileName = connection.fileName
        _ = try connection.currentCatalog()
        state = Mutex(State(idle: [connection]))
    }

    /// Whether the medium turned out to be one that cannot be written to.
    var isOnReadOnlyMedium: Bool {
        state.withLock { $0.idle.first?.isReadOnly ?? false }
    }

    /// Runs a call on a connection that nobody else uses.
    func withConnection<Result>(
        _ body: (SQLiteConnection) throws(MapPackageError) -> Result
    ) throws(MapPackageError) -> Result {
        let (isClosed, idle) = state.withLock { ($0.isClosed, $0.isClosed ? nil : $0.idle.popLast()) }
        if isClosed { throw .closed(fileName) }
        let connection: SQLiteConnection
        if let idle {
            connection = idle
        } else {
            connection = try SQLiteConnection(path, mode, busyTimeout: format.busyTimeout)
        }
        defer {
            connection.rest()
            state.withLock {
                if !$0.isClosed && $0.idle.count < Self.idleLimit { $0.idle.append(connection) }
            }
        }
        return try body(connection)
    }
}

extension GeoPackage: MapPackage {
    package func tables() throws(MapPackageError) -> [FeatureTable] {
        try withConnection { connection throws(MapPackageError) in
            try connection.currentCatalog().layers.map(\.table)
        }
    }

    package func featureCount(in table: String) throws(MapPackageError) -> Int {
        try withConnection { connection throws(MapPackageError) in
            let layer = try connection.layer(table)
            // What a view would do is not known.
            guard layer.keyColumn != nil else { return 0 }
            return Int(try connection.integer("SELECT count(*) FROM \(SQLText.name(table))") ?? 0)
        }
    }

    package func feature(_ id: FeatureID, in table: String) throws(MapPackageError) -> MapFeature? {
        try withConnection { connection throws(MapPackageError) in
            let layer = try connection.layer(table)
            guard let key = try connection.key(of: id, in: layer) else { return nil }
            return try FeatureReader(layer, on: connection).feature(key)
        }
    }

    package func feature(withKey key: Int64, in table: String) throws(MapPackageError) -> MapFeature? {
        try withConnection { connection throws(MapPackageError) in
            try FeatureReader(connection.layer(table), on: connection).feature(key)
        }
    }

    package func readFeatures(
        in table: String,
        _ query: FeatureQuery,
        _ body: (MapFeature) throws(MapPackageError) -> Bool
    ) throws(MapPackageError) {
        try withConnection { connection throws(MapPackageError) in
            let layer = try connection.layer(table)
            try FeatureReader(layer, on: connection, query).readAll(body)
        }
    }

    package func readBounds(in table: String, _ body: (Int64, MapBounds) -> Void) throws(MapPackageError) {
        try withConnection { connection throws(MapPackageError) in
            let layer = try connection.layer(table)
            guard layer.table.lockReason == nil else { return }
            if layer.table.hasSpatialIndex, let index = layer.indexName {
                try connection.withSnapshot { () throws(MapPackageError) in
                    try RTreeNodeReader(index, on: connection).readAll(body)
                }
            } else {
                try FeatureReader(layer, on: connection).readExtents(body)
            }
        }
    }

    package func transaction(
        _ body: (any MapPackageEdits) throws(MapPackageError) -> Void
    ) throws(MapPackageError) {
        if let readOnlyReason {
            throw MapPackageError(code: .readOnly, subject: fileName, message: readOnlyReason)
        }
        try withConnection { connection throws(MapPackageError) in
            let edits = GeoPackageEdits(connection, now: format.now)
            try connection.execute("BEGIN IMMEDIATE")
            do throws(MapPackageError) {
                defer { edits.end() }
                try body(edits)
                try edits.finish()
                try connection.execute("COMMIT")
            } catch {
                connection.rest()
                connection.catalog = nil
                throw error
            }
        }
    }

    package func readTexts(_ body: (PackagePlace, [UInt8]) -> Bool) throws(MapPackageError) {
        try withConnection { connection throws(MapPackageError) in
            try connection.withSnapshot { () throws(MapPackageError) in
                try TextSearch(connection).readAll(body)
            }
        }
    }

    package func contentDigest() throws(MapPackageError) -> String {
        try withConnection { connection throws(MapPackageError) in
            try connection.withSnapshot { () throws(MapPackageError) in
                var digester = RowDigester(format.digest)
                try digester.addAll(connection)
                return digester.finalize()
            }
        }
    }

    package func copyDatabase(to path: String) throws(MapPackageError) {
        try withConnection { connection throws(MapPackageError) in
            try DatabaseCopy(from: connection, to: path, busyTimeout: format.busyTimeout).run()
        }
    }

    package func close() {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
        // The last reference to each ends here, outside of the lock: closing can merge the log into the file.
        withExtendedLifetime(idle) {}
    }
}
