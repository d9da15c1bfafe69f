import MapDocs

/// The names of column types in GeoPackage (table 1 of OGC 12-128r18) and what SQLite makes of them.
enum ColumnTypeName {
    /// What a type's name in a table means.
    static func type(_ name: String) -> FeatureColumnType {
        let folded = name.foldedASCII.trimmingSpaces
        switch folded {
        case "boolean": return .boolean
        case "tinyint": return .integer(bits: 8)
        case "smallint": return .integer(bits: 16)
        case "mediumint": return .integer(bits: 32)
        case "int", "integer": return .integer(bits: 64)
        case "float": return .float
        case "double", "real": return .double
        case "text": return .text(maximumLength: nil)
        case "blob": return .blob(maximumSize: nil)
        case "date": return .date
        case "datetime": return .dateTime
        default: break
        }
        if let size = size(of: folded, named: "text") { return .text(maximumLength: size) }
        if let size = size(of: folded, named: "blob") { return .blob(maximumSize: size) }
        return .other(name)
    }

    /// The name of a type in a table, or nil for one that has none of its own.
    static func name(_ type: FeatureColumnType) -> String? {
        switch type {
        case .boolean: "BOOLEAN"
        case .integer(let bits): [8: "TINYINT", 16: "SMALLINT", 32: "MEDIUMINT", 64: "INTEGER"][bits]
        case .float: "FLOAT"
        case .double: "DOUBLE"
        case .text(let length): length.map { $0 > 0 ? "TEXT(\($0))" : nil } ?? "TEXT"
        case .blob(let size): size.map { $0 > 0 ? "BLOB(\($0))" : nil } ?? "BLOB"
        case .date: "DATE"
        case .dateTime: "DATETIME"
        case .geometry, .other: nil
        }
    }

    /// The kind of geometries that a name in `gpkg_geometry_columns` means; nil for any kind.
    static func geometryKind(_ name: String) -> MapGeometry.Kind? {
        switch name.foldedASCII {
        case "point": .point
        case "linestring": .lineString
        case "polygon": .polygon
        case "multipoint": .multiPoint
        case "multilinestring": .multiLineString
        case "multipolygon": .multiPolygon
        case "geometrycollection", "geomcollection": .collection
        default: nil
        }
    }

    /// The name of a kind in `gpkg_geometry_columns`.
    static func name(_ kind: MapGeometry.Kind?) -> String {
        switch kind {
        case .point: "POINT"
        case .lineString: "LINESTRING"
        case .polygon: "POLYGON"
        case .multiPoint: "MULTIPOINT"
        case .multiLineString: "MULTILINESTRING"
        case .multiPolygon: "MULTIPOLYGON"
        case .collection: "GEOMETRYCOLLECTION"
        case nil: "GEOMETRY"
        }
    }

    private static func size(of text: String, named name: String) -> Int? {
        guard text.hasPrefix(name), text.hasSuffix(")") else { return nil }
        let inner = text.dropFirst(name.count).dropLast()
        guard let open = inner.firstIndex(of: "("), inner[..<open].allSatisfy({ $0 == " " }) else { return nil }
        guard let size = Int(String(inner[inner.index(after: open)...]).trimmingSpaces), size > 0 else { return nil }
        return size
    }
}

extension String {
    /// The text without the blanks around it.
    var trimmingSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
