import Synchronization

/// One connection to a room of an ``InMemoryHub``.
///
/// A transport that nobody holds any more leaves its room.
public final class InMemoryTransport: Sendable {
    private enum Phase {
        case unused
        case joined(InMemoryRooms.Sender)
        case over
    }

    private let hub: InMemoryHub
    private let connection: UInt64
    private let buffer: TransportEventBuffer
    private let phase = Mutex(Phase.unused)

    init(hub: InMemoryHub) {
        self.hub = hub
        connection = hub.makeConnection()
        buffer = hub.buffer
    }

    deinit {
        end(.client)
    }

    private func sender() throws(TransportError) -> InMemoryRooms.Sender {
        let sender: InMemoryRooms.Sender? = try phase.withLock { phase throws(TransportError) in
            switch phase {
            case .unused: throw TransportError(.notConnected, "There is no connection yet; connect first.")
            case .joined(let sender): sender
            case .over: nil
            }
        }
        guard let sender else { throw TransportError(.closed) }
        return sender
    }

    private func begin(_ join: () throws(TransportError) -> JoinedRoom) throws(TransportError) -> JoinedRoom {
        let isFirst = phase.withLock { phase in
            guard case .unused = phase else { return false }
            phase = .over
            return true
        }
        guard isFirst else { throw TransportError(.closed, "This connection was used before; make a new one.") }
        buffer.append(.connection(.connecting))
        do throws(TransportError) {
            let joined = try join()
            phase.withLock { phase in
                phase = .joined(
                    InMemoryRooms.Sender(room: joined.name, identity: joined.local.identity, connection: connection)
                )
            }
            return joined
        } catch {
            buffer.append(.connection(.disconnected(.joinFailed)))
            throw error
        }
    }

    private func end(_ reason: DisconnectReason) {
        let last = phase.withLock { phase in
            let last = phase
            phase = .over
            return last
        }
        if case .joined(let sender) = last {
            hub.leave(sender.room, connection: connection, reason: reason)
        }
        // Never joined, or put out before: the buffer has ended already or ends now.
        buffer.append(.connection(.disconnected(reason)))
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension InMemoryTransport: Transport {
    public var events: TransportEvents { buffer.events }

    @discardableResult
    public func connect(
        to url: String,
        token: String,
        options: TransportOptions
    ) async throws(TransportError) -> JoinedRoom {
        try begin { () throws(TransportError) in
            if Task.isCancelled { throw TransportError(.cancelled) }
            return try hub.join(token, connection: connection, buffer: buffer)
        }
    }

    public func publish(
        _ payload: [UInt8],
        topic: String,
        reliability: Reliability,
        to identities: [String]
    ) async throws(TransportError) {
        try send(payload, topic: topic, reliability: reliability, to: identities)
    }

    public func openText(
        topic: String,
        attributes: [String: String],
        to identities: [String],
        id: String?,
        speaker: String?
    ) async throws(TransportError) -> any TextStreamWriter {
        let sender = try sender()
        let id = try beginText(topic: topic, attributes: attributes, to: identities, id: id, speaker: speaker)
        return InMemoryTextWriter(id: id, hub: hub, sender: sender)
    }

    public func setAttributes(_ attributes: [String: String]) async throws(TransportError) {
        try change(attributes)
    }

    public func setMicrophone(enabled: Bool) async throws(TransportError) {
        try switchMicrophone(enabled)
    }

    public func publishLevel(_ level: Double) async throws(TransportError) {
        try send(level: level)
    }

    public func disconnect(_ reason: DisconnectReason) async {
        end(reason)
    }
}

/// What the seam does, at once: a server passes on what comes from a socket in the order in which it comes.
extension InMemoryTransport {
    /// Joins with a grant that somebody else has checked.
    ///
    /// - Throws: `closed` at a second use, `unreachable` after the hub was shut down.
    @discardableResult
    package func join(_ grant: InMemoryHub.Grant) throws(TransportError) -> JoinedRoom {
        try begin { () throws(TransportError) in
            try hub.join(grant, connection: connection, buffer: buffer)
        }
    }

    /// Publishes a data packet.
    ///
    /// - Throws: As ``Transport/publish(_:topic:reliability:to:)``.
    package func send(
        _ payload: [UInt8],
        topic: String,
        reliability: Reliability,
        to identities: [String]
    ) throws(TransportError) {
        try hub.publish(payload, topic: topic, reliability: reliability, to: identities, from: try sender())
    }

    /// Begins a text stream and returns its id.
    ///
    /// - Throws: As ``Transport/openText(topic:attributes:to:id:speaker:)``.
    package func beginText(
        topic: String,
        attributes: [String: String],
        to identities: [String],
        id: String?,
        speaker: String?
    ) throws(TransportError) -> String {
        try hub.openText(
            topic: topic,
            attributes: attributes,
            to: identities,
            id: id,
            speaker: speaker,
            from: try sender()
        )
    }

    /// Continues or ends a text stream.
    ///
    /// - Throws: `closed` when the stream has ended; ending twice is harmless.
    package func continueText(_ id: String, with contents: [TextStreamPart.Content]) throws(TransportError) {
        try hub.continueText(id, with: contents, from: try sender())
    }

    /// Changes some of this side's attributes.
    ///
    /// - Throws: As ``Transport/setAttributes(_:)``.
    package func change(_ attributes: [String: String]) throws(TransportError) {
        try hub.setAttributes(attributes, of: try sender())
    }

    /// Opens or closes the microphone.
    ///
    /// - Throws: As ``Transport/setMicrophone(enabled:)``.
    package func switchMicrophone(_ isEnabled: Bool) throws(TransportError) {
        try hub.setMicrophone(enabled: isEnabled, of: try sender())
    }

    /// Tells the room how loud this side is.
    ///
    /// - Throws: As ``Transport/publishLevel(_:)``.
    package func send(level: Double) throws(TransportError) {
        try hub.publishLevel(level, from: try sender())
    }

    /// Leaves the room; harmless when it has been left.
    package func leave(_ reason: DisconnectReason) {
        end(reason)
    }
}

struct InMemoryTextWriter: TextStreamWriter {
    let id: String
    let hub: InMemoryHub
    let sender: InMemoryRooms.Sender

    func write(_ text: String) async throws(TransportError) {
        let chunks = text.chunks(ofAtMost: TextChunk.maximumBytes).map { TextStreamPart.Content.chunk($0) }
        try hub.continueText(id, with: chunks, from: sender)
    }

    func close(attributes: [String: String]) async throws(TransportError) {
        try hub.continueText(id, with: [.ended(attributes: attributes)], from: sender)
    }

    func fail(_ reason: String) async {
        try? hub.continueText(id, with: [.failed(reason)], from: sender)
    }
}
