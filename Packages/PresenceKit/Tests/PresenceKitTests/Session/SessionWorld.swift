import PresenceKit
import Synchronization
import Testing
import TransportCore

/// A hub on virtual time, a session that joins it as “me”, and everything the session was given.
final class SessionWorld: Sendable {
    static let room = "room"

    let clock: ManualClock
    let hub: InMemoryHub
    let transports: FaultyTransportFactory
    let kept: KeptTransports
    let tokens: CountingTokenProvider
    let microphone: ProbeAudioLevelSource
    let wakeLock = RecordingWakeLock()
    let settings: InMemorySettingsStorage
    let history = InMemoryTranscriptStorage()
    let session: VoiceSession
    let log = ChangeLog()
    /// Everybody who joined, so that nobody leaves by being forgotten.
    let peers = Mutex<[RoomPeer]>([])

    init(
        faults: [TransportFaults] = [],
        settings: Settings = Settings(),
        microphone: [ProbeAudioLevelSource.Opening] = [],
        tokens: [CountingTokenProvider.Answer] = [],
        policy: InferencePolicy = .steady,
        hub configuration: InMemoryHub.Configuration = InMemoryHub.Configuration(),
        seed: UInt64 = 0,
        clock: ManualClock = ManualClock(),
        textDelay: Duration = .zero,
        configure: (inout VoiceSessionConfiguration) -> Void = { _ in }
    ) {
        self.clock = clock
        hub = InMemoryHub(clock: clock, startedAt: 1_756_540_000, configuration: configuration)
        transports = FaultyTransportFactory(hub, attempts: faults, seed: seed, clock: clock)
        kept = KeptTransports(transports, clock: clock, textDelay: textDelay)
        self.tokens = CountingTokenProvider(hub, answers: tokens, clock: clock)
        self.microphone = ProbeAudioLevelSource(microphone)
        self.settings = InMemorySettingsStorage()
        self.settings.save(settings)
        let services = VoiceServices(transports: kept, tokens: self.tokens)
        var limits = VoiceSessionConfiguration(
            policy: policy,
            tokenRequest: TokenRequest(room: Self.room, identity: "me")
        )
        configure(&limits)
        session = VoiceSession(
            services: { _ in services },
            settings: self.settings,
            history: history,
            audio: self.microphone,
            wakeLock: wakeLock,
            clock: clock,
            startedAt: 1_756_540_000,
            configuration: limits
        )
    }

    /// Runs a program in virtual time while the log follows the session, and hangs up at its end.
    func run(_ body: @escaping @Sendable (SessionWorld) async throws -> Void) async throws {
        try await clock.run(until: .seconds(3600)) { [self] in
            let changes = session.changes()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { [log] in await log.follow(changes) }
                defer { group.cancelAll() }
                do {
                    try await body(self)
                } catch {
                    await session.hangUp()
                    throw error
                }
                await session.hangUp()
                // A failure may still have to be said.
                await advance(3)
            }
        }
    }

    /// Lets everything run that can, without time passing.
    func settle() async {
        await clock.advance(by: .zero)
    }

    func advance(_ seconds: Double) async {
        await clock.advance(by: .milliseconds(Int((seconds * 1000).rounded())))
    }

    /// Joins as an agent that says nothing yet.
    func joinAgent(_ identity: String = "agent-1", attributes: [String: String] = [:]) async throws -> RoomPeer {
        let participant = Participant(identity: identity, kind: .agent, attributes: attributes)
        return try await join(participant)
    }

    func join(_ participant: Participant) async throws -> RoomPeer {
        let peer = RoomPeer(try await hub.join(InMemoryHub.Grant(room: Self.room, participant: participant)))
        peers.withLock { $0.append(peer) }
        return peer
    }

    /// Starts, and lets an agent join and be ready.
    func becomeReady(_ identity: String = "agent-1") async throws -> RoomPeer {
        await session.start()
        await settle()
        let agent = try await joinAgent(identity)
        try await agent.say(.agentReady)
        await settle()
        try #require(await session.state == .ready)
        return agent
    }
}

/// Somebody else in the room, with what has arrived there.
final class RoomPeer: Sendable {
    let transport: InMemoryTransport
    private let received = Mutex<[TransportEvent]>([])

    init(_ transport: InMemoryTransport) {
        self.transport = transport
    }

    var events: [TransportEvent] {
        received.withLock { received in
            received += transport.events.takeAvailable()
            return received
        }
    }

    /// The JSON text of every data packet that came, in order.
    var packets: [String] {
        events.compactMap { event in
            if case .data(let packet) = event { packet.text } else { nil }
        }
    }

    /// The whole texts that came on a topic.
    func texts(on topic: String) -> [String] {
        events.compactMap { event in
            if case .text(let part) = event, part.header.topic == topic, case .chunk(let text) = part.content {
                text
            } else {
                nil
            }
        }
    }

    func say(_ message: ControlMessage) async throws {
        try await transport.publish(message.payload, topic: message.topic ?? "")
    }

    /// Sends a transcript segment as one stream.
    func transcribe(_ text: String, segment: String, isFinal: Bool = true) async throws {
        try await transport.sendText(
            text,
            topic: ConversationTopic.transcription,
            attributes: [TranscriptAttribute.segment: segment, TranscriptAttribute.isFinal: "\(isFinal)"]
        )
    }
}

/// Keeps every change of a session.
final class ChangeLog: Sendable {
    private let storage = Mutex<[SessionChange]>([])

    var changes: [SessionChange] { storage.withLock { $0 } }

    func follow(_ stream: AsyncStream<SessionChange>) async {
        for await change in stream { storage.withLock { $0.append(change) } }
    }

    /// The session's states, in order.
    var states: [VoiceSessionState] {
        changes.compactMap { if case .session(let state) = $0.kind { state } else { nil } }
    }

    /// The phases with their times in milliseconds.
    var phases: [String] {
        changes.compactMap { change in
            if case .phase(let phase) = change.kind { "\(change.time.inMilliseconds) \(phase.rawValue)" } else { nil }
        }
    }

    var rows: [TranscriptRow] {
        changes.compactMap { if case .row(let row) = $0.kind { row } else { nil } }
    }
}

/// Hands out the hub's tokens, late or not at all where a test says so.
final class CountingTokenProvider: TokenProvider {
    enum Answer: Sendable {
        case token(after: Duration)
        case failure(TransportError, after: Duration)
        /// A token that comes even if nobody wants it any more.
        case stubborn(after: Duration)
    }

    private struct State {
        var answers: [Answer]
        var tokens: [String] = []
    }

    private let hub: InMemoryHub
    private let clock: ManualClock
    private let state: Mutex<State>

    init(_ hub: InMemoryHub, answers: [Answer], clock: ManualClock) {
        self.hub = hub
        self.clock = clock
        state = Mutex(State(answers: answers))
    }

    /// The tokens that were handed out.
    var tokens: [String] { state.withLock { $0.tokens } }

    func token(for request: TokenRequest) async throws(TransportError) -> RoomToken {
        let answer = state.withLock { $0.answers.isEmpty ? .token(after: .zero) : $0.answers.removeFirst() }
        let delay =
            switch answer {
            case .token(let delay), .failure(_, let delay), .stubborn(let delay): delay
            }
        if case .stubborn = answer {
            await Task(executorPreference: ManualClock.runExecutor) { [clock] in
                try? await clock.sleep(for: delay)
            }.value
            return try await token()
        }
        do {
            if delay > .zero { try await clock.sleep(for: delay) }
        } catch {
            throw TransportError(.cancelled)
        }
        if case .failure(let error, _) = answer { throw error }
        return try await token()

        func token() async throws(TransportError) -> RoomToken {
            let token = try await hub.token(for: request)
            state.withLock { $0.tokens.append(token.token) }
            return token
        }
    }
}

/// A microphone whose every opening is laid down, and which says whether it is open.
final class ProbeAudioLevelSource: AudioLevelSource {
    enum Opening: Sendable {
        /// Opens, and gives a first level at once.
        case works
        /// Opens and gives nothing.
        case silent
        /// Does not open.
        case fails(AudioLevelSourceError)
        /// Opens and fails after its first level.
        case breaks(AudioLevelSourceError)
        /// Opens and ends after its first level.
        case ends
        /// Opens late.
        case opensAfter(Duration, ManualClock)
    }

    private struct State {
        var openings: [Opening]
        var continuation: AudioLevelStream.Continuation?
        var starts = 0
        var overlaps = 0
        var isStarting = false
    }

    private let state: Mutex<State>

    /// The openings in order; later ones work.
    init(_ openings: [Opening]) {
        state = Mutex(State(openings: openings))
    }

    var isOpen: Bool { state.withLock { $0.continuation != nil } }
    var starts: Int { state.withLock { $0.starts } }
    /// How often it was started while it was open or being opened.
    var overlaps: Int { state.withLock { $0.overlaps } }

    /// Says a level, if it is open.
    func say(_ level: Double) {
        let continuation = state.withLock { $0.continuation }
        continuation?.yield(AudioLevel(source: .microphone, level: level, time: .zero))
    }

    func start() async throws(AudioLevelSourceError) -> AudioLevelStream {
        let opening = state.withLock { state -> Opening in
            state.starts += 1
            if state.continuation != nil || state.isStarting { state.overlaps += 1 }
            state.isStarting = true
            return state.openings.isEmpty ? .works : state.openings.removeFirst()
        }
        defer { state.withLock { $0.isStarting = false } }
        if case .opensAfter(let delay, let clock) = opening { try? await clock.sleep(for: delay) }
        if case .fails(let error) = opening { throw error }
        let (stream, continuation) = AudioLevelStream.makeStream()
        let first = AudioLevel(source: .microphone, level: 0, time: .zero)
        switch opening {
        case .works, .opensAfter, .breaks, .ends: continuation.yield(first)
        case .silent, .fails: break
        }
        switch opening {
        case .breaks(let error): continuation.finish(throwing: error)
        case .ends: continuation.finish()
        default: break
        }
        state.withLock { $0.continuation = continuation }
        return stream
    }

    func stop() async {
        let continuation = state.withLock { state in
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.finish()
    }
}
