import HopeTokens

/// The conversation as a view, a terminal or a page draws it: a pure function of a snapshot.
public struct ConversationScreen: Hashable, Sendable {
    /// A part of the screen that a screen reader stops at.
    public enum Element: Hashable, Sendable {
        /// The status.
        case status
        /// A banner.
        case banner(ScreenBanner.Kind)
        /// The block before a conversation.
        case intro
        /// A row of the transcript.
        case row(id: String)
        /// The bar at the bottom.
        case composer
    }

    /// What stands in the place of a list without rows.
    public struct EmptyState: Hashable, Sendable {
        /// Its pictogram.
        public let glyph = ScreenGlyph.hope
        /// Its words.
        public let text = ScreenText("Nothing said yet", .caption, .inkMuted)
    }

    /// The bar at the top.
    public let header: ScreenHeader
    /// How the conversation stands.
    public let stage: ScreenStage
    /// What is wrong, most general first.
    public let banners: [ScreenBanner]
    /// The block before a conversation, which stands in the place of the transcript; nil when the transcript shows.
    public let intro: ScreenIntro?
    /// The transcript's rows, oldest first; empty behind the intro.
    public let rows: [ScreenRow]
    /// What stands in the transcript's place while it has no rows, or nil.
    public let emptyState: EmptyState?
    /// Whether the list follows its newest row.
    public let followsNewestRow: Bool
    /// The button that removes all rows, or nil when there are none.
    public let clear: ScreenButton?
    /// The bar at the bottom.
    public let composer: ScreenComposer

    /// Decides what the screen shows.
    ///
    /// - Parameter snapshot: Everything that it is drawn from.
    public init(_ snapshot: ConversationSnapshot) {
        header = ScreenHeader(snapshot)
        stage = ScreenStage(snapshot)
        banners = ScreenBanner.all(snapshot)
        let showsIntro = snapshot.session == .idle && !(snapshot.showsEarlierRows && !snapshot.rows.isEmpty)
        intro = showsIntro ? ScreenIntro(snapshot) : nil
        rows = showsIntro ? [] : snapshot.rows.map { ScreenRow($0, snapshot) }
        emptyState = intro == nil && rows.isEmpty ? EmptyState() : nil
        followsNewestRow = !snapshot.isScrolledUp
        clear = snapshot.rows.isEmpty ? nil : ScreenButton("Clear", spoken: "Clear the transcript", .plain, .clear)
        composer = ScreenComposer(snapshot)
    }

    /// The order in which a screen reader goes through the screen; the wall is hidden from it.
    public var readingOrder: [Element] {
        [.status] + banners.map { .banner($0.kind) } + (intro == nil ? [] : [.intro]) + rows.map { .row(id: $0.id) }
            + [.composer]
    }
}
