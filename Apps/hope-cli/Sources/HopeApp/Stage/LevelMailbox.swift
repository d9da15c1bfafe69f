internal import PresenceKit
internal import Synchronization

/// Levels on their way from the sources that hear them to the loop that draws them.
final class LevelMailbox: Sendable {
    private struct State {
        var levels: [AudioLevel] = []
        var openSources: Int
    }

    private let state: Mutex<State>

    /// Makes an empty mailbox that a number of sources feed.
    init(sources: Int) {
        state = Mutex(State(openSources: sources))
    }

    /// Whether every source has ended.
    var isClosed: Bool {
        state.withLock { $0.openSources == 0 }
    }

    func post(_ level: AudioLevel) {
        state.withLock { $0.levels.append(level) }
    }

    func closeOne() {
        state.withLock { $0.openSources -= 1 }
    }

    /// Takes what has come, in the order of its times.
    func take() -> [AudioLevel] {
        let levels = state.withLock { state in
            defer { state.levels.removeAll(keepingCapacity: true) }
            return state.levels
        }
        return levels.sorted { $0.time < $1.time }
    }
}
