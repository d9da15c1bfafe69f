import Foundation

/// A JSON value that is kept although nothing here knows what it means.
///
/// Settings that a newer version or another program wrote survive in it.
public enum SettingsValue: Hashable, Sendable {
    /// JSON `null`.
    case null
    /// JSON `true` or `false`.
    case bool(Bool)
    /// A number without a fraction that fits 64 bits.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    /// A text.
    case string(String)
    /// A list.
    case array([SettingsValue])
    /// An object.
    case object([String: SettingsValue])

    /// Reads UTF-8 JSON, or is nil when the bytes are not JSON.
    public init?(json bytes: [UInt8]) {
        guard let value = try? JSONDecoder().decode(SettingsValue.self, from: Data(bytes)) else { return nil }
        self = value
    }

    /// The value as compact JSON with sorted keys: the same value gives the same bytes.
    public var json: String {
        var text = ""
        write(to: &text, indent: nil)
        return text
    }

    /// The value as JSON with sorted keys on lines of their own, indented by two spaces a level.
    public var prettyJSON: String {
        var text = ""
        write(to: &text, indent: 0)
        return text
    }

    private func write(to text: inout String, indent: Int?) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .number(let value): text += value.isFinite ? "\(value)" : "null"
        case .string(let value): Self.writeString(value, to: &text)
        case .array(let values):
            Self.writeList(values, "[", "]", to: &text, indent: indent) { value, text, indent in
                value.write(to: &text, indent: indent)
            }
        case .object(let fields):
            let sorted = fields.sorted { $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars) }
            Self.writeList(sorted, "{", "}", to: &text, indent: indent) { field, text, indent in
                Self.writeString(field.key, to: &text)
                text += indent == nil ? ":" : ": "
                field.value.write(to: &text, indent: indent)
            }
        }
    }

    private static func writeList<Element>(
        _ elements: [Element],
        _ opening: String,
        _ closing: String,
        to text: inout String,
        indent: Int?,
        write: (Element, inout String, Int?) -> Void
    ) {
        text += opening
        let inner = indent.map { $0 + 1 }
        for (index, element) in elements.enumerated() {
            if index > 0 { text += "," }
            if let inner { text += "\n" + String(repeating: "  ", count: inner) }
            write(element, &text, inner)
        }
        if let indent, !elements.isEmpty { text += "\n" + String(repeating: "  ", count: indent) }
        text += closing
    }

    private static func writeString(_ value: String, to text: inout String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let hex = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SettingsValue: Codable {
    public init(from decoder: any Decoder) throws {
        if let keyed = try? decoder.container(keyedBy: Key.self) {
            var fields: [String: SettingsValue] = [:]
            for key in keyed.allKeys { fields[key.stringValue] = try keyed.decode(SettingsValue.self, forKey: key) }
            self = .object(fields)
        } else if var list = try? decoder.unkeyedContainer() {
            var values: [SettingsValue] = []
            while !list.isAtEnd { values.append(try list.decode(SettingsValue.self)) }
            self = .array(values)
        } else {
            let single = try decoder.singleValueContainer()
            if single.decodeNil() {
                self = .null
            } else if let value = try? single.decode(Bool.self) {
                self = .bool(value)
            } else if let value = try? single.decode(Int64.self) {
                self = .integer(value)
            } else if let value = try? single.decode(Double.self) {
                self = .number(value)
            } else {
                self = .string(try single.decode(String.self))
            }
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let fields):
            var container = encoder.container(keyedBy: Key.self)
            for (name, value) in fields { try container.encode(value, forKey: Key(stringValue: name)) }
        case .array(let values):
            var container = encoder.unkeyedContainer()
            for value in values { try container.encode(value) }
        default:
            var container = encoder.singleValueContainer()
            switch self {
            case .bool(let value): try container.encode(value)
            case .integer(let value): try container.encode(value)
            case .number(let value): try container.encode(value)
            case .string(let value): try container.encode(value)
            default: try container.encodeNil()
            }
        }
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
