import TransportCore

/// Why a recording cannot be replayed.
public enum ConversationReplayError: Error, Hashable, Sendable {
    /// The recording is longer than a replay takes.
    case tooLong(Duration, limit: Duration)
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ConversationReplayError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .tooLong(let duration, let limit):
            "The recording ends at \(duration.inMilliseconds / 1000) s, and a replay takes at most "
                + "\(limit.inMilliseconds / 1000) s; cut it, or correct the times of its last lines."
        }
    }
}
