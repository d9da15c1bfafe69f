import Foundation
import MediaSync
import Synchronization
import TransportCore

/// A player that writes down what it is told, and says what a test wants it to say.
final class PlayerProbe: MediaPlayer {
    struct Call: Sendable {
        let time: Duration
        let name: String
    }

    let base: VirtualMediaPlayer
    private let stopwatch: Stopwatch
    private let log = Mutex<[Call]>([])
    private let out = Mutex<AsyncStream<PlayerSnapshot>.Continuation?>(nil)
    private let last = Mutex<PlayerSnapshot?>(nil)

    init(_ base: VirtualMediaPlayer, stopwatch: Stopwatch) {
        self.base = base
        self.stopwatch = stopwatch
    }

    var formats: PlayableFormats { base.formats }
    var calls: [Call] { log.withLock { $0 } }
    var names: [String] { calls.map(\.name) }
    /// What the player said last.
    var snapshot: PlayerSnapshot? { last.withLock { $0 } }

    /// Makes the player say something that it does not do.
    func say(_ snapshot: PlayerSnapshot) {
        _ = out.withLock { $0?.yield(snapshot) }
    }

    private func note(_ name: String) {
        let call = Call(time: stopwatch.elapsed, name: name)
        log.withLock { $0.append(call) }
    }

    func load(_ load: PlayerLoad) async throws(MediaPlayerError) {
        note("load \(load.trackID)\(load.isPaused ? " paused" : "")")
        last.withLock { $0 = nil }
        try await base.load(load)
    }

    func wire(_ source: URL, position: Double) async throws(MediaPlayerError) {
        note("wire")
        try await base.wire(source, position: position)
    }

    func play() async throws(MediaPlayerError) {
        note("play")
        try await base.play()
    }

    func pause() async throws(MediaPlayerError) {
        note("pause")
        try await base.pause()
    }

    func seek(to position: Double) async throws(MediaPlayerError) {
        note("seek \(Int(position))")
        try await base.seek(to: position)
    }

    func stop() async throws(MediaPlayerError) {
        note("stop")
        last.withLock { $0 = nil }
        try await base.stop()
    }

    func setVolume(_ volume: Double) async throws(MediaPlayerError) {
        note("volume \(volume)")
        try await base.setVolume(volume)
    }

    func snapshots() async -> AsyncStream<PlayerSnapshot> {
        let source = await base.snapshots()
        let (stream, continuation) = AsyncStream<PlayerSnapshot>.makeStream()
        out.withLock { $0 = continuation }
        let task = Task(executorPreference: ManualClock.runExecutor) {
            for await snapshot in source {
                self.last.withLock { $0 = snapshot }
                continuation.yield(snapshot)
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }
}

/// A controller between a virtual player and a scripted server, on virtual time.
final class ControllerBench: Sendable {
    static let startedAt = 1_795_960_000.0

    let clock = ManualClock()
    let stopwatch: Stopwatch
    let server: ScriptedMediaServer
    let player: PlayerProbe
    let controller: MediaController
    private let heard = Mutex<[MediaEvent]>([])

    /// Makes a bench; every address of a track leads to what `track` returns for its last part.
    init(
        formats: PlayableFormats = .mpv,
        configuration: MediaControllerConfiguration = MediaControllerConfiguration(),
        resolve: @escaping MediaController.SourceResolver = { source, _ in source },
        track: VirtualTrack = VirtualTrack(duration: 300)
    ) throws {
        let stopwatch = Stopwatch(clock: clock)
        self.stopwatch = stopwatch
        server = ScriptedMediaServer(stopwatch: stopwatch)
        let scripts = ScriptedTracks(other: track)
        self.scripts = scripts
        player = PlayerProbe(
            VirtualMediaPlayer(stopwatch: stopwatch, formats: formats) { scripts[$0.lastPathComponent] },
            stopwatch: stopwatch
        )
        guard let base = URL(string: "http://hope.test") else { throw URLError(.badURL) }
        let room = RoomLog()
        self.room = room
        controller = MediaController(
            api: MediaAPI(base: base, client: server),
            player: player,
            stopwatch: stopwatch,
            startedAt: Self.startedAt,
            configuration: configuration,
            resolve: resolve,
            publish: { message, name in room.note(stopwatch.elapsed, name, message) }
        )
    }

    let scripts: ScriptedTracks
    let room: RoomLog

    var events: [MediaEvent] { heard.withLock { $0 } }

    var errors: [String] {
        events.compactMap { if case .error(let message) = $0.kind { message } else { nil } }
    }

    /// Runs a scenario beside the controller, which is closed afterwards.
    func run(_ scenario: @escaping @Sendable (ControllerBench) async throws -> Void) async throws {
        try await clock.run(until: .seconds(3600)) { [self] in
            let events = controller.events()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await self.controller.run() }
                group.addTask {
                    for await event in events { self.heard.withLock { $0.append(event) } }
                }
                try await scenario(self)
                await controller.close()
                try await group.waitForAll()
            }
        }
    }

    /// Lets time pass.
    func pass(_ seconds: Double) async throws {
        try await stopwatch.sleep(until: stopwatch.elapsed + .milliseconds(Int(seconds * 1000)))
    }

    /// Makes a track of the server's library.
    func track(
        _ id: String,
        duration: Double? = 300,
        mimeType: String? = "audio/mp4",
        kind: MediaTrack.Kind = .file
    ) -> MediaTrack {
        let track = MediaTrack(
            id: id,
            title: "Title \(id)",
            duration: duration,
            audioURL: URL(string: "http://hope.test/media/api/stream/\(id)"),
            mimeType: mimeType,
            kind: kind
        )
        server.state.withLock { state in
            if !state.library.contains(where: { $0.id == id }) { state.library.append(track) }
        }
        return track
    }
}

/// What the player finds behind addresses, by their last part.
final class ScriptedTracks: Sendable {
    private let other: VirtualTrack
    private let scripts = Mutex<[String: VirtualTrack]>([:])

    init(other: VirtualTrack) {
        self.other = other
    }

    subscript(name: String) -> VirtualTrack {
        get { scripts.withLock { $0[name] ?? other } }
        set { scripts.withLock { $0[name] = newValue } }
    }
}

/// What rooms were told.
final class RoomLog: Sendable {
    private let log = Mutex<[(time: Duration, room: String, json: String)]>([])

    var all: [(time: Duration, room: String, json: String)] { log.withLock { $0 } }

    func note(_ time: Duration, _ room: String, _ message: MediaStateMessage) {
        log.withLock { $0.append((time, room, message.json.text)) }
    }
}
