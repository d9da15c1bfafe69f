/// A small generator that yields the same numbers for the same seed, on every platform and in every release.
///
/// SplitMix64 by Guy Steele, Doug Lea and Christine Flood ("Fast splittable pseudorandom number generators", OOPSLA
/// 2014), with the constants of Sebastiano Vigna's public-domain `splitmix64.c`. Not for secrets.
///
/// The standard library does not promise that `Int.random(in:using:)` draws the same way in its next release; where
/// output has to stay the same byte for byte, use the functions of this type.
public struct SeededRandom: RandomNumberGenerator, Hashable, Sendable {
    private var state: UInt64

    /// Creates a generator; equal seeds give equal sequences.
    public init(seed: UInt64) {
        state = seed
    }

    /// Returns the next 64 random bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Returns the next number in `0 ..< 1`, from the upper 53 bits.
    public mutating func nextUnit() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    /// Returns the next number in `0 ..< bound`, by a multiplication whose bias is below `bound` in 2^64.
    ///
    /// - Parameter bound: How many different numbers there are; below 1 counts as 1.
    /// - Returns: The number.
    public mutating func nextInt(below bound: Int) -> Int {
        guard bound > 1 else { return 0 }
        return Int(UInt64(bound).multipliedFullWidth(by: next()).high)
    }

    /// Returns true in `probability` of the cases; always draws one number.
    public mutating func nextBool(probability: Double) -> Bool {
        nextUnit() < probability
    }

    /// Returns a generator of its own, so that two consumers do not disturb each other's sequence.
    public mutating func split() -> SeededRandom {
        SeededRandom(seed: next())
    }
}
