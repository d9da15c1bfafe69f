import TransportCore

/// The tables of an in-memory package and how they are written as JSON.
struct InMemoryMapData: Sendable {
    /// A table and its features in the order of their keys.
    struct Table: Sendable {
        var description: FeatureTable
        var features: [MapFeature] = []
        var nextKey: Int64 = 1

        var hasIdentifiers: Bool { description.columns.contains { $0.role == .identifier } }

        func index(of id: FeatureID) -> Int? {
            features.firstIndex { $0.id.text.utf8.elementsEqual(id.text.utf8) }
        }

        /// Returns a column that can be written.
        func column(_ name: String) throws(MapPackageError) -> FeatureColumn {
            guard let column = description.columns.first(where: { $0.name == name }), column.role == .attribute else {
                throw MapPackageError(
                    code: .noColumn,
                    subject: "\(description.name).\(name)",
                    message: "The table “\(description.name)” has no column “\(name)” that can be written; choose "
                        + "another."
                )
            }
            return column
        }

        func check(_ value: FeatureValue, for column: FeatureColumn) throws(MapPackageError) {
            guard column.isRequired, value == .null else { return }
            throw MapPackageError(
                code: .refused,
                subject: "\(description.name).\(column.name)",
                message: "“\(column.label)” needs a value; enter one."
            )
        }
    }

    var tables: [Table]
    /// What stands in the file besides the tables.
    private var others = JSONValue.object([])

    init(tables: [Table]) {
        self.tables = tables
    }

    func index(of name: String) throws(MapPackageError) -> Int {
        guard let index = tables.firstIndex(where: { $0.description.name == name }) else {
            throw MapPackageError(
                code: .noTable,
                subject: name,
                message: "The project has no table “\(name)”; look at its layers."
            )
        }
        return index
    }

    func table(_ name: String) throws(MapPackageError) -> Table {
        tables[try index(of: name)]
    }

    static func noFeature(_ id: FeatureID, in table: String) -> MapPackageError {
        MapPackageError(
            code: .noFeature,
            subject: "\(table)/\(id)",
            message: "The table “\(table)” has no feature \(id); it may have been deleted."
        )
    }
}

// MARK: Texts

extension InMemoryMapData {
    /// Calls a closure with every text until it returns false; returns false then.
    func readTexts(in file: String, _ body: (PackagePlace, [UInt8]) -> Bool) -> Bool {
        for table in tables {
            let name = table.description.name
            guard body(PackagePlace(file: file, table: name), Array(name.utf8)) else { return false }
            for column in table.description.columns {
                let place = PackagePlace(file: file, table: name, column: column.name)
                let texts = [column.name, column.label, column.details ?? ""]
                guard texts.allSatisfy({ body(place, Array($0.utf8)) }) else { return false }
            }
            for feature in table.features {
                let identifier = PackagePlace(file: file, table: name, column: "uuid", key: feature.key)
                guard body(identifier, Array(feature.id.text.utf8)) else { return false }
                for column in table.description.columns {
                    let bytes: [UInt8]
                    switch feature.values[column.name] {
                    case .text(let text): bytes = Array(text.utf8)
                    case .blob(let blob): bytes = blob
                    default: continue
                    }
                    let place = PackagePlace(file: file, table: name, column: column.name, key: feature.key)
                    guard body(place, bytes) else { return false }
                }
            }
        }
        return (others.members ?? []).allSatisfy { member in
            Self.readTexts(of: member.value, at: PackagePlace(file: file, table: member.name), body)
        }
    }

    private static func readTexts(
        of json: JSONValue,
        at place: PackagePlace,
        _ body: (PackagePlace, [UInt8]) -> Bool
    ) -> Bool {
        switch json {
        case .string(let text): body(place, Array(text.utf8))
        case .array(let elements): elements.allSatisfy { readTexts(of: $0, at: place, body) }
        case .object(let members):
            members.allSatisfy { member in
                var place = place
                place.column = member.name
                return readTexts(of: member.value, at: place, body)
            }
        case .null, .bool, .number: true
        }
    }
}

// MARK: JSON

extension InMemoryMapData {
    /// The text of the file.
    var bytes: [UInt8] {
        var json = others
        json.set("tables", to: .array(tables.map(\.json)))
        return json.bytes
    }

    init(parsing bytes: [UInt8]) throws(MapPackageError) {
        let json: JSONValue
        do {
            json = try JSONValue(parsing: bytes)
        } catch {
            throw Self.damaged(error.message)
        }
        guard let elements = json["tables"]?.elements else { throw Self.damaged("It has no tables.") }
        var tables: [Table] = []
        for element in elements { tables.append(try Table(json: element)) }
        self.init(tables: tables)
        others = .object((json.members ?? []).filter { $0.name != "tables" })
    }

    fileprivate static func damaged(_ reason: String) -> MapPackageError {
        MapPackageError(code: .damaged, subject: "tables", message: reason)
    }
}

extension InMemoryMapData.Table {
    fileprivate var json: JSONValue {
        .object([
            "name": .string(description.name),
            "geometry": .string(description.geometryKind?.rawValue),
            "spatial_reference": .integer(description.spatialReference),
            "lock_reason": .string(description.lockReason),
            "next_key": .number(JSONNumber(nextKey)),
            "columns": .array(description.columns.map(\.json)),
            "features": .array(
                features.map { feature in
                    .object([
                        "key": .number(JSONNumber(feature.key)),
                        "id": .string(feature.id.text),
                        "values": .object(
                            feature.values.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map {
                                JSONValue.Member(name: $0, value: (feature.values[$0] ?? .null).json)
                            }
                        ),
                        "geometry": feature.geometry?.json ?? .null,
                    ])
                }
            ),
        ])
    }

    fileprivate init(json: JSONValue) throws(MapPackageError) {
        guard let name = json["name"]?.stringValue, let columns = json["columns"]?.elements,
            let features = json["features"]?.elements
        else { throw InMemoryMapData.damaged("A table has no name, columns or features.") }
        self.init(
            description: FeatureTable(
                name: name,
                columns: columns.compactMap(FeatureColumn.init(json:)),
                geometryKind: json["geometry"]?.stringValue.flatMap(MapGeometry.Kind.init(name:)),
                spatialReference: json["spatial_reference"]?.intValue ?? 4326,
                lockReason: json["lock_reason"]?.stringValue
            )
        )
        for feature in features {
            guard let key = feature["key"]?.intValue, let id = feature["id"]?.stringValue else {
                throw InMemoryMapData.damaged("A feature of “\(name)” has no key or identifier.")
            }
            var values: [String: FeatureValue] = [:]
            for member in feature["values"]?.members ?? [] {
                guard let value = FeatureValue(json: member.value) else {
                    throw InMemoryMapData.damaged("“\(member.name)” of \(id) in “\(name)” cannot be read.")
                }
                values[member.name] = value
            }
            let geometry = feature["geometry"].flatMap { $0 == .null ? nil : $0 }
            self.features.append(
                MapFeature(
                    id: FeatureID(id),
                    key: Int64(key),
                    values: values,
                    geometry: geometry.flatMap(MapGeometry.init(json:)),
                    geometryProblem: geometry != nil && geometry.flatMap(MapGeometry.init(json:)) == nil
                        ? "The shape cannot be read." : nil
                )
            )
        }
        nextKey = Int64(json["next_key"]?.intValue ?? 1)
    }
}

extension FeatureColumn {
    fileprivate var json: JSONValue {
        let kind: (String, Int?) =
            switch type {
            case .boolean: ("boolean", nil)
            case .integer(let bits): ("integer", bits)
            case .float: ("float", nil)
            case .double: ("double", nil)
            case .text(let length): ("text", length)
            case .blob(let size): ("blob", size)
            case .date: ("date", nil)
            case .dateTime: ("date_time", nil)
            case .geometry: ("geometry", nil)
            case .other(let name): ("other:\(name)", nil)
            }
        return .object([
            "name": .string(name),
            "label": .string(label),
            "details": .string(details),
            "type": .string(kind.0),
            "size": .integer(kind.1),
            "role": .string(role.name),
            "required": .bool(isRequired),
            "domain": domain?.json ?? .null,
        ])
    }

    fileprivate init?(json: JSONValue) {
        guard let name = json["name"]?.stringValue, let kind = json["type"]?.stringValue else { return nil }
        let size = json["size"]?.intValue
        let type: FeatureColumnType =
            switch kind {
            case "boolean": .boolean
            case "integer": .integer(bits: size ?? 64)
            case "float": .float
            case "double": .double
            case "text": .text(maximumLength: size)
            case "blob": .blob(maximumSize: size)
            case "date": .date
            case "date_time": .dateTime
            case "geometry": .geometry
            default: .other(kind.hasPrefix("other:") ? String(kind.dropFirst(6)) : kind)
            }
        self.init(
            name: name,
            label: json["label"]?.stringValue,
            details: json["details"]?.stringValue,
            type: type,
            role: Role.allCases.first { $0.name == json["role"]?.stringValue } ?? .attribute,
            isRequired: json["required"]?.boolValue ?? false,
            domain: json["domain"].flatMap(FeatureDomain.init(json:))
        )
    }
}

extension FeatureColumn.Role {
    fileprivate static let allCases: [Self] = [.attribute, .key, .identifier, .geometry, .generated]

    fileprivate var name: String {
        switch self {
        case .attribute: "attribute"
        case .key: "key"
        case .identifier: "identifier"
        case .geometry: "geometry"
        case .generated: "generated"
        }
    }
}

extension FeatureDomain {
    fileprivate var json: JSONValue {
        switch self {
        case .choices(let choices):
            ["choices": .array(choices.map { ["value": $0.value.json, "label": .string($0.label)] })]
        case .range(let minimum, let includesMinimum, let maximum, let includesMaximum):
            [
                "minimum": .number(minimum), "includes_minimum": .bool(includesMinimum), "maximum": .number(maximum),
                "includes_maximum": .bool(includesMaximum),
            ]
        case .glob(let pattern): ["glob": .string(pattern)]
        }
    }

    fileprivate init?(json: JSONValue) {
        if let choices = json["choices"]?.elements {
            self = .choices(
                choices.compactMap { choice in
                    choice["value"].flatMap(FeatureValue.init(json:)).map {
                        Choice(value: $0, label: choice["label"]?.stringValue ?? "")
                    }
                }
            )
        } else if let pattern = json["glob"]?.stringValue {
            self = .glob(pattern)
        } else if json["includes_minimum"] != nil {
            self = .range(
                minimum: json["minimum"]?.doubleValue,
                includesMinimum: json["includes_minimum"]?.boolValue ?? true,
                maximum: json["maximum"]?.doubleValue,
                includesMaximum: json["includes_maximum"]?.boolValue ?? true
            )
        } else {
            return nil
        }
    }
}
