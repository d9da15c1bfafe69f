public import Foundation
import Synchronization
public import TransportCore

/// A player that plays nothing, on any clock, of tracks that are scripted: for tests, demonstrations and dry runs.
///
/// It keeps every promise of ``MediaPlayer``. What happens by itself is worked out when somebody asks or reads, so on a
/// `ManualClock` the same calls give the same snapshots, and nothing has to be closed.
public final class VirtualMediaPlayer: MediaPlayer {
    private struct Reader {
        let id: Int
        let bell = Bell()
        var waiting: [PlayerSnapshot] = []

        mutating func take(_ snapshot: PlayerSnapshot) {
            if let last = waiting.last, last.load == snapshot.load, last.phase == snapshot.phase {
                waiting.removeLast()
            }
            waiting.append(snapshot)
        }
    }

    /// What a reader does next.
    private enum Step {
        case snapshot(PlayerSnapshot)
        case wait(Bell, until: Duration?)
        case over
    }

    private struct State {
        var playback: VirtualPlayback?
        var volume = 1.0
        var isGone = false
        var readerCount = 0
        var readers: [Reader] = []

        /// Lets time pass and hands out what was said; returns the bells to ring once the lock is open.
        mutating func catchUp(to now: Duration) -> [Bell] {
            playback?.advance(to: now)
            guard let said = playback?.said, !said.isEmpty else { return [] }
            playback?.said = []
            return handOut(said)
        }

        mutating func step(for id: Int) -> Step {
            guard let index = readers.firstIndex(where: { $0.id == id }) else { return .over }
            if !readers[index].waiting.isEmpty { return .snapshot(readers[index].waiting.removeFirst()) }
            return isGone ? .over : .wait(readers[index].bell, until: playback?.nextEvent)
        }

        mutating func handOut(_ said: [PlayerSnapshot]) -> [Bell] {
            for index in readers.indices { for snapshot in said { readers[index].take(snapshot) } }
            return readers.map(\.bell)
        }
    }

    /// What the player says it can decode.
    public let formats: PlayableFormats
    private let stopwatch: Stopwatch
    private let track: @Sendable (URL) -> VirtualTrack
    private let state = Mutex(State())

    /// Makes a player that has nothing loaded, at full volume.
    ///
    /// - Parameters:
    ///   - stopwatch: The time that positions carry; whoever reads them has the same one.
    ///   - formats: What the player says it can decode.
    ///   - track: What is behind an address.
    public init(
        stopwatch: Stopwatch,
        formats: PlayableFormats = .mpv,
        track: @escaping @Sendable (URL) -> VirtualTrack
    ) {
        self.stopwatch = stopwatch
        self.formats = formats
        self.track = track
    }

    /// The loudness, 0...1.
    public var volume: Double { state.withLock { $0.volume } }

    /// Ends the player for good, as a crash would.
    public func die() {
        let bells = state.withLock { state in
            _ = state.catchUp(to: stopwatch.elapsed)
            state.playback = nil
            state.isGone = true
            return state.readers.map(\.bell)
        }
        for bell in bells { bell.ring() }
    }

    private func act(_ change: (inout State) -> Void) throws(MediaPlayerError) {
        let now = stopwatch.elapsed
        let (bells, isGone) = state.withLock { state -> ([Bell], Bool) in
            guard !state.isGone else { return ([], true) }
            let bells = state.catchUp(to: now)
            change(&state)
            return (bells + state.catchUp(to: now), false)
        }
        for bell in bells { bell.ring() }
        if isGone { throw MediaPlayerError(code: .playerGone, message: "The player has ended; make a new one.") }
    }

    /// Opens a stream of what the player does from now on; there may be several.
    public func snapshots() async -> AsyncStream<PlayerSnapshot> {
        let id = state.withLock { state in
            _ = state.catchUp(to: stopwatch.elapsed)
            state.readerCount += 1
            state.readers.append(Reader(id: state.readerCount))
            return state.readerCount
        }
        return AsyncStream { [self] in
            await next(for: id)
        } onCancel: { [self] in
            close(id)
        }
    }

    private func close(_ id: Int) {
        state.withLock { $0.readers.removeAll { $0.id == id } }
    }

    private func next(for id: Int) async -> PlayerSnapshot? {
        while !Task.isCancelled {
            let now = stopwatch.elapsed
            let (step, bells) = state.withLock { state in
                let bells = state.catchUp(to: now)
                return (state.step(for: id), bells)
            }
            for bell in bells { bell.ring() }
            switch step {
            case .snapshot(let snapshot): return snapshot
            case .over: return nil
            case .wait(let bell, let due): await bell.wait(until: due, on: stopwatch)
            }
        }
        close(id)
        return nil
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension VirtualMediaPlayer {
    public func load(_ load: PlayerLoad) async throws(MediaPlayerError) {
        let script = load.source.map(track)
        let now = stopwatch.elapsed
        try act { $0.playback = VirtualPlayback(load, script: script, now: now) }
    }

    public func wire(_ source: URL, position: Double) async throws(MediaPlayerError) {
        let script = track(source)
        try act { $0.playback?.wire(script, position: position) }
    }

    public func play() async throws(MediaPlayerError) {
        try act { $0.playback?.setPaused(false) }
    }

    public func pause() async throws(MediaPlayerError) {
        try act { $0.playback?.setPaused(true) }
    }

    public func seek(to position: Double) async throws(MediaPlayerError) {
        try act { $0.playback?.seek(to: position) }
    }

    public func stop() async throws(MediaPlayerError) {
        try act { $0.playback = nil }
    }

    public func setVolume(_ volume: Double) async throws(MediaPlayerError) {
        // What is no number is nobody's wish to be loud.
        try act { $0.volume = volume.isNaN ? 0 : min(max(volume, 0), 1) }
    }
}
