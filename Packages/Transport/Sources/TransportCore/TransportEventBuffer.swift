import Synchronization

/// The events of one connection, for one reader.
///
/// Iterating ends after `disconnected`, and when the reading task is cancelled. Two readers at once share the events
/// between them, so there should be one.
public struct TransportEvents: AsyncSequence, Sendable {
    /// What the sequence consists of.
    public typealias Element = TransportEvent
    /// Reading never fails.
    public typealias Failure = Never

    /// Reads the events one by one.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let buffer: TransportEventBuffer

        /// Waits for the next event; `nil` at the end and when the task is cancelled.
        public mutating func next() async -> TransportEvent? {
            await buffer.next()
        }

        /// Waits for the next event; `nil` at the end and when the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> TransportEvent? {
            await buffer.next()
        }
    }

    fileprivate let buffer: TransportEventBuffer

    /// Begins to read where the last reader stopped.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(buffer: buffer)
    }

    /// Takes the events that are there now, without waiting.
    public func takeAvailable() -> [TransportEvent] {
        buffer.takeAvailable()
    }

    /// Hands every event to `receive` from now on instead of keeping it, beginning with those that wait.
    ///
    /// This is how a transport around a transport takes part without a task of its own. `receive` is called in order,
    /// from wherever the event arose, while locks are held: it must not wait, nor call the transport that it listens to.
    ///
    /// - Parameter receive: Takes an event and says what became of it, as ``TransportEventBuffer/append(_:)`` does.
    public func forward(to receive: @escaping @Sendable (TransportEvent) -> TransportEventBuffer.Outcome) {
        buffer.forward(to: receive)
    }
}

/// The bounded buffer between a backend and the reader of its events.
///
/// When it is full, the oldest lossy packet or speakers list goes first, and further text of a stream joins the chunk
/// before it. If neither is possible, the buffer ends with `disconnected(.readerTooSlow)` behind what it already holds,
/// so that nothing reliable is lost in silence. Appending never waits.
public final class TransportEventBuffer: Sendable {
    /// What became of an appended event.
    public enum Outcome: Hashable, Sendable {
        /// It will be read, or it was the one that could be spared.
        case accepted
        /// The buffer had ended before; the event is gone.
        case ended
        /// There was no room: the buffer has ended now, and the backend has to close its connection.
        case overflowed
    }

    private struct State {
        /// Events from `head` on are unread; what lies before is freed in batches.
        var events: [TransportEvent] = []
        var head = 0
        var bytes = 0
        var isEnded = false
        var receive: (@Sendable (TransportEvent) -> Outcome)?
        var reader: (id: UInt64, continuation: CheckedContinuation<TransportEvent?, Never>)?
        var nextID: UInt64 = 0

        var count: Int { events.count - head }

        mutating func popFirst() -> TransportEvent? {
            guard head < events.count else { return nil }
            let event = events[head]
            head += 1
            bytes -= event.bufferCost
            if head == events.count {
                events.removeAll(keepingCapacity: true)
                head = 0
            } else if head >= 256, head * 2 >= events.count {
                events.removeFirst(head)
                head = 0
            }
            return event
        }

        mutating func push(_ event: TransportEvent) {
            events.append(event)
            bytes += event.bufferCost
        }

        mutating func dropOldestSpareable() -> Bool {
            guard let index = events[head...].firstIndex(where: \.isSpareable) else { return false }
            bytes -= events.remove(at: index).bufferCost
            return true
        }
    }

    /// How many unread events there may be.
    public let maximumEvents: Int
    /// How many bytes of payload and text they may hold together.
    public let maximumBytes: Int

    private let state = Mutex(State())

    /// Creates an empty buffer.
    ///
    /// - Parameters:
    ///   - maximumEvents: How many unread events there may be, at least 1.
    ///   - maximumBytes: How many bytes of payload and text they may hold together.
    public init(maximumEvents: Int = 4096, maximumBytes: Int = 16 * 1024 * 1024) {
        self.maximumEvents = max(1, maximumEvents)
        self.maximumBytes = max(1, maximumBytes)
    }

    /// What the reader reads.
    public var events: TransportEvents {
        TransportEvents(buffer: self)
    }

    /// Adds an event; `disconnected` ends the buffer and is always accepted once.
    @discardableResult
    public func append(_ event: TransportEvent) -> Outcome {
        var resumption: (CheckedContinuation<TransportEvent?, Never>, TransportEvent)?
        let outcome = state.withLock { state -> Outcome in
            guard !state.isEnded else { return .ended }
            if let receive = state.receive {
                if case .connection(.disconnected) = event { state.isEnded = true }
                return receive(event)
            }
            let outcome = admit(event, into: &state)
            if let reader = state.reader, let first = state.popFirst() {
                state.reader = nil
                resumption = (reader.continuation, first)
            }
            return outcome
        }
        if let (continuation, event) = resumption { continuation.resume(returning: event) }
        return outcome
    }

    private func admit(_ event: TransportEvent, into state: inout State) -> Outcome {
        if case .connection(.disconnected) = event {
            state.push(event)
            state.isEnded = true
            return .accepted
        }
        let cost = event.bufferCost
        while state.count >= maximumEvents || (state.bytes + cost > maximumBytes && state.count > 0) {
            if state.dropOldestSpareable() { continue }
            if event.isSpareable { return .accepted }
            if state.bytes + cost <= maximumBytes, let last = state.events.last, let merged = last.merged(with: event) {
                state.events[state.events.count - 1] = merged
                state.bytes += cost
                return .accepted
            }
            state.push(.connection(.disconnected(.readerTooSlow)))
            state.isEnded = true
            return .overflowed
        }
        state.push(event)
        return .accepted
    }

    fileprivate func forward(to receive: @escaping @Sendable (TransportEvent) -> Outcome) {
        state.withLock { state in
            state.receive = receive
            while let event = state.popFirst() { _ = receive(event) }
        }
    }

    fileprivate func takeAvailable() -> [TransportEvent] {
        state.withLock { state in
            let available = Array(state.events[state.head...])
            state.events = []
            state.head = 0
            state.bytes = 0
            return available
        }
    }

    fileprivate func next() async -> TransportEvent? {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<TransportEvent?, Never>) in
                var replaced: CheckedContinuation<TransportEvent?, Never>?
                let answer = state.withLock { state -> TransportEvent?? in
                    if Task.isCancelled { return .some(nil) }
                    if let event = state.popFirst() { return .some(event) }
                    if state.isEnded { return .some(nil) }
                    replaced = state.reader?.continuation
                    state.reader = (id, continuation)
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
                // There is one reader: a second one takes over, and the first sees the end.
                replaced?.resume(returning: nil)
            }
        } onCancel: {
            let continuation = state.withLock { state -> CheckedContinuation<TransportEvent?, Never>? in
                guard let reader = state.reader, reader.id == id else { return nil }
                state.reader = nil
                return reader.continuation
            }
            continuation?.resume(returning: nil)
        }
    }
}

extension TransportEvent {
    /// What may be left out when there is no room.
    fileprivate var isSpareable: Bool {
        switch self {
        case .data(let packet): packet.reliability == .lossy
        case .speakers: true
        default: false
        }
    }

    fileprivate var bufferCost: Int {
        switch self {
        case .data(let packet): packet.payload.count
        case .text(let part):
            if case .chunk(let text) = part.content { text.utf8.count } else { 0 }
        default: 0
        }
    }

    fileprivate func merged(with next: TransportEvent) -> TransportEvent? {
        guard case .text(let first) = self, case .text(let second) = next, first.header.id == second.header.id,
            first.header.sender == second.header.sender,
            case .chunk(let start) = first.content, case .chunk(let rest) = second.content
        else { return nil }
        return .text(TextStreamPart(header: first.header, content: .chunk(start + rest)))
    }
}
