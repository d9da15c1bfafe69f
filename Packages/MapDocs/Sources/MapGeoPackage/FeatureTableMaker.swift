import MapDocs

/// Makes feature tables as GeoPackage 1.3 wants them.
struct FeatureTableMaker {
    private let connection: SQLiteConnection

    init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    /// Makes a table of features in WGS 84 with `fid`, `uuid`, a geometry and a spatial index.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - columns: The attribute columns.
    ///   - geometryKind: The kind of its geometries; nil for any kind.
    /// - Throws: `MapPackageError`: `refused` for names that are taken or cannot be, `storage`.
    func make(
        _ name: String,
        columns: [FeatureColumn],
        geometryKind: MapGeometry.Kind?
    ) throws(MapPackageError) {
        try checkName(name)
        let geometry = "geom"
        var definitions = ["fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL"]
        definitions.append("\(geometry) \(ColumnTypeName.name(geometryKind))")
        definitions.append("uuid TEXT UNIQUE")
        var taken: Set<String> = ["fid", "uuid", geometry]
        for column in columns {
            guard let type = ColumnTypeName.name(column.type), column.role == .attribute, isName(column.name) else {
                throw .refused(
                    "\(name).\(column.name)",
                    "A column “\(column.name)” of the type \(column.type.words) cannot be made; choose another."
                )
            }
            guard taken.insert(column.name.foldedASCII).inserted else {
                throw .refused(
                    "\(name).\(column.name)",
                    "The table “\(name)” would have two columns named “\(column.name)”; choose another name."
                )
            }
            definitions.append("\(SQLText.name(column.name)) \(type)\(column.isRequired ? " NOT NULL" : "")")
        }
        try connection.execute("CREATE TABLE \(SQLText.name(name)) (\(definitions.joined(separator: ", ")))")
        try register(name, geometry, geometryKind)
        try makeIndex(name, geometry)
        try SchemaExtension(connection).describe(columns, of: name)
    }

    private func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 200 && !name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    }

    private func checkName(_ name: String) throws(MapPackageError) {
        let folded = name.foldedASCII
        let isReserved = ["gpkg_", "sqlite_", "rtree_"].contains { folded.hasPrefix($0) }
        guard isName(name), !isReserved else {
            throw .refused(name, "“\(name)” cannot be the name of a layer's table; choose another.")
        }
        let taken = try connection.integer(
            """
            SELECT (SELECT count(*) FROM sqlite_schema WHERE lower(name) IN (lower(?1), lower(?2)))
            + (SELECT count(*) FROM gpkg_contents WHERE lower(table_name) = lower(?1))
            """,
            .text(name),
            .text("rtree_\(name)_geom")
        )
        if taken != 0 { throw .refused(name, "The package has a table “\(name)” already; choose another name.") }
    }

    private func register(_ name: String, _ geometry: String, _ kind: MapGeometry.Kind?) throws(MapPackageError) {
        try GeoPackageSchema(connection).makeGeometryColumns()
        // GeoPackages of others can have another `identifier` of this name.
        let isFree =
            try connection.integer("SELECT count(*) FROM gpkg_contents WHERE identifier = ?1", .text(name)) == 0
        try connection.prepare(
            """
            INSERT INTO gpkg_contents (table_name, data_type, identifier, description, last_change, srs_id)
            VALUES (?1, 'features', ?2, '', '1970-01-01T00:00:00.000Z', 4326)
            """
        )
        .bind(.text(name), isFree ? .text(name) : .null)
        .run()
        try connection.prepare("INSERT INTO gpkg_geometry_columns VALUES (?1, ?2, ?3, 4326, 2, 2)")
            .bind(.text(name), .text(geometry), .text(ColumnTypeName.name(kind)))
            .run()
    }

    private func makeIndex(_ name: String, _ geometry: String) throws(MapPackageError) {
        try GeoPackageSchema(connection).makeExtensions()
        try connection.execute(
            "CREATE VIRTUAL TABLE \(SQLText.name("rtree_\(name)_\(geometry)")) USING rtree(id, minx, maxx, miny, maxy)"
        )
        for trigger in GeoPackageSchema.indexTriggers(table: name, geometry: geometry, key: "fid") {
            try connection.execute(trigger)
        }
        try connection.prepare(
            """
            INSERT INTO gpkg_extensions VALUES
            (?1, ?2, 'gpkg_rtree_index', 'http://www.geopackage.org/spec120/#extension_rtree', 'write-only')
            """
        )
        .bind(.text(name), .text(geometry))
        .run()
    }
}
