public import HopeTokens

/// The part of the screen that shows how the conversation stands.
public struct ScreenStage: Hashable, Sendable {
    /// What stands where the status is said.
    public struct Status: Hashable, Sendable {
        /// What a screen reader calls it.
        public let label = "Conversation status"
        /// The state, in words.
        public let value: String
        /// Its words, which change at once, without animation.
        public let text: ScreenText
    }

    /// The chip that says that the agent thinks.
    public struct ThinkingChip: Hashable, Sendable {
        /// The words.
        public let text = ScreenText("Thinking…", .caption, .inkSoft)
        /// The dot's diameter, in points.
        public let dotDiameter = 5.0
        /// The dot's colour.
        public let dotColor = ColorToken.thinking
        /// The dot's animation.
        public let motion = MotionToken.thinkPulse
        /// Whether the dot keeps still.
        public let reducedMotion: Bool
    }

    /// The bar that shows how loud the person is.
    public struct MicrophoneMeter: Hashable, Sendable {
        /// The capsule's height, in points.
        public let height = 4.0
        /// The colour of the filled part.
        public let color = ColorToken.irisStrong
        /// The filled part, 0...1.
        public let fill: Double
    }

    /// The distance between the parts, in points.
    public let spacing = 12.0
    /// What the LED wall shows; the wall itself is hidden from screen readers.
    public let wallPhase: ConversationState.Phase
    /// How loud the wall's speaker is, 0...1: the agent's level, while listening the microphone's.
    public let wallLevel: Double
    /// The status.
    public let status: Status
    /// The thinking chip, or nil while it is hidden.
    public let thinkingChip: ThinkingChip?
    /// How to interrupt the agent, or nil.
    public let bargeInHint: ScreenText?
    /// The meter, or nil where there is no microphone to show.
    public let microphoneMeter: MicrophoneMeter?
    /// Voice and model in one line, or nil before the conversation is on.
    public let caption: ScreenText?

    init(_ snapshot: ConversationSnapshot) {
        let settings = snapshot.settings
        let isReady = snapshot.session == .ready
        wallPhase = Self.phase(snapshot)
        let microphone = settings.isTextMode || snapshot.isMuted ? 0 : Self.clamped(snapshot.microphoneLevel)
        switch wallPhase {
        case .speaking: wallLevel = Self.clamped(snapshot.agentLevel)
        case .listening: wallLevel = microphone
        default: wallLevel = 0
        }
        let value = Self.statusText(snapshot)
        status = Status(value: value, text: ScreenText(value, .headline, .inkSoft))
        thinkingChip =
            isReady && wallPhase == .thinking && snapshot.showsThinkingChip
            ? ThinkingChip(reducedMotion: snapshot.reducedMotion) : nil
        bargeInHint =
            isReady && settings.isTextMode
            ? ScreenText("Barge in anytime — type or switch to voice", .caption, .inkMuted) : nil
        microphoneMeter =
            snapshot.session.isActive && !settings.isTextMode
            ? MicrophoneMeter(fill: min(1, 2.5 * microphone)) : nil
        let model = snapshot.confirmedModel ?? settings.modelID
        caption =
            isReady
            ? ScreenText(
                ([settings.voice.displayName] + (model.map { [$0] } ?? [])).joined(separator: " · "),
                .caption,
                .inkMuted
            ) : nil
    }

    private static func phase(_ snapshot: ConversationSnapshot) -> ConversationState.Phase {
        switch snapshot.session {
        case .idle: .idle
        case .connecting, .waitingAgent: .connecting
        case .ready: snapshot.isReconnecting ? .connecting : snapshot.phase
        case .failed: .failed
        }
    }

    private static func statusText(_ snapshot: ConversationSnapshot) -> String {
        switch snapshot.session {
        case .idle: return "Ready"
        case .connecting: return "Connecting…"
        case .waitingAgent: return snapshot.isReconnecting ? "Reconnecting…" : "Waiting for Hope…"
        case .failed(let reason): return reason.isEmpty ? "Failed" : "Failed: \(reason)"
        case .ready:
            if snapshot.isReconnecting { return "Reconnecting…" }
            switch snapshot.phase {
            case .listening: return "Listening"
            case .thinking: return "Thinking"
            case .speaking: return "Speaking"
            case .connecting: return "Connecting…"
            case .idle, .failed: return "Ready"
            }
        }
    }

    private static func clamped(_ level: Double) -> Double { level.isFinite ? min(1, max(0, level)) : 0 }
}
