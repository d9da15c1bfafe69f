import MapDocs

/// A feature table with what SQL has to know about it.
struct GeoPackageLayer: Sendable {
    /// How features are told apart.
    enum Identity: Hashable, Sendable {
        /// By the text in a unique column.
        case column(String)
        /// By the primary key.
        case key
    }

    /// What others see of it.
    let table: FeatureTable
    /// The column that is another name of the row's number; nil for tables that have none and are only listed.
    let keyColumn: String?
    /// The geometry column.
    let geometryColumn: String
    /// The number of the coordinate system that geometries carry.
    let srsID: Int32
    /// How features are told apart.
    let identity: Identity
    /// The spatial index to keep up to date, and to read if the table says that it has one.
    let indexName: String?
    /// The kind of geometries as the standard names it.
    let geometryTypeName: String
    /// What the table of contents calls it, or nil.
    let title: String?
    /// What the table of contents says about it, or nil.
    let details: String?
    /// Whether geometries may have a third ordinate (0: no).
    let z: Int64
    /// Whether geometries may have a measure (0: no).
    let m: Int64
    /// The columns whose values make a feature.
    let attributes: [FeatureColumn]

    /// Finds an attribute by its name, byte for byte.
    func attribute(_ name: String) -> FeatureColumn? {
        attributes.first { $0.name.isSameName(as: name) }
    }
}
