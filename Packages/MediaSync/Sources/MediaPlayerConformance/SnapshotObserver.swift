import MediaSync
import Synchronization
import TransportCore

/// A snapshot and when it came.
struct ObservedSnapshot: Sendable {
    let snapshot: PlayerSnapshot
    let arrival: Duration

    var load: Int { snapshot.load }
    var phase: PlayerSnapshot.Phase { snapshot.phase }
    var seconds: Double? { snapshot.position?.seconds }

    var failure: MediaPlayerError? {
        if case .failed(let error) = snapshot.phase { error } else { nil }
    }
}

/// Reads a player's snapshots, and waits for those that a law is about.
final class SnapshotObserver: Sendable {
    private struct State {
        var unread: [ObservedSnapshot] = []
        var hasEnded = false
    }

    private let stopwatch: Stopwatch
    private let bell = Bell()
    private let state = Mutex(State())

    init(stopwatch: Stopwatch) {
        self.stopwatch = stopwatch
    }

    /// Reads a stream to its end; runs beside the law.
    func read(_ snapshots: AsyncStream<PlayerSnapshot>) async {
        for await snapshot in snapshots {
            let observed = ObservedSnapshot(snapshot: snapshot, arrival: stopwatch.elapsed)
            state.withLock { $0.unread.append(observed) }
            bell.ring()
        }
        state.withLock { $0.hasEnded = true }
        bell.ring()
    }

    /// Waits for the next snapshot; nil when none comes in time or there are no more.
    func next(until deadline: Duration) async -> ObservedSnapshot? {
        while true {
            let (snapshot, hasEnded) = state.withLock { state in
                (state.unread.isEmpty ? nil : state.unread.removeFirst(), state.hasEnded)
            }
            if let snapshot { return snapshot }
            if hasEnded || stopwatch.elapsed >= deadline || Task.isCancelled { return nil }
            await bell.wait(until: deadline, on: stopwatch)
        }
    }

    /// Whether the snapshots come to an end.
    func hasEnded(within limit: Duration = .seconds(5)) async -> Bool {
        let deadline = stopwatch.elapsed + limit
        while await next(until: deadline) != nil {}
        return state.withLock { $0.hasEnded }
    }

    /// Returns everything that comes within a time.
    func collect(for time: Duration) async -> [ObservedSnapshot] {
        let deadline = stopwatch.elapsed + time
        var collected: [ObservedSnapshot] = []
        while let snapshot = await next(until: deadline) { collected.append(snapshot) }
        return collected
    }

    /// Returns everything up to and with the first snapshot that `isLast`.
    @discardableResult
    func collect(
        within limit: Duration = .seconds(5),
        until what: String,
        _ isLast: (ObservedSnapshot) -> Bool
    ) async throws -> [ObservedSnapshot] {
        let deadline = stopwatch.elapsed + limit
        var collected: [ObservedSnapshot] = []
        while let snapshot = await next(until: deadline) {
            collected.append(snapshot)
            if isLast(snapshot) { return collected }
        }
        let last = collected.suffix(3).map { "\($0.phase) at \($0.seconds.map { "\($0)" } ?? "?")" }
        throw MediaPlayerViolation(
            "It did not say \(what) within \(limit); it last said: \(last.joined(separator: ", "))."
        )
    }
}
