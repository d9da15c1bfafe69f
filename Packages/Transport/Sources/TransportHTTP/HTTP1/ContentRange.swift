/// The value of a Content-Range field: which part an answer holds, and of how much (RFC 9110, section 14.4).
public struct ContentRange: Hashable, Sendable {
    /// The part, `nil` with status 416.
    public let range: ByteRange?
    /// The length of the whole in bytes, `nil` when it is not known.
    public let total: Int?

    /// The field of a part with status 206; `nil` when the part is not within the whole.
    public init?(_ range: ByteRange, total: Int?) {
        guard total.map({ range.last < $0 }) ?? true else { return nil }
        self.range = range
        self.total = total
    }

    /// The field of an answer with status 416.
    public init(unsatisfiableTotal total: Int) {
        range = nil
        self.total = total
    }

    /// Reads `bytes 0-499/1234`, `bytes 0-499/*` or `bytes */1234`; `nil` for anything else.
    public init?(_ value: String) {
        let parts = value.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let halves = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        let total = Self.number(halves[1])
        guard total != nil || halves[1] == "*" else { return nil }
        if halves[0] == "*" {
            guard let total else { return nil }
            self.init(unsatisfiableTotal: total)
            return
        }
        let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
            let range = ByteRange(first: first, last: last)
        else { return nil }
        self.init(range, total: total)
    }

    /// A number that would not fit is no statement to rely on.
    private static func number(_ text: Substring) -> Int? {
        HTTPSyntax.saturatingNumber(text.utf8).flatMap { $0 == Int.max ? nil : $0 }
    }
}

extension ContentRange: CustomStringConvertible {
    /// The text of the field.
    public var description: String {
        let part = range.map { "\($0.first)-\($0.last)" } ?? "*"
        return "bytes \(part)/\(total.map { "\($0)" } ?? "*")"
    }
}
