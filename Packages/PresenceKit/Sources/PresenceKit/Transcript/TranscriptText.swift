import Foundation

/// How transcript texts are compared.
enum TranscriptText {
    static func isBlank(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.properties.isWhitespace }
    }

    /// The text trimmed, its white space folded, without difference of case or of Unicode form.
    static func normalized(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return normalizedASCII(text) }
        var folded = ""
        var pendingSpace = false
        // Upper case first, so that letters with two lower-case forms meet ("ß" and "ss", both sigmas).
        let cased = text.precomposedStringWithCompatibilityMapping.uppercased().lowercased()
        for scalar in cased.precomposedStringWithCompatibilityMapping.unicodeScalars {
            if scalar.properties.isWhitespace {
                pendingSpace = !folded.isEmpty
            } else {
                if pendingSpace { folded.unicodeScalars.append(" ") }
                pendingSpace = false
                folded.unicodeScalars.append(scalar)
            }
        }
        return folded
    }

    /// The same for the common case, at a fraction of the cost.
    private static func normalizedASCII(_ text: String) -> String {
        var folded: [UInt8] = []
        folded.reserveCapacity(text.utf8.count)
        var pendingSpace = false
        for byte in text.utf8 {
            switch byte {
            case 0x20, 0x09...0x0D:
                pendingSpace = !folded.isEmpty
            default:
                if pendingSpace { folded.append(0x20) }
                pendingSpace = false
                folded.append((0x41...0x5A).contains(byte) ? byte + 0x20 : byte)
            }
        }
        return String(decoding: folded, as: UTF8.self)
    }
}
