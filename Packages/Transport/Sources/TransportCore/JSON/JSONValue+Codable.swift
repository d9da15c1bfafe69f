/// Lets a value stand inside `Codable` types and keep what they do not know.
///
/// Decoders tell neither the order of members nor the digits of numbers: members come sorted by the code points of
/// their names, numbers as `Int64` or `Double` has them. ``JSONValue/init(parsing:as:)`` keeps both.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension JSONValue: Codable {
    public init(from decoder: any Decoder) throws {
        if let keyed = try? decoder.container(keyedBy: Key.self) {
            let names = keyed.allKeys.map(\.stringValue).sorted {
                $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars)
            }
            self = .object(
                try names.map {
                    Member(name: $0, value: try keyed.decode(JSONValue.self, forKey: Key(stringValue: $0)))
                }
            )
        } else if var list = try? decoder.unkeyedContainer() {
            var values: [JSONValue] = []
            while !list.isAtEnd { values.append(try list.decode(JSONValue.self)) }
            self = .array(values)
        } else {
            let single = try decoder.singleValueContainer()
            if single.decodeNil() {
                self = .null
            } else if let value = try? single.decode(Bool.self) {
                self = .bool(value)
            } else if let value = try? single.decode(Int64.self) {
                self = .number(JSONNumber(value))
            } else if let value = try? single.decode(Double.self) {
                self = .number(value)
            } else {
                self = .string(try single.decode(String.self))
            }
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let members):
            var container = encoder.container(keyedBy: Key.self)
            for member in members { try container.encode(member.value, forKey: Key(stringValue: member.name)) }
        case .array(let values):
            var container = encoder.unkeyedContainer()
            for value in values { try container.encode(value) }
        case .string(let value): try encode(value, to: encoder)
        case .bool(let value): try encode(value, to: encoder)
        case .null: try encode(Bool?.none, to: encoder)
        case .number(let number):
            if let value = number.intValue {
                try encode(value, to: encoder)
            } else if let value = number.doubleValue {
                try encode(value, to: encoder)
            } else {
                throw EncodingError.invalidValue(
                    self,
                    .init(
                        codingPath: encoder.codingPath,
                        debugDescription: "The number \(number) is beyond the range of Double."
                    )
                )
            }
        }
    }

    private func encode(_ value: some Encodable, to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
