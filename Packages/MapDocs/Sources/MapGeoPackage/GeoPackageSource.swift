package import MapDocs

/// The feature tables of a GeoPackage, to be taken over into another as they are.
package final class GeoPackageSource {
    /// A feature table.
    package struct Layer: Sendable {
        /// What it is like.
        package let table: FeatureTable
        /// How to make one like it: its columns have the names, types and defaults of this one's.
        package let definition: NewFeatureTable
        /// What was left out or changed, each in a sentence.
        package let notes: [String]
        /// Whether its rows can be read: it is a table with a primary key of whole numbers.
        package var isReadable: Bool { layer.keyColumn != nil }
        fileprivate let layer: GeoPackageLayer
        fileprivate let names: [String]
    }

    /// One row.
    package struct Row {
        /// The primary key.
        package let key: Int64
        /// The `uuid`, or nil.
        package let identifier: String?
        /// The geometry's bytes, or NULL.
        package let geometry: FeatureValue
        /// The values in the order of the columns.
        package let values: [FeatureValue]
    }

    private let connection: SQLiteConnection

    /// The feature tables in byte order of their names.
    package let layers: [Layer]

    /// Opens a GeoPackage.
    ///
    /// - Parameters:
    ///   - path: The file; nothing beside it is looked at.
    ///   - format: The format.
    /// - Throws: `MapPackageError`: `noDatabase`, `damaged`, `storage`.
    package init(_ path: String, format: GeoPackageFormat) throws(MapPackageError) {
        // Opening it as a package does checks what it is.
        try format.open(fileAt: path, for: .reading).close()
        connection = try SQLiteConnection(path, .immutable, busyTimeout: format.busyTimeout)
        var layers: [Layer] = []
        for layer in try connection.currentCatalog().layers {
            layers.append(try Self.describe(layer, connection))
        }
        self.layers = layers
    }

    /// Counts the rows of a layer.
    ///
    /// - Parameter layer: The layer.
    /// - Returns: The number.
    /// - Throws: `MapPackageError`: `damaged`, `storage`.
    package func count(_ layer: Layer) throws(MapPackageError) -> Int {
        guard layer.layer.keyColumn != nil else { return 0 }
        return Int(try connection.integer("SELECT count(*) FROM \(SQLText.name(layer.table.name))") ?? 0)
    }

    /// Whether the `uuid` of a layer, where it has any, are not the same anywhere.
    ///
    /// - Parameter layer: The layer.
    /// - Returns: True when each can be kept.
    /// - Throws: `MapPackageError`: `damaged`, `storage`.
    package func hasUniqueIdentifiers(_ layer: Layer) throws(MapPackageError) -> Bool {
        guard let column = layer.table.columns.first(where: { $0.role == .identifier }) else { return true }
        let name = SQLText.name(column.name)
        return try connection.integer(
            "SELECT count(DISTINCT \(name) COLLATE BINARY) = count(\(name)) FROM \(SQLText.name(layer.table.name)) "
                + "WHERE typeof(\(name)) = 'text'"
        ) == 1
    }

    /// Reads the rows of a layer in the order of their keys.
    ///
    /// - Parameters:
    ///   - layer: The layer.
    ///   - body: Called for each; false ends the reading.
    /// - Throws: `MapPackageError`: `damaged`, `storage`, or what `body` throws.
    package func readRows(
        _ layer: Layer,
        _ body: (Row) throws(MapPackageError) -> Bool
    ) throws(MapPackageError) {
        guard let keyColumn = layer.layer.keyColumn else { return }
        let identifier = layer.table.columns.first { $0.role == .identifier }
        let names =
            [SQLText.name(keyColumn), identifier.map { SQLText.name($0.name) } ?? "NULL"]
            + [SQLText.name(layer.layer.geometryColumn)] + layer.names.map(SQLText.name)
        let statement = try connection.prepare(
            "SELECT \(names.joined(separator: ", ")) FROM \(SQLText.name(layer.table.name)) "
                + "ORDER BY \(SQLText.name(keyColumn))"
        )
        defer { statement.reset() }
        while try statement.step() {
            let row = Row(
                key: statement.integer(0),
                identifier: statement.text(1),
                geometry: statement.value(2),
                values: layer.names.indices.map { statement.value($0 + 3) }
            )
            guard try body(row) else { return }
        }
    }

    /// Gives a package the coordinate system that a layer's geometries name.
    ///
    /// - Parameters:
    ///   - layer: The layer.
    ///   - writer: The package.
    /// - Throws: `MapPackageError`: `refused` when the package has another system under that number, `storage`.
    package func copySystem(of layer: Layer, to writer: GeoPackageWriter) throws(MapPackageError) {
        let number = FeatureValue.integer(Int64(layer.definition.srsID))
        func row(_ connection: SQLiteConnection) throws(MapPackageError) -> [FeatureValue]? {
            let statement = try connection.prepare(
                """
                SELECT srs_name, srs_id, organization, organization_coordsys_id, definition, description
                FROM gpkg_spatial_ref_sys WHERE srs_id = ?1
                """
            )
            defer { statement.reset() }
            try statement.bind(number, at: 1)
            return try statement.step() ? (0..<6).map { statement.value($0) } : nil
        }
        guard let source = try row(connection) else {
            throw .damaged(connection.fileName, "the coordinate system of “\(layer.table.name)” is not described in it")
        }
        guard let target = try row(writer.connection) else {
            let statement = try writer.connection.prepare(
                "INSERT INTO gpkg_spatial_ref_sys VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
            )
            for (place, value) in source.enumerated() { try statement.bind(value, at: place + 1) }
            try statement.run()
            return
        }
        func isSame(_ place: Int) -> Bool {
            if case .text(let first) = source[place], case .text(let second) = target[place] {
                return first.foldedASCII == second.foldedASCII
            }
            return source[place] == target[place]
        }
        guard isSame(2), isSame(3) else {
            throw .refused(
                layer.table.name,
                "“\(layer.table.name)” uses the number \(layer.definition.srsID) for another coordinate system than "
                    + "the package does; import it into a package of its own."
            )
        }
    }

    // MARK: Taking a layer apart

    private static func describe(
        _ layer: GeoPackageLayer,
        _ connection: SQLiteConnection
    ) throws(MapPackageError) -> Layer {
        var notes: [String] = []
        let schema = try connection.columns(of: layer.table.name)
        var taken: Set<String> = [
            NewFeatureTable.keyColumn, NewFeatureTable.geometryColumn, NewFeatureTable.identifierColumn,
        ]
        var columns: [NewFeatureTable.Column] = []
        for column in layer.attributes {
            let found = schema.first { $0.name.isSameName(as: column.name) }
            var name = column.name
            var number = 1
            while !taken.insert(name.foldedASCII).inserted {
                number += 1
                name = "\(column.name)_\(number)"
            }
            if !name.isSameName(as: column.name) {
                notes.append("The column “\(column.name)” is now “\(name)”, because that name is taken.")
            }
            if column.role == .generated {
                notes.append("The column “\(column.name)” was computed; its values were kept as they are now.")
            }
            let standard = found?.defaultText.flatMap { isLiteral($0) ? $0 : nil }
            if let text = found?.defaultText, standard == nil {
                notes.append("The default of “\(column.name)”, \(text), is an expression and was left out.")
            }
            columns.append(
                NewFeatureTable.Column(
                    FeatureColumn(
                        name: name,
                        label: column.label,
                        details: column.details,
                        type: column.type,
                        isRequired: found?.isNotNull == true && !(found?.isGenerated ?? false),
                        domain: column.domain
                    ),
                    typeName: typeName(column, found),
                    defaultText: standard
                )
            )
        }
        var definition = NewFeatureTable(
            layer.table.name,
            columns: columns,
            geometryKind: layer.table.geometryKind,
            title: layer.title.flatMap { $0.isEmpty ? nil : $0 }
        )
        if isPlain(layer.geometryTypeName) { definition.geometryTypeName = layer.geometryTypeName }
        definition.srsID = layer.srsID
        definition.z = layer.z
        definition.m = layer.m
        definition.details = layer.details ?? ""
        return Layer(
            table: layer.table,
            definition: definition,
            notes: notes,
            layer: layer,
            names: layer.attributes.map(\.name)
        )
    }

    /// The type as it stands in the table; none where repeating it could be taken for something else.
    private static func typeName(_ column: FeatureColumn, _ found: SchemaColumn?) -> String? {
        guard let name = found?.type, isPlain(name), !name.isEmpty else { return ColumnTypeName.name(column.type) }
        return name
    }

    /// Whether a type's name is only words and a size.
    private static func isPlain(_ name: String) -> Bool {
        let open = name.utf8.filter { $0 == UInt8(ascii: "(") }.count
        let closed = name.utf8.filter { $0 == UInt8(ascii: ")") }.count
        let isWords = name.utf8.allSatisfy { byte in
            switch byte.foldedASCII {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: " "), UInt8(ascii: "_"): true
            default: false
            }
        }
        let keywords: Set<String> = [
            "not", "null", "default", "check", "unique", "primary", "references", "generated", "as", "collate",
            "constraint", "always", "on", "foreign", "key",
        ]
        let words = name.foldedASCII.split { !$0.isLetter }.map(String.init)
        let startsWithLetter = name.utf8.first.map { $0.foldedASCII >= UInt8(ascii: "a") } ?? false
        return isWords && startsWithLetter && open == closed && open <= 1 && keywords.isDisjoint(with: words)
            && (open == 0 || name.utf8.last == UInt8(ascii: ")"))
    }

    /// Whether a default is a value and not an expression.
    private static func isLiteral(_ text: String) -> Bool {
        let folded = text.foldedASCII
        if ["null", "true", "false", "current_timestamp", "current_date", "current_time"].contains(folded) {
            return true
        }
        if Double(text) != nil, text.utf8.allSatisfy({ $0 >= 0x2B && $0 <= 0x39 || $0.foldedASCII == 0x65 }) {
            return true
        }
        guard text.utf8.first == UInt8(ascii: "'"), text.utf8.last == UInt8(ascii: "'"), text.utf8.count > 1 else {
            return false
        }
        // A quotation mark inside is doubled.
        var isOpen = false
        for byte in text.utf8.dropFirst().dropLast() where byte == UInt8(ascii: "'") || isOpen {
            if byte != UInt8(ascii: "'") { return false }
            isOpen.toggle()
        }
        return !isOpen
    }
}
