/// A JSON value that prints the same bytes every time: members in the order given, no white space.
enum JSONText: Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSONText])
    case members([(name: String, value: JSONText)])
    /// JSON that a package has written already.
    case raw(String)

    /// An object with its members in the order of the literal.
    static func object(_ members: KeyValuePairs<String, JSONText>) -> JSONText {
        .members(members.map { ($0.key, $0.value) })
    }

    /// A number, or null where there is none.
    static func number(_ value: Double?) -> JSONText {
        value.map { .number($0) } ?? .null
    }

    /// A text, or null where there is none.
    static func string(_ value: String?) -> JSONText {
        value.map { .string($0) } ?? .null
    }

    /// A number of single precision, with the digits that tell it from its neighbours and no more.
    static func number(_ value: Float) -> JSONText {
        .number(Double(String(value)) ?? Double(value))
    }

    /// The value as one line of JSON.
    var text: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .number(let value): text += Self.digits(value)
        case .string(let value): Self.quote(value, to: &text)
        case .array(let values):
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += "," }
                value.write(to: &text)
            }
            text += "]"
        case .raw(let json): text += json
        case .members(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                Self.quote(member.name, to: &text)
                text += ":"
                member.value.write(to: &text)
            }
            text += "}"
        }
    }

    // The shortest digits that read back as the same number; JSON has no infinities.
    private static func digits(_ value: Double) -> String {
        guard value.isFinite else { return "null" }
        if value == value.rounded(), value.magnitude < 1e15 { return String(Int(value)) }
        return String(value)
    }

    private static func quote(_ value: String, to text: inout String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{8}": text += "\\b"
            case "\u{C}": text += "\\f"
            case "\u{0}"..."\u{1F}", "\u{7F}":
                let hex = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}

extension JSONText: ExpressibleByDictionaryLiteral {
    init(dictionaryLiteral elements: (String, JSONText)...) {
        self = .members(elements.map { ($0.0, $0.1) })
    }
}
