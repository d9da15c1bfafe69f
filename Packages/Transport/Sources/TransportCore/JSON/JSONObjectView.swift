/// The members of a JSON object, still in the bytes they stand in.
///
/// For messages of others that may hold a text of many megabytes: it is copied once, when it is asked for, and other
/// JSON is handed on as it is written, however deep it is nested. Reading is tolerant inside strings: control bytes
/// that are not escaped are accepted, since tools' output often holds them, and what is not UTF-8 or half a surrogate
/// pair reads as U+FFFD. Everything else is as strict as ``JSONValue/init(parsing:as:)``.
public struct JSONObjectView: Sendable {
    /// The kind of a value.
    public enum Kind: Hashable, Sendable {
        /// An object.
        case object
        /// A list.
        case array
        /// A text.
        case string
        /// A number.
        case number
        /// `true` or `false`.
        case bool
        /// `null`.
        case null
    }

    /// A name and what stands behind it.
    public struct Member: Sendable {
        /// The name.
        public let name: String
        /// The kind of the value.
        public let kind: Kind
        /// The number of bytes that the value covers in the message, quotes not counted.
        public var byteCount: Int { range.count }

        fileprivate let range: Range<Int>
        fileprivate let hasEscapes: Bool
    }

    /// The members in their order; a name may stand there twice.
    public let members: [Member]

    private let bytes: [UInt8]

    /// Reads one object that fills the bytes, or a range of them.
    ///
    /// - Parameters:
    ///   - bytes: JSON in UTF-8; a byte order mark in front is skipped.
    ///   - range: The part of the bytes that holds the object, such as one line of many.
    /// - Throws: ``JSONSyntaxError``, counted from the start of the range.
    public init(_ bytes: [UInt8], in range: Range<Int>? = nil) throws(JSONSyntaxError) {
        let range = (range ?? bytes.indices).clamped(to: bytes.indices)
        let members = bytes.withUnsafeBytes { raw in
            var scanner = JSONScanner(raw, range: range, isTolerant: true)
            return Result { () throws(JSONSyntaxError) in try scanner.scanMembers() }
        }
        self.members = try members.get()
        self.bytes = bytes
    }

    /// The last member of that name, as most readers of JSON take it; nil when there is none, or it is null.
    public subscript(name: String) -> Member? {
        guard let member = members.last(where: { $0.name == name }), member.kind != .null else { return nil }
        return member
    }

    /// The last member of that name as text, as ``text(of:)`` gives it; nil when there is none, or it is null.
    public func text(_ name: String) -> String? {
        self[name].map { text(of: $0) }
    }

    /// The last member of that name as an object; nil when it is none.
    public func object(_ name: String) -> JSONObjectView? {
        guard let member = self[name], member.kind == .object else { return nil }
        return try? JSONObjectView(bytes, in: member.range)
    }

    /// A member of this object as text: the characters of a string, anything else as compact JSON.
    ///
    /// Compact JSON is what was written without the white space between its parts.
    public func text(of member: Member) -> String {
        let range = member.range.clamped(to: bytes.indices)
        return bytes.withUnsafeBytes { raw in
            guard member.kind == .string else {
                return Self.compact(UnsafeRawBufferPointer(rebasing: raw[range]), member.kind)
            }
            return JSONScanner.repairedText(of: .init(range: range, hasEscapes: member.hasEscapes), in: raw)
        }
    }

    /// The object as compact JSON in UTF-8.
    ///
    /// - Parameters:
    ///   - names: The names of members to leave out.
    ///   - first: Members to put in front.
    /// - Returns: Strings are written as ``JSONValue`` writes them, other values stay as they are.
    public func json(omitting names: Set<String> = [], prepending first: [JSONValue.Member] = []) -> [UInt8] {
        var writer = JSONWriter()
        var separator = "{"
        func begin(_ name: String) {
            writer.append(json: separator)
            writer.append(string: name)
            writer.append(json: ":")
            separator = ","
        }
        for member in first {
            begin(member.name)
            writer.append(member.value)
        }
        for member in members where !names.contains(member.name) {
            begin(member.name)
            if member.kind == .string {
                writer.append(string: text(of: member))
            } else {
                writer.append(json: text(of: member))
            }
        }
        writer.append(json: separator == "{" ? "{}" : "}")
        return writer.bytes
    }
}

extension JSONScanner {
    fileprivate mutating func scanMembers() throws(JSONSyntaxError) -> [JSONObjectView.Member] {
        skipByteOrderMark()
        skipWhitespace()
        guard let first = next else { throw problem("it is empty") }
        guard first == UInt8(ascii: "{") else {
            _ = try scanValue()
            throw problem("it is not a JSON object", at: start)
        }
        position += 1
        var members: [JSONObjectView.Member] = []
        members.reserveCapacity(8)
        skipWhitespace()
        if !take(UInt8(ascii: "}")) {
            while true {
                let name = Self.repairedText(of: try scanName(), in: raw)
                let (kind, value) = try scanValue()
                members.append(.init(name: name, kind: kind, range: value.range, hasEscapes: value.hasEscapes))
                skipWhitespace()
                if take(UInt8(ascii: ",")) { continue }
                if take(UInt8(ascii: "}")) { break }
                throw problem(isAtEnd ? "it ends in the middle of an object" : "a comma or a closing brace is missing")
            }
        }
        skipWhitespace()
        guard isAtEnd else { throw problem("something follows the object") }
        return members
    }

    private mutating func scanValue() throws(JSONSyntaxError) -> (JSONObjectView.Kind, StringToken) {
        skipWhitespace()
        guard let first = next else { throw problem("it ends where a value should stand") }
        let begin = position
        let kind: JSONObjectView.Kind
        switch first {
        case UInt8(ascii: "\""): return (.string, try scanString())
        case UInt8(ascii: "{"):
            try scanContainer(first)
            kind = .object
        case UInt8(ascii: "["):
            try scanContainer(first)
            kind = .array
        default:
            kind = try scanScalar(first)
        }
        return (kind, StringToken(range: begin..<position, hasEscapes: false))
    }

    /// Moves past a list or an object with a stack of its own: no depth of nesting can exhaust the call stack.
    private mutating func scanContainer(_ opening: UInt8) throws(JSONSyntaxError) {
        var closers: [UInt8] = [opening + 2]  // "}" and "]" stand two after "{" and "["
        position += 1
        var justOpened = true
        while let closer = closers.last {
            skipWhitespace()
            guard let byte = next else { throw problem("it ends in the middle of an object or a list") }
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
                _ = try scanName()
                skipWhitespace()
            }
            guard let first = next else { throw problem("it ends where a value should stand") }
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
}

extension JSONObjectView {
    /// The value without the white space between its parts; names, numbers and their order stay as they were.
    private static func compact(_ source: UnsafeRawBufferPointer, _ kind: Kind) -> String {
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
                    controls = compactEscapingControls(source)
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
