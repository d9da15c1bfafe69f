public import TransportCore

/// The canonical form of JSON texts of RFC 8785 (JSON Canonicalization Scheme), in which equal data has equal bytes.
///
/// Members are sorted by the UTF-16 code units of their names, numbers are written as ECMAScript writes the nearest
/// binary64 value, strings with the fewest escapes, and nothing has white space around it.
public enum CanonicalJSON {
    /// Returns a JSON text in canonical form.
    ///
    /// - Parameters:
    ///   - text: A JSON text in UTF-8; a byte order mark in front of it is skipped.
    ///   - omitting: Names of members of the outermost object that are left out.
    /// - Returns: The canonical text in UTF-8.
    /// - Throws: `JSONSyntaxError` when the text is not I-JSON (RFC 7493): when it names a member twice, has half of a
    ///   surrogate pair or a number too large for binary64; or when it is nested deeper than `JSONValue.maximumDepth`.
    public static func canonicalize(
        _ text: [UInt8],
        omitting: Set<String> = []
    ) throws(JSONSyntaxError) -> [UInt8] {
        var value = try JSONValue(parsing: text, as: .iJSON)
        if let members = value.members {
            value = .object(members.filter { !omitting.contains($0.name) })
        }
        var bytes: [UInt8] = []
        write(value, to: &bytes)
        return bytes
    }

    private static func write(_ value: JSONValue, to bytes: inout [UInt8]) {
        switch value {
        case .null: bytes += "null".utf8
        case .bool(let truth): bytes += (truth ? "true" : "false").utf8
        case .number(let number): bytes += (number.doubleValue.map(ECMAScriptNumber.text) ?? number.text).utf8
        case .string(let string): write(string, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                write(element, to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.sorted(by: precedes).enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                write(member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                write(member.value, to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// Whether a name comes first by UTF-16 code units, which differs from the order of scalars beyond U+FFFF.
    private static func precedes(_ member: JSONValue.Member, _ other: JSONValue.Member) -> Bool {
        member.name.utf16.lexicographicallyPrecedes(other.name.utf16)
    }

    private static func write(_ string: String, to bytes: inout [UInt8]) {
        let digits = Array("0123456789abcdef".utf8)
        bytes.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x08: bytes += "\\b".utf8
            case 0x09: bytes += "\\t".utf8
            case 0x0A: bytes += "\\n".utf8
            case 0x0C: bytes += "\\f".utf8
            case 0x0D: bytes += "\\r".utf8
            case 0..<0x20: bytes += "\\u00".utf8 + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
