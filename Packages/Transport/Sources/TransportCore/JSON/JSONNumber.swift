/// A JSON number with the very digits that were written.
///
/// However long it is, it comes out as it came in. Two numbers are equal when they are written alike: `1.0` and `1`
/// are not, though their ``doubleValue`` is.
public struct JSONNumber: Hashable, Sendable {
    /// The number as it stands in JSON.
    public let text: String

    /// Takes text that is known to be a JSON number.
    init(unchecked text: String) {
        self.text = text
    }

    /// Takes a number as it is written; nil when the text is no JSON number (RFC 8259, section 6).
    ///
    /// - Parameter text: For example `-12.50e3`; neither `+1`, `01`, `.5` nor white space around it.
    public init?(_ text: String) {
        var text = text
        let isNumber = text.withUTF8 { bytes in
            var scanner = JSONScanner(UnsafeRawBufferPointer(bytes))
            return (try? scanner.scanNumber()) != nil && scanner.isAtEnd
        }
        guard isNumber else { return nil }
        self.init(unchecked: text)
    }

    /// Writes an integer.
    public init(_ value: some BinaryInteger) {
        self.init(unchecked: String(value))
    }

    /// Writes the shortest digits that read back as the same value, whole numbers below 1e15 as integers.
    ///
    /// - Parameter value: The value; JSON has none that are not finite, so the number is nil then.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        let isWhole = value.magnitude < 1e15 && value == value.rounded(.towardZero)
        self.init(unchecked: isWhole ? String(Int64(value)) : value.description)
    }

    /// Writes the shortest digits that read back as the same value, with a fraction or an exponent in any case.
    ///
    /// - Parameter value: The value; JSON has none that are not finite, so the number is nil then.
    public init?(decimal value: Double) {
        guard value.isFinite else { return nil }
        self.init(unchecked: value.description)
    }

    /// The nearest `Double`; nil when the number is beyond its range, as `1e400` is.
    public var doubleValue: Double? {
        guard let value = Double(text), value.isFinite else { return nil }
        return value
    }

    /// The number as an integer, however it is written (`1e3` is 1000); nil with a fraction, or beyond the range of `Int`.
    public var intValue: Int? {
        if let value = Int(text) { return value }
        let parts = text.split { $0 == "e" || $0 == "E" }
        let mantissa = (parts.first ?? "").split(separator: ".")
        var digits = mantissa.joined().drop { $0 == "-" || $0 == "0" }
        var trailingZeros = 0
        while digits.last == "0" {
            digits.removeLast()
            trailingZeros += 1
        }
        guard !digits.isEmpty else { return 0 }
        let exponent = parts.count > 1 ? Int(parts[1]) : 0
        guard let exponent, (-1_000_000_000...1_000_000_000).contains(exponent) else { return nil }
        let zeros = exponent + trailingZeros - (mantissa.count > 1 ? mantissa[1].count : 0)
        // No integer of 64 bits has more than 19 digits.
        guard (0...19).contains(zeros) else { return nil }
        return Int("\(text.hasPrefix("-") ? "-" : "")\(digits)\(String(repeating: "0", count: zeros))")
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension JSONNumber: CustomStringConvertible {
    public var description: String { text }
}
