import Foundation
import MediaPlayerConformance
import MediaSync
import Synchronization
import TransportCore

/// One way to break one promise on purpose.
enum PlayerDefect: String, CaseIterable, Sendable {
    case countsLoadsByItself
    case talksOfTheOldLoad
    case neverBegins
    case beginsAtZero
    case ignoresPausedLoad
    case failsWithoutBytes
    case wiresANewLoad, wiresAtZero
    case ignoresStop
    case failsForever
    case waitsForTheLoad
    case answersWithoutALoad
    case forgetsEarlyPlay
    case forgetsEarlyPause
    case refusesEarlySeek
    case driftsWhilePaused
    case pausesAfterSeek
    case playsAfterSeek
    case doesNotClamp
    case resetsVolume
    case staleTimes, saysPausedMoves
    case saysZeroForUnknown
    case hidesLength
    case saysPlayingOnce
    case playsWhileStarved
    case losesPhases
    case keepsEverything
    case pausesAtTheEnd, endsTwice
    case restartsAfterTheEnd
    case staysAtTheEnd
    case playsTheUndecodable
    case playsNothing
    case blamesTheBytes
    case hidesItsEnd

    /// The law that has to notice.
    var law: MediaPlayerLaw {
        switch self {
        case .countsLoadsByItself: .snapshotsCarryTheirLoad
        case .talksOfTheOldLoad: .newLoadSilencesTheOld
        case .neverBegins: .loadPlays
        case .beginsAtZero: .loadBeginsWhereItIsTold
        case .ignoresPausedLoad: .pausedLoadWaits
        case .failsWithoutBytes: .loadWithoutBytesIsLoading
        case .wiresANewLoad, .wiresAtZero: .wireGivesTheSameLoadItsBytes
        case .ignoresStop: .stopEndsTheLoad
        case .failsForever: .loadAfterAFailurePlays
        case .waitsForTheLoad: .callsDoNotWaitForTheirEffect
        case .answersWithoutALoad: .nothingHappensWithoutALoad
        case .forgetsEarlyPlay: .playBeforeTheBytesIsKept
        case .forgetsEarlyPause: .pauseBeforeTheBytesIsKept
        case .refusesEarlySeek: .seekRightAfterLoadLands
        case .driftsWhilePaused: .pauseStands
        case .pausesAfterSeek: .seekWhilePlayingPlaysOn
        case .playsAfterSeek: .seekWhilePausedStaysPaused
        case .doesNotClamp: .seekIsClamped
        case .resetsVolume: .volumeIsClampedAndOutlivesLoads
        case .staleTimes, .saysPausedMoves: .positionsAreTrue
        case .saysZeroForUnknown: .unknownPositionIsNotZero
        case .hidesLength: .lengthIsTold
        case .saysPlayingOnce: .playingSaysWhereItIs
        case .playsWhileStarved: .starvedPlayerBuffers
        case .losesPhases: .slowReaderSeesEveryPhase
        case .keepsEverything: .slowReaderIsNotFlooded
        case .pausesAtTheEnd, .endsTwice: .endIsToldOnce
        case .restartsAfterTheEnd: .playAfterTheEndDoesNothing
        case .staysAtTheEnd: .seekAfterTheEndPlaysOn
        case .playsTheUndecodable: .undecodableBytesFail
        case .playsNothing: .emptyBytesFail
        case .blamesTheBytes: .unreachableBytesFail
        case .hidesItsEnd: .goneForGoodSaysSo
        }
    }
}

/// A player that cheats in one way.
final class DefectivePlayer: MediaPlayer {
    private struct State {
        var loads: [PlayerLoad] = []
        var lastPhase: PlayerSnapshot.Phase?
        var lastSeek: Double?
        var hasFailed = false
    }

    let formats = PlayableFormats.mpv
    private let base: VirtualMediaPlayer
    private let defect: PlayerDefect?
    private let stopwatch: Stopwatch
    private let state = Mutex(State())
    private let out = Mutex<AsyncStream<PlayerSnapshot>.Continuation?>(nil)

    init(_ base: VirtualMediaPlayer, defect: PlayerDefect?, stopwatch: Stopwatch) {
        self.base = base
        self.defect = defect
        self.stopwatch = stopwatch
    }

    private var lastPhase: PlayerSnapshot.Phase? { state.withLock { $0.lastPhase } }

    private var isEarly: Bool { lastPhase == nil || lastPhase == .loading }

    private func ended(_ call: () async throws(MediaPlayerError) -> Void) async throws(MediaPlayerError) {
        do throws(MediaPlayerError) {
            try await call()
        } catch {
            if defect != .hidesItsEnd { throw error }
        }
    }

    func load(_ load: PlayerLoad) async throws(MediaPlayerError) {
        if defect == .waitsForTheLoad { try? await stopwatch.sleep(until: stopwatch.elapsed + .seconds(5)) }
        let hasFailed = state.withLock { state in
            state.loads.append(load)
            state.lastPhase = nil
            return state.hasFailed
        }
        if defect == .failsForever, hasFailed { return }
        let unreachable = URL(string: "http://virtual.invalid/unreachable")
        let changed = PlayerLoad(
            number: load.number,
            trackID: load.trackID,
            source: load.source ?? (defect == .failsWithoutBytes ? unreachable : nil),
            mimeType: nil,
            position: defect == .beginsAtZero ? 0 : load.position,
            isPaused: defect == .neverBegins || (defect == .ignoresPausedLoad ? false : load.isPaused)
        )
        try await ended { () async throws(MediaPlayerError) in try await base.load(changed) }
        if defect == .resetsVolume { try await base.setVolume(1) }
    }

    func wire(_ source: URL, position: Double) async throws(MediaPlayerError) {
        if defect == .wiresANewLoad, let load = state.withLock({ $0.loads.last }) {
            let new = PlayerLoad(
                number: load.number + 1,
                trackID: load.trackID,
                source: source,
                mimeType: nil,
                position: position,
                isPaused: false
            )
            try await base.load(new)
        } else {
            try await base.wire(source, position: defect == .wiresAtZero ? 0 : position)
        }
    }

    func play() async throws(MediaPlayerError) {
        if defect == .forgetsEarlyPlay, isEarly { return }
        if defect == .restartsAfterTheEnd, lastPhase == .ended { try await base.seek(to: 0) }
        try await ended { () async throws(MediaPlayerError) in try await base.play() }
    }

    func pause() async throws(MediaPlayerError) {
        if defect == .forgetsEarlyPause, isEarly { return }
        if defect == .answersWithoutALoad, state.withLock({ $0.loads.isEmpty }) {
            say(PlayerSnapshot(load: 0, phase: .paused))
        }
        try await ended { () async throws(MediaPlayerError) in try await base.pause() }
    }

    func seek(to position: Double) async throws(MediaPlayerError) {
        if defect == .refusesEarlySeek, isEarly { return }
        state.withLock { $0.lastSeek = position }
        if defect == .staysAtTheEnd, lastPhase == .ended { return }
        try await ended { () async throws(MediaPlayerError) in try await base.seek(to: position) }
        if defect == .pausesAfterSeek { try await base.pause() }
        if defect == .playsAfterSeek { try await base.play() }
    }

    func stop() async throws(MediaPlayerError) {
        if defect == .ignoresStop { return }
        try await ended { () async throws(MediaPlayerError) in try await base.stop() }
    }

    func setVolume(_ volume: Double) async throws(MediaPlayerError) {
        try await ended { () async throws(MediaPlayerError) in try await base.setVolume(volume) }
    }

    private func say(_ snapshot: PlayerSnapshot) {
        _ = out.withLock { $0?.yield(snapshot) }
    }

    func snapshots() async -> AsyncStream<PlayerSnapshot> {
        let source = await base.snapshots()
        switch defect {
        case nil, .ignoresStop, .resetsVolume, .waitsForTheLoad: return source
        default: break
        }
        // What slow readers are promised is only broken where that is the defect: the laws of the others read at once.
        let policy: AsyncStream<PlayerSnapshot>.Continuation.BufferingPolicy =
            defect == .losesPhases ? .bufferingNewest(1) : .unbounded
        let (stream, continuation) = AsyncStream<PlayerSnapshot>.makeStream(bufferingPolicy: policy)
        out.withLock { $0 = continuation }
        let task = Task(executorPreference: ManualClock.runExecutor) {
            for await snapshot in source { await self.tell(snapshot) }
            if self.defect != .hidesItsEnd { continuation.finish() }
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    private func tell(_ snapshot: PlayerSnapshot) async {
        var snapshot = snapshot
        let (lastPhase, loads, lastSeek) = state.withLock { state in
            defer { state.lastPhase = snapshot.phase }
            if case .failed = snapshot.phase { state.hasFailed = true }
            return (state.lastPhase, state.loads, state.lastSeek)
        }
        switch defect {
        case .countsLoadsByItself: snapshot.load = loads.count
        case .talksOfTheOldLoad:
            if loads.count > 1, snapshot.phase == .playing, let old = loads.first {
                say(PlayerSnapshot(load: old.number, phase: .playing))
            }
        case .driftsWhilePaused where snapshot.phase == .paused:
            say(snapshot)
            snapshot.position?.seconds += 3
        case .doesNotClamp: if let lastSeek { snapshot.position?.seconds = lastSeek }
        case .staleTimes: snapshot.position?.time = .zero
        case .saysPausedMoves: snapshot.position?.isAdvancing.toggle()
        case .saysZeroForUnknown where snapshot.position == nil:
            snapshot.position = PlaybackPosition(seconds: 0, time: stopwatch.elapsed, isAdvancing: false)
        case .hidesLength: snapshot.duration = nil
        case .saysPlayingOnce where snapshot.phase == .playing && lastPhase == .playing: return
        case .playsWhileStarved where snapshot.phase == .buffering: snapshot.phase = .playing
        case .pausesAtTheEnd where snapshot.phase == .ended:
            say(PlayerSnapshot(load: snapshot.load, phase: .paused, position: snapshot.position))
        case .endsTwice where snapshot.phase == .ended: say(snapshot)
        case .playsTheUndecodable, .playsNothing:
            if case .failed = snapshot.phase { say(PlayerSnapshot(load: snapshot.load, phase: .playing)) }
        case .blamesTheBytes:
            if case .failed(let error) = snapshot.phase {
                snapshot.phase = .failed(MediaPlayerError(code: .undecodable, message: error.message))
            }
        default: break
        }
        say(snapshot)
    }
}
