/// Where an agent asks for something to be played in its room.
public protocol MediaDesk: Sendable {
    /// Plays what fits a person's words, or offers what could be meant.
    ///
    /// - Parameter words: What the person wants to hear, such as a title; empty for anything.
    /// - Returns: What came of it.
    func play(_ words: String) async -> MediaOffer
}

/// What came of asking for something to be played.
public enum MediaOffer: Hashable, Sendable {
    /// One track fits, and it plays.
    case plays(title: String)
    /// Several fit, and the room's people see them to choose from, in this order.
    case offers(titles: [String])
    /// Nothing fits.
    case nothing
}
