import Synchronization
import TransportCore
import TransportHTTP

/// One participant's place in a room, which outlives its sockets.
final class RoomSession: Sendable {
    /// What takes it up again.
    let resume: String
    let outbox: RoomOutbox
    private let grant: InMemoryHub.Grant
    private let member: InMemoryTransport
    private let window: Duration
    private let clock: DeadlineQueue
    /// The last request that was done; held while one is, so that they are done in order and once.
    private let lastRequest = Mutex<UInt64>(0)
    private let joined: JoinedRoom
    private let attributeBytes: Mutex<[String: Int]>
    private let lostAt = Mutex<Duration?>(nil)
    private let forget: @Sendable (RoomSession) -> Void

    /// Joins a room.
    ///
    /// - Throws: `unreachable` when the hub has been shut down.
    init(
        _ grant: InMemoryHub.Grant,
        hub: InMemoryHub,
        resume: String,
        window: Duration,
        outbox: RoomOutbox,
        clock: DeadlineQueue,
        forget: @escaping @Sendable (RoomSession) -> Void
    ) throws(TransportError) {
        self.grant = grant
        self.resume = resume
        self.window = window
        self.outbox = outbox
        self.clock = clock
        self.forget = forget
        attributeBytes = Mutex(grant.participant.attributes.mapValues(\.utf8.count))
        member = hub.makeMember()
        // The outbox alone is kept by the hub: this object may end anywhere but there.
        member.events.forward { [outbox] event in outbox.receive(event) }
        joined = try member.join(grant)
    }

    /// Whether somebody with this grant may take it up.
    func belongs(to other: InMemoryHub.Grant) -> Bool {
        grant.room == other.room && grant.participant.identity == other.participant.identity
    }

    // MARK: Sockets

    /// Goes on with a socket; `nil` when what was missed is not there any more.
    func attach(_ socket: WebSocketConnection, received: UInt64, isResumed: Bool) -> Int? {
        let generation = lastRequest.withLock { last in
            outbox.attach(socket, received: received) { present in
                .welcome(
                    RoomServerMessage.Welcome(
                        room: joined.name,
                        local: joined.local,
                        canPublish: grant.canPublish,
                        canPublishData: grant.canPublishData,
                        canUpdateAttributes: grant.canUpdateAttributes,
                        resume: resume,
                        window: window.inSeconds,
                        isResumed: isResumed,
                        received: last,
                        present: present
                    )
                )
            }
        }
        if generation != nil { lostAt.withLock { $0 = nil } }
        return generation
    }

    /// Begins to wait for the participant to come back.
    func lose(_ generation: Int) {
        guard outbox.detach(generation) else { return }
        let now = clock.now
        lostAt.withLock { $0 = now }
        clock.schedule(self, at: now + window)
    }

    /// Leaves the room.
    func leave(_ reason: DisconnectReason) {
        member.leave(reason)
    }

    // MARK: Messages

    /// Does what the participant asks for.
    ///
    /// - Throws: What makes the client one that cannot be trusted any more.
    func process(_ message: RoomClientMessage, _ generation: Int) throws(RoomProtocolError) {
        switch message {
        case .hello: throw RoomProtocolError("A client said hello twice.")
        case .received(let count): try outbox.confirm(count)
        case .level(let level): try? member.send(level: level)
        case .lossy(let publication):
            try? member.send(
                publication.payload,
                topic: publication.topic,
                reliability: .lossy,
                to: publication.receivers
            )
        case .request(let number, let request):
            try lastRequest.withLock { last throws(RoomProtocolError) in
                // After resuming some come a second time; of a socket that was replaced, none count.
                guard number > last, outbox.isCurrent(generation) else { return }
                guard number == last + 1 else { throw RoomProtocolError("A client left out a request.") }
                last = number
                do throws(TransportError) {
                    outbox.answer(.done(number, id: try perform(request)))
                } catch {
                    outbox.answer(.refused(number, error))
                }
            }
        }
    }

    private func perform(_ request: RoomClientMessage.Request) throws(TransportError) -> String? {
        switch request {
        case .publish(let publication):
            try member.send(
                publication.payload,
                topic: publication.topic,
                reliability: publication.reliability,
                to: publication.receivers
            )
        case .open(let topic, let attributes, let receivers, let id, let speaker):
            return try member.beginText(
                topic: topic,
                attributes: attributes,
                to: receivers,
                id: id,
                speaker: speaker
            )
        case .chunk(let id, let text):
            let chunks = text.chunks(ofAtMost: TextChunk.maximumBytes)
            try member.continueText(id, with: chunks.map { .chunk($0) })
        case .end(let id, let attributes): try member.continueText(id, with: [.ended(attributes: attributes)])
        case .fail(let id, let reason): try member.continueText(id, with: [.failed(reason)])
        case .attributes(let changed):
            try checkSize(of: changed)
            try member.change(changed)
        case .microphone(let isEnabled): try member.switchMicrophone(isEnabled)
        }
        return nil
    }

    /// Keeps attributes small, since everybody in the room keeps them.
    private func checkSize(of changed: [String: String]) throws(TransportError) {
        try attributeBytes.withLock { sizes throws(TransportError) in
            var new = sizes
            for (name, value) in changed { new[name] = value.isEmpty ? nil : name.utf8.count + value.utf8.count }
            guard new.values.reduce(0, +) <= RoomServer.maximumAttributeBytes else {
                throw TransportError(
                    .payloadTooLarge(limit: RoomServer.maximumAttributeBytes),
                    "All attributes of a participant have at most \(RoomServer.maximumAttributeBytes) bytes together."
                )
            }
            sizes = new
        }
    }
}

extension RoomSession: DeadlineTarget {
    /// Gives up somebody who has not come back.
    func deadlineReached(now: Duration) {
        let isLost = lostAt.withLock { lost in lost.map { $0 + window <= now } ?? false }
        guard isLost, !outbox.isAttached else { return }
        member.leave(.signalLost)
        forget(self)
    }
}
