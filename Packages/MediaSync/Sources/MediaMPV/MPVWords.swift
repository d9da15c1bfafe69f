/// What mpv says, made fit for people.
enum MPVWords {
    /// The most characters of a line that are shown.
    private static let shownCharacters = 200

    /// Returns a line's beginning without addresses, which may hold secrets, and without control characters.
    static func cleaned(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(4 * shownCharacters) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: scalars.append(" ")
            default: scalars.append(scalar)
            }
        }
        let words = String(scalars).split(separator: " ").map { $0.contains("://") ? "…" : $0 }
        var shown = String.UnicodeScalarView()
        shown.append(contentsOf: words.joined(separator: " ").unicodeScalars.prefix(shownCharacters))
        return String(shown)
    }

    /// Returns the last two lines of what a program wrote, or nil when that is nothing.
    static func last(of bytes: [UInt8]) -> String? {
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
            .map { cleaned(String($0)) }
            .filter { !$0.isEmpty }
        return lines.isEmpty ? nil : lines.suffix(2).joined(separator: " ")
    }
}
