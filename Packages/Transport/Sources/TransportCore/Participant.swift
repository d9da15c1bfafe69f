/// Somebody in a room.
public struct Participant: Hashable, Sendable {
    /// What sort of participant it is, with LiveKit's names.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A person's app.
        case standard
        /// A program that talks.
        case agent
        /// A media source that comes from outside.
        case ingress
        /// A recorder or restreamer.
        case egress
        /// A telephone.
        case sip
        /// Anything newer than this list.
        case other
    }

    /// The name that is unique in the room; senders and receivers are named by it.
    public var identity: String
    /// What sort of participant it is.
    public var kind: Kind
    /// The name to show; empty when there is none.
    public var name: String
    /// Free text of the application; empty when there is none.
    public var metadata: String
    /// Small values that everybody in the room sees, such as `lk.agent.state`.
    public var attributes: [String: String]
    /// When it joined, in seconds since 1970; `nil` when the backend does not know.
    public var joinedAt: Double?

    /// Creates a participant.
    public init(
        identity: String,
        kind: Kind = .standard,
        name: String = "",
        metadata: String = "",
        attributes: [String: String] = [:],
        joinedAt: Double? = nil
    ) {
        self.identity = identity
        self.kind = kind
        self.name = name
        self.metadata = metadata
        self.attributes = attributes
        self.joinedAt = joinedAt
    }
}
