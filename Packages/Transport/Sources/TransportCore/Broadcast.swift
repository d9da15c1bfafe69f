import Synchronization

/// Hands each value to every stream that was opened before it; the streams end with it.
public final class Broadcast<Element: Sendable>: Sendable {
    private struct State {
        var nextID = 0
        var isClosed = false
        var continuations: [(id: Int, continuation: AsyncStream<Element>.Continuation)] = []
    }

    private let state = Mutex(State())

    /// Makes a broadcast that nobody listens to yet.
    public init() {}

    deinit {
        finish()
    }

    /// Whether nobody listens.
    public var isEmpty: Bool { state.withLock { $0.continuations.isEmpty } }

    /// Opens a stream of the values that are sent from now on.
    ///
    /// - Parameters:
    ///   - policy: What is kept of values that are not read yet.
    ///   - first: A value that the stream begins with, or nil.
    /// - Returns: The stream; after `close()` one that has ended.
    public func open(
        _ policy: AsyncStream<Element>.Continuation.BufferingPolicy,
        first: Element? = nil
    ) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream<Element>.makeStream(bufferingPolicy: policy)
        if let first { continuation.yield(first) }
        let id = state.withLock { state -> Int? in
            guard !state.isClosed else { return nil }
            state.nextID += 1
            state.continuations.append((state.nextID, continuation))
            return state.nextID
        }
        if let id {
            continuation.onTermination = { [weak self] _ in self?.remove(id) }
        } else {
            continuation.finish()
        }
        return stream
    }

    /// Hands a value to every open stream.
    ///
    /// - Parameter element: The value.
    public func send(_ element: Element) {
        let all = state.withLock { $0.continuations }
        for (_, continuation) in all { continuation.yield(element) }
    }

    /// Ends every open stream after what was sent; new ones can be opened.
    public func finish() {
        end(forGood: false)
    }

    /// Ends every open stream after what was sent, and those to come at once.
    public func close() {
        end(forGood: true)
    }

    private func end(forGood: Bool) {
        let all = state.withLock { state in
            defer { state.continuations = [] }
            state.isClosed = state.isClosed || forGood
            return state.continuations
        }
        for (_, continuation) in all { continuation.finish() }
    }

    private func remove(_ id: Int) {
        state.withLock { $0.continuations.removeAll { $0.id == id } }
    }
}
