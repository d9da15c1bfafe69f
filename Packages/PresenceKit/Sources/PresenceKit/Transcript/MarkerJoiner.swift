/// Joins what stays of a text, and closes the gaps that markers leave.
///
/// Of the white space on both sides of a run of markers one piece stays, the one with more line breaks; none at the
/// text's start and end, before closing punctuation that followed the marker directly, and after an opening bracket.
struct MarkerJoiner: Sendable {
    private var text = ""
    private var hasText = false
    /// Text that comes next would begin a word: right for telling opening quotes from closing ones.
    private var lastOpens = false
    private var before: [Unicode.Scalar] = []
    private var after: [Unicode.Scalar] = []
    private var sawMarker = false

    private static let opening: Set<Unicode.Scalar> = ["(", "[", "{", "“", "‘", "«", "¿", "¡"]
    private static let closing: Set<Unicode.Scalar> = [
        ",", ".", ";", ":", "!", "?", ")", "]", "}", "…", "”", "’", "»", "%", "、", "。", "！", "？",
    ]

    /// White space at the end that no marker left.
    var trailingWhitespace: String {
        sawMarker ? "" : Self.string(before)
    }

    mutating func takeText() -> String {
        defer { text = "" }
        return text
    }

    mutating func whitespace(_ scalar: Unicode.Scalar) {
        if sawMarker { after.append(scalar) } else { before.append(scalar) }
    }

    mutating func marker() {
        if sawMarker {
            before = Self.stronger(before, after)
            after = []
        }
        sawMarker = true
    }

    mutating func text(_ scalar: Unicode.Scalar) {
        let beginsWord = flush(before: scalar)
        text.unicodeScalars.append(scalar)
        lastOpens = Self.opening.contains(scalar) || (beginsWord && (scalar == "\"" || scalar == "'"))
    }

    mutating func literal(_ scalars: ArraySlice<Unicode.Scalar>) {
        guard let first = scalars.first else { return }
        _ = flush(before: first)
        text.unicodeScalars.append(contentsOf: scalars)
        lastOpens = false
    }

    /// Settles the white space before the next text, and says whether that text begins a word.
    private mutating func flush(before next: Unicode.Scalar) -> Bool {
        let space: [Unicode.Scalar]
        if !sawMarker {
            space = before
        } else if !hasText {
            space = []
        } else {
            let kept = Self.stronger(before, after)
            let closes = after.isEmpty && Self.closing.contains(next)
            let opened = before.isEmpty && lastOpens
            space = (closes || opened) && !kept.contains("\n") ? [] : kept
        }
        text.unicodeScalars.append(contentsOf: space)
        let beginsWord = !hasText || !space.isEmpty
        hasText = true
        before = []
        after = []
        sawMarker = false
        return beginsWord
    }

    private static func stronger(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> [Unicode.Scalar] {
        let lines = (first.count { $0 == "\n" }, second.count { $0 == "\n" })
        if lines.0 != lines.1 { return lines.0 > lines.1 ? first : second }
        return first.isEmpty ? second : first
    }

    private static func string(_ scalars: [Unicode.Scalar]) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }
}
