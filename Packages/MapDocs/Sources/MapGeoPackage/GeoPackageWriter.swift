package import Foundation
package import MapDocs

/// Fills a new GeoPackage as fast as SQLite can; whoever uses it throws the file away when something fails.
package final class GeoPackageWriter {
    let connection: SQLiteConnection
    private let path: String
    private var tables: [TableWriter] = []

    /// Makes a file with what every GeoPackage has.
    ///
    /// - Parameter path: Where nothing is yet.
    /// - Throws: `MapPackageError`: `full`, `storage`.
    package init(newFileAt path: String) throws(MapPackageError) {
        self.path = path
        guard !FileManager.default.fileExists(atPath: path) else {
            throw .storage((path as NSString).lastPathComponent, "something is there already; choose another name")
        }
        connection = try SQLiteConnection(path, .building, busyTimeout: .zero)
        try GeoPackageSchema(connection).makeDatabase()
        try connection.execute("BEGIN")
    }

    /// Makes a table.
    ///
    /// - Parameter table: What it is like.
    /// - Returns: What takes its rows.
    /// - Throws: `MapPackageError`: `refused` for names that are taken or cannot be, `storage`.
    package func makeTable(_ table: NewFeatureTable) throws(MapPackageError) -> TableWriter {
        try FeatureTableMaker(connection).make(table)
        let writer = try TableWriter(table, connection)
        tables.append(writer)
        return writer
    }

    /// Whether a table of this name can still be made.
    ///
    /// - Parameter name: The name.
    /// - Returns: True when nothing stands in its way.
    /// - Throws: `MapPackageError`: `storage`.
    package func isFree(_ name: String) throws(MapPackageError) -> Bool {
        try connection.integer(
            "SELECT count(*) FROM sqlite_schema WHERE lower(name) IN (lower(?1), lower(?2))",
            .text(name),
            .text("rtree_\(name)_\(NewFeatureTable.geometryColumn)")
        ) == 0
    }

    /// Writes what is left and makes the file safe from a crash of the machine.
    ///
    /// - Parameter moment: The time that tables keep as their last change.
    /// - Throws: `MapPackageError`: `full`, `storage`.
    package func finish(at moment: Date) throws(MapPackageError) {
        for table in tables { try table.finish(at: moment) }
        tables.removeAll()
        try connection.execute("COMMIT")
        do {
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            try file.synchronize()
            try file.close()
        } catch {
            throw .storage(connection.fileName, "it could not be made safe on the medium; check it and try again")
        }
    }
}

/// Takes the rows of one new table.
package final class TableWriter {
    private let table: NewFeatureTable
    private let connection: SQLiteConnection
    private let insertion: String
    private let indexing: String
    private var extent: MapBounds?

    init(_ table: NewFeatureTable, _ connection: SQLiteConnection) throws(MapPackageError) {
        self.table = table
        self.connection = connection
        let names =
            [NewFeatureTable.keyColumn, NewFeatureTable.identifierColumn, NewFeatureTable.geometryColumn]
            + table.columns.map(\.column.name)
        insertion =
            "INSERT INTO \(SQLText.name(table.name)) (\(names.map(SQLText.name).joined(separator: ", "))) "
            + "VALUES (\(names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")))"
        indexing =
            "INSERT INTO \(SQLText.name("rtree_\(table.name)_\(NewFeatureTable.geometryColumn)")) "
            + "VALUES (?1, ?2, ?3, ?4, ?5)"
    }

    /// Adds a row with a shape.
    ///
    /// - Parameters:
    ///   - key: Its primary key, or nil for the next one.
    ///   - identifier: Its `uuid`.
    ///   - geometry: The shape; nil for NULL.
    ///   - values: The values in the order of the columns.
    /// - Throws: `MapPackageError`: `refused` when key or `uuid` are there already, `full`, `storage`.
    package func add(
        key: Int64?,
        identifier: String,
        geometry: MapGeometry?,
        values: [FeatureValue]
    ) throws(MapPackageError) {
        guard geometry?.isStorable != false else {
            throw .refused(table.name, "A shape has coordinates that are no numbers, or is nested too deeply.")
        }
        let blob = geometry.map { FeatureValue.blob(GeoPackageBlob.bytes(of: $0, srsID: table.srsID)) }
        try add(key, identifier, blob ?? .null, geometry?.bounds, values)
    }

    /// Adds a row with the bytes of a geometry as they are.
    ///
    /// - Parameters:
    ///   - key: Its primary key.
    ///   - identifier: Its `uuid`.
    ///   - blob: The geometry as a GeoPackage stores it, readable or not, or NULL.
    ///   - values: The values in the order of the columns.
    /// - Throws: `MapPackageError`, as `add(key:identifier:geometry:values:)`.
    package func add(
        key: Int64,
        identifier: String,
        blob: FeatureValue,
        values: [FeatureValue]
    ) throws(MapPackageError) {
        var bounds: MapBounds?
        if case .blob(let bytes) = blob {
            bounds = bytes.withUnsafeBytes { bytes in
                guard case .box(let box) = try? GeoPackageBlob.extent(bytes) else { return nil }
                return box
            }
        }
        try add(key, identifier, blob, bounds, values)
    }

    private func add(
        _ key: Int64?,
        _ identifier: String,
        _ blob: FeatureValue,
        _ bounds: MapBounds?,
        _ values: [FeatureValue]
    ) throws(MapPackageError) {
        let statement = try connection.prepare(insertion)
        try statement.bind(key.map { .integer($0) } ?? .null, at: 1)
        try statement.bind(.text(identifier), at: 2)
        try statement.bind(blob, at: 3)
        for (place, value) in values.enumerated() { try statement.bind(value, at: place + 4) }
        try statement.run()
        guard let bounds else { return }
        try connection.prepare(indexing)
            .bind(
                .integer(connection.lastKey),
                .real(bounds.west),
                .real(bounds.east),
                .real(bounds.south),
                .real(bounds.north)
            )
            .run()
        extent = extent.map { $0.union(bounds) } ?? bounds
    }

    func finish(at moment: Date) throws(MapPackageError) {
        try connection.prepare(
            """
            UPDATE gpkg_contents SET last_change = ?1, min_x = ?2, min_y = ?3, max_x = ?4, max_y = ?5
            WHERE table_name = ?6
            """
        )
        .bind(
            .text(GeoPackageDate.text(moment)),
            extent.map { .real($0.west) } ?? .null,
            extent.map { .real($0.south) } ?? .null,
            extent.map { .real($0.east) } ?? .null,
            extent.map { .real($0.north) } ?? .null,
            .text(table.name)
        )
        .run()
    }

    /// The box of everything that was added, or nil when nothing has a place.
    package var bounds: MapBounds? { extent }
}

extension MapBounds {
    /// The smallest box around two.
    fileprivate func union(_ other: MapBounds) -> MapBounds {
        MapBounds(
            west: min(west, other.west),
            south: min(south, other.south),
            east: max(east, other.east),
            north: max(north, other.north)
        )
    }
}
