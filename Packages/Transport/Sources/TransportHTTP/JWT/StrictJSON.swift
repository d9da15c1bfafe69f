import Foundation

/// JSON of the outside world, read so that it can only mean one thing.
///
/// RFC 8259 leaves open what an object with the same key twice means, and two readers that disagree about it are a way
/// around checks; so such an object is refused, wherever it stands. Foundation, which turns the JSON into values, is laxer
/// than the standard (it takes commas at the end of a list, control characters in strings, and other encodings), and so
/// sees only what ``JSONScanner`` has let through. What is written has sorted keys: the same values are the same bytes.
enum StrictJSON {
    /// Reads a value; `nil` when the bytes are not such a value in strict JSON, or have a key twice.
    static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) -> Value? {
        var scanner = JSONScanner(bytes)
        return scanner.isWellFormed() ? try? JSONDecoder().decode(type, from: Data(bytes)) : nil
    }

    /// Writes a value; empty when it has a number that JSON has no digits for.
    static func encode(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { Array($0) } ?? []
    }
}

/// Checks JSON against the grammar of RFC 8259, and that no object has a key twice.
private struct JSONScanner {
    /// Deeper input would only serve to use up the stack.
    private static let maximumDepth = 32

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func isWellFormed() -> Bool {
        guard String(validating: bytes, as: UTF8.self) != nil, value(depth: 0) else { return false }
        skipSpace()
        return position == bytes.count
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }

    private mutating func skip(_ text: StaticString) -> Bool {
        let matches = text.withUTF8Buffer { bytes[position...].starts(with: $0) }
        if matches { position += text.utf8CodeUnitCount }
        return matches
    }

    private mutating func value(depth: Int) -> Bool {
        guard depth < Self.maximumDepth else { return false }
        skipSpace()
        switch current {
        case UInt8(ascii: "{"): return object(depth: depth)
        case UInt8(ascii: "["):
            return list(end: UInt8(ascii: "]")) { scanner in scanner.value(depth: depth + 1) }
        case UInt8(ascii: "\""): return string() != nil
        case UInt8(ascii: "t"): return skip("true")
        case UInt8(ascii: "f"): return skip("false")
        case UInt8(ascii: "n"): return skip("null")
        default: return number()
        }
    }

    private mutating func object(depth: Int) -> Bool {
        var keys: Set<String> = []
        return list(end: UInt8(ascii: "}")) { scanner in
            scanner.skipSpace()
            guard let key = scanner.string(), keys.insert(key).inserted else { return false }
            scanner.skipSpace()
            return scanner.skip(":") && scanner.value(depth: depth + 1)
        }
    }

    /// What stands between brackets or braces, with commas between the elements.
    private mutating func list(end: UInt8, element: (inout JSONScanner) -> Bool) -> Bool {
        position += 1
        skipSpace()
        if current == end {
            position += 1
            return true
        }
        while element(&self) {
            skipSpace()
            let byte = current
            position += 1
            if byte == end { return true }
            guard byte == UInt8(ascii: ",") else { return false }
        }
        return false
    }

    private mutating func number() -> Bool {
        _ = skip("-")
        if !skip("0") {
            guard skipDigits() else { return false }
        }
        if skip("."), !skipDigits() { return false }
        if skip("e") || skip("E") {
            _ = skip("+") || skip("-")
            return skipDigits()
        }
        return true
    }

    private mutating func skipDigits() -> Bool {
        let start = position
        while let byte = current, HTTPSyntax.isDigit(byte) { position += 1 }
        return position > start
    }

    /// A string with its escapes resolved, so that two spellings of a key are the same key.
    private mutating func string() -> String? {
        guard skip("\"") else { return nil }
        var text: [UInt8] = []
        while let byte = current {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let scalar = escaped() else { return nil }
                text += Array(String(scalar).utf8)
            case 0..<0x20: return nil
            default: text.append(byte)
            }
        }
        return nil
    }

    private mutating func escaped() -> Unicode.Scalar? {
        guard let byte = current else { return nil }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            guard let unit = hexadecimal() else { return nil }
            guard (0xD800..<0xDC00).contains(unit) else { return Unicode.Scalar(unit) }
            guard skip("\\u"), let low = hexadecimal(), (0xDC00..<0xE000).contains(low) else { return nil }
            return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        default: return nil
        }
    }

    private mutating func hexadecimal() -> UInt32? {
        guard position + 4 <= bytes.count else { return nil }
        var value: UInt32 = 0
        for byte in bytes[position..<position + 4] {
            guard let digit = HTTPSyntax.hexValue(byte) else { return nil }
            value = value << 4 | UInt32(digit)
        }
        position += 4
        return value
    }
}
