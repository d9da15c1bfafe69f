import MapDocs

/// Writes titles, descriptions and domains of columns (annex F.9 of GeoPackage 1.3, "Schema").
struct SchemaExtension {
    private let connection: SQLiteConnection

    init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    /// Describes the columns of a table that have something to be said about them.
    func describe(_ columns: [FeatureColumn], of table: String) throws(MapPackageError) {
        let columns = columns.filter { $0.domain != nil || $0.details != nil || !$0.label.isSameName(as: $0.name) }
        guard !columns.isEmpty else { return }
        try makeTables()
        for column in columns {
            let constraint = try column.domain.map { domain throws(MapPackageError) in
                try add(domain, named: "\(table)_\(column.name)")
            }
            try connection.prepare(
                """
                INSERT INTO gpkg_data_columns (table_name, column_name, title, description, constraint_name)
                VALUES (?1, ?2, ?3, ?4, ?5)
                """
            )
            .bind(
                .text(table),
                .text(column.name),
                column.label.isSameName(as: column.name) ? .null : .text(column.label),
                column.details.map { .text($0) } ?? .null,
                constraint.map { .text($0) } ?? .null
            )
            .run()
        }
    }

    private func makeTables() throws(MapPackageError) {
        try GeoPackageSchema(connection).makeExtensions()
        let known = try connection.integer(
            "SELECT count(*) FROM sqlite_schema WHERE name IN ('gpkg_data_columns', 'gpkg_data_column_constraints')"
        )
        guard known != 2 else { return }
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS gpkg_data_columns (
              table_name TEXT NOT NULL,
              column_name TEXT NOT NULL,
              name TEXT,
              title TEXT,
              description TEXT,
              mime_type TEXT,
              constraint_name TEXT,
              CONSTRAINT pk_gdc PRIMARY KEY (table_name, column_name),
              CONSTRAINT gdc_tn UNIQUE (table_name, name)
            );
            CREATE TABLE IF NOT EXISTS gpkg_data_column_constraints (
              constraint_name TEXT NOT NULL,
              constraint_type TEXT NOT NULL,
              value TEXT,
              min NUMERIC,
              min_is_inclusive BOOLEAN,
              max NUMERIC,
              max_is_inclusive BOOLEAN,
              description TEXT,
              CONSTRAINT gdcc_ntv UNIQUE (constraint_name, constraint_type, value)
            );
            INSERT OR IGNORE INTO gpkg_extensions VALUES
            ('gpkg_data_columns', NULL, 'gpkg_schema',
              'http://www.geopackage.org/spec121/#extension_schema', 'read-write'),
            ('gpkg_data_column_constraints', NULL, 'gpkg_schema',
              'http://www.geopackage.org/spec121/#extension_schema', 'read-write');
            """
        )
    }

    /// Adds a constraint under a name that is free, and returns that name.
    private func add(_ domain: FeatureDomain, named wish: String) throws(MapPackageError) -> String {
        var name = wish
        var number = 1
        while try isTaken(name) {
            number += 1
            name = "\(wish)_\(number)"
        }
        switch domain {
        case .choices(let choices):
            for choice in choices {
                try add(name, "enum", value: .text(choice.value.constraintText), details: .text(choice.label))
            }
        case .range(let minimum, let includesMinimum, let maximum, let includesMaximum):
            try connection.prepare(
                """
                INSERT INTO gpkg_data_column_constraints
                (constraint_name, constraint_type, min, min_is_inclusive, max, max_is_inclusive)
                VALUES (?1, 'range', ?2, ?3, ?4, ?5)
                """
            )
            .bind(
                .text(name),
                minimum.map { .real($0) } ?? .null,
                .integer(includesMinimum ? 1 : 0),
                maximum.map { .real($0) } ?? .null,
                .integer(includesMaximum ? 1 : 0)
            )
            .run()
        case .glob(let pattern):
            try add(name, "glob", value: .text(pattern), details: .null)
        }
        return name
    }

    private func isTaken(_ name: String) throws(MapPackageError) -> Bool {
        try connection.integer(
            "SELECT count(*) FROM gpkg_data_column_constraints WHERE lower(constraint_name) = lower(?1)",
            .text(name)
        ) != 0
    }

    private func add(
        _ name: String,
        _ kind: String,
        value: FeatureValue,
        details: FeatureValue
    ) throws(MapPackageError) {
        try connection.prepare(
            """
            INSERT INTO gpkg_data_column_constraints (constraint_name, constraint_type, value, description)
            VALUES (?1, ?2, ?3, ?4)
            """
        )
        .bind(.text(name), .text(kind), value, details)
        .run()
    }
}

extension FeatureValue {
    /// The value as the constraints of a column keep it.
    fileprivate var constraintText: String {
        switch self {
        case .null, .blob: ""
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .text(let text): text
        }
    }
}
