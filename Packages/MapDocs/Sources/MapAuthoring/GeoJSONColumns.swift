import MapDocs
import MapGeoPackage
import TransportCore

/// Finds out what columns the properties of features need, and puts values into them without loss.
struct GeoJSONColumns {
    private struct Kinds {
        var hasBool = false
        var hasInteger = false
        var hasReal = false
        var hasText = false
        var hasOther = false
        /// Whether a number would be another one as a floating-point number of 64 bits.
        var hasInexact = false
        var needsDigits = false
    }

    private struct Found {
        let property: String
        var kinds = Kinds()
    }

    private var found: [Found] = []
    private var places: [[UInt8]: Int] = [:]

    /// Looks at the properties of one feature.
    mutating func look(at properties: [JSONValue.Member]) {
        for member in properties {
            let place = place(of: member.name)
            switch member.value {
            case .null: break
            case .bool: found[place].kinds.hasBool = true
            case .string: found[place].kinds.hasText = true
            case .array, .object: found[place].kinds.hasOther = true
            case .number(let number):
                if let whole = GeoJSONFeature.wholeNumber(number) {
                    found[place].kinds.hasInteger = true
                    if Int64(exactly: Double(whole)) != whole { found[place].kinds.hasInexact = true }
                } else if number.doubleValue == nil || number.text.allSatisfy({ $0.isNumber || $0 == "-" }) {
                    found[place].kinds.needsDigits = true
                } else {
                    found[place].kinds.hasReal = true
                }
            }
        }
    }

    private mutating func place(of name: String) -> Int {
        let key = Array(name.utf8)
        if let place = places[key] { return place }
        places[key] = found.count
        found.append(Found(property: name))
        return found.count - 1
    }

    /// The columns, in the order in which properties first occur.
    func finish() -> GeoJSONTable {
        var columns: [FeatureColumn] = []
        var notes: [String] = []
        var taken: Set<String> = [
            NewFeatureTable.keyColumn, NewFeatureTable.geometryColumn, NewFeatureTable.identifierColumn,
        ]
        for entry in found {
            let name = Self.columnName(for: entry.property, &taken)
            if !name.utf8.elementsEqual(entry.property.utf8) {
                notes.append(
                    "The property “\(entry.property)” is the column “\(name)”, because its name is taken or cannot be one."
                )
            }
            let (type, isMixed) = Self.type(entry.kinds)
            if isMixed {
                notes.append("The property “\(entry.property)” has values of several kinds; they are kept as text.")
            }
            columns.append(FeatureColumn(name: name, label: entry.property.isEmpty ? nil : entry.property, type: type))
        }
        return GeoJSONTable(columns: columns, places: places, notes: notes)
    }

    private static func type(_ kinds: Kinds) -> (FeatureColumnType, isMixed: Bool) {
        let hasNumbers = kinds.hasInteger || kinds.hasReal || kinds.needsDigits
        let several = [kinds.hasBool, hasNumbers, kinds.hasText, kinds.hasOther].filter { $0 }.count > 1
        if several { return (.text(maximumLength: nil), true) }
        if kinds.hasBool { return (.boolean, false) }
        guard hasNumbers else { return (.text(maximumLength: nil), false) }
        // A number that a column cannot keep to the last digit is kept as it is written.
        if kinds.needsDigits || kinds.hasReal && kinds.hasInexact { return (.text(maximumLength: nil), true) }
        return (kinds.hasReal ? .double : .integer(bits: 64), false)
    }

    private static func columnName(for property: String, _ taken: inout Set<String>) -> String {
        var wish = String(
            String.UnicodeScalarView(
                property.unicodeScalars.map { $0.properties.generalCategory == .control ? "_" : $0 }
            )
        )
        while wish.utf8.count > 150 { wish.removeLast() }
        if wish.isEmpty { wish = "column" }
        var name = wish
        var number = 1
        while !taken.insert(name.lowercased()).inserted {
            number += 1
            name = "\(wish)_\(number)"
        }
        return name
    }
}

/// The columns of a table that is made from GeoJSON.
struct GeoJSONTable {
    let columns: [FeatureColumn]
    fileprivate let places: [[UInt8]: Int]
    let notes: [String]

    /// The values of one feature in the order of the columns.
    func values(of properties: [JSONValue.Member]) -> [FeatureValue] {
        var values = [FeatureValue](repeating: .null, count: columns.count)
        for member in properties {
            guard let place = places[Array(member.name.utf8)] else { continue }
            values[place] = Self.value(member.value, for: columns[place].type)
        }
        return values
    }

    private static func value(_ json: JSONValue, for type: FeatureColumnType) -> FeatureValue {
        switch (type, json) {
        case (_, .null): .null
        case (.boolean, .bool(let value)): .integer(value ? 1 : 0)
        case (.integer, .number(let number)): GeoJSONFeature.wholeNumber(number).map { .integer($0) } ?? .null
        case (.double, .number(let number)): number.doubleValue.map { .real($0) } ?? .null
        case (_, .string(let text)): .text(text)
        default: .text(json.text)
        }
    }
}
