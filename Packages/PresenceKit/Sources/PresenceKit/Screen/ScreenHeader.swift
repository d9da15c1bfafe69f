public import HopeTokens

/// The bar at the top of the conversation.
public struct ScreenHeader: Hashable, Sendable {
    /// One button of the bar.
    public struct Item: Hashable, Sendable {
        /// Its pictogram.
        public let glyph: ScreenGlyph
        /// What a screen reader says, the badge included.
        public let spokenLabel: String
        /// The words on its badge, or nil for none.
        public let badge: String?
        /// What it does.
        public let action: ScreenAction

        /// The badge's colour.
        public var badgeColor: ColorToken { .activeBadge }
        /// The colour of the words on the badge.
        public var badgeTextColor: ColorToken { .onIris }
    }

    /// The pictogram before the title.
    public let glyph = ScreenGlyph.hope
    /// The pictogram's side, in points.
    public let glyphSide = 28.0
    /// The title.
    public let title = "Hope Voice"
    /// The buttons, in reading order.
    public let toolbar: [Item]

    init(_ snapshot: ConversationSnapshot) {
        let count = max(0, snapshot.activeTasks)
        toolbar = [
            Item(
                glyph: .tasks,
                spokenLabel: count == 0 ? "Tasks" : "Tasks, \(count) active",
                badge: count == 0 ? nil : count > 99 ? "99+" : String(count),
                action: .openTasks
            ),
            Item(glyph: .media, spokenLabel: "Media", badge: nil, action: .openMedia),
            Item(glyph: .settings, spokenLabel: "Settings", badge: nil, action: .openSettings),
        ]
    }
}
