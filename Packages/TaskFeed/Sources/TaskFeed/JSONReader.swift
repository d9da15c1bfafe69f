/// Why some bytes are not JSON, and where.
struct JSONSyntaxError: Error, Hashable {
    /// Bytes from the start of the message.
    var offset: Int
    var reason: String
}

/// One JSON value inside a message: its kind and the bytes it covers.
struct JSONSlice {
    enum Kind {
        case object, array, string, number, boolean, null
    }

    var kind: Kind
    /// For a string without its quotes.
    var range: Range<Int>
    /// Whether a string can be taken byte for byte.
    var hasEscapes = false
}

/// Reads JSON in place, so that a text of many megabytes is copied once and a number keeps its digits.
///
/// Nested values are walked with a stack of its own: no depth of nesting can exhaust the call stack. Control bytes
/// that stand unescaped in a string are accepted, since tools' output often holds them.
struct JSONReader {
    let bytes: [UInt8]
    let start: Int
    let end: Int
    private(set) var position: Int

    /// `range` lies within `bytes`.
    init(_ bytes: [UInt8], range: Range<Int>) {
        self.bytes = bytes
        start = range.lowerBound
        end = range.upperBound
        position = range.lowerBound
    }

    /// Reads one object that fills the whole range.
    mutating func readObject() throws(JSONSyntaxError) -> JSONObject {
        skipWhitespace()
        guard let first = peek() else { throw problem("it is empty") }
        guard first == UInt8(ascii: "{") else {
            _ = try readValue()
            throw JSONSyntaxError(offset: 0, reason: "it is not a JSON object")
        }
        position += 1
        var members: [JSONObject.Member] = []
        members.reserveCapacity(8)
        skipWhitespace()
        if peek() == UInt8(ascii: "}") {
            position += 1
        } else {
            while true {
                let key = try readKey()
                members.append(JSONObject.Member(key: key, value: try readValue()))
                skipWhitespace()
                guard let next = peek() else { throw problem("it ends in the middle of an object") }
                if next == UInt8(ascii: ",") {
                    position += 1
                } else if next == UInt8(ascii: "}") {
                    position += 1
                    break
                } else {
                    throw problem("a comma or a closing brace is missing")
                }
            }
        }
        skipWhitespace()
        guard position == end else { throw problem("something follows the object") }
        return JSONObject(bytes: bytes, members: members)
    }

    private mutating func readKey() throws(JSONSyntaxError) -> String {
        skipWhitespace()
        guard peek() == UInt8(ascii: "\"") else { throw problem("a name in quotes is missing") }
        let key = try scanString()
        try expectColon()
        return key.string(in: bytes)
    }

    private mutating func expectColon() throws(JSONSyntaxError) {
        skipWhitespace()
        guard peek() == UInt8(ascii: ":") else { throw problem("a colon is missing") }
        position += 1
    }

    private mutating func readValue() throws(JSONSyntaxError) -> JSONSlice {
        skipWhitespace()
        guard let first = peek() else { throw problem("it ends where a value should stand") }
        let begin = position
        switch first {
        case UInt8(ascii: "\""):
            return try scanString()
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            try scanContainer(first)
            return JSONSlice(kind: first == UInt8(ascii: "{") ? .object : .array, range: begin..<position)
        default:
            return try scanScalar(first)
        }
    }

    private mutating func scanContainer(_ opening: UInt8) throws(JSONSyntaxError) {
        var closers: [UInt8] = [opening + 2]  // "}" and "]" stand two after "{" and "["
        position += 1
        var justOpened = true
        while let closer = closers.last {
            skipWhitespace()
            guard let byte = peek() else { throw problem("it ends in the middle of an object or a list") }
            if byte == closer {
                position += 1
                closers.removeLast()
                justOpened = false
                continue
            }
            if !justOpened {
                guard byte == UInt8(ascii: ",") else { throw problem("a comma is missing") }
                position += 1
                skipWhitespace()
            }
            if closer == UInt8(ascii: "}") {
                guard peek() == UInt8(ascii: "\"") else { throw problem("a name in quotes is missing") }
                _ = try scanString()
                try expectColon()
                skipWhitespace()
            }
            guard let first = peek() else { throw problem("it ends where a value should stand") }
            switch first {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                closers.append(first + 2)
                position += 1
                justOpened = true
            case UInt8(ascii: "\""):
                _ = try scanString()
                justOpened = false
            default:
                _ = try scanScalar(first)
                justOpened = false
            }
        }
    }

    private mutating func scanScalar(_ first: UInt8) throws(JSONSyntaxError) -> JSONSlice {
        switch first {
        case UInt8(ascii: "t"): try scanWord("true", .boolean)
        case UInt8(ascii: "f"): try scanWord("false", .boolean)
        case UInt8(ascii: "n"): try scanWord("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try scanNumber()
        default: throw problem("a value is missing or not JSON")
        }
    }

    private mutating func scanWord(_ word: StaticString, _ kind: JSONSlice.Kind) throws(JSONSyntaxError) -> JSONSlice {
        let begin = position
        let count = word.utf8CodeUnitCount
        guard end - begin >= count else { throw problem("a value is missing or not JSON") }
        for offset in 0..<count where bytes[begin + offset] != word.utf8Start[offset] {
            throw problem("a value is missing or not JSON")
        }
        position = begin + count
        return JSONSlice(kind: kind, range: begin..<position)
    }

    private mutating func scanNumber() throws(JSONSyntaxError) -> JSONSlice {
        let begin = position
        if peek() == UInt8(ascii: "-") { position += 1 }
        let leadingZero = peek() == UInt8(ascii: "0")
        let digits = skipDigits()
        guard digits > 0, !(leadingZero && digits > 1) else { throw problem("a number is not JSON") }
        if peek() == UInt8(ascii: ".") {
            position += 1
            guard skipDigits() > 0 else { throw problem("a number is not JSON") }
        }
        if let exponent = peek(), exponent | 0x20 == UInt8(ascii: "e") {
            position += 1
            if let sign = peek(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
            guard skipDigits() > 0 else { throw problem("a number is not JSON") }
        }
        return JSONSlice(kind: .number, range: begin..<position)
    }

    private mutating func skipDigits() -> Int {
        let begin = position
        while let byte = peek(), byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
        return position - begin
    }

    /// Moves past the string whose opening quote is at `position`.
    private mutating func scanString() throws(JSONSyntaxError) -> JSONSlice {
        let begin = position + 1
        let end = end
        var hasEscapes = false
        var badEscape: Int?
        let closing: Int? = bytes.withUnsafeBytes { raw in
            var index = begin
            while true {
                index = ByteSearch.firstQuoteOrBackslash(in: raw, from: index, to: end)
                guard index < end else { return nil }
                if raw[index] == UInt8(ascii: "\"") { return index }
                hasEscapes = true
                guard index + 1 < end else { return nil }
                switch raw[index + 1] {
                case UInt8(ascii: "u"):
                    guard index + 6 <= end else { return nil }
                    for digit in (index + 2)..<(index + 6) where ByteSearch.hexValue(raw[digit]) == nil {
                        badEscape = index
                        return nil
                    }
                    index += 6
                case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
                    UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
                    index += 2
                default:
                    badEscape = index
                    return nil
                }
            }
        }
        if let badEscape {
            throw JSONSyntaxError(offset: badEscape - start, reason: "an escape in a string is not JSON")
        }
        guard let closing else {
            throw JSONSyntaxError(offset: end - start, reason: "it ends in the middle of a string")
        }
        position = closing + 1
        return JSONSlice(kind: .string, range: begin..<closing, hasEscapes: hasEscapes)
    }

    private mutating func skipWhitespace() {
        while position < end {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    private func peek() -> UInt8? {
        position < end ? bytes[position] : nil
    }

    private func problem(_ reason: String) -> JSONSyntaxError {
        JSONSyntaxError(offset: position - start, reason: reason)
    }
}

/// The members of one JSON object, in their order, still as bytes.
struct JSONObject {
    struct Member {
        var key: String
        var value: JSONSlice
    }

    let bytes: [UInt8]
    let members: [Member]

    /// The last member of that name, as most readers of JSON take it; nil too when it is null.
    subscript(name: String) -> JSONSlice? {
        guard let value = members.last(where: { $0.key == name })?.value, value.kind != .null else { return nil }
        return value
    }

    /// The member as text: a string's characters, anything else as compact JSON.
    func text(_ name: String) -> String? {
        self[name]?.text(in: bytes)
    }

    /// The member as a time in seconds since 1970, when it can be read as one.
    func time(_ name: String) -> Double? {
        guard let value = self[name], value.kind == .string || value.kind == .number else { return nil }
        guard value.range.count <= 64 else { return nil }
        return WireTime.seconds(from: value.text(in: bytes))
    }

    /// The member's own members, when it is an object.
    func object(_ name: String) -> JSONObject? {
        guard let value = self[name], value.kind == .object else { return nil }
        var reader = JSONReader(bytes, range: value.range)
        return try? reader.readObject()
    }
}

extension JSONSlice {
    /// A string's characters, anything else as compact JSON text.
    func text(in bytes: [UInt8]) -> String {
        kind == .string ? string(in: bytes) : compact(in: bytes)
    }

    /// The characters of a string; what is not UTF-8 is replaced by U+FFFD.
    func string(in bytes: [UInt8]) -> String {
        guard hasEscapes else {
            return bytes.withUnsafeBufferPointer { String(decoding: $0[range], as: UTF8.self) }
        }
        return bytes.withUnsafeBytes { raw in
            // No escape is shorter than what it stands for in UTF-8, so the source's size is room enough.
            String(unsafeUninitializedCapacity: range.count) { target in
                var written = 0
                var index = range.lowerBound
                func put(_ byte: UInt8) {
                    target[written] = byte
                    written += 1
                }
                while index < range.upperBound {
                    let next = ByteSearch.firstQuoteOrBackslash(in: raw, from: index, to: range.upperBound)
                    if next > index {
                        let run = UnsafeMutableRawBufferPointer(target)[written..<(written + next - index)]
                        UnsafeMutableRawBufferPointer(rebasing: run).copyMemory(
                            from: UnsafeRawBufferPointer(rebasing: raw[index..<next])
                        )
                        written += next - index
                        index = next
                    }
                    guard index + 1 < range.upperBound else { break }
                    switch raw[index + 1] {
                    case UInt8(ascii: "u"):
                        let scalar = ByteSearch.scalar(in: raw, at: &index, to: range.upperBound)
                        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { put(byte) }
                        continue
                    case UInt8(ascii: "b"): put(0x08)
                    case UInt8(ascii: "f"): put(0x0C)
                    case UInt8(ascii: "n"): put(0x0A)
                    case UInt8(ascii: "r"): put(0x0D)
                    case UInt8(ascii: "t"): put(0x09)
                    case let byte: put(byte)
                    }
                    index += 2
                }
                return written
            }
        }
    }

    /// The value without the white space between its parts; names, numbers and their order stay as they were.
    private func compact(in bytes: [UInt8]) -> String {
        let result = bytes.withUnsafeBytes { raw in
            var output: [UInt8] = []
            output.reserveCapacity(range.count)
            var index = range.lowerBound
            while index < range.upperBound {
                let byte = raw[index]
                index += 1
                switch byte {
                case 0x20, 0x0A, 0x0D, 0x09:
                    continue
                case UInt8(ascii: "\""):
                    output.append(byte)
                    while index < range.upperBound {
                        let next = ByteSearch.firstSpecial(in: raw, from: index, to: range.upperBound)
                        output.append(contentsOf: raw[index..<next])
                        index = next
                        guard index < range.upperBound else { break }
                        let special = raw[index]
                        index += 1
                        if special == UInt8(ascii: "\"") {
                            output.append(special)
                            break
                        }
                        if special == UInt8(ascii: "\\"), index < range.upperBound {
                            output.append(special)
                            output.append(raw[index])
                            index += 1
                        } else {
                            JSONWriter.appendEscape(UInt32(special), to: &output)
                        }
                    }
                default:
                    output.append(byte)
                }
            }
            return output
        }
        return String(decoding: result, as: UTF8.self)
    }
}
