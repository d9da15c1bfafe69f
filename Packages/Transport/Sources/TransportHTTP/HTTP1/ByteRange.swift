import TransportCore

/// A part of a representation, from its first to its last byte.
public struct ByteRange: Hashable, Sendable {
    /// The first byte, counted from 0.
    public let first: Int
    /// The last byte, which belongs to the part.
    public let last: Int

    /// Creates a part; `nil` when it would be empty or begin before 0.
    public init?(first: Int, last: Int) {
        guard first >= 0, last >= first, last < Int.max else { return nil }
        self.first = first
        self.last = last
    }

    /// How many bytes it has.
    public var count: Int { last - first + 1 }
}

/// What a Range field asks for, and the answer to it (RFC 9110, section 14).
///
/// Numbers of any size are read, those above `Int.max` as `Int.max`. What does not follow the grammar, a unit other than
/// bytes, or more than ``maximumRanges`` ranges is no value at all: such a field has to be ignored.
public struct RangeRequest: Hashable, Sendable {
    /// One of the ranges.
    public enum Spec: Hashable, Sendable {
        /// From a byte to another or, without one, to the end.
        case from(Int, through: Int?)
        /// The last so many bytes.
        case suffix(Int)
    }

    /// How a representation of a certain length answers.
    public enum Answer: Hashable, Sendable {
        /// All of it, with status 200.
        case whole
        /// This part, with status 206.
        case part(ByteRange)
        /// Nothing of it is there: status 416.
        case unsatisfiable
    }

    /// More ranges than this are not asked for by players, only by attackers.
    public static let maximumRanges = 16

    /// The ranges in the order in which they are asked for, at least one.
    public let specs: [Spec]

    /// Reads the value of a Range field, such as `bytes=0-499` or `bytes=-500`; `nil` when it has to be ignored.
    public init?(_ value: String) {
        guard let equals = value.utf8.firstIndex(of: UInt8(ascii: "=")),
            value[..<equals].lowercased() == "bytes"
        else { return nil }
        var specs: [Spec] = []
        for element in HTTPSyntax.elements(String(value[value.index(after: equals)...])) {
            guard specs.count < Self.maximumRanges, let spec = Self.spec(element.utf8) else { return nil }
            specs.append(spec)
        }
        guard !specs.isEmpty else { return nil }
        self.specs = specs
    }

    private static func spec(_ text: String.UTF8View) -> Spec? {
        guard let dash = text.firstIndex(of: UInt8(ascii: "-")) else { return nil }
        let before = text[..<dash]
        let after = text[text.index(after: dash)...]
        if before.isEmpty {
            return HTTPSyntax.saturatingNumber(after).map { .suffix($0) }
        }
        guard let first = HTTPSyntax.saturatingNumber(before) else { return nil }
        if after.isEmpty { return .from(first, through: nil) }
        guard let last = HTTPSyntax.saturatingNumber(after), last >= first else { return nil }
        return .from(first, through: last)
    }

    /// What a representation of this many bytes answers.
    ///
    /// Several ranges are answered with one part when they touch or overlap once those that are beyond the end are left
    /// out, else with the whole; `multipart/byteranges` is never needed. Of nothing the whole is given, since no part of
    /// it can be named.
    ///
    /// - Parameter length: The length in bytes, 0 or more.
    /// - Returns: The answer.
    public func answer(length: Int) -> Answer {
        guard length > 0 else { return .whole }
        let parts = specs.compactMap { spec -> ByteRange? in
            switch spec {
            case .from(let first, let last):
                first < length ? ByteRange(first: first, last: min(last ?? Int.max, length - 1)) : nil
            case .suffix(let count):
                count > 0 ? ByteRange(first: length - min(count, length), last: length - 1) : nil
            }
        }.sorted { $0.first < $1.first }
        guard var merged = parts.first else { return .unsatisfiable }
        for part in parts.dropFirst() {
            guard part.first <= merged.last + 1,
                let larger = ByteRange(first: merged.first, last: max(merged.last, part.last))
            else { return .whole }
            merged = larger
        }
        return .part(merged)
    }

    /// What a request gets of a representation, by its method, Range and If-Range fields.
    ///
    /// Preconditions such as If-None-Match come first and are not looked at here.
    ///
    /// - Parameters:
    ///   - request: The request's head; with a method other than GET, or several Range fields, it gets the whole.
    ///   - length: The length of the representation in bytes.
    ///   - entityTag: Its tag, where it has one.
    ///   - lastModified: The value of its Last-Modified field, where it has one.
    /// - Returns: The answer.
    public static func answer(
        to request: HTTPRequestHead,
        length: Int,
        entityTag: EntityTag? = nil,
        lastModified: String? = nil
    ) -> Answer {
        let ranges = request.headers.values(of: "Range")
        let conditions = request.headers.values(of: "If-Range")
        guard request.method == "GET", ranges.count == 1, conditions.count <= 1,
            let range = ranges.first.flatMap({ RangeRequest($0) })
        else { return .whole }
        if let condition = conditions.first {
            if let tag = EntityTag(condition) {
                guard let entityTag, tag.stronglyMatches(entityTag) else { return .whole }
            } else {
                // A date is compared as text: only the very same one is the same version (RFC 9110, section 13.1.5).
                guard condition == lastModified else { return .whole }
            }
        }
        return range.answer(length: length)
    }
}
