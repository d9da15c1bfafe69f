import Synchronization

/// Lets what came in together go out together.
///
/// A sender's messages often lie in the socket by the dozen. While they are being passed on, frames wait in their
/// outboxes, so that each receiver costs one call of the system and not one for each message. ``RoomBatchScope`` sees to it
/// that nothing waits longer than that.
final class RoomBatch: Sendable {
    private struct State {
        var scopes = 0
        var waiting: [RoomOutbox] = []
    }

    private let state = Mutex(State())

    /// Has an outbox flushed at the end of a scope; false when there is none.
    func admits(_ outbox: RoomOutbox) -> Bool {
        state.withLock { state in
            guard state.scopes > 0 else { return false }
            state.waiting.append(outbox)
            return true
        }
    }

    func enter() {
        state.withLock { $0.scopes += 1 }
    }

    func leave() {
        let waiting = state.withLock { state in
            state.scopes -= 1
            defer { state.waiting = [] }
            return state.waiting
        }
        for outbox in waiting { outbox.flush() }
    }
}

/// One connection's share in a batch: from the first message that it passes on until it has to wait for more.
///
/// ``run()`` is a task of its own on the same thread, so it gets its turn as soon as the one that receives waits.
final class RoomBatchScope: Sendable {
    private struct State {
        var isOpen = false
        var isOver = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let batch: RoomBatch
    private let state = Mutex(State())

    init(_ batch: RoomBatch) {
        self.batch = batch
    }

    /// Opens the scope if it is not open.
    func begin() {
        let (opens, waiter) = state.withLock { state in
            defer {
                state.isOpen = true
                state.waiter = nil
            }
            return (!state.isOpen, state.waiter)
        }
        if opens { batch.enter() }
        waiter?.resume()
    }

    /// Ends ``run()``.
    func end() {
        let waiter = state.withLock { state in
            state.isOver = true
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Closes the scope each time it has been opened.
    func run() async {
        while true {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let mustWait = state.withLock { state in
                    if state.isOpen || state.isOver { return false }
                    state.waiter = continuation
                    return true
                }
                if !mustWait { continuation.resume() }
            }
            let (wasOpen, isOver) = state.withLock { state in
                defer { state.isOpen = false }
                return (state.isOpen, state.isOver)
            }
            if wasOpen { batch.leave() }
            if isOver { return }
        }
    }
}
