/// Writes JSON whose bytes depend on nothing but the values.
///
/// Besides what JSON asks for, everything a terminal could take as a command is escaped (DEL, C1 controls, line and
/// paragraph separators, controls of the writing direction), so that the output may be shown as it is.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []

    /// Writes a value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - indentation: How many levels deep it stands when it is written for people; nil for the shortest form.
    mutating func append(_ value: JSONValue, indentation: Int? = nil) {
        switch value {
        case .null: append(json: "null")
        case .bool(let value): append(json: value ? "true" : "false")
        case .number(let value): append(json: value.text)
        case .string(let value): append(string: value)
        case .array(let values):
            append(values, between: "[", "]", indentation) { writer, value, indentation in
                writer.append(value, indentation: indentation)
            }
        case .object(let members):
            append(members, between: "{", "}", indentation) { writer, member, indentation in
                writer.append(string: member.name)
                writer.append(json: indentation == nil ? ":" : ": ")
                writer.append(member.value, indentation: indentation)
            }
        }
    }

    private mutating func append<Element>(
        _ elements: [Element],
        between opening: String,
        _ closing: String,
        _ indentation: Int?,
        each: (inout JSONWriter, Element, Int?) -> Void
    ) {
        let inner = indentation.map { $0 + 1 }
        append(json: opening)
        for (index, element) in elements.enumerated() {
            if index > 0 { append(json: ",") }
            if let inner { appendNewLine(inner) }
            each(&self, element, inner)
        }
        if let indentation, !elements.isEmpty { appendNewLine(indentation) }
        append(json: closing)
    }

    private mutating func appendNewLine(_ indentation: Int) {
        bytes.append(0x0A)
        bytes.append(contentsOf: repeatElement(0x20, count: 2 * indentation))
    }

    /// Appends what already is JSON.
    mutating func append(json: String) {
        bytes.append(contentsOf: json.utf8)
    }

    mutating func append(string text: String) {
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
        case UInt8(ascii: "\""): append(json: "\\\"")
        case UInt8(ascii: "\\"): append(json: "\\\\")
        case 0x0A: append(json: "\\n")
        case 0x0D: append(json: "\\r")
        case 0x09: append(json: "\\t")
        case 0x08: append(json: "\\b")
        case 0x0C: append(json: "\\f")
        case 0..<0x80: Self.appendEscape(UInt32(lead), to: &bytes)
        default:
            // C2 begins the C1 controls, D8 U+061C, E2 those from U+2000 on.
            let count = lead >= 0xE0 ? 3 : 2
            let sequence = rest.prefix(count)
            if let scalar = String(decoding: sequence, as: UTF8.self).unicodeScalars.first, Self.isUnsafe(scalar) {
                Self.appendEscape(scalar.value, to: &bytes)
            } else {
                bytes.append(contentsOf: sequence)
            }
            return count
        }
        return 1
    }

    /// Whether a terminal might act upon a character beyond ASCII rather than show it.
    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x80...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    static func appendEscape(_ unit: UInt32, to bytes: inout [UInt8]) {
        let digits = String(unit, radix: 16)
        bytes.append(contentsOf: "\\u".utf8)
        bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: max(0, 4 - digits.utf8.count)))
        bytes.append(contentsOf: digits.utf8)
    }
}
