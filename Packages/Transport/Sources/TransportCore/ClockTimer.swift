import Synchronization

/// Calls a function once, later, and can be cancelled before.
///
/// On a ``ManualClock`` the call is made by whoever moves the clock, before time goes on, so what a timer does has
/// happened when `advance` returns. On any other clock a task of this timer's own sleeps.
package final class ClockTimer: Sendable {
    private enum State {
        case armed
        case scheduled(ManualClock, UInt64)
        case sleeping(Task<Void, Never>)
        case done
    }

    private let state = Mutex(State.armed)

    /// Arms a timer that calls `action` after `delay`.
    package init(on clock: any Clock<Duration>, after delay: Duration, _ action: @escaping @Sendable () -> Void) {
        if let manual = clock as? ManualClock {
            let id = manual.schedule(at: manual.now.offset + max(.zero, delay)) { [weak self] in
                self?.state.withLock { $0 = .done }
                action()
            }
            arm(.scheduled(manual, id))
        } else {
            let task = Task(executorPreference: ManualClock.runExecutor) { [weak self] in
                do {
                    try await clock.sleep(for: max(.zero, delay))
                } catch {
                    return
                }
                guard let self else { return }
                let isDue = self.state.withLock { state in
                    if case .done = state { return false }
                    state = .done
                    return true
                }
                if isDue { action() }
            }
            arm(.sleeping(task))
        }
    }

    private func arm(_ armed: State) {
        state.withLock { state in
            if case .armed = state { state = armed }
        }
    }

    deinit {
        cancel()
    }

    /// Forgets the call if it has not been made.
    package func cancel() {
        let old = state.withLock { state in
            let old = state
            state = .done
            return old
        }
        switch old {
        case .scheduled(let clock, let id): clock.cancelScheduled(id)
        case .sleeping(let task): task.cancel()
        case .armed, .done: break
        }
    }
}
