/// Reads a JSON text strictly by RFC 8259, with the limits of I-JSON (RFC 7493) that a canonical form needs.
struct JSONParser {
    private let text: [UInt8]
    private var position = 0

    init(_ text: [UInt8]) {
        self.text = text
    }

    mutating func parseText() throws(CanonicalJSONError) -> JSONValue {
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        let value = try parseValue(depth: 0)
        skipSpace()
        guard position == text.count else { throw error("something follows the value") }
        return value
    }

    private var current: UInt8? { position < text.count ? text[position] : nil }

    private func error(_ reason: String) -> CanonicalJSONError {
        CanonicalJSONError(offset: position, reason: reason)
    }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        position += 1
        return true
    }

    private mutating func parseValue(depth: Int) throws(CanonicalJSONError) -> JSONValue {
        skipSpace()
        guard depth <= CanonicalJSON.maximumDepth else {
            throw error("arrays and objects are nested deeper than \(CanonicalJSON.maximumDepth)")
        }
        guard let current else { throw error("the text ends where a value should stand") }
        switch current {
        case UInt8(ascii: "{"): return try parseObject(depth: depth)
        case UInt8(ascii: "["): return try parseArray(depth: depth)
        case UInt8(ascii: "\""): return .string(try parseString())
        case UInt8(ascii: "t"): return try parseWord("true", .boolean(true))
        case UInt8(ascii: "f"): return try parseWord("false", .boolean(false))
        case UInt8(ascii: "n"): return try parseWord("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try parseNumber())
        default: throw error("a value should stand here")
        }
    }

    private mutating func parseWord(_ word: String, _ value: JSONValue) throws(CanonicalJSONError) -> JSONValue {
        guard text[position...].starts(with: word.utf8) else { throw error("a value should stand here") }
        position += word.utf8.count
        return value
    }

    private mutating func parseArray(depth: Int) throws(CanonicalJSONError) -> JSONValue {
        position += 1
        var elements: [JSONValue] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array(elements) }
        while true {
            elements.append(try parseValue(depth: depth + 1))
            skipSpace()
            if take(UInt8(ascii: "]")) { return .array(elements) }
            guard take(UInt8(ascii: ",")) else { throw error("an array goes on with a comma or ends with ]") }
        }
    }

    private mutating func parseObject(depth: Int) throws(CanonicalJSONError) -> JSONValue {
        let start = position
        position += 1
        var members: [JSONMember] = []
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object(members) }
        while true {
            skipSpace()
            guard current == UInt8(ascii: "\"") else { throw error("a member's name in quotes should stand here") }
            let name = try parseString()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw error("a colon should follow a member's name") }
            members.append(JSONMember(name: name, value: try parseValue(depth: depth + 1)))
            skipSpace()
            if take(UInt8(ascii: "}")) { break }
            guard take(UInt8(ascii: ",")) else { throw error("an object goes on with a comma or ends with }") }
        }
        // Compared by code units: Swift's == takes differently composed letters for the same.
        let names = members.map { Array($0.name.utf16) }.sorted { $0.lexicographicallyPrecedes($1) }
        for (name, next) in zip(names, names.dropFirst()) where name == next {
            throw CanonicalJSONError(
                offset: start,
                reason: "an object has two members named \"\(String(decoding: name, as: UTF16.self))\""
            )
        }
        return .object(members)
    }

    private mutating func parseNumber() throws(CanonicalJSONError) -> Double {
        let start = position
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try parseDigits() }
        if take(UInt8(ascii: ".")) { try parseDigits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try parseDigits()
        }
        guard let number = Double(String(decoding: text[start..<position], as: UTF8.self)), number.isFinite else {
            throw CanonicalJSONError(offset: start, reason: "the number is too large for a 64-bit floating-point value")
        }
        return number
    }

    private mutating func parseDigits() throws(CanonicalJSONError) {
        let start = position
        while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw error("a digit should stand here") }
    }

    private mutating func parseString() throws(CanonicalJSONError) -> String {
        let start = position
        position += 1
        var bytes: [UInt8] = []
        while let byte = current {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: bytes, as: UTF8.self) else {
                    throw CanonicalJSONError(offset: start, reason: "the string is not UTF-8")
                }
                return string
            case UInt8(ascii: "\\"): bytes += String(Character(try parseEscape())).utf8
            case 0..<0x20:
                position -= 1
                throw error("a control character in a string has to be escaped")
            default: bytes.append(byte)
            }
        }
        throw error("the text ends inside a string")
    }

    private mutating func parseEscape() throws(CanonicalJSONError) -> Unicode.Scalar {
        let start = position - 1
        guard let byte = current else { throw error("the text ends inside a string") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            let unit = try parseHexadecimal()
            if let scalar = Unicode.Scalar(unit) { return scalar }
            // Only a high surrogate followed by a low one is a character.
            if unit < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) {
                let low = try parseHexadecimal()
                if (0xDC00...0xDFFF).contains(low),
                    let scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + UInt32(low) - 0xDC00)
                {
                    return scalar
                }
            }
            throw CanonicalJSONError(offset: start, reason: "half of a surrogate pair stands alone")
        default:
            throw CanonicalJSONError(offset: start, reason: "this escape does not exist in JSON")
        }
    }

    private mutating func parseHexadecimal() throws(CanonicalJSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw error("four hexadecimal digits should follow \\u")
            }
            unit = unit << 4 + UInt16(digit)
            position += 1
        }
        return unit
    }
}
