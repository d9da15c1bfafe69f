public import Foundation
public import TransportCore

/// Makes a player follow what the server wants in a room, and tells the server what the player does.
///
/// ``run()`` does the work until it is cancelled or the controller is closed; everything else may be called at any time.
/// What the server wants is asked for while a room is followed or the panel is open. What comes of it all is told by
/// ``snapshots()``, of which a slow reader sees the newest, and by ``events()``, which leaves nothing out.
///
/// Rooms have numbers inside, one for each time a room is entered, and whatever was awaited looks whether its room is
/// still the current one before it changes anything. Decisions that are not the reconciler's:
///
/// - A track that the server lets wait for its start waits although it is also desired to play; somebody's play here,
///   or a state that no longer says so, starts it.
/// - The loudness comes from the settings. The server's is followed when it changes while a room is followed; the one
///   that stands when a room is entered changes nothing.
/// - A pause that the server could not be told is told again with the next poll, and holds until then.
public actor MediaController {
    /// Turns the address of a track's bytes into one that the player can open, for example of a proxy.
    public typealias SourceResolver = @Sendable (_ source: URL, _ track: MediaTrack) async throws -> URL
    /// Tells a room what is playing.
    public typealias MediaStatePublisher = @Sendable (MediaStateMessage, _ room: String) async throws -> Void

    /// A room for as long as it is followed.
    struct Scope: Sendable {
        /// The room of whoever is in no conversation; it never ends.
        static let none = Scope(room: MediaAPI.defaultRoom, number: 0)

        let room: String
        let number: Int

        var isSession: Bool { number != 0 }
    }

    /// A conversation, as far as the music is concerned.
    struct Talk: Sendable {
        /// What was loaded when it began.
        let trackID: String?
        /// Whether it came from the room of whoever is in no conversation, to which it goes back.
        let isOfDefault: Bool
        let position: Double
        let wasPlaying: Bool
        /// Whether it is to play when the conversation is over.
        var resumes: Bool
    }

    /// What the player is still to be told, in order.
    enum Order: Sendable {
        case command(PlayerCommand)
        case volume(Double)
    }

    let api: MediaAPI
    let player: any MediaPlayer
    let stopwatch: Stopwatch
    let startedAt: Double
    let configuration: MediaControllerConfiguration
    let resolve: SourceResolver
    let publish: MediaStatePublisher?

    var local: LocalPlayback
    /// What the server last wanted in the present room.
    var server: ServerSnapshot?
    /// What is loaded, as the server describes it.
    var track: MediaTrack?
    var scope = Scope.none
    /// The room that what is loaded belongs to.
    var playbackScope = Scope.none
    var sessionCount = 0
    var turn = ActionTurn()

    var talk: Talk?
    var isInterrupted = false
    var resumesAfterInterruption = false
    /// Why nothing is started until the server knows that it is to be paused.
    var owedPause: LocalPlayback.Hold?
    var isSettling = false

    var ledger = ReportLedger()
    var reports = ReportQueue()
    var orders: [Order] = []
    var volume: Double
    var serverVolume: (wasSeen: Bool, value: Double?) = (false, nil)

    var isPanelOpen = false
    var needsState = false
    var pollFailures = 0
    var library: [MediaTrack]?
    var results: [MediaChoice]?
    var searchNumber = 0
    var isSearching = false
    var libraryNumber = 0
    var isRefreshing = false
    var actionError: String?
    var connectionError: String?

    var hasRun = false
    var isClosing = false
    var isOver = false
    var closers: [CheckedContinuation<Void, Never>] = []
    let pollBell = Bell()
    var pollCanceller = Bell()
    let orderBell = Bell()
    let reportBell = Bell()
    let publishBell = Bell()
    var published: (session: Int, key: PublishedKey)?
    var seekCount = 0
    private var toldPlayer: (phase: PlayerSnapshot.Phase, load: Int, time: Duration)?
    private let snapshotStreams = Broadcast<MediaSnapshot>()
    private let eventStreams = Broadcast<MediaEvent>()

    /// Makes a controller that does nothing until it is run.
    ///
    /// - Parameters:
    ///   - api: The server.
    ///   - player: The player; nobody else may tell it anything.
    ///   - stopwatch: What every wait and every time is measured on; the same one that the player has.
    ///   - startedAt: The time of day when the stopwatch showed zero, in seconds since 1970.
    ///   - configuration: How often to ask and tell, and how loud to begin.
    ///   - resolve: Turns the address of a track's bytes into one that the player can open.
    ///   - publish: Tells a room what is playing; nil tells nobody.
    public init(
        api: MediaAPI,
        player: any MediaPlayer,
        stopwatch: Stopwatch,
        startedAt: Double,
        configuration: MediaControllerConfiguration = MediaControllerConfiguration(),
        resolve: @escaping SourceResolver = { source, _ in source },
        publish: MediaStatePublisher? = nil
    ) {
        self.api = api
        self.player = player
        self.stopwatch = stopwatch
        self.startedAt = startedAt
        self.configuration = configuration
        self.resolve = resolve
        self.publish = publish
        local = LocalPlayback(formats: player.formats)
        volume = min(max(configuration.volume.isFinite ? configuration.volume : 1, 0), 1)
        orders = [.volume(volume)]
    }

    var now: Duration { stopwatch.elapsed }

    // MARK: Running

    /// Does the work until the task is cancelled or ``close()`` is called; once.
    public func run() async {
        guard !hasRun, !isOver else { return }
        hasRun = true
        let snapshots = await player.snapshots()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.listen(to: snapshots) }
            await withTaskGroup(of: Void.self) { loops in
                loops.addTask { await self.tellPlayer() }
                loops.addTask { await self.pollServer() }
                loops.addTask { await self.sendReports() }
                loops.addTask { await self.publishState() }
            }
            group.cancelAll()
        }
        finish()
    }

    /// Stops the player, sends the last report and ends ``run()`` and every stream; returns when that is done.
    public func close() async {
        guard !isOver else { return }
        if !isClosing {
            isClosing = true
            if local.item != nil { carryOut(.stop) }
            for bell in [pollBell, pollCanceller, orderBell, reportBell, publishBell] { bell.ring() }
        }
        guard hasRun else { return finish() }
        await withCheckedContinuation { closers.append($0) }
    }

    private func finish() {
        isOver = true
        isClosing = true
        snapshotStreams.close()
        eventStreams.close()
        for closer in closers { closer.resume() }
        closers = []
    }

    /// Whether the loops go on.
    var isRunning: Bool { !isClosing && !Task.isCancelled }

    // MARK: Rooms

    /// Follows a room that no conversation is held in, or none; does nothing while a conversation is on.
    ///
    /// - Parameter room: The room; nil for none, after which actions act on ``MediaAPI/defaultRoom``.
    public func follow(room: String?) {
        guard talk == nil else { return }
        enter(room)
        needsState = true
        changed()
    }

    /// Makes a room the present one; what was asked for in the one before changes nothing any more.
    func enter(_ room: String?) {
        if let room {
            sessionCount += 1
            scope = Scope(room: room, number: sessionCount)
        } else {
            scope = .none
        }
        server = nil
        serverVolume = (false, nil)
        local.abandonAction()
        turn = ActionTurn()
        connectionError = nil
        pollFailures = 0
        pollCanceller.ring()
        pollBell.ring()
        reportBell.ring()
    }

    /// Whether what belongs to a room may still be told to it.
    func isLive(_ session: Int) -> Bool { session == 0 || session == scope.number }

    // MARK: Following

    /// Takes over what the server wants, unless the user has done something since it was asked.
    func take(_ state: MediaState, generation: Int) {
        guard !isClosing, generation >= local.generation, local.unconfirmedAction == nil else { return }
        server = ServerSnapshot(state: state, generation: generation)
        followVolume(state.volume)
        if let wanted = state.track, wanted.id == local.item?.trackID {
            track = wanted
            playbackScope = scope
        }
        // From here on the server is seen to know that what was carried into the conversation waits.
        let knowsOfTheTalk = state.startPaused || state.desired != .playing || state.track?.id != talk?.trackID
        if talk != nil, knowsOfTheTalk { local.setHold(.talk, false) }
        reconcileNow()
    }

    func reconcileNow() {
        guard let server else { return }
        for command in reconcile(local: local, server: server, now: now) { carryOut(command) }
    }

    private func followVolume(_ new: Double?) {
        defer { serverVolume = (true, new) }
        guard serverVolume.wasSeen, let new, new.isFinite, new != serverVolume.value, new != volume else { return }
        setLoudness(new)
    }

    func setLoudness(_ new: Double) {
        volume = min(max(new, 0), 1)
        orders.append(.volume(volume))
        orderBell.ring()
    }

    /// Gives a command to the player, and everything it means to the server.
    func carryOut(_ command: PlayerCommand) {
        switch command {
        case .load, .stop, .reject: endPlayback()
        default: break
        }
        local.apply(command, now: now)
        switch command {
        case .load(let load, _, _):
            track = server?.state.track.flatMap { $0.id == load.trackID ? $0 : nil }
            playbackScope = scope
            dropCommands()
        case .stop:
            track = nil
            dropCommands()
        case .reject(let rejected): emit(.error(Self.words(for: rejected)))
        case .seek: seekCount += 1
        default: break
        }
        orders.append(.command(command))
        orderBell.ring()
        noteItem()
    }

    /// What the player was not told yet of the load that ends.
    private func dropCommands() {
        orders.removeAll { if case .command = $0 { true } else { false } }
    }

    private static func words(for rejected: UnplayableTrack) -> String {
        guard let type = rejected.mimeType, !rejected.reason.contains(type) else { return rejected.reason }
        return "\(rejected.reason) (\(MediaAPIError.shown(type)))"
    }

    // MARK: Hearing the player

    private func listen(to snapshots: AsyncStream<PlayerSnapshot>) async {
        for await snapshot in snapshots { hear(snapshot) }
        guard !Task.isCancelled, !isClosing else { return }
        failItem(MediaPlayerError(code: .playerGone, message: "The player has ended; start it again."))
    }

    func hear(_ snapshot: PlayerSnapshot) {
        guard !isClosing, let before = local.item, before.load == snapshot.load else { return }
        local.observe(snapshot, now: now)
        tellOfPlayer(snapshot)
        if let item = local.item {
            noteItem(landed: before.soughtPosition != nil && item.soughtPosition == nil)
        } else {
            endPlayback(of: before)
            if let rejected = local.rejected { emit(.error(Self.words(for: rejected))) }
        }
        changed()
    }

    /// What is loaded cannot go on.
    func failItem(_ error: MediaPlayerError) {
        guard let item = local.item else { return emit(.error(error.message)) }
        hear(PlayerSnapshot(load: item.load, phase: .failed(error)))
    }

    private func tellOfPlayer(_ snapshot: PlayerSnapshot) {
        if let told = toldPlayer, told.phase == snapshot.phase, told.load == snapshot.load,
            now - told.time < .seconds(1)
        {
            return
        }
        toldPlayer = (snapshot.phase, snapshot.load, now)
        emit(.player(snapshot))
    }

    // MARK: Reports

    /// Makes a report if what is loaded now does something that the server has to know at once.
    func noteItem(landed: Bool = false) {
        guard let item = local.item else { return }
        if ledger.take(item, landed: landed, now: now) { addReport(on: item) }
        reportBell.ring()
    }

    /// Makes the last report on what is loaded, if the server still believes that it plays.
    private func endPlayback() {
        if let item = local.item { endPlayback(of: item) }
    }

    private func endPlayback(of item: LocalPlayback.Item) {
        if ledger.isPlaying { addReport(on: item, isOver: true) }
        ledger = ReportLedger()
    }

    func addReport(on item: LocalPlayback.Item, isOver: Bool = false) {
        let known = track?.id == item.trackID ? track : nil
        let duration = [known?.duration, item.duration].compactMap(\.self).first { $0.isFinite && $0 > 0 }
        let position = item.position.seconds(at: now)
        let report = PlaybackReport(
            room: playbackScope.room,
            trackID: item.trackID,
            position: MediaEvent.rounded(min(position, known?.duration.flatMap { $0 > 0 ? $0 : nil } ?? position)),
            duration: duration,
            isPlaying: item.phase == .playing && !isOver,
            hasEnded: item.hasEnded,
            timestamp: MediaEvent.rounded(startedAt + now.inSeconds)
        )
        ledger.reported(now: now)
        reports.add(report, session: playbackScope.number)
        reportBell.ring()
    }

    // MARK: Telling

    /// Everything that the media panel is drawn from, as it is now.
    public var snapshot: MediaSnapshot {
        MediaSnapshot(
            room: scope.room,
            state: server?.state,
            playback: local,
            track: track ?? server?.state.track,
            volume: volume,
            library: library,
            results: results,
            isSearching: isSearching,
            isRefreshing: isRefreshing,
            error: actionError ?? local.rejected.map(Self.words) ?? connectionError
        )
    }

    /// Opens a stream of snapshots that begins with the present one; a slow reader sees the newest only.
    ///
    /// - Returns: A stream for one reader; it ends when the controller does.
    public func snapshots() -> AsyncStream<MediaSnapshot> {
        snapshotStreams.open(.bufferingNewest(1), first: snapshot)
    }

    /// Opens a stream of everything that the controller does and hears from now on, in order and without gaps.
    ///
    /// What the player says is told when its phase changes and else at most once a second. What is not read is kept.
    ///
    /// - Returns: A stream for one reader; it ends when the controller does.
    public nonisolated func events() -> AsyncStream<MediaEvent> {
        eventStreams.open(.unbounded)
    }

    func emit(_ kind: MediaEvent.Kind) {
        eventStreams.send(MediaEvent(time: now, kind: kind))
    }

    func changed() {
        snapshotStreams.send(snapshot)
        publishBell.ring()
    }

    func fail(_ message: String) {
        actionError = message
        emit(.error(message))
        changed()
    }
}
