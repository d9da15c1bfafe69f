import Synchronization
import TransportCore
import TransportHTTP

/// What one participant is to be sent: straight into its socket, and kept until it says that it has it.
///
/// Called while the hub is locked, so nothing here calls the hub, or waits. It knows nothing of the participant's
/// transport, whose last reference must not go away inside the hub.
final class RoomOutbox: Sendable {
    struct Limits: Sendable {
        var keptFrames: Int
        var keptBytes: Int
        var unsentBytes: Int
        var unsentLossyBytes: Int
        /// How long a client may take to close after a goodbye.
        var patience: Duration
    }

    private struct Waiting {
        let frame: [UInt8]
        let mayBeDropped: Bool
    }

    private struct State {
        var socket: WebSocketConnection?
        /// Changes with the socket, so that whoever served an older one does no harm to a newer one.
        var generation = 0
        /// The counted frames from `head` on have not been confirmed.
        var frames: [[UInt8]] = []
        var head = 0
        var bytes = 0
        /// How many counted frames were confirmed, or given up for want of room.
        var forgotten: UInt64 = 0
        /// Who was in the room at the join, until the welcome has told.
        var present: [Participant]? = []
        var end: DisconnectReason?
        /// What waits for the end of a batch.
        var waiting: [Waiting] = []
        var waitingBytes = 0

        var kept: Int { frames.count - head }

        mutating func keep(_ frame: [UInt8], _ limits: Limits) {
            frames.append(frame)
            bytes += frame.count
            while kept > limits.keptFrames || bytes > limits.keptBytes, kept > 0 { forget() }
        }

        mutating func forget() {
            bytes -= frames[head].count
            // The bytes go now, the place later.
            frames[head] = []
            head += 1
            forgotten += 1
            if head == frames.count {
                frames.removeAll(keepingCapacity: head <= 64)
                head = 0
            } else if head >= 256, head * 2 >= frames.count {
                frames.removeFirst(head)
                head = 0
            }
        }

        /// Cuts a socket that does not take anything, or that is gone already.
        mutating func loseSocket() {
            socket?.cut()
            socket = nil
            waiting = []
            waitingBytes = 0
        }
    }

    /// More does not wait for the end of a batch.
    private static let batchBytes = 64 * 1024
    /// Longer frames are sent as they are, since copying them would cost more than it saves.
    private static let joinedFrameBytes = 4096

    private let cache: RoomFrameCache
    private let batch: RoomBatch
    private let limits: Limits
    private let clock: DeadlineQueue
    private let state = Mutex(State())

    init(cache: RoomFrameCache, batch: RoomBatch, limits: Limits, clock: DeadlineQueue) {
        self.cache = cache
        self.batch = batch
        self.limits = limits
        self.clock = clock
    }

    /// Why the participant is no longer in the room; `nil` while it is.
    var end: DisconnectReason? { state.withLock { $0.end } }

    /// Takes an event of the room.
    func receive(_ event: TransportEvent) -> TransportEventBuffer.Outcome {
        state.withLock { state in
            guard state.end == nil else { return .ended }
            if case .participantJoined(let participant) = event, state.present != nil, state.kept == 0 {
                state.present?.append(participant)
                return .accepted
            }
            if case .connection(.disconnected(let reason)) = event {
                state.end = reason
                clock.schedule(self, at: clock.now + limits.patience)
            }
            if let entry = cache.entry(for: event) { send(entry.frame, isCounted: entry.isCounted, &state) }
            return .accepted
        }
    }

    /// Answers a request.
    func answer(_ message: RoomServerMessage) {
        let frame = message.serverFrame
        state.withLock { state in
            if state.end == nil { send(frame, isCounted: true, &state) }
        }
    }

    private func send(_ frame: [UInt8], isCounted: Bool, _ state: inout State) {
        if isCounted { state.keep(frame, limits) }
        guard state.socket != nil else { return }
        let mayBeDropped = !isCounted && state.end == nil
        if state.waiting.isEmpty, !batch.admits(self) {
            offer(frame, mayBeDropped: mayBeDropped, &state)
        } else {
            state.waiting.append(Waiting(frame: frame, mayBeDropped: mayBeDropped))
            state.waitingBytes += frame.count
            if state.waitingBytes >= Self.batchBytes { flush(&state) }
        }
    }

    private func offer(_ frame: [UInt8], mayBeDropped: Bool, _ state: inout State) {
        guard let socket = state.socket else { return }
        let limit = mayBeDropped ? limits.unsentLossyBytes : limits.unsentBytes
        if !socket.offer(frame: frame, limit: limit), !mayBeDropped { state.loseSocket() }
    }

    /// Sends what waited for the end of a batch.
    func flush() {
        state.withLock { flush(&$0) }
    }

    private func flush(_ state: inout State) {
        let waiting = state.waiting
        state.waiting = []
        state.waitingBytes = 0
        var index = 0
        while index < waiting.count {
            let first = waiting[index]
            index += 1
            var block = first.frame
            if block.count <= Self.joinedFrameBytes {
                while index < waiting.count, waiting[index].mayBeDropped == first.mayBeDropped,
                    waiting[index].frame.count <= Self.joinedFrameBytes
                {
                    block += waiting[index].frame
                    index += 1
                }
            }
            offer(block, mayBeDropped: first.mayBeDropped, &state)
        }
    }

    /// Forgets what the participant has.
    func confirm(_ received: UInt64) throws(RoomProtocolError) {
        try state.withLock { state throws(RoomProtocolError) in
            guard received <= state.forgotten + UInt64(state.kept) else {
                throw RoomProtocolError("A client has received more than was sent.")
            }
            while state.forgotten < received, state.kept > 0 { state.forget() }
        }
    }

    /// Goes on with another socket: the welcome first, then what the participant has not got.
    ///
    /// - Parameters:
    ///   - socket: The new socket; the one before is cut.
    ///   - received: How many counted frames the participant has.
    ///   - welcome: Makes the welcome out of who was there at the join.
    /// - Returns: The number that ``detach(_:)`` wants; `nil` when something is missing that would have to follow, or
    ///   the participant is no longer in the room.
    func attach(
        _ socket: WebSocketConnection,
        received: UInt64,
        welcome: ([Participant]) -> RoomServerMessage
    ) -> Int? {
        state.withLock { state in
            guard state.end == nil, received >= state.forgotten,
                received <= state.forgotten + UInt64(state.kept)
            else { return nil }
            state.loseSocket()
            state.generation += 1
            while state.forgotten < received { state.forget() }
            state.socket = socket
            let frame = welcome(state.present ?? []).serverFrame
            state.present = nil
            // What was kept for it may come at once, however much it is.
            let limit = limits.unsentBytes + limits.keptBytes + frame.count
            guard socket.offer(frame: frame, limit: limit),
                state.frames[state.head...].allSatisfy({ socket.offer(frame: $0, limit: limit) })
            else {
                state.loseSocket()
                return state.generation
            }
            return state.generation
        }
    }

    /// Whether this generation's socket is still the participant's.
    func isCurrent(_ generation: Int) -> Bool {
        state.withLock { $0.generation == generation }
    }

    /// Lets go of a socket that is gone.
    ///
    /// - Returns: Whether it was the participant's last.
    func detach(_ generation: Int) -> Bool {
        state.withLock { state in
            guard state.generation == generation else { return false }
            state.socket = nil
            state.waiting = []
            state.waitingBytes = 0
            return true
        }
    }

    /// Whether there is a socket.
    var isAttached: Bool { state.withLock { $0.socket != nil } }
}

extension RoomOutbox: DeadlineTarget {
    /// Cuts the socket of a participant that was told goodbye and has not closed it.
    func deadlineReached(now: Duration) {
        state.withLock { state in
            if state.end != nil { state.loseSocket() }
        }
    }
}
