import HopeTokens

/// What stands in the place of the transcript before a conversation.
public struct ScreenIntro: Hashable, Sendable {
    /// The large pictogram.
    public let glyph = ScreenGlyph.hope
    /// The pictogram's side, in points.
    public let glyphSide = 96.0
    /// The words under it.
    public let text = ScreenText("Hope is ready when you are", .headline, .ink)
    /// The button that begins a conversation.
    public let start: ScreenButton
    /// The button that shows the stored rows, or nil when there are none.
    public let showEarlier: ScreenButton?

    init(_ snapshot: ConversationSnapshot) {
        start = ScreenComposer.startButton(snapshot)
        showEarlier =
            snapshot.rows.isEmpty
            ? nil : ScreenButton("Earlier messages", spoken: "Show earlier messages", .plain, .showEarlier)
    }
}
