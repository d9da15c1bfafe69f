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
        /// The colour of a dot that says that a task failed, or nil; the spoken label says so too.
        public let failureDot: ColorToken?
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
                spokenLabel: "Tasks" + (count == 0 ? "" : ", \(count) active")
                    + (snapshot.hasFailedTask ? ", one failed" : ""),
                badge: count == 0 ? nil : count > 99 ? "99+" : String(count),
                failureDot: snapshot.hasFailedTask ? .failedBadge : nil,
                action: .openTasks
            ),
            Item(glyph: .media, spokenLabel: "Media", badge: nil, failureDot: nil, action: .openMedia),
            Item(glyph: .settings, spokenLabel: "Settings", badge: nil, failureDot: nil, action: .openSettings),
        ]
    }
}
