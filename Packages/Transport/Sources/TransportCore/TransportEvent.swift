/// Why a connection is over.
///
/// The raw value is what recordings and JSON output say.
public enum DisconnectReason: String, Hashable, Sendable, CaseIterable {
    /// This side hung up.
    case client
    /// Somebody else joined under the same identity.
    case duplicateIdentity
    /// The server is going down.
    case serverShutdown
    /// The server put this participant out.
    case removed
    /// The room was deleted.
    case roomDeleted
    /// The room ended, because nobody was left whom it is for.
    case roomClosed
    /// The other side did not answer in time.
    case timedOut
    /// The connection broke, and all attempts to get it back failed.
    case signalLost
    /// The agent failed.
    case agentError
    /// Joining was refused or failed; `connect` says why.
    case joinFailed
    /// The reader of ``Transport/events`` was so slow that a reliable event would have been lost.
    case readerTooSlow
    /// The other side broke the rules of the protocol.
    case protocolViolation

    /// A sentence for people.
    public var message: String {
        switch self {
        case .client: "You hung up."
        case .duplicateIdentity: "Somebody else joined under the same name."
        case .serverShutdown: "The server is shutting down."
        case .removed: "The server ended your part in the conversation."
        case .roomDeleted: "The room was deleted."
        case .roomClosed: "The room was closed."
        case .timedOut: "The server did not answer in time."
        case .signalLost: "The connection was lost and could not be restored."
        case .agentError: "The agent failed."
        case .joinFailed: "The room could not be joined."
        case .readerTooSlow: "Messages came faster than they were read."
        case .protocolViolation: "The server sent something that is not allowed."
        }
    }
}

/// How a connection stands.
public enum ConnectionState: Hashable, Sendable {
    /// An attempt to join is on its way.
    case connecting
    /// Joined: traffic flows.
    case connected
    /// Traffic has stopped; the backend is trying to get it back.
    case reconnecting
    /// Traffic flows again after ``reconnecting``.
    case reconnected
    /// It is over; nothing comes after this.
    case disconnected(DisconnectReason)
}

/// Something that happened on a connection.
public enum TransportEvent: Hashable, Sendable {
    /// The connection's state changed.
    case connection(ConnectionState)
    /// Somebody joined, or was there already when this side joined or came back.
    case participantJoined(Participant)
    /// Somebody left.
    case participantLeft(identity: String)
    /// Some attributes of a participant changed; an empty value means that the attribute is gone.
    case attributesChanged(identity: String, changed: [String: String])
    /// A data packet came.
    case data(DataPacket)
    /// A text stream began, went on or ended.
    case text(TextStreamPart)
    /// Who can be heard: the whole list, levels in `0 ... 1`; who is absent is at 0.
    case speakers([String: Double])
}
