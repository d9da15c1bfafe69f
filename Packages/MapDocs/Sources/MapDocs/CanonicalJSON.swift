/// The canonical form of JSON texts of RFC 8785 (JSON Canonicalization Scheme), in which equal data has equal bytes.
///
/// Members are sorted by the UTF-16 code units of their names, numbers are written as ECMAScript writes the nearest
/// binary64 value, strings with the fewest escapes, and nothing has white space around it.
public enum CanonicalJSON {
    /// The deepest nesting of arrays and objects that is read.
    public static let maximumDepth = 256

    /// Returns a JSON text in canonical form.
    ///
    /// - Parameters:
    ///   - text: A JSON text in UTF-8; a byte order mark in front of it is skipped.
    ///   - omitting: Names of members of the outermost object that are left out.
    /// - Returns: The canonical text in UTF-8.
    /// - Throws: `CanonicalJSONError` when the text is not JSON, names a member twice, has half of a surrogate pair,
    ///   a number too large for binary64, or is nested deeper than `maximumDepth`.
    public static func canonicalize(
        _ text: [UInt8],
        omitting: Set<String> = []
    ) throws(CanonicalJSONError) -> [UInt8] {
        var parser = JSONParser(text)
        var value = try parser.parseText()
        if case .object(let members) = value {
            value = .object(members.filter { !omitting.contains($0.name) })
        }
        var bytes: [UInt8] = []
        write(value, to: &bytes)
        return bytes
    }

    private static func write(_ value: JSONValue, to bytes: inout [UInt8]) {
        switch value {
        case .null: bytes += "null".utf8
        case .boolean(let truth): bytes += (truth ? "true" : "false").utf8
        case .number(let number): bytes += ECMAScriptNumber.text(number).utf8
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
            for (index, member) in members.sorted(by: { $0.precedes($1) }).enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                write(member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                write(member.value, to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
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
