/// The name of a version of a representation (RFC 9110, section 8.8.3).
public struct EntityTag: Hashable, Sendable {
    /// Whether equal tags only mean that the versions are as good as equal.
    public let isWeak: Bool
    /// What stands between the quotes.
    public let value: String

    /// Creates a tag; `nil` when the value has a quote, a space or a control character.
    public init?(value: String, isWeak: Bool = false) {
        guard value.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\"") }) else { return nil }
        self.value = value
        self.isWeak = isWeak
    }

    /// Reads `"value"` or `W/"value"`; `nil` for anything else, such as a date.
    public init?(_ text: String) {
        let isWeak = text.hasPrefix("W/")
        let quoted = isWeak ? text.dropFirst(2) : text[...]
        guard quoted.utf8.count >= 2, quoted.hasPrefix("\""), quoted.hasSuffix("\"") else { return nil }
        self.init(value: String(quoted.dropFirst().dropLast()), isWeak: isWeak)
    }

    /// Whether both name the same bytes: equal, and neither is weak.
    public func stronglyMatches(_ other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && value == other.value
    }

    /// Whether an If-None-Match or If-Match field names this version, weak tags included.
    ///
    /// - Parameter value: The field's value, `*` or a list of tags.
    /// - Returns: False as well when a part of the list is not a tag.
    public func isNamed(by value: String) -> Bool {
        if value == "*" { return true }
        // Not split at commas, since a tag may have them.
        var rest = HTTPSyntax.trimmed(value.utf8)
        var isNamed = false
        while !rest.isEmpty {
            if rest.first == UInt8(ascii: ",") {
                rest = HTTPSyntax.trimmed(rest.dropFirst())
                continue
            }
            guard let opening = rest.firstIndex(of: UInt8(ascii: "\"")),
                let closing = rest[rest.index(after: opening)...].firstIndex(of: UInt8(ascii: "\"")),
                let tag = EntityTag(String(Substring(rest[...closing])))
            else { return false }
            if tag.value == self.value { isNamed = true }
            rest = HTTPSyntax.trimmed(rest[rest.index(after: closing)...])
            guard rest.isEmpty || rest.first == UInt8(ascii: ",") else { return false }
        }
        return isNamed
    }
}

extension EntityTag: CustomStringConvertible {
    /// The text of an ETag field.
    public var description: String {
        (isWeak ? "W/" : "") + "\"\(value)\""
    }
}
