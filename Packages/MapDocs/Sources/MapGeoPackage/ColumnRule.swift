import MapDocs

/// What a column takes, by its type alone.
///
/// Domains and lengths are left to whoever asks people for values: a value that arrived outside of them can be put back.
struct ColumnRule {
    private let column: FeatureColumn
    private let table: String

    init(_ column: FeatureColumn, in table: String) {
        self.column = column
        self.table = table
    }

    /// Refuses a value that the column cannot take as it is.
    func check(_ value: FeatureValue) throws(MapPackageError) {
        switch column.role {
        case .attribute: break
        case .key: throw .notWritable(column.name, in: table, "it is the primary key")
        case .identifier: throw .notWritable(column.name, in: table, "it identifies the feature")
        case .geometry: throw .notWritable(column.name, in: table, "it is the geometry")
        case .generated: throw .notWritable(column.name, in: table, "the database computes it")
        }
        let fits: Bool
        switch (column.type, value) {
        case (.other(let type), _):
            throw .notWritable(column.name, in: table, "its type “\(type)” is none that GeoPackage knows")
        case (_, .null):
            guard column.isRequired else { return }
            throw refusal("needs a value; choose one")
        case (.boolean, .integer(let number)): fits = number == 0 || number == 1
        case (.integer(let bits), .integer(let number)):
            fits = bits >= 64 || (number << (64 - bits)) >> (64 - bits) == number
        case (.float, .real(let number)), (.double, .real(let number)): fits = !number.isNaN
        case (.text, .text), (.date, .text), (.dateTime, .text), (.blob, .blob): fits = true
        default: fits = false
        }
        if !fits { throw refusal("takes only values of the type \(column.type.words); give one") }
    }

    private func refusal(_ reason: String) -> MapPackageError {
        .refused("\(table).\(column.name)", "The column “\(column.label)” \(reason).")
    }
}

extension FeatureColumnType {
    /// The type in words for people.
    var words: String {
        switch self {
        case .boolean: "boolean"
        case .integer(let bits): "integer of \(bits) bits"
        case .float, .double: "real number"
        case .text: "text"
        case .blob: "bytes"
        case .date: "date"
        case .dateTime: "date and time"
        case .geometry: "geometry"
        case .other(let name): name
        }
    }
}

extension FeatureValue {
    /// Whether two values are the same bit for bit, the composition of letters included.
    func isIdentical(to other: FeatureValue) -> Bool {
        if case .text(let text) = self, case .text(let otherText) = other {
            return text.utf8.elementsEqual(otherText.utf8)
        }
        return self == other
    }
}
