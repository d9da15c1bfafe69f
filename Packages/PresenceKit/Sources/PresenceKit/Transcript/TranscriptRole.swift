/// Who a row of the transcript is from.
public enum TranscriptRole: String, CaseIterable, Codable, Hashable, Sendable {
    /// The person.
    case user
    /// The agent.
    case agent
    /// The app itself, saying what happened.
    case system
}
