import Synchronization

/// Rooms that live in this process, for tests, previews and an embedded server.
///
/// Everything is delivered at the moment it is sent, into the buffer of each receiver: when `publish` returns, the
/// packet can be read. Time matters only for the repeated speakers list, for levels that fall silent and for lost
/// signals; on a ``ManualClock`` all of that has happened when the clock's `advance` returns.
///
/// Tokens are opaque strings of the hub's own, from ``makeToken(for:)`` or ``token(for:)``, unless another check of
/// tokens is given. The address that is connected to does not matter.
public final class InMemoryHub: Sendable {
    /// What a token allows its bearer.
    public struct Grant: Hashable, Sendable {
        /// The room that may be joined.
        public var room: String
        /// Who joins, with name, kind, metadata and first attributes.
        public var participant: Participant
        /// Whether it may open its microphone and publish levels.
        public var canPublish: Bool
        /// Whether it may publish data packets and text streams.
        public var canPublishData: Bool
        /// Whether it may change its own attributes.
        public var canUpdateAttributes: Bool

        /// Creates a grant.
        public init(
            room: String,
            participant: Participant,
            canPublish: Bool = true,
            canPublishData: Bool = true,
            canUpdateAttributes: Bool = true
        ) {
            self.room = room
            self.participant = participant
            self.canPublish = canPublish
            self.canPublishData = canPublishData
            self.canUpdateAttributes = canUpdateAttributes
        }

        /// Creates a grant that allows everything.
        public init(room: String, identity: String, kind: Participant.Kind = .standard, name: String = "") {
            self.init(room: room, participant: Participant(identity: identity, kind: kind, name: name))
        }
    }

    /// The hub's limits and habits.
    public struct Configuration: Hashable, Sendable {
        /// How often the speakers list is repeated while anybody is above 0.
        public var speakersInterval: Duration
        /// After how long without a new level somebody counts as silent.
        public var silenceAfter: Duration
        /// How long a lost signal may stay away before the connection is over.
        public var reconnectLimit: Duration
        /// How many reliable events are kept for a participant whose signal is lost; more end in a rejoin.
        public var maximumMissedEvents: Int
        /// How many unread events a participant may have.
        public var maximumEvents: Int
        /// How late others are told of a join, as LiveKit batches them for up to 3 s; packets do not wait for it.
        public var joinAnnouncementDelay: Duration

        /// Creates a configuration.
        public init(
            speakersInterval: Duration = .milliseconds(400),
            silenceAfter: Duration = .milliseconds(800),
            reconnectLimit: Duration = .seconds(45),
            maximumMissedEvents: Int = 1024,
            maximumEvents: Int = 4096,
            joinAnnouncementDelay: Duration = .zero
        ) {
            self.speakersInterval = speakersInterval
            self.silenceAfter = silenceAfter
            self.reconnectLimit = reconnectLimit
            self.maximumMissedEvents = maximumMissedEvents
            self.maximumEvents = maximumEvents
            self.joinAnnouncementDelay = joinAnnouncementDelay
        }
    }

    private let state: Mutex<InMemoryRooms>
    private let clock: any Clock<Duration>
    private let stopwatch: Stopwatch
    private let startedAt: Double
    private let configuration: Configuration
    private let verify: (@Sendable (String) throws(TransportError) -> Grant)?

    /// Creates a hub without rooms.
    ///
    /// - Parameters:
    ///   - clock: What its timers run on.
    ///   - startedAt: The time of day at creation, in seconds since 1970, for `joinedAt` and time stamps.
    ///   - configuration: Limits and habits.
    ///   - seed: What names of rooms that nobody chose are drawn from.
    ///   - verify: Reads a token, throwing `unauthorized`; `nil` for the hub's own tokens.
    public init(
        clock: any Clock<Duration>,
        startedAt: Double = 0,
        configuration: Configuration = Configuration(),
        seed: UInt64 = 0,
        verify: (@Sendable (String) throws(TransportError) -> Grant)? = nil
    ) {
        self.clock = clock
        self.startedAt = startedAt
        self.configuration = configuration
        self.verify = verify
        stopwatch = Stopwatch(clock: clock)
        state = Mutex(InMemoryRooms(configuration: configuration, seed: seed))
    }

    // MARK: Tokens

    /// Returns a token for a grant; it is valid until it is revoked.
    public func makeToken(for grant: Grant) -> String {
        state.withLock { $0.makeToken(for: grant) }
    }

    /// Makes a token worthless, so that joining with it is `unauthorized`; who has joined with it stays.
    public func revoke(_ token: String) {
        state.withLock { $0.tokens[token] = nil }
    }

    /// Joins a room with a fresh transport and without a token.
    ///
    /// - Throws: `unreachable` after ``shutDown()``, `cancelled`.
    public func join(_ grant: Grant) async throws(TransportError) -> InMemoryTransport {
        if Task.isCancelled { throw TransportError(.cancelled) }
        let transport = makeMember()
        try transport.join(grant)
        return transport
    }

    // MARK: What a server sees and does

    /// The names of the rooms that somebody is in, in order.
    public var roomNames: [String] {
        state.withLock { $0.rooms.keys.sorted() }
    }

    /// The participants of a room in the order they joined; empty when there is no such room.
    public func participants(in room: String) -> [Participant] {
        state.withLock { $0.rooms[room]?.members.map(\.participant) ?? [] }
    }

    /// Puts a participant out of a room; nobody of that name is no error.
    public func remove(_ identity: String, from room: String, reason: DisconnectReason = .removed) {
        state.withLock { $0.remove(identity, from: room, reason: reason) }
    }

    /// Ends a room for everybody in it.
    public func closeRoom(_ room: String, reason: DisconnectReason = .roomDeleted) {
        state.withLock { $0.closeRoom(room, reason: reason) }
    }

    /// Ends all rooms and refuses joins from now on.
    public func shutDown() {
        state.withLock { state in
            state.isRunning = false
            for room in state.rooms.keys.sorted() { state.closeRoom(room, reason: .serverShutdown) }
        }
    }

    /// Accepts joins again after ``shutDown()``.
    public func restart() {
        state.withLock { $0.isRunning = true }
    }

    // MARK: Simulated faults

    /// Changes how late others are told of the joins that are still to come.
    public func setJoinAnnouncementDelay(_ delay: Duration) {
        state.withLock { $0.configuration.joinAnnouncementDelay = delay }
    }

    /// Cuts a participant's signal: it is reconnecting from now on, and the others do not know yet.
    ///
    /// Without ``restoreSignal(of:in:resuming:)`` in time, it ends with `signalLost`.
    public func loseSignal(of identity: String, in room: String) {
        state.withLock { state in
            guard let connection = state.loseSignal(of: identity, in: room) else { return }
            let timer = ClockTimer(on: clock, after: configuration.reconnectLimit) { [weak self] in
                self?.state.withLock { $0.giveUp(connection: connection, in: room) }
            }
            state.setLostTimer(timer, of: connection, in: room)
        }
    }

    /// Gives a participant its signal back.
    ///
    /// - Parameters:
    ///   - identity: Who.
    ///   - room: Where.
    ///   - resuming: With `true`, what was missed follows, except for lossy packets. With `false`, or when too much was
    ///     missed, it joins anew: everybody is told of leaving and joining, and what was sent meanwhile is gone.
    public func restoreSignal(of identity: String, in room: String, resuming: Bool = true) {
        state.withLock { state in
            state.restoreSignal(of: identity, in: room, resuming: resuming, at: stopwatch.elapsed)
            armSpeakersTimer(of: room, &state)
        }
    }

    // MARK: For the transports

    var buffer: TransportEventBuffer {
        TransportEventBuffer(maximumEvents: configuration.maximumEvents)
    }

    /// Makes a transport that nobody has used, for a server that passes on what comes from a socket.
    package func makeMember() -> InMemoryTransport {
        InMemoryTransport(hub: self)
    }

    func makeConnection() -> UInt64 {
        state.withLock { $0.makeNumber() }
    }

    func join(
        _ token: String,
        connection: UInt64,
        buffer: TransportEventBuffer
    ) throws(TransportError) -> JoinedRoom {
        let grant: Grant
        if let verify {
            grant = try verify(token)
        } else if let known = state.withLock({ $0.tokens[token] }) {
            grant = known
        } else {
            throw TransportError(.unauthorized)
        }
        return try join(grant, connection: connection, buffer: buffer)
    }

    func join(
        _ grant: Grant,
        connection: UInt64,
        buffer: TransportEventBuffer
    ) throws(TransportError) -> JoinedRoom {
        let now = stopwatch.elapsed
        let joinedAt = startedAt + now.inSeconds
        let joined = state.withLock { state -> JoinedRoom? in
            guard state.isRunning else { return nil }
            let joined = state.join(grant, connection: connection, buffer: buffer, joinedAt: joinedAt)
            let delay = state.configuration.joinAnnouncementDelay
            if delay > .zero {
                let timer = ClockTimer(on: clock, after: delay) { [weak self] in
                    self?.state.withLock { $0.announce(connection: connection, in: grant.room) }
                }
                state.setAnnouncementTimer(timer, of: connection, in: grant.room)
            } else {
                state.announce(connection: connection, in: grant.room)
            }
            return joined
        }
        guard let joined else { throw TransportError(.unreachable, "The in-memory hub has been shut down.") }
        return joined
    }

    func leave(_ room: String, connection: UInt64, reason: DisconnectReason) {
        state.withLock { $0.remove(connection: connection, from: room, reason: reason) }
    }

    func publish(
        _ payload: [UInt8],
        topic: String,
        reliability: Reliability,
        to identities: [String],
        from sender: InMemoryRooms.Sender
    ) throws(TransportError) {
        try state.withLock { state throws(TransportError) in
            try state.publish(payload, topic: topic, reliability: reliability, to: identities, from: sender)
        }
    }

    func openText(
        topic: String,
        attributes: [String: String],
        to identities: [String],
        id: String?,
        speaker: String?,
        from sender: InMemoryRooms.Sender
    ) throws(TransportError) -> String {
        let timestamp = startedAt + stopwatch.elapsed.inSeconds
        return try state.withLock { state throws(TransportError) in
            try state.openText(
                topic: topic,
                attributes: attributes,
                to: identities,
                id: id,
                speaker: speaker,
                timestamp: timestamp,
                from: sender
            )
        }
    }

    func continueText(
        _ id: String,
        with contents: [TextStreamPart.Content],
        from sender: InMemoryRooms.Sender
    ) throws(TransportError) {
        try state.withLock { state throws(TransportError) in
            try state.continueText(id, with: contents, from: sender)
        }
    }

    func setAttributes(
        _ attributes: [String: String],
        of sender: InMemoryRooms.Sender
    ) throws(TransportError) {
        try state.withLock { state throws(TransportError) in
            try state.setAttributes(attributes, of: sender)
        }
    }

    func setMicrophone(enabled: Bool, of sender: InMemoryRooms.Sender) throws(TransportError) {
        let now = stopwatch.elapsed
        try state.withLock { state throws(TransportError) in
            try state.setMicrophone(enabled: enabled, of: sender, at: now)
        }
    }

    func publishLevel(_ level: Double, from sender: InMemoryRooms.Sender) throws(TransportError) {
        let now = stopwatch.elapsed
        try state.withLock { state throws(TransportError) in
            try state.publishLevel(level, from: sender, at: now)
            armSpeakersTimer(of: sender.room, &state)
        }
    }

    private func armSpeakersTimer(of room: String, _ state: inout InMemoryRooms) {
        guard let delay = state.delayToArm(speakersTimerOf: room, at: stopwatch.elapsed) else { return }
        let timer = ClockTimer(on: clock, after: delay) { [weak self] in
            self?.speakersTimerFired(room)
        }
        state.rooms[room]?.speakersTimer = timer
    }

    private func speakersTimerFired(_ room: String) {
        let now = stopwatch.elapsed
        state.withLock { state in
            state.rooms[room]?.speakersTimer = nil
            state.refreshSpeakers(of: room, at: now)
            armSpeakersTimer(of: room, &state)
        }
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension InMemoryHub: TransportFactory {
    public func makeTransport() throws(TransportError) -> any Transport {
        InMemoryTransport(hub: self)
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension InMemoryHub: TokenProvider {
    public func token(for request: TokenRequest) async throws(TransportError) -> RoomToken {
        state.withLock { $0.token(for: request) }
    }
}
