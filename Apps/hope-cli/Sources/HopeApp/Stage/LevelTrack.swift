internal import PresenceKit
internal import Synchronization

/// The levels of a whole recording, window by window of 100 ms.
final class LevelTrack: Sendable {
    private struct State {
        var levels: [AudioLevel] = []
        var taken = 0
    }

    private let owner: AudioLevelOwner
    private let state = Mutex(State())

    init(owner: AudioLevelOwner) {
        self.owner = owner
    }

    func append(_ level: Double, from start: Duration) {
        state.withLock { $0.levels.append(AudioLevel(source: owner, level: level, time: start)) }
    }

    /// The end of the loudest window; of equals the first.
    var loudest: Duration {
        state.withLock { state in
            let loudest = state.levels.max { ($0.level, $1.time) < ($1.level, $0.time) }
            return loudest.map { $0.time + .milliseconds(100) } ?? .zero
        }
    }

    /// Takes the levels up to a time.
    func levels(through time: Duration) -> [AudioLevel] {
        state.withLock { state in
            let rest = state.levels[state.taken...].prefix { $0.time <= time }
            state.taken += rest.count
            return Array(rest)
        }
    }
}
