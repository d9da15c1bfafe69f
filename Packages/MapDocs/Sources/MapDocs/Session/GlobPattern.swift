/// A pattern in the syntax of SQLite's GLOB: `*`, `?`, `[a-z]`, `[^a-z]`; letters count as they are written.
struct GlobPattern: Sendable {
    private enum Part {
        case any
        case one
        case set([ClosedRange<UInt32>], isNegated: Bool)
        case scalar(UInt32)

        func matches(_ scalar: UInt32) -> Bool {
            switch self {
            case .any, .one: true
            case .set(let ranges, let isNegated): ranges.contains { $0.contains(scalar) } != isNegated
            case .scalar(let own): own == scalar
            }
        }

        var isAny: Bool { if case .any = self { true } else { false } }
    }

    private let parts: [Part]

    init(_ pattern: String) {
        var parts: [Part] = []
        let scalars = pattern.unicodeScalars.map(\.value)
        var index = 0
        while index < scalars.count {
            switch scalars[index] {
            case UInt32(UInt8(ascii: "*")):
                if parts.last?.isAny != true { parts.append(.any) }
            case UInt32(UInt8(ascii: "?")): parts.append(.one)
            case UInt32(UInt8(ascii: "[")):
                let (set, end) = Self.set(scalars, from: index + 1)
                parts.append(set)
                index = end
            default: parts.append(.scalar(scalars[index]))
            }
            index += 1
        }
        self.parts = parts
    }

    /// Reads a set up to its closing bracket; without one it matches nothing, as in SQLite.
    private static func set(_ scalars: [UInt32], from start: Int) -> (Part, end: Int) {
        let caret = UInt32(UInt8(ascii: "^"))
        let bracket = UInt32(UInt8(ascii: "]"))
        let dash = UInt32(UInt8(ascii: "-"))
        var index = start
        let isNegated = index < scalars.count && scalars[index] == caret
        if isNegated { index += 1 }
        var ranges: [ClosedRange<UInt32>] = []
        // A bracket right at the beginning is one of the letters.
        var isFirst = true
        while index < scalars.count, isFirst || scalars[index] != bracket {
            isFirst = false
            let low = scalars[index]
            if index + 2 < scalars.count, scalars[index + 1] == dash, scalars[index + 2] != bracket {
                if low <= scalars[index + 2] { ranges.append(low...scalars[index + 2]) }
                index += 3
            } else {
                ranges.append(low...low)
                index += 1
            }
        }
        return index < scalars.count ? (.set(ranges, isNegated: isNegated), index) : (.set([], isNegated: false), index)
    }

    /// Whether a whole text matches; takes time in proportion to the text and the pattern at most.
    func matches(_ text: String) -> Bool {
        let scalars = text.unicodeScalars.map(\.value)
        var part = 0
        var index = 0
        var retry: (part: Int, index: Int)?
        while index < scalars.count {
            if part < parts.count, parts[part].isAny {
                retry = (part + 1, index)
                part += 1
            } else if part < parts.count, parts[part].matches(scalars[index]) {
                part += 1
                index += 1
            } else if let last = retry {
                part = last.part
                index = last.index + 1
                retry = (last.part, index)
            } else {
                return false
            }
        }
        return parts[part...].allSatisfy(\.isAny)
    }
}
