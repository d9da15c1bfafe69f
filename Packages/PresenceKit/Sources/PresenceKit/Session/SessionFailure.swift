public import TransportCore

/// Why a conversation ended or never began.
public enum SessionFailure: Error, Hashable, Sendable {
    /// The room could not be joined.
    case joining(TransportError)
    /// The connection is over, and not because the person hung up.
    case lost(DisconnectReason)
    /// No agent was ready within this time.
    case agentTimedOut(after: Duration)
    /// The agent left, and none came within this time.
    case agentLeft(after: Duration)

    /// A sentence for the person: what happened and, where something can be done, what.
    public var message: String {
        switch self {
        case .joining(let error): error.message
        case .lost(let reason): reason.message
        case .agentTimedOut(let time): "Hope did not answer within \(time.inMilliseconds / 1000) s; try again."
        case .agentLeft(let time):
            "Hope left the conversation and did not come back within \(time.inMilliseconds / 1000) s; try again."
        }
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SessionFailure: CustomStringConvertible {
    public var description: String { message }
}
