/// Finds any of many byte strings in one pass, skipping what cannot match (Wu and Manber, "A fast algorithm for
/// multi-pattern searching", 1994, with blocks of two bytes).
struct BytePatterns: Sendable {
    /// The patterns, none shorter than two bytes.
    let patterns: [[UInt8]]
    /// The length of the longest pattern; 0 when there is none.
    let longest: Int
    private let window: Int
    private let ignoresCase: Bool
    private let shifts: [UInt8]
    /// The patterns that end their window with a block, by block.
    private let candidates: [Int: [Int]]

    /// Makes the search for patterns; shorter ones than two bytes are left out.
    init(_ patterns: [[UInt8]], ignoringCase ignoresCase: Bool = false) {
        let kept = patterns.filter { $0.count >= 2 }.map { ignoresCase ? $0.map(Self.lower) : $0 }
        self.patterns = kept
        self.ignoresCase = ignoresCase
        longest = kept.map(\.count).max() ?? 0
        let window = min(kept.map(\.count).min() ?? 2, 255)
        var shifts = [UInt8](repeating: UInt8(window - 1), count: 1 << 16)
        var candidates: [Int: [Int]] = [:]
        for (index, pattern) in kept.enumerated() {
            for start in 0...(window - 2) {
                for block in Self.blocks(pattern[start], pattern[start + 1], ignoresCase) {
                    shifts[block] = min(shifts[block], UInt8(window - 2 - start))
                    if start == window - 2 { candidates[block, default: []].append(index) }
                }
            }
        }
        self.window = window
        self.shifts = shifts
        self.candidates = candidates
    }

    /// Calls a closure with each pattern's number and the offset at which it begins, until it returns false.
    func search(_ bytes: [UInt8], _ body: (_ pattern: Int, _ offset: Int) -> Bool) {
        guard !patterns.isEmpty, bytes.count >= window else { return }
        bytes.withUnsafeBufferPointer { haystack in
            shifts.withUnsafeBufferPointer { shifts in
                var last = window - 1
                while last < haystack.count {
                    let block = Self.block(haystack[last - 1], haystack[last])
                    let shift = Int(shifts[block])
                    guard shift == 0 else {
                        last += shift
                        continue
                    }
                    let start = last - window + 1
                    for index in candidates[block] ?? [] {
                        let pattern = patterns[index]
                        guard start + pattern.count <= haystack.count else { continue }
                        let found = haystack[start..<start + pattern.count]
                        let isFound =
                            ignoresCase
                            ? found.lazy.map(Self.lower).elementsEqual(pattern) : found.elementsEqual(pattern)
                        guard isFound else { continue }
                        guard body(index, start) else { return }
                    }
                    last += 1
                }
            }
        }
    }

    /// Returns the first pattern that occurs, or nil.
    func first(in bytes: [UInt8]) -> Int? {
        var found: Int?
        search(bytes) { pattern, _ in
            found = pattern
            return false
        }
        return found
    }

    /// The blocks that stand for two bytes of a pattern: more than one where case does not matter.
    private static func blocks(_ first: UInt8, _ second: UInt8, _ ignoresCase: Bool) -> Set<Int> {
        func cases(_ byte: UInt8) -> [UInt8] {
            ignoresCase && (0x61...0x7A).contains(byte) ? [byte, byte & 0xDF] : [byte]
        }
        return Set(cases(first).flatMap { first in cases(second).map { block(first, $0) } })
    }

    private static func block(_ first: UInt8, _ second: UInt8) -> Int { Int(first) << 8 | Int(second) }

    private static func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
