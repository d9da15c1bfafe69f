/// A JSON value whose objects keep the order of their keys (RFC 8259).
///
/// The recording format has to come out the same byte for byte, which Foundation's writer does not promise.
enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([Member])

    struct Member: Hashable, Sendable {
        let key: String
        let value: JSONValue
    }

    struct SyntaxError: Error {
        let column: Int
        let reason: String
    }

    /// The value of a key, the last one where it stands twice.
    subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.key == key }?.value
    }

    init(parsing bytes: some Collection<UInt8>) throws(SyntaxError) {
        var parser = JSONParser(bytes: Array(bytes))
        self = try parser.parseDocument()
    }

    /// Appends the value in its shortest form, without white space.
    func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .number(let value): text += Self.text(of: value)
        case .string(let value): Self.write(value, to: &text)
        case .array(let values):
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += "," }
                value.write(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                Self.write(member.key, to: &text)
                text += ":"
                member.value.write(to: &text)
            }
            text += "}"
        }
    }

    /// The shortest digits that read back as the same number.
    static func text(of number: Double) -> String {
        number.isFinite ? "\(number)" : "null"
    }

    static func write(_ string: String, to text: inout String) {
        text += "\""
        defer { text += "\"" }
        // Nearly all text needs no escape, and is copied whole.
        if string.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }) {
            text += string
            return
        }
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{8}": text += "\\b"
            case "\u{c}": text += "\\f"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}

private struct JSONParser {
    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private func failure(_ reason: String) -> JSONValue.SyntaxError {
        JSONValue.SyntaxError(column: position + 1, reason: reason)
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }

    mutating func parseDocument() throws(JSONValue.SyntaxError) -> JSONValue {
        let value = try parseValue()
        skipSpace()
        guard current == nil else { throw failure("something follows the value") }
        return value
    }

    private mutating func parseValue() throws(JSONValue.SyntaxError) -> JSONValue {
        skipSpace()
        // Deeper input would only serve to use up the stack.
        guard depth < 64 else { throw failure("it is nested too deeply") }
        switch current {
        case UInt8(ascii: "{"): return try parseObject()
        case UInt8(ascii: "["): return try parseArray()
        case UInt8(ascii: "\""): return .string(try parseString())
        case UInt8(ascii: "t"): return try parseWord("true", .bool(true))
        case UInt8(ascii: "f"): return try parseWord("false", .bool(false))
        case UInt8(ascii: "n"): return try parseWord("null", .null)
        case nil: throw failure("it ends too early")
        default: return try parseNumber()
        }
    }

    private mutating func parseWord(_ word: String, _ value: JSONValue) throws(JSONValue.SyntaxError) -> JSONValue {
        guard bytes[position...].starts(with: word.utf8) else { throw failure("a value is expected") }
        position += word.utf8.count
        return value
    }

    private mutating func parseObject() throws(JSONValue.SyntaxError) -> JSONValue {
        depth += 1
        defer { depth -= 1 }
        position += 1
        var members: [JSONValue.Member] = []
        skipSpace()
        if current == UInt8(ascii: "}") {
            position += 1
            return .object([])
        }
        while true {
            skipSpace()
            guard current == UInt8(ascii: "\"") else { throw failure("a key in quotes is expected") }
            let key = try parseString()
            skipSpace()
            guard current == UInt8(ascii: ":") else { throw failure("“:” is expected") }
            position += 1
            members.append(JSONValue.Member(key: key, value: try parseValue()))
            skipSpace()
            switch current {
            case UInt8(ascii: ","): position += 1
            case UInt8(ascii: "}"):
                position += 1
                return .object(members)
            case nil: throw failure("it ends too early")
            default: throw failure("“,” or “}” is expected")
            }
        }
    }

    private mutating func parseArray() throws(JSONValue.SyntaxError) -> JSONValue {
        depth += 1
        defer { depth -= 1 }
        position += 1
        var values: [JSONValue] = []
        skipSpace()
        if current == UInt8(ascii: "]") {
            position += 1
            return .array([])
        }
        while true {
            values.append(try parseValue())
            skipSpace()
            switch current {
            case UInt8(ascii: ","): position += 1
            case UInt8(ascii: "]"):
                position += 1
                return .array(values)
            case nil: throw failure("it ends too early")
            default: throw failure("“,” or “]” is expected")
            }
        }
    }

    private mutating func parseNumber() throws(JSONValue.SyntaxError) -> JSONValue {
        let start = position
        func isDigit(_ byte: UInt8?) -> Bool { byte.map { (48...57).contains($0) } ?? false }
        if current == UInt8(ascii: "-") { position += 1 }
        guard isDigit(current) else { throw failure("a value is expected") }
        if current == UInt8(ascii: "0") {
            position += 1
            guard !isDigit(current) else { throw failure("a number does not begin with 0") }
        }
        while isDigit(current) { position += 1 }
        if current == UInt8(ascii: ".") {
            position += 1
            guard isDigit(current) else { throw failure("a digit is expected") }
            while isDigit(current) { position += 1 }
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            position += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
            guard isDigit(current) else { throw failure("a digit is expected") }
            while isDigit(current) { position += 1 }
        }
        guard let number = Double(String(decoding: bytes[start..<position], as: UTF8.self)), number.isFinite else {
            throw failure("the number is too large")
        }
        return .number(number)
    }

    private mutating func parseString() throws(JSONValue.SyntaxError) -> String {
        position += 1
        var text: [UInt8] = []
        while true {
            guard let byte = current else { throw failure("a string is not closed") }
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw failure("a string is not UTF-8")
                }
                return string
            case UInt8(ascii: "\\"): try parseEscape(into: &text)
            case 0..<0x20: throw failure("a control character stands in a string")
            default: text.append(byte)
            }
        }
    }

    private mutating func parseEscape(into text: inout [UInt8]) throws(JSONValue.SyntaxError) {
        guard let byte = current else { throw failure("a string is not closed") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            var value = try parseHex()
            if (0xD800..<0xDC00).contains(value) {
                guard bytes[position...].starts(with: "\\u".utf8) else { throw failure("half a surrogate pair") }
                position += 2
                let low = try parseHex()
                guard (0xDC00..<0xE000).contains(low) else { throw failure("half a surrogate pair") }
                value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(value) else { throw failure("half a surrogate pair") }
            text += Array(String(Character(scalar)).utf8)
        default: throw failure("an unknown escape")
        }
    }

    private mutating func parseHex() throws(JSONValue.SyntaxError) -> UInt32 {
        guard position + 4 <= bytes.count else { throw failure("four hexadecimal digits are expected") }
        let digits = String(decoding: bytes[position..<position + 4], as: UTF8.self)
        guard digits.allSatisfy(\.isHexDigit), let value = UInt32(digits, radix: 16) else {
            throw failure("four hexadecimal digits are expected")
        }
        position += 4
        return value
    }
}
