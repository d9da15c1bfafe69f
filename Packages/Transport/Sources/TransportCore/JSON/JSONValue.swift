/// A JSON value (RFC 8259): members of objects keep their order, and numbers their digits.
///
/// Messages, recordings, journals and packages are all read and written with it, so that the same value always has the
/// same bytes. Build one with literals, which keep the order of their members:
///
///     let line: JSONValue = ["t": .number(1.5), "phase": "idle", "reason": .string(reason)]  // nil becomes null
///     print(line.text)                                                    // {"t":1.5,"phase":"idle","reason":null}
///
/// Two objects are equal when they have the same members in the same order.
public enum JSONValue: Hashable, Sendable {
    /// JSON `null`.
    case null
    /// JSON `true` or `false`.
    case bool(Bool)
    /// A number, as it is written.
    case number(JSONNumber)
    /// A text.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// An object: its members in order. A name may stand there twice; ``subscript(_:)`` then finds the last.
    case object([Member])

    /// A name and a value of an object.
    public struct Member: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The value.
        public var value: JSONValue

        /// Makes a member.
        public init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }

        /// Whether this member has the name, letter for letter.
        ///
        /// Swift takes differently composed letters for the same; JSON does not (RFC 8259, section 8.3).
        func isNamed(_ other: String) -> Bool {
            name == other && name.utf8.elementsEqual(other.utf8)
        }
    }
}

// MARK: Reading

extension JSONValue {
    /// The deepest nesting of arrays and objects that is read, so that no text can exhaust the call stack.
    public static let maximumDepth = 256

    /// Which texts are read.
    public enum Profile: Hashable, Sendable {
        /// All that RFC 8259 calls JSON. An object may name a member twice: both are kept, and the last one is found.
        case json
        /// I-JSON (RFC 7493): no member is named twice, and every number is within the range of a `Double`.
        case iJSON
    }

    /// Reads a JSON text strictly.
    ///
    /// What RFC 8259 does not allow is refused: text behind the value, numbers such as `01` and `.5`, control
    /// characters in strings, unknown escapes; so are bytes that are not UTF-8, and halves of surrogate pairs, which
    /// stand for no character. A byte order mark in front is skipped.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8.
    ///   - profile: Which texts are read.
    /// - Throws: ``JSONSyntaxError`` with the place and the reason, also for nesting beyond ``maximumDepth``.
    public init(parsing bytes: some Collection<UInt8>, as profile: Profile = .json) throws(JSONSyntaxError) {
        let parsed =
            bytes.withContiguousStorageIfAvailable { JSONParser.parse(UnsafeRawBufferPointer($0), profile) }
            ?? Array(bytes).withUnsafeBytes { JSONParser.parse($0, profile) }
        self = try parsed.get()
    }
}

// MARK: Writing

extension JSONValue {
    /// The value in its shortest form, without white space.
    ///
    /// All that a terminal could take as a command stands there as an escape (control characters, those of the writing
    /// direction, line and paragraph separators), so that the text may be shown as it is.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The value in its shortest form in UTF-8, as ``text`` has it.
    public var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.append(self)
        return writer.bytes
    }

    /// The value for people to read: each member and element on a line of its own, two spaces deeper a level.
    public var indentedText: String {
        var writer = JSONWriter()
        writer.append(self, indentation: 0)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension JSONValue: CustomStringConvertible {
    public var description: String { text }
}

// MARK: Taking apart

extension JSONValue {
    /// The value of a member, the last one where the name stands twice; nil where there is none, or no object.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.isNamed(name) }?.value
    }

    /// The text of a string, else nil.
    public var stringValue: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The truth of `true` or `false`, else nil.
    public var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// A number as the nearest `Double`, else nil; nil too beyond the range of `Double`.
    public var doubleValue: Double? {
        if case .number(let value) = self { value.doubleValue } else { nil }
    }

    /// A number as an integer, else nil; nil too for a fraction or beyond the range of `Int`.
    public var intValue: Int? {
        if case .number(let value) = self { value.intValue } else { nil }
    }

    /// The elements of a list, else nil.
    public var elements: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The members of an object, else nil.
    public var members: [Member]? {
        if case .object(let value) = self { value } else { nil }
    }
}

// MARK: Putting together

extension JSONValue {
    /// An object with the members of the literal, in its order.
    public static func object(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
        .object(members.map { Member(name: $0.key, value: $0.value) })
    }

    /// A text, or null for nil.
    public static func string(_ value: String?) -> JSONValue {
        value.map { .string($0) } ?? .null
    }

    /// `true` or `false`, or null for nil.
    public static func bool(_ value: Bool?) -> JSONValue {
        value.map { .bool($0) } ?? .null
    }

    /// An integer, or null for nil.
    public static func integer(_ value: Int?) -> JSONValue {
        value.map { .number(JSONNumber($0)) } ?? .null
    }

    /// A number with the shortest digits that read back as the same; null for nil and what is not finite.
    public static func number(_ value: Double?) -> JSONValue {
        value.flatMap { JSONNumber($0) }.map { .number($0) } ?? .null
    }

    /// A number of single precision with the digits that tell it from its neighbours and no more; null as for `Double`.
    public static func number(_ value: Float?) -> JSONValue {
        .number(value.flatMap { Double($0.description) })
    }

    /// A number that always has a fraction or an exponent, as `1.0`; null for nil and what is not finite.
    public static func decimal(_ value: Double?) -> JSONValue {
        value.flatMap { JSONNumber(decimal: $0) }.map { .number($0) } ?? .null
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension JSONValue: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member(name: $0.0, value: $0.1) })
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension JSONValue: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension JSONValue: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self = .string(value) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension JSONValue: ExpressibleByBooleanLiteral {
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension JSONValue: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int) { self = .integer(value) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension JSONValue: ExpressibleByFloatLiteral {
    public init(floatLiteral value: Double) { self = .number(value) }
}
