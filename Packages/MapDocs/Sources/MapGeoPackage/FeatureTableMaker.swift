import MapDocs

/// Makes feature tables as GeoPackage 1.3 wants them: with `fid`, `uuid`, a geometry and a spatial index.
struct FeatureTableMaker {
    private let connection: SQLiteConnection

    init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    /// Makes a table.
    func make(_ table: NewFeatureTable) throws(MapPackageError) {
        try checkName(table.name)
        let geometry = NewFeatureTable.geometryColumn
        var definitions = [
            "\(NewFeatureTable.keyColumn) INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL",
            "\(geometry) \(table.geometryTypeName)",
            "\(NewFeatureTable.identifierColumn) TEXT UNIQUE",
        ]
        var taken: Set<String> = [NewFeatureTable.keyColumn, NewFeatureTable.identifierColumn, geometry]
        for column in table.columns { definitions.append(try definition(of: column, in: table.name, &taken)) }
        try connection.execute("CREATE TABLE \(SQLText.name(table.name)) (\(definitions.joined(separator: ", ")))")
        try register(table)
        try makeIndex(table.name)
        try SchemaExtension(connection).describe(table.columns.map(\.column), of: table.name)
    }

    private func definition(
        of column: NewFeatureTable.Column,
        in table: String,
        _ taken: inout Set<String>
    ) throws(MapPackageError) -> String {
        let name = column.column.name
        let isOwn = column.column.role == .attribute && (column.typeName != nil || column.column.type.isOther)
        guard isOwn, NewFeatureTable.isName(name) else {
            throw .refused(
                "\(table).\(name)",
                "A column “\(name)” of the type \(column.column.type.words) cannot be made; choose another."
            )
        }
        guard taken.insert(name.foldedASCII).inserted else {
            throw .refused(
                "\(table).\(name)",
                "The table “\(table)” would have two columns named “\(name)”; choose another name."
            )
        }
        var text = SQLText.name(name)
        if let type = column.typeName { text += " " + type }
        if column.column.isRequired { text += " NOT NULL" }
        if let standard = column.defaultText { text += " DEFAULT \(standard)" }
        return text
    }

    private func checkName(_ name: String) throws(MapPackageError) {
        guard NewFeatureTable.isName(name), !NewFeatureTable.isReserved(name) else {
            throw .refused(name, "“\(name)” cannot be the name of a layer's table; choose another.")
        }
        let taken = try connection.integer(
            """
            SELECT (SELECT count(*) FROM sqlite_schema WHERE lower(name) IN (lower(?1), lower(?2)))
            + (SELECT count(*) FROM gpkg_contents WHERE lower(table_name) = lower(?1))
            """,
            .text(name),
            .text("rtree_\(name)_\(NewFeatureTable.geometryColumn)")
        )
        if taken != 0 { throw .refused(name, "The package has a table “\(name)” already; choose another name.") }
    }

    private func register(_ table: NewFeatureTable) throws(MapPackageError) {
        try GeoPackageSchema(connection).makeGeometryColumns()
        // `identifier` is unique, and another layer may be called the same.
        let taken = try connection.integer(
            "SELECT count(*) FROM gpkg_contents WHERE identifier = ?1",
            .text(table.title)
        )
        try connection.prepare(
            """
            INSERT INTO gpkg_contents (table_name, data_type, identifier, description, last_change, srs_id)
            VALUES (?1, 'features', ?2, ?3, '1970-01-01T00:00:00.000Z', ?4)
            """
        )
        .bind(
            .text(table.name),
            taken == 0 ? .text(table.title) : .null,
            .text(table.details),
            .integer(Int64(table.srsID))
        )
        .run()
        try connection.prepare("INSERT INTO gpkg_geometry_columns VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
            .bind(
                .text(table.name),
                .text(NewFeatureTable.geometryColumn),
                .text(table.geometryTypeName),
                .integer(Int64(table.srsID)),
                .integer(table.z),
                .integer(table.m)
            )
            .run()
    }

    private func makeIndex(_ name: String) throws(MapPackageError) {
        let geometry = NewFeatureTable.geometryColumn
        try GeoPackageSchema(connection).makeExtensions()
        try connection.execute(
            "CREATE VIRTUAL TABLE \(SQLText.name("rtree_\(name)_\(geometry)")) USING rtree(id, minx, maxx, miny, maxy)"
        )
        for trigger in GeoPackageSchema.indexTriggers(
            table: name,
            geometry: geometry,
            key: NewFeatureTable.keyColumn
        ) {
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

extension FeatureColumnType {
    /// Whether it is one that the standard does not name.
    fileprivate var isOther: Bool {
        if case .other = self { true } else { false }
    }
}
