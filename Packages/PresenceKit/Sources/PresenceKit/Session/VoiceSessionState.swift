/// How far a conversation with the agent has come.
///
/// Reconnecting is no state of its own but a flag beside ``ready``, since the conversation goes on.
public enum VoiceSessionState: Hashable, Sendable {
    /// No conversation.
    case idle
    /// A token is asked for or the room is being joined.
    case connecting
    /// In the room, but the agent has not said that it is ready.
    case waitingAgent
    /// The conversation is on.
    case ready
    /// The conversation ended or never began; the reason is a sentence for the person.
    case failed(reason: String)

    /// Whether there is anything to hang up.
    public var isActive: Bool {
        switch self {
        case .connecting, .waitingAgent, .ready: true
        case .idle, .failed: false
        }
    }
}
