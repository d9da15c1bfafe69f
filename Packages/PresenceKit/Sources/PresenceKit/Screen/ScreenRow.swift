public import HopeTokens

/// One row of the transcript as it is drawn.
public struct ScreenRow: Hashable, Identifiable, Sendable {
    /// Where a row stands.
    public enum Side: Hashable, Sendable {
        /// Where lines begin: the agent.
        case leading
        /// Where lines end: the person.
        case trailing
        /// In the middle: the app itself.
        case center
    }

    /// The bubble around the text.
    public struct Bubble: Hashable, Sendable {
        /// The bubble's colour.
        public let fill: ColorToken
        /// The bubble's corners, one of them cut.
        public let corners: BubbleCorners
    }

    /// The dot beside the agent's rows.
    public struct Avatar: Hashable, Sendable {
        /// The dot's diameter, in points.
        public let diameter = MetricToken.avatarDiameter.value
        /// The colour of the ring.
        public let ring = ColorToken.iris
        /// The colour of the centre.
        public let center = ColorToken.iris
    }

    /// The row's id in the transcript.
    public let id: String
    /// Who said it.
    public let role: TranscriptRole
    /// Where it stands.
    public let side: Side
    /// The bubble, or nil for a row without one.
    public let bubble: Bubble?
    /// The words.
    public let text: ScreenText
    /// The widest that the row may be, as a part of the list's width.
    public let maximumWidth: Double
    /// How opaque the row is, apart from its entrance.
    public let opacity: Double
    /// The agent's dot, or nil.
    public let avatar: Avatar?
    /// When it was said, under the bubble.
    public let time: ScreenText
    /// What became of the text, under the bubble (not sent, interrupted, shortened), or nil where all went well.
    public let note: ScreenText?
    /// What the person can do about the note, or nil.
    public let button: ScreenButton?
    /// What a screen reader says.
    public let spokenLabel: String
    /// How far the row has entered, or nil once it is at rest.
    public let entrance: MotionSample?

    init(_ row: TranscriptRow, _ snapshot: ConversationSnapshot) {
        id = row.id
        role = row.role
        switch row.role {
        case .user:
            side = .trailing
            bubble = Bubble(fill: .userBubble, corners: .user)
            text = ScreenText(row.text, .body, .userBubbleText)
            avatar = nil
        case .agent:
            side = .leading
            bubble = Bubble(fill: .agentBubble, corners: .agent)
            text = ScreenText(row.text, .body, .inkSoft)
            avatar = Avatar()
        case .system:
            side = .center
            bubble = nil
            text = ScreenText(row.text, .caption, .inkMuted)
            avatar = nil
        }
        maximumWidth =
            snapshot.textSize == .accessibility
            ? MetricToken.bubbleWidthRatioAccessibility.value : MetricToken.bubbleWidthRatio.value
        opacity = row.isFinal ? 1 : MetricToken.partialRowOpacity.value
        let clock = TranscriptTimestamp.hoursAndMinutes(row.time, utcOffset: snapshot.utcOffset)
        time = ScreenText(clock, .caption2, .inkMuted)

        var notes: [String] = []
        var isError = false
        var button: ScreenButton?
        switch row.delivery {
        case .failed(let reason):
            notes.append(reason.isEmpty ? "Not sent" : "Not sent: \(reason)")
            isError = true
            button = ScreenButton(
                "Retry",
                spoken: "Retry sending",
                .plain,
                isEnabled: snapshot.session == .ready,
                .resend(rowID: row.id)
            )
        case .sending: notes.append("Sending…")
        case .received, .sent: break
        }
        if row.isInterrupted { notes.append("Interrupted") }
        if row.isTruncated { notes.append("Shortened") }
        note = notes.isEmpty ? nil : ScreenText(notes.joined(separator: " · "), .caption2, isError ? .error : .inkMuted)
        self.button = button
        spokenLabel = ([row.role.spokenName + ": " + row.text] + notes).joined(separator: ". ")
        let age = snapshot.rowAges[row.id] ?? .infinity
        entrance =
            age < MotionToken.messageIn.duration
            ? MotionToken.messageIn.value(at: age, reducedMotion: snapshot.reducedMotion) : nil
    }
}
