/// How the person talks to the agent.
public enum ConversationMode: String, Codable, CaseIterable, Hashable, Sendable {
    /// By voice: the microphone may be on.
    case voice
    /// By typing: the microphone is off.
    case text
}
