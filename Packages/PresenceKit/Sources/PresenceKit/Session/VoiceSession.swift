public import TransportCore

/// A conversation with the agent: joining its room, waiting for it, speaking or typing, and hanging up.
///
/// Commands return at once, and what comes of them is told by ``snapshots()``, of which a slow reader sees the newest,
/// and by ``changes(includingLevels:)``, which leaves nothing out. Only ``hangUp()`` waits: until the connection, the
/// microphone and the wake lock are free.
///
/// One session may hold any number of conversations, one after the other. Each has a number, and whatever was awaited
/// looks whether its conversation is still the current one before it changes anything. A session that is let go while a
/// conversation is on lives on with it: hang up first.
public actor VoiceSession {
    let configuration: VoiceSessionConfiguration
    let makeServices: @Sendable (ServerConfig?) -> VoiceServices
    let settingsStorage: any SettingsStorage
    let transcriptStorage: (any TranscriptStorage)?
    let audio: (any AudioLevelSource)?
    let wakeLock: any WakeLock
    let clock: any Clock<Duration>
    let startedAt: Double
    let recorder: SessionRecorder?
    let hearsOwnSpeakerLevel: Bool
    private let ticksItself: Bool
    private let stopwatch: Stopwatch

    /// How far the conversation is.
    public private(set) var state = VoiceSessionState.idle
    /// Why the conversation has failed; nil unless it has.
    public private(set) var failure: SessionFailure?
    var isReconnecting = false
    var microphone = MicrophonePolicy()
    var isMicrophoneOn = false
    var microphoneError: MicrophoneError?
    var models: [String]?
    var selectedModel: String?
    /// What the person has chosen.
    public internal(set) var settings = Settings()
    /// The server's address as it is set now, where it can be used.
    var serverConfig: ServerConfig?
    /// Why the server's address that is set cannot be used.
    var serverProblem: ServerConfigError?
    /// Sentences for the person about what could not be read or stored.
    public internal(set) var notices: [String] = []
    /// What the session met and left alone.
    public internal(set) var statistics = SessionStatistics()
    var conversation: ConversationState
    var transcript: Transcript
    var link: RoomLink?
    var typedCount = 0

    private var announcer = Announcer()
    private var entrances = RowEntrances()
    private var shownRows: [TranscriptRow]?
    private let snapshotStreams = Broadcast<ConversationSnapshot>()
    private let changeStreams = Broadcast<SessionChange>()
    private let changeAndLevelStreams = Broadcast<SessionChange>()
    private var toldLevels: SessionChange.Kind?
    /// The number of the conversation that may change something; raised by each start and each end.
    private var generation = 0
    private var run: (task: Task<Void, Never>, hangUp: Bell)?
    private var ticker: Task<Void, Never>?

    /// Makes a session that is idle, with the stored settings and the stored end of the last transcript.
    ///
    /// - Parameters:
    ///   - services: Where connections and tokens come from, asked for at each start: for the server's address that is
    ///     set, or for none.
    ///   - settings: Where settings are kept; read once, now.
    ///   - history: Where the last finals are kept; read once, now. `nil` keeps none.
    ///   - audio: What hears the person; `nil` when the room does, and says how loud in its list of speakers.
    ///   - wakeLock: What keeps the machine awake while a room is joined.
    ///   - clock: What every wait and every time is measured on.
    ///   - startedAt: The time of day at creation, in seconds since 1970.
    ///   - configuration: Waits, tries and what tokens are asked for.
    ///   - recorder: Takes down what the person does and how loud the microphone is; what comes from the room is taken
    ///     down by a `RecordingTransportFactory` among the services.
    public init(
        services: @escaping @Sendable (ServerConfig?) -> VoiceServices,
        settings: any SettingsStorage,
        history: (any TranscriptStorage)? = nil,
        audio: (any AudioLevelSource)?,
        wakeLock: any WakeLock,
        clock: any Clock<Duration>,
        startedAt: Double,
        configuration: VoiceSessionConfiguration = VoiceSessionConfiguration(),
        recorder: SessionRecorder? = nil
    ) {
        self.init(
            services: services,
            settings: settings,
            history: history,
            audio: audio,
            wakeLock: wakeLock,
            clock: clock,
            startedAt: startedAt,
            configuration: configuration,
            recorder: recorder,
            ticksItself: true,
            hearsOwnSpeakerLevel: audio == nil
        )
    }

    init(
        services: @escaping @Sendable (ServerConfig?) -> VoiceServices,
        settings: any SettingsStorage,
        history: (any TranscriptStorage)?,
        audio: (any AudioLevelSource)?,
        wakeLock: any WakeLock,
        clock: any Clock<Duration>,
        startedAt: Double,
        configuration: VoiceSessionConfiguration,
        recorder: SessionRecorder?,
        ticksItself: Bool,
        hearsOwnSpeakerLevel: Bool
    ) {
        makeServices = services
        settingsStorage = settings
        transcriptStorage = history
        self.audio = audio
        self.wakeLock = wakeLock
        self.clock = clock
        self.startedAt = startedAt
        self.configuration = configuration
        self.recorder = recorder
        self.ticksItself = ticksItself
        self.hearsOwnSpeakerLevel = hearsOwnSpeakerLevel
        stopwatch = Stopwatch(clock: clock)

        var transcript = Transcript(localIdentity: "")
        var notices: [String] = []
        do throws(PresenceStorageError) {
            let loaded = try settings.load()
            self.settings = loaded.settings
            notices += loaded.notices
        } catch {
            notices.append(error.description)
        }
        do throws(PresenceStorageError) {
            let loaded = try history?.load()
            transcript.restore(loaded?.rows ?? [])
            if let notice = loaded?.notice { notices.append(notice) }
        } catch {
            notices.append(error.description)
        }
        self.transcript = transcript
        self.notices = notices
        conversation = ConversationState(policy: configuration.policy)
        conversation.isTextMode = self.settings.isTextMode
        microphone.isTextMode = self.settings.isTextMode
        (serverConfig, serverProblem) = Self.read(self.settings.serverURL)
    }

    /// The time since the session was created, in whole milliseconds as recordings have it.
    var now: Duration { .milliseconds(stopwatch.elapsed.inMilliseconds) }

    /// The time of day, in seconds since 1970.
    var timeOfDay: Double { startedAt + now.inSeconds }

    /// Whether what this conversation's tasks have waited for may still change something.
    func isCurrent(_ id: Int) -> Bool { id == generation && state.isActive }

    // MARK: Starting and ending

    /// Begins a conversation; does nothing while one is on, or while the server's address cannot be used.
    public func start() {
        guard !state.isActive, serverProblem == nil else { return }
        recordStart()
        generation += 1
        let id = generation
        failure = nil
        // One of the conversation before; a telephone call that is still on stays.
        if microphone.interruption == .overWithoutResuming { changeMicrophone { $0.interruption = .none } }
        setState(.connecting)
        let services = makeServices(serverConfig)
        let server = serverConfig
        let hangUp = Bell()
        let previous = run?.task
        // Of its own, since it outlives the call: hanging up ends it and waits for it.
        let task = Task(executorPreference: ManualClock.runExecutor) {
            // The conversation before may still be closing what this one is going to open.
            await previous?.value
            await self.converse(id, with: services, of: server, until: hangUp)
        }
        run = (task, hangUp)
        startTicking()
        changed()
    }

    /// Ends the conversation, or forgets that it failed; returns when everything it held is free.
    ///
    /// May be called in any state and any number of times; the state is idle as soon as it is called.
    public func hangUp() async {
        if state != .idle {
            recorder?.record(.action(name: "hang_up", value: nil))
            end(with: .idle)
        }
        run?.hangUp.ring()
        await run?.task.value
        // A failure that has not been said yet is said before the ticks end.
        guard state == .idle, !announcer.isWaiting, let ticker else { return }
        self.ticker = nil
        ticker.cancel()
        await ticker.value
    }

    /// Ends the current conversation because of a failure; its tasks end when the caller's task returns.
    func fail(_ reason: SessionFailure, _ id: Int) {
        guard isCurrent(id) else { return }
        failure = reason
        end(with: .failed(reason: reason.message))
    }

    /// Goes from failed to idle, since what failed is of no more interest.
    func forgetFailure() {
        end(with: .idle)
    }

    /// The connection was ended on this side, though not by hanging up: as if it had been.
    func endedHere(_ id: Int) {
        if isCurrent(id) { end(with: .idle) }
    }

    /// Takes down what a replay needs to know before the start that follows.
    private func recordStart() {
        guard let recorder else { return }
        if settings.isTextMode { recorder.record(.action(name: "text_mode", value: .bool(true))) }
        if settings.voice != VoiceCatalog.defaultVoice {
            recorder.record(.action(name: "voice", value: .text(settings.voice.id)))
        }
        if let model = settings.modelID { recorder.record(.action(name: "model", value: .text(model))) }
        if microphone.isMuted { recorder.record(.action(name: "mute", value: .bool(true))) }
        recorder.record(.action(name: "start", value: nil))
    }

    private func end(with final: VoiceSessionState) {
        generation += 1
        if case .idle = final { failure = nil }
        setMicrophoneReady(false)
        setReconnecting(false)
        setMicrophoneError(nil)
        setModels(nil)
        setSelectedModel(nil)
        giveUpTyped()
        apply(transcript.interruptOpenStreams())
        setState(final)
        changed()
    }

    private func converse(
        _ id: Int,
        with services: VoiceServices,
        of server: ServerConfig?,
        until hangUp: Bell
    ) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = await hangUp.wait() }
            group.addTask { await self.work(id, services, server) }
            await group.next()
            group.cancelAll()
        }
        await tearDown(id)
    }

    private func work(_ id: Int, _ services: VoiceServices, _ server: ServerConfig?) async {
        do throws(SessionFailure) {
            let transport = try await join(id, services, server)
            if isCurrent(id) { await serve(transport, id) }
        } catch {
            fail(error, id)
        }
    }

    private func tearDown(_ id: Int) async {
        guard let link, link.id == id else { return }
        await link.transport.disconnect(.client)
        if link.holdsWakeLock { await wakeLock.release() }
        self.link = nil
    }

    // MARK: Time

    /// Brings the phase and everything that waits for time to pass up to now.
    func tick() {
        conversation.session = state.conversationSession
        for change in conversation.tick(at: now) {
            switch change.kind {
            case .phase(let phase):
                announcer.enter(phase, failureReason: failure?.message)
                emit(.phase(phase))
            case .thinkingChip(let isShown): emit(.thinkingChip(isShown))
            case .bargeIn(let isBargeIn): emit(.bargeIn(isBargeIn))
            }
        }
        if let announcement = announcer.next(at: now) { emit(.announce(announcement)) }
        let levels = SessionChange.Kind.levels(
            microphone: conversation.microphoneLevel,
            agent: conversation.agentLevel
        )
        if levels != toldLevels {
            toldLevels = levels
            changeAndLevelStreams.send(SessionChange(time: now, kind: levels))
        }
        show()
    }

    /// Called after everything that happened: what it means for the phase is found at once, not at the next tick.
    func changed() {
        if ticksItself {
            tick()
        } else {
            show()
        }
    }

    private func startTicking() {
        guard ticksItself, ticker == nil else { return }
        ticker = Task(executorPreference: ManualClock.runExecutor) { await self.tickOnGrid() }
    }

    private func tickOnGrid() async {
        while !Task.isCancelled {
            guard state.isActive || announcer.isWaiting else {
                ticker = nil
                return
            }
            guard await sleep(until: Self.nextTick(after: now)) else { return }
            tick()
            if isMicrophoneOn, link?.levelToPublish != nil { link?.roomMicrophoneBell.ring() }
        }
    }

    /// Waits until the time since the session's creation has come; false when the task was cancelled first.
    func sleep(until time: Duration) async -> Bool {
        (try? await clock.sleep(for: max(.zero, time - stopwatch.elapsed))) != nil
    }

    /// The next point of the grid of 100 ms on which ticks come by themselves.
    static func nextTick(after time: Duration) -> Duration {
        let (seconds, attoseconds) = time.components
        return .seconds(seconds) + .milliseconds((attoseconds / 100_000_000_000_000_000 + 1) * 100)
    }

    // MARK: Telling

    /// What the screens are drawn from, as far as the session knows it; the rest is the app's to fill in.
    public var snapshot: ConversationSnapshot {
        var snapshot = ConversationSnapshot()
        snapshot.session = state
        snapshot.isReconnecting = isReconnecting
        snapshot.phase = conversation.phase
        snapshot.showsThinkingChip = conversation.showsThinkingChip
        snapshot.isMuted = microphone.isSilenced
        snapshot.microphoneError = microphoneError?.message
        snapshot.microphoneLevel = conversation.microphoneLevel
        snapshot.agentLevel = conversation.agentLevel
        let rows = shownRows ?? transcript.rows
        shownRows = rows
        snapshot.rows = rows
        snapshot.rowAges = entrances.ages(at: now)
        snapshot.settings = settings
        snapshot.serverURLError = serverProblem?.message
        snapshot.models = models
        snapshot.confirmedModel = selectedModel
        return snapshot
    }

    /// Opens a stream of snapshots that begins with the present one; a slow reader sees the newest only.
    ///
    /// - Returns: A stream for one reader; it ends with the session.
    public func snapshots() -> AsyncStream<ConversationSnapshot> {
        snapshotStreams.open(.bufferingNewest(1), first: snapshot)
    }

    private func show() {
        guard !snapshotStreams.isEmpty else { return }
        entrances.forget(olderThan: Self.longestEntrance, at: now)
        snapshotStreams.send(snapshot)
    }

    /// Longer than any row takes to enter.
    private static let longestEntrance: Duration = .seconds(1)

    /// Opens a stream of everything that changes from now on, in order and without gaps.
    ///
    /// What is not read is kept: read it, or let the stream go.
    ///
    /// - Parameter includingLevels: Whether the smoothed levels come as well, at most once a tick.
    /// - Returns: A stream for one reader; it ends with the session.
    public nonisolated func changes(includingLevels: Bool = false) -> AsyncStream<SessionChange> {
        (includingLevels ? changeAndLevelStreams : changeStreams).open(.unbounded)
    }

    /// Ends the streams of changes after what they hold; for whoever has seen enough before the session ends.
    public func finishChanges() {
        changeStreams.finish()
        changeAndLevelStreams.finish()
    }

    func emit(_ kind: SessionChange.Kind) {
        let change = SessionChange(time: now, kind: kind)
        changeStreams.send(change)
        changeAndLevelStreams.send(change)
    }

    func apply(_ changes: [TranscriptChange]) {
        guard !changes.isEmpty else { return }
        shownRows = nil
        entrances.forget(olderThan: Self.longestEntrance, at: now)
        entrances.take(changes, at: now)
        for change in changes {
            announcer.take(change)
            switch change {
            case .row(let row, _, _): emit(.row(row))
            case .removed(let id): emit(.removed(id: id))
            }
        }
        let storesAnything = changes.contains { $0.row?.isFinal ?? true }
        if storesAnything, let transcriptStorage {
            store { () throws(PresenceStorageError) in
                try transcriptStorage.save(TranscriptHistory.rows(of: transcript))
            }
        }
    }

    func setReconnecting(_ new: Bool) {
        guard isReconnecting != new else { return }
        isReconnecting = new
        emit(.reconnecting(new))
    }

    func setModels(_ new: [String]?) {
        guard models != new else { return }
        models = new
        emit(.models(new ?? []))
    }

    func setSelectedModel(_ new: String?) {
        guard selectedModel != new else { return }
        selectedModel = new
        emit(.selectedModel(new))
    }

    func setState(_ new: VoiceSessionState) {
        guard state != new else { return }
        state = new
        emit(.session(new))
    }
}
