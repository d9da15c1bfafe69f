import MapDocs

/// What a GeoPackage's database has: its tables and how they are described.
struct GeoPackageCatalog: Sendable {
    /// The feature tables in byte order of their names.
    let layers: [GeoPackageLayer]
    /// Whether GDAL's table of feature counts is there.
    let hasFeatureCounts: Bool
    /// The state of the database when it was read: changes when another connection writes.
    let dataVersion: Int64

    /// The tables that every GeoPackage has.
    static let requiredTables = ["gpkg_spatial_ref_sys", "gpkg_contents"]

    func layer(_ name: String) -> GeoPackageLayer? {
        layers.first { $0.table.name.isSameName(as: name) }
    }
}

extension SQLiteConnection {
    /// What the database has now; read again only after somebody wrote.
    func currentCatalog() throws(MapPackageError) -> GeoPackageCatalog {
        let version = try integer("PRAGMA data_version") ?? 0
        if let catalog, catalog.dataVersion == version { return catalog }
        let read = try CatalogReader(self).read(version)
        catalog = read
        return read
    }

    /// One feature table.
    func layer(_ name: String) throws(MapPackageError) -> GeoPackageLayer {
        guard let layer = try currentCatalog().layer(name) else { throw .noTable(name, in: fileName) }
        return layer
    }

    /// Every entry of the schema, by kind: `table`, `view`, `shadow` or `virtual`.
    func schemaEntries() throws(MapPackageError) -> [(name: String, kind: String, withoutRowID: Bool)] {
        let statement = try prepare("SELECT name, type, wr FROM pragma_table_list WHERE schema = 'main'")
        defer { statement.reset() }
        var entries: [(String, String, Bool)] = []
        while try statement.step() {
            entries.append((statement.text(0) ?? "", statement.text(1) ?? "", statement.integer(2) != 0))
        }
        return entries
    }

    /// The columns of a table.
    func columns(of table: String) throws(MapPackageError) -> [SchemaColumn] {
        let statement = try prepare(
            "SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo(?1) ORDER BY cid"
        )
        defer { statement.reset() }
        try statement.bind(.text(table))
        var columns: [SchemaColumn] = []
        while try statement.step() {
            columns.append(
                SchemaColumn(
                    name: statement.text(0) ?? "",
                    type: statement.text(1) ?? "",
                    isNotNull: statement.integer(2) != 0,
                    defaultText: statement.text(3),
                    keyPosition: Int(statement.integer(4)),
                    isGenerated: statement.integer(5) > 1
                )
            )
        }
        return columns
    }
}

/// A column as SQLite describes it.
struct SchemaColumn: Sendable {
    let name: String
    let type: String
    let isNotNull: Bool
    let defaultText: String?
    /// The place in the primary key, from 1; 0 for none.
    let keyPosition: Int
    let isGenerated: Bool
}
