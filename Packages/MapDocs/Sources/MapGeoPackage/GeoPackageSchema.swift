import MapDocs

/// The tables and triggers that the standard prescribes (OGC 12-128r17, GeoPackage 1.3, annexes C and D).
struct GeoPackageSchema {
    private let connection: SQLiteConnection

    init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    /// Makes what every GeoPackage has, in an empty database.
    func makeDatabase() throws(MapPackageError) {
        try connection.execute(
            """
            PRAGMA application_id = 0x47504B47;
            PRAGMA user_version = 10300;
            CREATE TABLE gpkg_spatial_ref_sys (
              srs_name TEXT NOT NULL,
              srs_id INTEGER PRIMARY KEY,
              organization TEXT NOT NULL,
              organization_coordsys_id INTEGER NOT NULL,
              definition  TEXT NOT NULL,
              description TEXT
            );
            CREATE TABLE gpkg_contents (
              table_name TEXT NOT NULL PRIMARY KEY,
              data_type TEXT NOT NULL,
              identifier TEXT UNIQUE,
              description TEXT DEFAULT '',
              last_change DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
              min_x DOUBLE,
              min_y DOUBLE,
              max_x DOUBLE,
              max_y DOUBLE,
              srs_id INTEGER,
              CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id)
            );
            """
        )
        for (name, id, organization, code, definition, details) in [
            (
                "WGS 84 geodetic", 4326, "EPSG", 4326,
                "GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\",6378137,298.257223563,"
                    + "AUTHORITY[\"EPSG\",\"7030\"]],AUTHORITY[\"EPSG\",\"6326\"]],"
                    + "PRIMEM[\"Greenwich\",0,AUTHORITY[\"EPSG\",\"8901\"]],"
                    + "UNIT[\"degree\",0.0174532925199433,AUTHORITY[\"EPSG\",\"9122\"]],"
                    + "AXIS[\"Latitude\",NORTH],AXIS[\"Longitude\",EAST],AUTHORITY[\"EPSG\",\"4326\"]]",
                "longitude/latitude coordinates in decimal degrees on the WGS 84 spheroid"
            ),
            ("Undefined Cartesian SRS", -1, "NONE", -1, "undefined", "undefined Cartesian coordinate reference system"),
            ("Undefined geographic SRS", 0, "NONE", 0, "undefined", "undefined geographic coordinate reference system"),
        ] {
            try connection.prepare("INSERT INTO gpkg_spatial_ref_sys VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
                .bind(
                    .text(name),
                    .integer(Int64(id)),
                    .text(organization),
                    .integer(Int64(code)),
                    .text(definition),
                    .text(details)
                )
                .run()
        }
        try makeGeometryColumns()
        try makeExtensions()
    }

    func makeGeometryColumns() throws(MapPackageError) {
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS gpkg_geometry_columns (
              table_name TEXT NOT NULL,
              column_name TEXT NOT NULL,
              geometry_type_name TEXT NOT NULL,
              srs_id INTEGER NOT NULL,
              z TINYINT NOT NULL,
              m TINYINT NOT NULL,
              CONSTRAINT pk_geom_cols PRIMARY KEY (table_name, column_name),
              CONSTRAINT uk_gc_table_name UNIQUE (table_name),
              CONSTRAINT fk_gc_tn FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name),
              CONSTRAINT fk_gc_srs FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys (srs_id)
            )
            """
        )
    }

    func makeExtensions() throws(MapPackageError) {
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS gpkg_extensions (
              table_name TEXT,
              column_name TEXT,
              extension_name TEXT NOT NULL,
              definition TEXT NOT NULL,
              scope TEXT NOT NULL,
              CONSTRAINT ge_tce UNIQUE (table_name, column_name, extension_name)
            )
            """
        )
    }

    /// The six triggers by which other programs keep the spatial index up to date (annex F.3 of 1.3).
    static func indexTriggers(table: String, geometry: String, key: String) -> [String] {
        let index = "rtree_\(table)_\(geometry)"
        let (t, c, i, r) = (SQLText.name(table), SQLText.name(geometry), SQLText.name(key), SQLText.name(index))
        func trigger(_ ending: String) -> String { SQLText.name("\(index)_\(ending)") }
        let insertion = """
            INSERT OR REPLACE INTO \(r) VALUES (
                NEW.\(i),
                ST_MinX(NEW.\(c)), ST_MaxX(NEW.\(c)),
                ST_MinY(NEW.\(c)), ST_MaxY(NEW.\(c))
              );
            """
        return [
            """
            CREATE TRIGGER \(trigger("insert")) AFTER INSERT ON \(t)
              WHEN (new.\(c) NOT NULL AND NOT ST_IsEmpty(NEW.\(c)))
            BEGIN
              \(insertion)
            END
            """,
            """
            CREATE TRIGGER \(trigger("update1")) AFTER UPDATE OF \(c) ON \(t)
              WHEN OLD.\(i) = NEW.\(i) AND
                   (NEW.\(c) NOTNULL AND NOT ST_IsEmpty(NEW.\(c)))
            BEGIN
              \(insertion)
            END
            """,
            """
            CREATE TRIGGER \(trigger("update2")) AFTER UPDATE OF \(c) ON \(t)
              WHEN OLD.\(i) = NEW.\(i) AND
                   (NEW.\(c) ISNULL OR ST_IsEmpty(NEW.\(c)))
            BEGIN
              DELETE FROM \(r) WHERE id = OLD.\(i);
            END
            """,
            """
            CREATE TRIGGER \(trigger("update3")) AFTER UPDATE ON \(t)
              WHEN OLD.\(i) != NEW.\(i) AND
                   (NEW.\(c) NOTNULL AND NOT ST_IsEmpty(NEW.\(c)))
            BEGIN
              DELETE FROM \(r) WHERE id = OLD.\(i);
              \(insertion)
            END
            """,
            """
            CREATE TRIGGER \(trigger("update4")) AFTER UPDATE ON \(t)
              WHEN OLD.\(i) != NEW.\(i) AND
                   (NEW.\(c) ISNULL OR ST_IsEmpty(NEW.\(c)))
            BEGIN
              DELETE FROM \(r) WHERE id IN (OLD.\(i), NEW.\(i));
            END
            """,
            """
            CREATE TRIGGER \(trigger("delete")) AFTER DELETE ON \(t)
              WHEN old.\(c) NOT NULL
            BEGIN
              DELETE FROM \(r) WHERE id = OLD.\(i);
            END
            """,
        ]
    }
}
