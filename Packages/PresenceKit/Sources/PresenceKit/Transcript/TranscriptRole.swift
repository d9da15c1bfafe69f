/// Who a row of the transcript is from.
public enum TranscriptRole: String, CaseIterable, Codable, Hashable, Sendable {
    /// The person.
    case user
    /// The agent.
    case agent
    /// The app itself, saying what happened.
    case system
}

extension TranscriptRole {
    /// The speaker's name for people, in labels, announcements and exports.
    public var spokenName: String {
        switch self {
        case .user: "You"
        case .agent: "Hope"
        case .system: "Notice"
        }
    }
}
