/// Checks UTF-8 that comes in pieces, and fails at the first byte that cannot be part of any text (RFC 3629).
///
/// The standard library validates whole texts only; RFC 6455 wants to know as soon as possible.
struct UTF8Validator: Sendable {
    /// How many bytes of the current character are still to come.
    private var missing: UInt8 = 0
    /// What the next one of them may be, which excludes overlong forms, surrogates and values above U+10FFFF.
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF

    /// Whether the text may end here.
    var isComplete: Bool { missing == 0 }

    /// Takes in the next bytes; false when they can never become text.
    mutating func append(_ bytes: [UInt8], in range: Range<Int>) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var index = range.lowerBound
            while index < range.upperBound {
                if missing == 0 {
                    while index + 8 <= range.upperBound,
                        buffer.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
                    {
                        index += 8
                    }
                    guard index < range.upperBound else { return true }
                }
                guard append(buffer[index]) else { return false }
                index += 1
            }
            return true
        }
    }

    private mutating func append(_ byte: UInt8) -> Bool {
        if missing > 0 {
            guard lowest...highest ~= byte else { return false }
            missing -= 1
            (lowest, highest) = (0x80, 0xBF)
            return true
        }
        switch byte {
        case 0x00...0x7F: break
        case 0xC2...0xDF: missing = 1
        case 0xE0...0xEF:
            missing = 2
            if byte == 0xE0 { lowest = 0xA0 }
            if byte == 0xED { highest = 0x9F }
        case 0xF0...0xF4:
            missing = 3
            if byte == 0xF0 { lowest = 0x90 }
            if byte == 0xF4 { highest = 0x8F }
        default: return false
        }
        return true
    }
}
