import Foundation
import MediaSync
import TransportCore

/// What a law has at hand.
struct MediaPlayerBench {
    let factory: any MediaPlayerFactory
    let player: any MediaPlayer
    let observer: SnapshotObserver

    /// How far a position may be off, in seconds: players seek to the next frame, and machines are busy.
    static let tolerance = 0.5
    /// How long nothing has to happen to count as nothing.
    static let silence: Duration = .milliseconds(800)
    /// The numbers of loads begin here, since a player that counts by itself begins elsewhere.
    static let first = 3

    /// A position in the middle, which a song that begins at 0 does not reach within the time a law waits.
    var middle: Double { max(4.5, factory.songLength / 2) }

    init(factory: some MediaPlayerFactory, player: any MediaPlayer) {
        self.factory = factory
        self.player = player
        observer = SnapshotObserver(stopwatch: factory.stopwatch)
    }

    /// Runs a law while its observer reads.
    func whileReading(
        _ snapshots: AsyncStream<PlayerSnapshot>,
        _ law: () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await observer.read(snapshots) }
            defer { group.cancelAll() }
            try await law()
        }
    }

    /// Loads a sample, or nothing yet, under a number.
    func load(
        _ sample: MediaSample? = .song,
        number: Int = first,
        at position: Double = 0,
        paused: Bool = false
    ) async throws {
        var source: URL?
        if let sample { source = try await factory.source(of: sample) }
        let load = PlayerLoad(
            number: number,
            trackID: "law-\(number)",
            source: source,
            mimeType: nil,
            position: position,
            isPaused: paused
        )
        try await player.load(load)
    }

    /// Waits until a phase is said, and returns what came up to then.
    @discardableResult
    func wait(
        for phase: PlayerSnapshot.Phase,
        of number: Int = first
    ) async throws -> [ObservedSnapshot] {
        try await observer.collect(until: "\(phase)") { $0.load == number && $0.phase == phase }
    }

    /// Waits until a phase is said together with a position, and returns the position in seconds.
    func position(in phase: PlayerSnapshot.Phase, of number: Int = first) async throws -> Double {
        let all = try await observer.collect(until: "\(phase) with a position") {
            $0.load == number && $0.phase == phase && $0.seconds != nil
        }
        return all.last?.seconds ?? .nan
    }

    var now: Duration { factory.stopwatch.elapsed }

    /// Where a player may be that has played from a position since a time: not before it, and no further than time allows.
    func reach(from position: Double, since start: Duration, at time: Duration) -> ClosedRange<Double> {
        let low = position - Self.tolerance
        return low...max(low, position + Self.tolerance + (time - start).inSeconds)
    }

    /// Checks where a player is that was to play from a position at a time; a busy machine may say so late.
    func requireReach(_ position: Double, from expected: Double, since start: Duration, _ what: String) throws {
        let reach = reach(from: expected, since: start, at: now)
        try require(reach.contains(position), "\(what) at \(position) s instead of \(expected) s.")
    }

    func requireClose(_ position: Double, to expected: Double, _ what: String) throws {
        try require(
            abs(position - expected) <= Self.tolerance,
            "\(what) at \(position) s instead of \(expected) s."
        )
    }
}
