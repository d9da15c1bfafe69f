import Foundation
import MapDocs

/// Changes a GeoPackage within a transaction.
///
/// Triggers are off, so what they would do is done here: spatial index, feature counts, extents, dates of change.
final class GeoPackageEdits {
    private let connection: SQLiteConnection
    private let now: @Sendable () -> Date
    private var touched: Set<String> = []
    private var isOver = false
    /// Why SQLite has taken the whole transaction back.
    private var loss: MapPackageError?

    init(_ connection: SQLiteConnection, now: @escaping @Sendable () -> Date) {
        self.connection = connection
        self.now = now
    }

    /// Writes what follows from the changes, at the end of the transaction.
    func finish() throws(MapPackageError) {
        if let loss { throw loss }
        guard !touched.isEmpty else { return }
        let moment = FeatureValue.text(GeoPackageDate.text(now()))
        for table in touched.sorted() {
            try connection.prepare("UPDATE gpkg_contents SET last_change = ?1 WHERE lower(table_name) = lower(?2)")
                .bind(moment, .text(table)).run()
        }
    }

    /// Makes it useless once its transaction is over.
    func end() {
        isOver = true
    }

    /// Makes one change, all or nothing.
    private func change(
        _ table: String,
        _ body: (GeoPackageLayer) throws(MapPackageError) -> Void
    ) throws(MapPackageError) {
        try step { () throws(MapPackageError) in
            let layer = try connection.layer(table)
            if let reason = layer.table.lockReason { throw .refused(table, reason) }
            try body(layer)
        }
        touched.insert(table)
    }

    private func step(_ body: () throws(MapPackageError) -> Void) throws(MapPackageError) {
        guard !isOver else { throw .closed(connection.fileName) }
        // What came after it would be outside of any transaction, and confirmed at once.
        if let loss { throw loss }
        try connection.execute("SAVEPOINT edit")
        do throws(MapPackageError) {
            try body()
            try connection.execute("RELEASE edit")
        } catch {
            guard connection.isInTransaction else {
                loss = error
                throw error
            }
            try connection.execute("ROLLBACK TO edit; RELEASE edit")
            throw error
        }
    }

    private func key(of id: FeatureID, in layer: GeoPackageLayer) throws(MapPackageError) -> Int64 {
        guard let key = try connection.key(of: id, in: layer) else { throw .noFeature(id, in: layer.table.name) }
        return key
    }

    // MARK: Values

    /// The columns to write, each checked; sorted, so that the same change is always the same statement.
    private func writable(
        _ values: [String: FeatureValue],
        in layer: GeoPackageLayer
    ) throws(MapPackageError) -> [(column: FeatureColumn, value: FeatureValue)] {
        var result: [(FeatureColumn, FeatureValue)] = []
        for (name, value) in values.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            guard let column = layer.table.columns.first(where: { $0.name.isSameName(as: name) }) else {
                throw .noColumn(name, in: layer.table.name)
            }
            try ColumnRule(column, in: layer.table.name).check(value)
            result.append((column, value))
        }
        return result
    }

    /// Refuses what the database made something else of: a number of a text, a text of a number.
    private func verify(
        _ values: [(column: FeatureColumn, value: FeatureValue)],
        of key: Int64,
        in layer: GeoPackageLayer
    ) throws(MapPackageError) {
        guard !values.isEmpty, let keyColumn = layer.keyColumn else { return }
        let names = values.map { SQLText.name($0.column.name) }.joined(separator: ", ")
        let statement = try connection.prepare(
            "SELECT \(names) FROM \(SQLText.name(layer.table.name)) WHERE \(SQLText.name(keyColumn)) = ?1"
        )
        defer { statement.reset() }
        try statement.bind(.integer(key), at: 1)
        guard try statement.step() else { throw .noFeature(FeatureID(key: key), in: layer.table.name) }
        for (place, entry) in values.enumerated() where !statement.value(place).isIdentical(to: entry.value) {
            throw .refused(
                "\(layer.table.name).\(entry.column.name)",
                "The column “\(entry.column.label)” would store another value than the one given, "
                    + "because of its type “\(entry.column.type.words)”; give a value of that type."
            )
        }
    }

    // MARK: What follows from a shape

    private func encode(_ geometry: MapGeometry?, for layer: GeoPackageLayer) throws(MapPackageError) -> FeatureValue {
        guard let geometry else { return .null }
        let table = layer.table
        if let kind = table.geometryKind, kind != geometry.kind {
            throw .refused(
                table.name,
                "“\(table.name)” takes only shapes of the kind \(kind.rawValue), not \(geometry.kind.rawValue)."
            )
        }
        let ordinates = geometry.ordinates
        if ordinates.z && layer.z == 0 || ordinates.m && layer.m == 0 {
            throw .refused(
                table.name,
                "“\(table.name)” takes no \(ordinates.z && layer.z == 0 ? "heights" : "measures"); leave them out."
            )
        }
        guard geometry.isStorable else {
            throw .refused(
                table.name,
                "The shape has coordinates that are no numbers, or collections nested too deeply; correct it."
            )
        }
        return .blob(GeoPackageBlob.bytes(of: geometry, srsID: layer.srsID))
    }

    private func follow(_ geometry: MapGeometry?, _ key: Int64, in layer: GeoPackageLayer) throws(MapPackageError) {
        let bounds = geometry?.bounds
        if let index = layer.indexName {
            if let bounds {
                try connection.prepare("INSERT OR REPLACE INTO \(SQLText.name(index)) VALUES (?1, ?2, ?3, ?4, ?5)")
                    .bind(
                        .integer(key),
                        .real(bounds.west),
                        .real(bounds.east),
                        .real(bounds.south),
                        .real(bounds.north)
                    )
                    .run()
            } else {
                try unindex(key, index)
            }
        }
        guard let bounds else { return }
        try connection.prepare(
            """
            UPDATE gpkg_contents SET
            min_x = min(coalesce(min_x, ?1), ?1), min_y = min(coalesce(min_y, ?2), ?2),
            max_x = max(coalesce(max_x, ?3), ?3), max_y = max(coalesce(max_y, ?4), ?4)
            WHERE lower(table_name) = lower(?5)
            """
        )
        .bind(.real(bounds.west), .real(bounds.south), .real(bounds.east), .real(bounds.north), .text(layer.table.name))
        .run()
    }

    private func unindex(_ key: Int64, _ index: String) throws(MapPackageError) {
        try connection.prepare("DELETE FROM \(SQLText.name(index)) WHERE id = ?1").bind(.integer(key)).run()
    }

    private func count(_ difference: Int64, in layer: GeoPackageLayer) throws(MapPackageError) {
        guard try connection.currentCatalog().hasFeatureCounts else { return }
        try connection.prepare(
            "UPDATE gpkg_ogr_contents SET feature_count = feature_count + ?1 WHERE lower(table_name) = lower(?2)"
        )
        .bind(.integer(difference), .text(layer.table.name))
        .run()
    }
}

extension GeoPackageEdits: MapPackageEdits {
    func update(
        _ values: [String: FeatureValue],
        of id: FeatureID,
        in table: String
    ) throws(MapPackageError) {
        try change(table) { layer throws(MapPackageError) in
            let key = try key(of: id, in: layer)
            let values = try writable(values, in: layer)
            guard !values.isEmpty, let keyColumn = layer.keyColumn else { return }
            let settings = values.enumerated().map { "\(SQLText.name($1.column.name)) = ?\($0 + 2)" }
            let statement = try connection.prepare(
                "UPDATE \(SQLText.name(table)) SET \(settings.joined(separator: ", ")) "
                    + "WHERE \(SQLText.name(keyColumn)) = ?1"
            )
            try statement.bind(.integer(key), at: 1)
            for (place, entry) in values.enumerated() { try statement.bind(entry.value, at: place + 2) }
            try statement.run()
            try verify(values, of: key, in: layer)
        }
    }

    func update(_ geometry: MapGeometry?, of id: FeatureID, in table: String) throws(MapPackageError) {
        try change(table) { layer throws(MapPackageError) in
            let key = try key(of: id, in: layer)
            guard let keyColumn = layer.keyColumn else { return }
            try connection.prepare(
                "UPDATE \(SQLText.name(table)) SET \(SQLText.name(layer.geometryColumn)) = ?2 "
                    + "WHERE \(SQLText.name(keyColumn)) = ?1"
            )
            .bind(.integer(key), encode(geometry, for: layer))
            .run()
            try follow(geometry, key, in: layer)
        }
    }

    func insert(
        _ id: FeatureID,
        geometry: MapGeometry?,
        values: [String: FeatureValue],
        into table: String
    ) throws(MapPackageError) {
        try change(table) { layer throws(MapPackageError) in
            guard case .column(let identifier) = layer.identity, !id.text.isEmpty else {
                throw .refused(table, "“\(table)” has no “uuid” to tell a new feature by, so none can be added.")
            }
            if try connection.key(of: id, in: layer) != nil {
                throw .refused("\(table)/\(id)", "“\(table)” has a feature “\(id)” already; use another identifier.")
            }
            let values = try writable(values, in: layer)
            let names = [identifier, layer.geometryColumn] + values.map(\.column.name)
            let statement = try connection.prepare(
                "INSERT INTO \(SQLText.name(table)) (\(names.map(SQLText.name).joined(separator: ", "))) "
                    + "VALUES (\(names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")))"
            )
            try statement.bind(.text(id.text), at: 1)
            try statement.bind(encode(geometry, for: layer), at: 2)
            for (place, entry) in values.enumerated() { try statement.bind(entry.value, at: place + 3) }
            try statement.run()
            let key = connection.lastKey
            try verify(values, of: key, in: layer)
            try follow(geometry, key, in: layer)
            try count(1, in: layer)
        }
    }

    func delete(_ id: FeatureID, from table: String) throws(MapPackageError) {
        try change(table) { layer throws(MapPackageError) in
            let key = try key(of: id, in: layer)
            guard let keyColumn = layer.keyColumn else { return }
            try connection.prepare("DELETE FROM \(SQLText.name(table)) WHERE \(SQLText.name(keyColumn)) = ?1")
                .bind(.integer(key)).run()
            if let index = layer.indexName { try unindex(key, index) }
            try count(-1, in: layer)
        }
    }

    func createTable(
        _ name: String,
        columns: [FeatureColumn],
        geometryKind: MapGeometry.Kind?
    ) throws(MapPackageError) {
        try step { () throws(MapPackageError) in
            try FeatureTableMaker(connection)
                .make(NewFeatureTable(name, columns: columns.map { .init($0) }, geometryKind: geometryKind))
        }
        connection.catalog = nil
        touched.insert(name)
    }
}
