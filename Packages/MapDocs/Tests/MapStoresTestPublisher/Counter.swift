import Synchronization

/// Counts from 1.
final class Counter: Sendable {
    private let state = Mutex(0)

    var count: Int { state.withLock { $0 } }

    func next() -> Int {
        state.withLock { state in
            state += 1
            return state
        }
    }
}
