/// Makes text from elsewhere safe to show in a terminal.
public enum TerminalText {
    /// The text with every control and escape character made visible instead of acted upon.
    ///
    /// C0 controls and DEL become their Unicode control pictures (ESC is shown as ␛), C1 controls, separators and
    /// controls of the writing direction become U+FFFD. New lines and tabs stay; CR LF and a lone CR become a new line.
    public static func sanitized(_ text: String) -> String {
        guard needsWork(text) else { return text }
        var result = String.UnicodeScalarView()
        var previousWasReturn = false
        for scalar in text.unicodeScalars {
            if scalar == "\r" {
                result.append("\n")
            } else if scalar == "\n" {
                if !previousWasReturn { result.append(scalar) }
            } else {
                result.append(isUnsafe(scalar) ? replacement(for: scalar) : scalar)
            }
            previousWasReturn = scalar == "\r"
        }
        return String(result)
    }

    /// The sanitised text on one line: each run of new lines and tabs becomes one space.
    public static func singleLine(_ text: String) -> String {
        let safe = sanitized(text)
        guard safe.utf8.contains(where: { $0 == 0x0A || $0 == 0x09 }) else { return safe }
        return safe.unicodeScalars.split(whereSeparator: { $0 == "\n" || $0 == "\t" })
            .map { String($0) }.joined(separator: " ")
    }

    /// Whether a terminal might act upon the character rather than show it; new line and tab are not meant.
    static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A, 0x09: false
        case 0..<0x20, 0x7F...0x9F: true
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    private static func replacement(for scalar: Unicode.Scalar) -> Unicode.Scalar {
        let picture =
            switch scalar.value {
            case 0..<0x20: Unicode.Scalar(0x2400 + scalar.value)
            case 0x7F: Unicode.Scalar(0x2421 as UInt32)
            default: Unicode.Scalar?.none
            }
        return picture ?? "\u{FFFD}"
    }

    private static func needsWork(_ text: String) -> Bool {
        // A look at the bytes first: most text holds none of these, and then nothing is copied. D8 9C is U+061C.
        var suspicious = false
        for byte in text.utf8 where byte < 0x20 || byte == 0x7F || byte == 0xC2 || byte == 0xE2 || byte == 0xD8 {
            guard byte != 0x0A, byte != 0x09 else { continue }
            suspicious = true
            break
        }
        return suspicious && text.unicodeScalars.contains { $0 == "\r" || isUnsafe($0) }
    }
}
