import MapDocs

/// Reads what a GeoPackage's tables say about themselves.
struct CatalogReader {
    private typealias Entry = (name: String, kind: String, withoutRowID: Bool)
    private struct SchemaNote {
        var title: String?
        var details: String?
        var constraint: String?
    }

    private let connection: SQLiteConnection
    private var entries: [String: Entry] = [:]

    init(_ connection: SQLiteConnection) throws(MapPackageError) {
        self.connection = connection
        for entry in try connection.schemaEntries() { entries[entry.name.foldedASCII] = entry }
    }

    func read(_ dataVersion: Int64) throws(MapPackageError) -> GeoPackageCatalog {
        var layers: [GeoPackageLayer] = []
        guard isTable("gpkg_contents"), isTable("gpkg_spatial_ref_sys") else {
            throw .damaged(connection.fileName, "it has no table of contents, so it is no GeoPackage")
        }
        if isTable("gpkg_geometry_columns") {
            let statement = try connection.prepare(
                """
                SELECT c.table_name, g.column_name, g.geometry_type_name, g.srs_id, g.z, g.m,
                       s.organization, s.organization_coordsys_id, s.srs_name,
                       c.identifier, c.description
                FROM gpkg_contents c JOIN gpkg_geometry_columns g ON lower(g.table_name) = lower(c.table_name)
                LEFT JOIN gpkg_spatial_ref_sys s ON s.srs_id = g.srs_id
                WHERE lower(c.data_type) = 'features'
                """
            )
            defer { statement.reset() }
            while try statement.step() {
                guard let name = statement.text(0), let geometry = statement.text(1),
                    let entry = entries[name.foldedASCII]
                else { continue }
                layers.append(
                    try layer(
                        entry,
                        named: name,
                        geometry: geometry,
                        kind: statement.text(2) ?? "GEOMETRY",
                        srsID: statement.integer(3),
                        z: statement.integer(4),
                        m: statement.integer(5),
                        system: System(
                            organization: statement.text(6),
                            number: statement.integer(7),
                            name: statement.text(8)
                        ),
                        title: statement.text(9),
                        details: statement.text(10)
                    )
                )
            }
        }
        layers.sort { $0.table.name.utf8.lexicographicallyPrecedes($1.table.name.utf8) }
        return GeoPackageCatalog(
            layers: layers,
            hasFeatureCounts: isTable("gpkg_ogr_contents"),
            dataVersion: dataVersion
        )
    }

    private func isTable(_ name: String) -> Bool { entries[name]?.kind == "table" }

    // MARK: One layer

    /// A coordinate system as the package describes it.
    private struct System {
        let organization: String?
        let number: Int64
        let name: String?

        var isWGS84: Bool { organization?.foldedASCII == "epsg" && number == 4326 }

        var words: String {
            guard let organization, number > 0 else { return name ?? "unknown" }
            let code = "\(organization):\(number)"
            return name.map { "\($0) (\(code))" } ?? code
        }
    }

    private func layer(
        _ entry: Entry,
        named name: String,
        geometry: String,
        kind: String,
        srsID: Int64,
        z: Int64,
        m: Int64,
        system: System,
        title: String?,
        details: String?
    ) throws(MapPackageError) -> GeoPackageLayer {
        let columns = entry.kind == "table" ? try connection.columns(of: entry.name) : []
        let keyColumn = entry.withoutRowID ? nil : try rowNumberColumn(columns, of: entry.name)
        let geometryColumn = columns.first { $0.name.isSameSQLName(as: geometry) && !$0.isGenerated }
        let notes = try schemaNotes(of: name)
        let described = try columns.map { column throws(MapPackageError) in
            try describe(
                column,
                isKey: column.name == keyColumn,
                isGeometry: column.name == geometryColumn?.name,
                notes[column.name.foldedASCII]
            )
        }
        let index = "rtree_\(name)_\(geometry)"
        let hasIndex = try hasIndex(index)
        var reason: String?
        if entry.kind != "table" {
            reason = "“\(name)” is computed by a view, which is not run here. Ask its maker for a table."
        } else if keyColumn == nil {
            reason = "“\(name)” has no whole-number primary key, so its features cannot be told apart."
        } else if geometryColumn == nil {
            reason = "“\(name)” has no geometry column “\(geometry)”, though the package says so."
        } else if !system.isWGS84 {
            reason =
                "“\(name)” is in the coordinate system \(system.words); only WGS 84 (EPSG:4326) is shown here. "
                + "Convert the layer on iPad or Mac."
        }
        let table = FeatureTable(
            name: name,
            columns: described,
            geometryKind: ColumnTypeName.geometryKind(kind),
            spatialReference: system.isWGS84 ? 4326 : Int(srsID),
            hasSpatialIndex: hasIndex ? try isIndexRegistered(name, geometry) : false,
            lockReason: reason
        )
        let identity = try described.first { $0.role == .identifier }.map { column throws(MapPackageError) in
            try isUnique(column.name, in: entry.name) ? .column(column.name) : GeoPackageLayer.Identity.key
        }
        return GeoPackageLayer(
            table: table,
            keyColumn: keyColumn,
            geometryColumn: geometryColumn?.name ?? geometry,
            srsID: Int32(truncatingIfNeeded: srsID),
            identity: identity ?? .key,
            indexName: hasIndex ? index : nil,
            geometryTypeName: kind,
            title: title,
            details: details,
            z: z,
            m: m,
            attributes: described.filter { $0.role == .attribute || $0.role == .generated }
        )
    }

    private func describe(
        _ column: SchemaColumn,
        isKey: Bool,
        isGeometry: Bool,
        _ note: SchemaNote?
    ) throws(MapPackageError) -> FeatureColumn {
        let type = isGeometry ? .geometry : ColumnTypeName.type(column.type)
        let role: FeatureColumn.Role =
            if isKey {
                .key
            } else if isGeometry {
                .geometry
            } else if column.isGenerated {
                .generated
            } else if column.name.foldedASCII == "uuid", case .text = type {
                .identifier
            } else {
                .attribute
            }
        let hasDefault = column.defaultText.map { $0.foldedASCII.trimmingSpaces != "null" } ?? false
        return FeatureColumn(
            name: column.name,
            label: note?.title,
            details: note?.details,
            type: type,
            role: role,
            isRequired: column.isNotNull && !hasDefault && !isKey && !column.isGenerated,
            domain: try note?.constraint.flatMap { name throws(MapPackageError) in try domain(name, for: type) }
        )
    }

    /// The column that stands for the row's number: a lone primary key of the type INTEGER that has no index of its own.
    private func rowNumberColumn(_ columns: [SchemaColumn], of table: String) throws(MapPackageError) -> String? {
        let keys = columns.filter { $0.keyPosition > 0 }
        guard keys.count == 1, keys[0].type.foldedASCII == "integer" else { return nil }
        let own = try connection.integer(
            "SELECT count(*) FROM pragma_index_list(?1) WHERE origin = 'pk'",
            .text(table)
        )
        return own == 0 ? keys[0].name : nil
    }

    private func isUnique(_ column: String, in table: String) throws(MapPackageError) -> Bool {
        let count = try connection.integer(
            """
            SELECT count(*) FROM pragma_index_list(?1) l WHERE l."unique" = 1 AND l.partial = 0
            AND (SELECT count(*) FROM pragma_index_info(l.name)) = 1
            AND (SELECT i.name FROM pragma_index_info(l.name) i) = ?2
            """,
            .text(table),
            .text(column)
        )
        return (count ?? 0) > 0
    }

    // MARK: The index

    private func hasIndex(_ name: String) throws(MapPackageError) -> Bool {
        guard entries[name.foldedASCII]?.kind == "virtual" else { return false }
        // A table of this name could be of any module; only an R*Tree of two dimensions is read and written as one.
        let statement = try connection.prepare(
            "SELECT sql FROM sqlite_schema WHERE type = 'table' AND lower(name) = lower(?1)"
        )
        defer { statement.reset() }
        try statement.bind(.text(name))
        guard try statement.step(), let sql = statement.text(0) else { return false }
        guard let arguments = sql.foldedASCII.split(separator: "using", maxSplits: 1).last else { return false }
        let parts = arguments.filter { $0 != " " && $0 != "\n" && $0 != "\t" && $0 != "\r" }
        return parts.hasPrefix("rtree(") && parts.split(separator: ",").count == 5 && !parts.contains("+")
    }

    private func isIndexRegistered(_ table: String, _ column: String) throws(MapPackageError) -> Bool {
        guard isTable("gpkg_extensions") else { return false }
        let count = try connection.integer(
            """
            SELECT count(*) FROM gpkg_extensions WHERE extension_name = 'gpkg_rtree_index'
            AND lower(table_name) = lower(?1) AND lower(column_name) = lower(?2)
            """,
            .text(table),
            .text(column)
        )
        return (count ?? 0) > 0
    }

    // MARK: The schema extension

    private func schemaNotes(of table: String) throws(MapPackageError) -> [String: SchemaNote] {
        guard isTable("gpkg_data_columns") else { return [:] }
        let statement = try connection.prepare(
            """
            SELECT column_name, title, description, constraint_name FROM gpkg_data_columns
            WHERE lower(table_name) = lower(?1)
            """
        )
        defer { statement.reset() }
        try statement.bind(.text(table))
        var notes: [String: SchemaNote] = [:]
        while try statement.step() {
            guard let column = statement.text(0) else { continue }
            let (title, details) = (statement.text(1), statement.text(2))
            notes[column.foldedASCII] = SchemaNote(
                title: title.flatMap { $0.isEmpty ? nil : $0 },
                details: details.flatMap { $0.isEmpty ? nil : $0 },
                constraint: statement.text(3)
            )
        }
        return notes
    }

    private func domain(_ name: String, for type: FeatureColumnType) throws(MapPackageError) -> FeatureDomain? {
        guard isTable("gpkg_data_column_constraints") else { return nil }
        // Columns by place: their names changed between 1.0 and 1.1.
        let statement = try connection.prepare(
            "SELECT * FROM gpkg_data_column_constraints WHERE constraint_name = ?1 ORDER BY rowid"
        )
        defer { statement.reset() }
        guard statement.columnCount >= 7 else { return nil }
        try statement.bind(.text(name))
        var choices: [FeatureDomain.Choice] = []
        while try statement.step() {
            switch statement.text(1)?.foldedASCII {
            case "range" where choices.isEmpty:
                return .range(
                    minimum: statement.number(3),
                    includesMinimum: statement.isNull(4) || statement.integer(4) != 0,
                    maximum: statement.number(5),
                    includesMaximum: statement.isNull(6) || statement.integer(6) != 0
                )
            case "glob" where choices.isEmpty:
                guard let pattern = statement.text(2) else { return nil }
                return .glob(pattern)
            case "enum":
                guard let value = Self.choice(statement.value(2), for: type) else { continue }
                let words = statement.columnCount > 7 ? statement.text(7) : nil
                let label = words.flatMap { $0.isEmpty ? nil : $0 } ?? Self.label(value)
                choices.append(FeatureDomain.Choice(value: value, label: label))
            default: continue
            }
        }
        return choices.isEmpty ? nil : .choices(choices)
    }

    /// The value that a column of this type stores for a choice, which the constraints always keep as text.
    private static func choice(_ value: FeatureValue, for type: FeatureColumnType) -> FeatureValue? {
        guard case .text(let text) = value else { return value == .null ? nil : value }
        switch type {
        case .integer: return Int64(text).map { .integer($0) } ?? value
        case .boolean:
            return ["0": .integer(0), "1": .integer(1), "false": .integer(0), "true": .integer(1)][text] ?? value
        case .float, .double: return Double(text).map { .real($0) } ?? value
        default: return value
        }
    }

    private static func label(_ value: FeatureValue) -> String {
        switch value {
        case .null, .blob: ""
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .text(let text): text
        }
    }
}
