/// Words made harmless for a terminal.
enum TerminalText {
    /// Drops what would steer a terminal or reverse its text, makes line breaks and tabs spaces, and cuts at a width.
    ///
    /// - Returns: The text and the number of columns it takes.
    static func line(_ text: String, columns limit: Int) -> (text: String, columns: Int) {
        var line = String.UnicodeScalarView()
        var columns = 0
        // Marks that take no column of their own must not make the line endless either.
        for scalar in text.unicodeScalars.prefix(max(0, min(limit, 4096)) * 4) {
            let scalar = "\n\r\t\u{2028}\u{2029}\u{85}".unicodeScalars.contains(scalar) ? " " : scalar
            let width: Int
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .unassigned, .privateUse, .lineSeparator, .paragraphSeparator:
                continue
            case .nonspacingMark, .enclosingMark:
                guard columns > 0 else { continue }
                width = 0
            default:
                width = isWide(scalar) ? 2 : 1
            }
            guard columns + width <= limit else { break }
            columns += width
            line.append(scalar)
        }
        return (String(line), columns)
    }

    /// Whether terminals give a character two columns (East Asian Width W and F, and emoji).
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF,
            0x20000...0x3FFFD:
            true
        default:
            scalar.properties.isEmojiPresentation
        }
    }

    /// A number with a fixed number of decimals, the same in every locale.
    static func fixed(_ number: Double, decimals: Int) -> String {
        var unit = 1.0
        for _ in 0..<decimals { unit *= 10 }
        let scaled = (number * unit).rounded()
        guard scaled.magnitude < 1e15 else { return String(number) }
        let whole = Int(scaled.magnitude / unit)
        let rest = String(Int(scaled.magnitude) - whole * Int(unit))
        let sign = scaled < 0 ? "-" : ""
        return "\(sign)\(whole).\(String(repeating: "0", count: decimals - rest.count))\(rest)"
    }
}
