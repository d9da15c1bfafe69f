import Synchronization

/// Wakes one waiting task; rings that nobody waited for count as one.
package final class Bell: Sendable {
    private struct State {
        var hasRung = false
        var waiter: CheckedContinuation<Bool, Never>?
    }

    private let state = Mutex(State())

    /// Makes a bell that has not rung.
    package init() {}

    /// Wakes the waiting task, or the next one that waits.
    package func ring() {
        let waiter = state.withLock { state in
            defer { state.waiter = nil }
            if state.waiter == nil { state.hasRung = true }
            return state.waiter
        }
        waiter?.resume(returning: true)
    }

    /// Forgets a ring that nobody has waited for.
    package func silence() {
        state.withLock { $0.hasRung = false }
    }

    /// Waits for a ring, one task at a time; false when the task was cancelled.
    package func wait() async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
                let answer = state.withLock { state -> Bool? in
                    if Task.isCancelled { return false }
                    if state.hasRung {
                        state.hasRung = false
                        return true
                    }
                    state.waiter = continuation
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume(returning: false)
        }
    }
}
