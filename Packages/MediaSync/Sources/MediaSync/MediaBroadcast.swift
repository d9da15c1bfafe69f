import Synchronization

/// Hands each value to every stream that was opened before it; the streams end with it.
final class MediaBroadcast<Element: Sendable>: Sendable {
    private struct State {
        var nextID = 0
        var hasFinished = false
        var continuations: [(id: Int, continuation: AsyncStream<Element>.Continuation)] = []
    }

    private let state = Mutex(State())

    deinit {
        finish()
    }

    /// Opens a stream that keeps what is not read yet as the policy says, beginning with `first` where there is one.
    func open(
        _ policy: AsyncStream<Element>.Continuation.BufferingPolicy,
        first: Element? = nil
    ) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream<Element>.makeStream(bufferingPolicy: policy)
        if let first { continuation.yield(first) }
        let id = state.withLock { state -> Int? in
            guard !state.hasFinished else { return nil }
            state.nextID += 1
            state.continuations.append((state.nextID, continuation))
            return state.nextID
        }
        if let id {
            continuation.onTermination = { [weak self] _ in self?.close(id) }
        } else {
            continuation.finish()
        }
        return stream
    }

    func send(_ element: Element) {
        let all = state.withLock { $0.continuations }
        for (_, continuation) in all { continuation.yield(element) }
    }

    /// Ends every stream after what was sent, those to come as well.
    func finish() {
        let all = state.withLock { state in
            defer { state.continuations = [] }
            state.hasFinished = true
            return state.continuations
        }
        for (_, continuation) in all { continuation.finish() }
    }

    private func close(_ id: Int) {
        state.withLock { $0.continuations.removeAll { $0.id == id } }
    }
}
