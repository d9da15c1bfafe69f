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
    private let raw: UnsafeRawBufferPointer
    private let start: Int
    private let end: Int
    private var position: Int

    /// Reads one object that fills the whole range, which lies within `bytes`.
    static func object(in bytes: [UInt8], range: Range<Int>) throws(JSONSyntaxError) -> JSONObject {
        let members = bytes.withUnsafeBytes { raw in
            var reader = Self(raw: raw, start: range.lowerBound, end: range.upperBound, position: range.lowerBound)
            return Result { () throws(JSONSyntaxError) in try reader.readMembers() }
        }
        return JSONObject(bytes: bytes, members: try members.get())
    }

    private mutating func readMembers() throws(JSONSyntaxError) -> [JSONObject.Member] {
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
        return members
    }

    private mutating func readKey() throws(JSONSyntaxError) -> String {
        skipWhitespace()
        guard peek() == UInt8(ascii: "\"") else { throw problem("a name in quotes is missing") }
        let key = try scanString()
        try expectColon()
        return key.string(in: raw)
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
        for offset in 0..<count where raw[begin + offset] != word.utf8Start[offset] {
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
        var hasEscapes = false
        var index = begin
        while true {
            index = ByteSearch.firstQuoteOrBackslash(in: raw, from: index, to: end)
            guard index < end else { break }
            if raw[index] == UInt8(ascii: "\"") {
                position = index + 1
                return JSONSlice(kind: .string, range: begin..<index, hasEscapes: hasEscapes)
            }
            hasEscapes = true
            guard index + 1 < end else { break }
            switch raw[index + 1] {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
                UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
                index += 2
            case UInt8(ascii: "u"):
                guard index + 6 <= end else { index = end; continue }
                guard ByteSearch.unit(in: raw, at: index, to: end) != nil else {
                    throw JSONSyntaxError(offset: index - start, reason: "an escape in a string is not JSON")
                }
                index += 6
            default:
                throw JSONSyntaxError(offset: index - start, reason: "an escape in a string is not JSON")
            }
        }
        throw JSONSyntaxError(offset: end - start, reason: "it ends in the middle of a string")
    }

    private mutating func skipWhitespace() {
        while position < end {
            switch raw[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    private func peek() -> UInt8? {
        position < end ? raw[position] : nil
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
        return try? JSONReader.object(in: bytes, range: value.range)
    }
}

extension JSONSlice {
    /// A string's characters, anything else as compact JSON text.
    func text(in bytes: [UInt8]) -> String {
        bytes.withUnsafeBytes { kind == .string ? string(in: $0) : compact(in: $0) }
    }

    /// The characters of a string; what is not UTF-8 is replaced by U+FFFD.
    func string(in raw: UnsafeRawBufferPointer) -> String {
        let source = UnsafeRawBufferPointer(rebasing: raw[range])
        guard hasEscapes else { return String(decoding: source, as: UTF8.self) }
        // No escape is shorter than what it stands for in UTF-8, so the source's size is room enough.
        return String(unsafeUninitializedCapacity: source.count) { target in
            let target = UnsafeMutableRawBufferPointer(target)
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

    /// The value without the white space between its parts; names, numbers and their order stay as they were.
    private func compact(in raw: UnsafeRawBufferPointer) -> String {
        let source = UnsafeRawBufferPointer(rebasing: raw[range])
        guard kind == .object || kind == .array else { return String(decoding: source, as: UTF8.self) }
        var controls: [UInt8] = []
        let text = String(unsafeUninitializedCapacity: source.count) { target in
            let target = UnsafeMutableRawBufferPointer(target)
            var written = 0
            var index = 0
            var isInString = false
            while index < source.count {
                if isInString {
                    (index, written) = ByteSearch.copy(source, from: index, to: target, at: written, controls: false)
                    guard index < source.count else { break }
                }
                let byte = source[index]
                if isInString, byte < 0x20 {
                    // Rare: an unescaped control byte needs more room than it had, so the text is put together anew.
                    controls = Self.compactEscapingControls(source)
                    return 0
                }
                index += 1
                guard isInString || byte > 0x20 else { continue }
                target[written] = byte
                written += 1
                if byte == UInt8(ascii: "\"") {
                    isInString.toggle()
                } else if isInString, byte == UInt8(ascii: "\\"), index < source.count {
                    target[written] = source[index]
                    written += 1
                    index += 1
                }
            }
            return written
        }
        return controls.isEmpty ? text : String(decoding: controls, as: UTF8.self)
    }

    private static func compactEscapingControls(_ source: UnsafeRawBufferPointer) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(source.count)
        var isInString = false
        var isEscaped = false
        for byte in source {
            guard isInString || byte > 0x20 else { continue }
            if byte < 0x20 {
                JSONWriter.appendEscape(UInt32(byte), to: &output)
            } else {
                output.append(byte)
            }
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\"") {
                isInString.toggle()
            } else if isInString, byte == UInt8(ascii: "\\") {
                isEscaped = true
            }
        }
        return output
    }
}
