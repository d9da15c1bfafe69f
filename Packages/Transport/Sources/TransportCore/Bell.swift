import Synchronization

/// Wakes one waiting task; rings that nobody waited for count as one.
public final class Bell: Sendable {
    private struct State {
        var hasRung = false
        var waiter: CheckedContinuation<Bool, Never>?
    }

    private let state = Mutex(State())

    /// Makes a bell that has not rung.
    public init() {}

    /// Wakes the waiting task, or the next one that waits.
    public func ring() {
        let waiter = state.withLock { state in
            defer { state.waiter = nil }
            if state.waiter == nil { state.hasRung = true }
            return state.waiter
        }
        waiter?.resume(returning: true)
    }

    /// Forgets a ring that nobody has waited for.
    public func silence() {
        state.withLock { $0.hasRung = false }
    }

    /// Waits for a ring, one task at a time; false when the task was cancelled.
    public func wait() async -> Bool {
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

    /// Waits for a ring or for a time, whichever comes first; the cancelled task returns at once.
    ///
    /// - Parameters:
    ///   - deadline: The time on the stopwatch, or nil to wait for a ring alone.
    ///   - stopwatch: What the time is measured on.
    public func wait(until deadline: Duration?, on stopwatch: Stopwatch) async {
        guard let deadline else {
            _ = await wait()
            return
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = await self.wait() }
            group.addTask { try? await stopwatch.sleep(until: deadline) }
            await group.next()
            group.cancelAll()
        }
    }
}
