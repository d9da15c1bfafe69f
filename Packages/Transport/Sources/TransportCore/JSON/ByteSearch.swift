/// Searches that look at eight bytes at once, so that a text of 20 MB is walked in milliseconds.
///
/// The tests for "one of these eight bytes equals" and "is less than" are the ones of Bit Twiddling Hacks (Sean Eron
/// Anderson, "Determine if a word has a byte equal to n" and "… less than n"); their lowest set bit is exact.
enum ByteSearch {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    /// The first `"` or `\`, or control byte below 0x20 where those are looked for, in `from..<to`, else `to`.
    @inline(__always)
    static func firstQuoteOrBackslash(
        in raw: UnsafeRawBufferPointer,
        from: Int,
        to end: Int,
        orControl findsControls: Bool
    ) -> Int {
        let controls = findsControls ? highs : 0
        var index = from
        while index + 8 <= end {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let quotes = equal(word, 0x2222_2222_2222_2222) | equal(word, 0x5C5C_5C5C_5C5C_5C5C)
            let found = quotes | ((word &- 0x2020_2020_2020_2020) & ~word & controls)
            if found != 0 { return index + found.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < end {
            let byte = raw[index]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || (findsControls && byte < 0x20) { break }
            index += 1
        }
        return index
    }

    /// The first line feed in `from..<raw.count`, else the count.
    static func firstLineFeed(in raw: UnsafeRawBufferPointer, from: Int) -> Int {
        var index = from
        while index + 8 <= raw.count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let found = equal(word, 0x0A0A_0A0A_0A0A_0A0A)
            if found != 0 { return index + found.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < raw.count, raw[index] != 0x0A { index += 1 }
        return index
    }

    /// Copies bytes up to the first `"` or `\`, or control byte below 0x20 unless those are wanted too.
    ///
    /// There must be as much room in `target` from `position` on as there are bytes in `source` from `start` on.
    ///
    /// - Returns: Where copying stopped in `source`, and where the next byte goes in `target`.
    @inline(__always)
    static func copy(
        _ source: UnsafeRawBufferPointer,
        from start: Int,
        to target: UnsafeMutableRawBufferPointer,
        at position: Int,
        controls wantsControls: Bool
    ) -> (Int, Int) {
        var index = start
        var written = position
        while index + 8 <= source.count {
            let loaded = source.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            // All eight are stored: what lies behind the stop is written over by what comes next.
            target.storeBytes(of: loaded, toByteOffset: written, as: UInt64.self)
            let word = UInt64(littleEndian: loaded)
            var found = equal(word, 0x2222_2222_2222_2222) | equal(word, 0x5C5C_5C5C_5C5C_5C5C)
            if !wantsControls { found |= (word &- 0x2020_2020_2020_2020) & ~word & highs }
            if found != 0 {
                let count = found.trailingZeroBitCount / 8
                return (index + count, written + count)
            }
            index += 8
            written += 8
        }
        while index < source.count {
            let byte = source[index]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || (!wantsControls && byte < 0x20) { break }
            target[written] = byte
            index += 1
            written += 1
        }
        return (index, written)
    }

    /// The first byte in `from..<raw.count` that a writer has to look at, else the count.
    ///
    /// That is a control character of ASCII, `"` or `\`, and the bytes C2, D8 and E2, which begin those beyond ASCII.
    static func firstUnusual(in raw: UnsafeRawBufferPointer, from: Int) -> Int {
        var index = from
        while index + 8 <= raw.count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let controls = (word &- 0x2020_2020_2020_2020) & ~word & highs
            let marks = equal(word, 0x2222_2222_2222_2222) | equal(word, 0x5C5C_5C5C_5C5C_5C5C)
            let leads = equal(word, 0xC2C2_C2C2_C2C2_C2C2) | equal(word, 0xD8D8_D8D8_D8D8_D8D8)
            let others = equal(word, 0xE2E2_E2E2_E2E2_E2E2) | equal(word, 0x7F7F_7F7F_7F7F_7F7F)
            let found = controls | marks | leads | others
            if found != 0 { return index + found.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < raw.count {
            switch raw[index] {
            case 0..<0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "\\"), 0xC2, 0xD8, 0xE2: return index
            default: index += 1
            }
        }
        return index
    }

    /// The scalar of the `\uXXXX` at `index`, or of a pair of surrogates; a lone surrogate is U+FFFD.
    static func scalar(in raw: UnsafeRawBufferPointer, at index: inout Int, to end: Int) -> Unicode.Scalar {
        let replacement: Unicode.Scalar = "\u{FFFD}"
        guard let first = unit(in: raw, at: index, to: end) else {
            index = end
            return replacement
        }
        index += 6
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, let second = unit(in: raw, at: index, to: end), (0xDC00...0xDFFF).contains(second) else {
            return replacement
        }
        index += 6
        return Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00)) ?? replacement
    }

    /// The number in the `\uXXXX` at `index`; nil when there is none.
    @inline(__always)
    static func unit(in raw: UnsafeRawBufferPointer, at index: Int, to end: Int) -> UInt32? {
        guard index + 6 <= end, raw[index] == UInt8(ascii: "\\"), raw[index + 1] == UInt8(ascii: "u") else {
            return nil
        }
        var value: UInt32 = 0
        for offset in 2..<6 {
            let byte = raw[index + offset]
            let digit = UInt32(byte) &- 0x30
            let letter = UInt32(byte | 0x20) &- 0x61
            guard digit < 10 || letter < 6 else { return nil }
            value = value << 4 | (digit < 10 ? digit : letter + 10)
        }
        return value
    }

    @inline(__always)
    private static func equal(_ word: UInt64, _ pattern: UInt64) -> UInt64 {
        let difference = word ^ pattern
        return (difference &- ones) & ~difference & highs
    }
}
