package import MapDocs

/// A feature table that is to be made.
package struct NewFeatureTable: Sendable {
    /// A column that is to be made.
    package struct Column: Sendable {
        /// Name, label, description, domain and whether a value is needed.
        package var column: FeatureColumn
        /// The type as SQL has it; nil for none.
        package var typeName: String?
        /// The default as SQL has it, or nil.
        package var defaultText: String?

        package init(_ column: FeatureColumn, typeName: String? = nil, defaultText: String? = nil) {
            self.column = column
            self.typeName = typeName ?? ColumnTypeName.name(column.type)
            self.defaultText = defaultText
        }
    }

    /// The column of the primary key in tables that are made here.
    package static let keyColumn = "fid"
    /// The column of the geometry in tables that are made here.
    package static let geometryColumn = "geom"
    /// The column that identifies features in tables that are made here.
    package static let identifierColumn = "uuid"

    /// The name in the database.
    package var name: String
    /// The attribute columns.
    package var columns: [Column]
    /// The kind of geometries as the standard names it.
    package var geometryTypeName: String
    /// The number of the coordinate system in the package.
    package var srsID: Int32 = 4326
    /// Whether geometries may (2) or must (1) have a third ordinate.
    package var z: Int64 = 0
    /// Whether geometries may (2) or must (1) have a measure.
    package var m: Int64 = 0
    /// What the table of contents calls it.
    package var title: String
    /// What the table of contents says about it.
    package var details = ""

    package init(_ name: String, columns: [Column], geometryKind: MapGeometry.Kind?, title: String? = nil) {
        self.name = name
        self.columns = columns
        geometryTypeName = ColumnTypeName.name(geometryKind)
        self.title = title ?? name
    }

    /// Whether a name can be that of a table or column.
    package static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 200 && !name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    }

    /// Whether a table of this name would be taken for one of the standard's, or of SQLite's.
    package static func isReserved(_ name: String) -> Bool {
        ["gpkg_", "sqlite_", "rtree_"].contains { name.foldedASCII.hasPrefix($0) }
    }
}
