import MapDocs

/// Reads features of one table.
struct FeatureReader {
    private let layer: GeoPackageLayer
    private let connection: SQLiteConnection
    private let query: FeatureQuery
    private let columns: [FeatureColumn]

    init(
        _ layer: GeoPackageLayer,
        on connection: SQLiteConnection,
        _ query: FeatureQuery = FeatureQuery()
    ) throws(MapPackageError) {
        self.layer = layer
        self.connection = connection
        self.query = query
        guard let names = query.columns else {
            columns = layer.attributes
            return
        }
        var columns: [FeatureColumn] = []
        for name in names {
            guard let column = layer.attribute(name) else { throw .noColumn(name, in: layer.table.name) }
            columns.append(column)
        }
        self.columns = columns
    }

    // MARK: Whole features

    /// One feature, or nil.
    func feature(_ key: Int64) throws(MapPackageError) -> MapFeature? {
        guard let keyColumn = layer.keyColumn else { return nil }
        let statement = try connection.prepare(selection(keyColumn) + " WHERE \(SQLText.name(keyColumn)) = ?1")
        defer { statement.reset() }
        try statement.bind(.integer(key), at: 1)
        guard try statement.step() else { return nil }
        return feature(statement)
    }

    /// Every feature that the query asks for.
    func readAll(_ body: (MapFeature) throws(MapPackageError) -> Bool) throws(MapPackageError) {
        guard let keyColumn = layer.keyColumn else { return }
        let key = SQLText.name(keyColumn)
        var conditions: [String] = []
        if query.afterKey != nil { conditions.append("\(key) > ?1") }
        if query.bounds != nil, layer.table.lockReason != nil { return }
        let index = layer.table.hasSpatialIndex ? layer.indexName : nil
        if query.bounds != nil, let index {
            conditions.append(
                """
                \(key) IN (SELECT id FROM \(SQLText.name(index))
                WHERE minx <= ?2 AND maxx >= ?3 AND miny <= ?4 AND maxy >= ?5)
                """
            )
        }
        var sql = selection(keyColumn)
        if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
        let statement = try connection.prepare(sql + " ORDER BY \(key)")
        defer { statement.reset() }
        if let after = query.afterKey { try statement.bind(.integer(after), at: 1) }
        if let bounds = query.bounds, index != nil {
            for (place, ordinate) in [bounds.east, bounds.west, bounds.north, bounds.south].enumerated() {
                try statement.bind(.real(ordinate), at: place + 2)
            }
        }
        while try statement.step() {
            if let bounds = query.bounds, !touches(statement, bounds) { continue }
            if try !body(feature(statement)) { return }
        }
    }

    private func selection(_ keyColumn: String) -> String {
        var names = [SQLText.name(keyColumn)]
        if case .column(let name) = layer.identity { names.append(SQLText.name(name)) } else { names.append("NULL") }
        names.append(wantsGeometry ? SQLText.name(layer.geometryColumn) : "NULL")
        names += columns.map { SQLText.name($0.name) }
        return "SELECT \(names.joined(separator: ", ")) FROM \(SQLText.name(layer.table.name))"
    }

    private var wantsGeometry: Bool { query.includesGeometry || query.bounds != nil }

    private func feature(_ statement: SQLiteStatement) -> MapFeature {
        let key = statement.integer(0)
        var feature = MapFeature(
            id: statement.text(1).map { FeatureID($0) } ?? FeatureID(key: key),
            key: key,
            values: [:]
        )
        feature.values.reserveCapacity(columns.count)
        for (place, column) in columns.enumerated() { feature.values[column.name] = statement.value(place + 3) }
        guard query.includesGeometry, !statement.isNull(2) else { return feature }
        if let reason = layer.table.lockReason {
            feature.geometryProblem = reason
            return feature
        }
        let result = statement.withBytes(2) { bytes in
            Result { () throws(GeoPackageBlobError) in try GeoPackageBlob.geometry(bytes) }
        }
        switch result {
        case .success(let geometry): feature.geometry = geometry
        case .failure(let error): feature.geometryProblem = error.message
        }
        return feature
    }

    // MARK: Boxes

    /// The box of every feature, read from the geometries.
    func readExtents(_ body: (Int64, MapBounds) -> Void) throws(MapPackageError) {
        guard let keyColumn = layer.keyColumn else { return }
        let statement = try connection.prepare(
            "SELECT \(SQLText.name(keyColumn)), 0, \(SQLText.name(layer.geometryColumn)) "
                + "FROM \(SQLText.name(layer.table.name))"
        )
        defer { statement.reset() }
        while try statement.step() {
            if let box = extent(statement) { body(statement.integer(0), box) }
        }
    }

    private func touches(_ statement: SQLiteStatement, _ bounds: MapBounds) -> Bool {
        extent(statement)?.intersects(bounds) ?? false
    }

    private func extent(_ statement: SQLiteStatement) -> MapBounds? {
        statement.withBytes(2) { bytes in
            guard case .box(let box) = try? GeoPackageBlob.extent(bytes) else { return nil }
            return box
        }
    }
}

extension SQLiteConnection {
    /// The primary key of a feature now, or nil when there is none.
    func key(of id: FeatureID, in layer: GeoPackageLayer) throws(MapPackageError) -> Int64? {
        guard let keyColumn = layer.keyColumn else { return nil }
        let (table, key) = (SQLText.name(layer.table.name), SQLText.name(keyColumn))
        let number = Int64(id.text).flatMap { String($0) == id.text ? $0 : nil }
        guard case .column(let name) = layer.identity else {
            guard let number else { return nil }
            return try integer("SELECT \(key) FROM \(table) WHERE \(key) = ?1", .integer(number))
        }
        let column = SQLText.name(name)
        if let found = try integer("SELECT \(key) FROM \(table) WHERE \(column) = ?1", .text(id.text)) { return found }
        // Rows that another program added without an identifier go by their key.
        guard let number else { return nil }
        return try integer(
            "SELECT \(key) FROM \(table) WHERE \(key) = ?1 AND typeof(\(column)) <> 'text'",
            .integer(number)
        )
    }
}
