/// Walks over JSON in place, token by token; what becomes of the tokens is for its users to say.
struct JSONScanner {
    /// A string without its quotes.
    struct StringToken {
        var range: Range<Int>
        /// Whether it cannot be taken byte for byte.
        var hasEscapes: Bool
    }

    let raw: UnsafeRawBufferPointer
    let start: Int
    let end: Int
    /// Whether strings may hold control characters and halves of surrogate pairs.
    let isTolerant: Bool
    var position: Int

    init(_ raw: UnsafeRawBufferPointer, range: Range<Int>? = nil, isTolerant: Bool = false) {
        let range = range ?? 0..<raw.count
        self.raw = raw
        self.isTolerant = isTolerant
        start = range.lowerBound
        end = range.upperBound
        position = start
    }

    var isAtEnd: Bool { position == end }

    /// The byte that comes next.
    var next: UInt8? { position < end ? raw[position] : nil }

    func problem(_ reason: String, at place: Int? = nil) -> JSONSyntaxError {
        JSONSyntaxError(
            offset: (place ?? position) - start,
            reason: reason,
            in: UnsafeRawBufferPointer(rebasing: raw[start..<end])
        )
    }

    /// Moves past the byte order mark that a text may begin with (RFC 8259, section 8.1).
    mutating func skipByteOrderMark() {
        guard position + 3 <= end else { return }
        if raw[position] == 0xEF, raw[position + 1] == 0xBB, raw[position + 2] == 0xBF { position += 3 }
    }

    mutating func skipWhitespace() {
        while position < end {
            switch raw[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    /// Moves past a byte if it comes next.
    mutating func take(_ byte: UInt8) -> Bool {
        guard position < end, raw[position] == byte else { return false }
        position += 1
        return true
    }

    /// Moves past a member's name and the colon behind it.
    mutating func scanName() throws(JSONSyntaxError) -> StringToken {
        skipWhitespace()
        guard next == UInt8(ascii: "\"") else { throw problem("a name in quotes is missing") }
        let name = try scanString()
        skipWhitespace()
        guard take(UInt8(ascii: ":")) else { throw problem("a colon is missing") }
        return name
    }

    /// Moves past a number or a word, whose first byte is given.
    mutating func scanScalar(_ first: UInt8) throws(JSONSyntaxError) -> JSONObjectView.Kind {
        switch first {
        case UInt8(ascii: "t"):
            try scanWord("true")
            return .bool
        case UInt8(ascii: "f"):
            try scanWord("false")
            return .bool
        case UInt8(ascii: "n"):
            try scanWord("null")
            return .null
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            try scanNumber()
            return .number
        default: throw problem("a value is missing or not JSON")
        }
    }

    private mutating func scanWord(_ word: StaticString) throws(JSONSyntaxError) {
        let count = word.utf8CodeUnitCount
        guard end - position >= count else { throw problem("a value is missing or not JSON") }
        for offset in 0..<count where raw[position + offset] != word.utf8Start[offset] {
            throw problem("a value is missing or not JSON")
        }
        position += count
    }

    /// Moves past a number.
    mutating func scanNumber() throws(JSONSyntaxError) {
        _ = take(UInt8(ascii: "-"))
        if take(UInt8(ascii: "0")) {
            if let next, isDigit(next) { throw problem("a number is not JSON") }
        } else {
            try scanDigits()
        }
        if take(UInt8(ascii: ".")) { try scanDigits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try scanDigits()
        }
    }

    private mutating func scanDigits() throws(JSONSyntaxError) {
        let begin = position
        while let next, isDigit(next) { position += 1 }
        guard position > begin else { throw problem("a number is not JSON") }
    }

    private func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }

    /// Moves past the string whose opening quote comes next.
    mutating func scanString() throws(JSONSyntaxError) -> StringToken {
        let begin = position + 1
        var hasEscapes = false
        var index = begin
        while true {
            index = ByteSearch.firstQuoteOrBackslash(in: raw, from: index, to: end, orControl: !isTolerant)
            guard index < end else { break }
            switch raw[index] {
            case UInt8(ascii: "\""):
                position = index + 1
                return StringToken(range: begin..<index, hasEscapes: hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                guard let next = try endOfEscape(at: index) else { throw problem(Self.endsInString, at: end) }
                index = next
            default:
                throw problem("a control character in a string is not escaped", at: index)
            }
        }
        throw problem(Self.endsInString, at: end)
    }

    private static let endsInString = "it ends in the middle of a string"

    /// Where the text goes on behind the escape at `index`; nil when it ends before.
    private func endOfEscape(at index: Int) throws(JSONSyntaxError) -> Int? {
        guard index + 1 < end else { return nil }
        switch raw[index + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return index + 2
        case UInt8(ascii: "u"):
            guard let unit = ByteSearch.unit(in: raw, at: index, to: end) else {
                let digits = raw[index + 2..<min(index + 6, end)].prefix {
                    isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0 | 0x20)
                }
                guard index + 2 + digits.count < end else { return nil }
                throw problem("an escape in a string is not JSON", at: index + 2 + digits.count)
            }
            guard !isTolerant, (0xD800...0xDFFF).contains(unit) else { return index + 6 }
            // Only a high surrogate with a low one behind it stands for a character.
            guard unit < 0xDC00, let low = ByteSearch.unit(in: raw, at: index + 6, to: end),
                (0xDC00...0xDFFF).contains(low)
            else { throw problem("half of a surrogate pair stands alone", at: index) }
            return index + 12
        default:
            throw problem("an escape in a string is not JSON", at: index)
        }
    }
}

extension JSONScanner {
    /// The characters of a string that was scanned; what is not UTF-8 or half a surrogate pair is U+FFFD.
    static func repairedText(of token: StringToken, in raw: UnsafeRawBufferPointer) -> String {
        let source = UnsafeRawBufferPointer(rebasing: raw[token.range])
        guard token.hasEscapes else { return String(decoding: source, as: UTF8.self) }
        return String(unsafeUninitializedCapacity: source.count) { target in
            unescape(source, into: UnsafeMutableRawBufferPointer(target))
        }
    }

    /// The characters of a string that was scanned strictly; nil when it is not UTF-8.
    func validText(of token: StringToken) -> String? {
        let source = UnsafeRawBufferPointer(rebasing: raw[token.range])
        guard token.hasEscapes else { return Self.validText(of: source) }
        return withUnsafeTemporaryAllocation(byteCount: source.count, alignment: 8) { target in
            let count = Self.unescape(source, into: target)
            return Self.validText(of: UnsafeRawBufferPointer(rebasing: target[..<count]))
        }
    }

    private static func validText(of source: UnsafeRawBufferPointer) -> String? {
        // Names and words, which are most of all strings, need no more than this.
        if source.count <= 15, source.allSatisfy({ $0 < 0x80 }) { return String(decoding: source, as: UTF8.self) }
        return source.withMemoryRebound(to: UInt8.self) { String(validating: $0, as: UTF8.self) }
    }

    /// Copies a string that was scanned with its escapes resolved, and says how many bytes it has then.
    ///
    /// No escape is shorter than what it stands for in UTF-8, so `target` needs no more room than `source`.
    private static func unescape(_ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) -> Int {
        var written = 0
        var index = 0
        while index < source.count {
            (index, written) = ByteSearch.copy(source, from: index, to: target, at: written, controls: true)
            guard index < source.count else { break }
            let byte = source[index]
            guard byte == UInt8(ascii: "\\"), index + 1 < source.count else {
                target[written] = byte
                written += 1
                index += 1
                continue
            }
            let escaped: UInt8
            switch source[index + 1] {
            case UInt8(ascii: "u"):
                let scalar = ByteSearch.scalar(in: source, at: &index, to: source.count)
                if scalar.isASCII {
                    target[written] = UInt8(truncatingIfNeeded: scalar.value)
                    written += 1
                    continue
                }
                for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
                    target[written] = byte
                    written += 1
                }
                continue
            case UInt8(ascii: "b"): escaped = 0x08
            case UInt8(ascii: "f"): escaped = 0x0C
            case UInt8(ascii: "n"): escaped = 0x0A
            case UInt8(ascii: "r"): escaped = 0x0D
            case UInt8(ascii: "t"): escaped = 0x09
            case let byte: escaped = byte
            }
            target[written] = escaped
            written += 1
            index += 2
        }
        return written
    }
}
