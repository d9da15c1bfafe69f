internal import Foundation

/// Searches tracks by words, without regard to case and accents.
enum MediaSearch {
    /// A text as it is compared: small letters without accents, and what is between words as single spaces.
    static func folded(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
            .split { !$0.isLetter && !$0.isNumber }
            .joined(separator: " ")
    }

    /// How well a track fits.
    ///
    /// - Parameters:
    ///   - query: The folded query.
    ///   - title: The folded title.
    ///   - other: The folded rest: the artist, the path.
    /// - Returns: Nil when a word of the query is nowhere; else smaller for what fits better.
    static func rank(_ query: String, title: String, other: String) -> Int? {
        let all = "\(title) \(other)"
        guard query.split(separator: " ").allSatisfy({ all.contains($0) }) else { return nil }
        if title == query { return 0 }
        if title.hasPrefix(query) { return 1 }
        if " \(title)".contains(" \(query)") { return 2 }
        return query.split(separator: " ").allSatisfy { title.contains($0) } ? 3 : 4
    }
}
