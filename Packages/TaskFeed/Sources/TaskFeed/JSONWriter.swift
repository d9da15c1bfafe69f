/// Writes compact JSON whose bytes depend on nothing but the values.
///
/// Besides what JSON asks for, everything a terminal could take as a command is escaped (DEL, C1 controls, line and
/// paragraph separators, controls of the writing direction), so that the output may be shown as it is.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    private var needsComma = false

    mutating func beginObject(_ name: String? = nil) { open(UInt8(ascii: "{"), name) }
    mutating func endObject() { close(UInt8(ascii: "}")) }
    mutating func beginArray(_ name: String? = nil) { open(UInt8(ascii: "["), name) }
    mutating func endArray() { close(UInt8(ascii: "]")) }

    mutating func member(_ name: String, _ text: String?) {
        prepare(name)
        if let text { appendString(text) } else { appendNull() }
        needsComma = true
    }

    mutating func member(_ name: String, _ number: Double?) {
        prepare(name)
        if let number, number.isFinite {
            bytes.append(contentsOf: Self.text(of: number).utf8)
        } else {
            appendNull()
        }
        needsComma = true
    }

    mutating func member(_ name: String, _ number: Int) {
        prepare(name)
        bytes.append(contentsOf: String(number).utf8)
        needsComma = true
    }

    mutating func member(_ name: String, _ flag: Bool) {
        prepare(name)
        bytes.append(contentsOf: (flag ? "true" : "false").utf8)
        needsComma = true
    }

    /// A value that already is JSON.
    mutating func member(_ name: String, json: String) {
        prepare(name)
        bytes.append(contentsOf: json.utf8)
        needsComma = true
    }

    /// The shortest decimal text that reads back as the same number; whole numbers without a fraction.
    static func text(of number: Double) -> String {
        if number.magnitude < 1e15, number == number.rounded(.towardZero) { return String(Int64(number)) }
        return number.description
    }

    static func appendEscape(_ unit: UInt32, to bytes: inout [UInt8]) {
        let digits = String(unit, radix: 16)
        bytes.append(contentsOf: "\\u".utf8)
        bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: max(0, 4 - digits.utf8.count)))
        bytes.append(contentsOf: digits.utf8)
    }

    private mutating func open(_ bracket: UInt8, _ name: String?) {
        prepare(name)
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func prepare(_ name: String?) {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        if let name {
            appendString(name)
            bytes.append(UInt8(ascii: ":"))
        }
    }

    private mutating func appendNull() {
        bytes.append(contentsOf: "null".utf8)
    }

    private mutating func appendString(_ text: String) {
        var text = text
        bytes.append(UInt8(ascii: "\""))
        text.withUTF8 { source in
            let raw = UnsafeRawBufferPointer(source)
            var index = 0
            while index < raw.count {
                let next = ByteSearch.firstUnusual(in: raw, from: index)
                bytes.append(contentsOf: source[index..<next])
                guard next < raw.count else { break }
                index = next + appendUnusual(source[next...])
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes the first character of the rest of a text and says how many bytes it took.
    private mutating func appendUnusual(_ rest: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        let lead = rest.first ?? 0
        switch lead {
        case UInt8(ascii: "\""): bytes.append(contentsOf: "\\\"".utf8)
        case UInt8(ascii: "\\"): bytes.append(contentsOf: "\\\\".utf8)
        case 0x0A: bytes.append(contentsOf: "\\n".utf8)
        case 0x0D: bytes.append(contentsOf: "\\r".utf8)
        case 0x09: bytes.append(contentsOf: "\\t".utf8)
        case 0..<0x80: Self.appendEscape(UInt32(lead), to: &bytes)
        default:
            let count = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
            let sequence = rest.prefix(count)
            // Only these begin characters that are escaped: C2 (C1 controls), D8 (U+061C), E2 (U+2000 and on).
            if lead == 0xC2 || lead == 0xD8 || lead == 0xE2,
                let scalar = String(decoding: sequence, as: UTF8.self).unicodeScalars.first,
                TerminalText.isUnsafe(scalar)
            {
                Self.appendEscape(scalar.value, to: &bytes)
            } else {
                bytes.append(contentsOf: sequence)
            }
            return count
        }
        return 1
    }
}
