/// A sum that keeps about 106 bits, so that a million terms lose nothing that the result could show.
///
/// D. E. Knuth, The Art of Computer Programming, volume 2, 4.2.2, theorem B (the exact error of an addition).
struct CompensatedSum: Hashable, Sendable {
    private(set) var value = 0.0
    private(set) var rest = 0.0

    @inline(__always)
    static func += (sum: inout CompensatedSum, term: Double) {
        let (high, low) = exactSum(sum.value, term)
        (sum.value, sum.rest) = exactSum(high, low + sum.rest)
    }

    /// The rounded sum of two numbers and what rounding left out.
    @inline(__always)
    static func exactSum(_ left: Double, _ right: Double) -> (sum: Double, rest: Double) {
        let sum = left + right
        let rightPart = sum - left
        let leftPart = sum - rightPart
        return (sum, (left - leftPart) + (right - rightPart))
    }
}
