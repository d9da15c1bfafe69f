public import HopeTokens

/// The bar at the bottom, which is always there.
public struct ScreenComposer: Hashable, Sendable {
    /// The choice between voice and text.
    public struct ModeControl: Hashable, Sendable {
        /// The choices, in order.
        public let modes: [ConversationMode] = [.voice, .text]
        /// The words of the choices, in the same order.
        public let titles = ["Voice", "Text"]
        /// The chosen one: the stored setting.
        public let selected: ConversationMode
        /// What a screen reader calls it.
        public let spokenLabel = "Conversation mode"
    }

    /// The field to type into.
    public struct Field: Hashable, Sendable {
        /// What stands in it.
        public let text: String
        /// What it says while it is empty.
        public let placeholder = "Message Hope"
        /// What a screen reader calls it.
        public let spokenLabel = "Message"
        /// The field's rounded fill.
        public let fill = ColorToken.surfaceRaised
        /// The colour of the words.
        public let textColor = ColorToken.ink
        /// The colour of the words it says while it is empty.
        public let placeholderColor = ColorToken.inkMuted
    }

    /// The button that begins a conversation, or nil.
    public let start: ScreenButton?
    /// What is going on, with a sign of progress, or nil.
    public let progress: ScreenText?
    /// The choice between voice and text, or nil.
    public let modeControl: ModeControl?
    /// The field, or nil while it is hidden.
    public let field: Field?
    /// What the person can do, in words, or nil.
    public let hint: ScreenText?
    /// The button that sends, or nil.
    public let send: ScreenButton?
    /// The button that ends the conversation or cancels its beginning, or nil.
    public let end: ScreenButton?
    /// Whether what it holds can be used; End can be pressed always.
    public let isEnabled: Bool

    init(_ snapshot: ConversationSnapshot) {
        var start: ScreenButton?
        var progress: ScreenText?
        var control: ModeControl?
        var field: Field?
        var hint: ScreenText?
        var send: ScreenButton?
        var end: ScreenButton?
        var isEnabled = true
        switch snapshot.session {
        case .idle, .failed:
            start = Self.startButton(snapshot)
        case .connecting:
            progress = ScreenText("Connecting…", .body, .inkSoft)
        case .waitingAgent:
            progress = ScreenText("Waiting for Hope…", .body, .inkSoft)
        case .ready:
            control = ModeControl(selected: snapshot.settings.mode)
            if snapshot.settings.isTextMode {
                field = Field(text: snapshot.draft)
                send = ScreenButton(
                    "Send",
                    spoken: "Send message",
                    .prominent,
                    isEnabled: !TranscriptText.isBlank(snapshot.draft),
                    .send
                )
            } else {
                hint = ScreenText("Barge in anytime — speak or switch to text", .caption, .inkMuted)
            }
        }
        if snapshot.session.isActive {
            end = ScreenButton("End", spoken: "End conversation", .dangerOutline, .end)
            isEnabled = snapshot.session == .ready
        }
        self.start = start
        self.progress = progress
        modeControl = control
        self.field = field
        self.hint = hint
        self.send = send
        self.end = end
        self.isEnabled = isEnabled
    }

    static func startButton(_ snapshot: ConversationSnapshot) -> ScreenButton {
        ScreenButton("Start conversation", .prominent, isEnabled: snapshot.serverURLError == nil, .start)
    }
}
