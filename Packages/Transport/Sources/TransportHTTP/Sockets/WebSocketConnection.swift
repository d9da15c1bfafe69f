import Synchronization
public import TransportCore

/// An open WebSocket connection, either end of it.
///
/// One task receives, any number send. A sender waits while the other side takes nothing, and a receiver that does not ask
/// holds the other side back. Pings are sent and answered by themselves: a connection on which nothing comes for three
/// intervals while somebody waits for a message is given up.
public final class WebSocketConnection: Sendable {
    /// How a connection is kept alive.
    public struct KeepAlive: Hashable, Sendable {
        /// How often the other side is asked whether it is there.
        public var interval: Duration
        /// After how many unanswered questions it is given up.
        public var missed: Int
        /// How long to wait for the other side's part of closing, and for it to take anything at all.
        public var patience: Duration

        /// Creates settings; the defaults are those of a room server.
        public init(interval: Duration = .seconds(15), missed: Int = 2, patience: Duration = .seconds(10)) {
            self.interval = interval
            self.missed = missed
            self.patience = patience
        }
    }

    /// How a connection ended.
    public struct Closing: Hashable, Sendable {
        /// The code of the other side's close frame; ``WebSocketCloseCode/abnormal`` when there was none.
        public let code: WebSocketCloseCode
        /// Its reason; empty for none.
        public let reason: String
    }

    private struct State {
        var machine: WebSocketMachine
        var closing: Closing?
        var isReceiving = false
        /// Whether closing has taken the reading over.
        var isDraining = false
        var unanswered = 0
        var closeDue: Duration?
    }

    /// The subprotocol that was agreed on.
    public let subprotocol: String?
    /// The address of the other side.
    public var peer: String { connection.peer }
    private let connection: SocketConnection
    private let keepAlive: KeepAlive
    private let state: Mutex<State>

    init(
        _ connection: SocketConnection,
        role: WebSocketMachine.Role,
        limits: WebSocketLimits,
        keepAlive: KeepAlive,
        subprotocol: String?,
        unread: [UInt8]
    ) {
        self.connection = connection
        self.keepAlive = keepAlive
        self.subprotocol = subprotocol
        var machine = WebSocketMachine(role: role, limits: limits)
        machine.receive(unread)
        state = Mutex(State(machine: machine))
        schedule(after: keepAlive.interval)
    }

    private func schedule(after delay: Duration) {
        connection.group.deadlines.schedule(self, at: connection.group.deadlines.now + delay)
    }

    /// How the connection ended, `nil` while it has not.
    public var closing: Closing? { state.withLock { $0.closing } }

    // MARK: Receiving

    /// Waits for the next message; `nil` when the other side has closed the connection properly.
    ///
    /// - Throws: `closed` when it was lost, `timedOut` when nobody answers any more, `protocolViolation` when the other side
    ///   broke the rules, `payloadTooLarge` when it sent too much at once, `cancelled` (the connection stays open then).
    public func receive() async throws(TransportError) -> WebSocketMessage? {
        let mayReceive = state.withLock { state in
            // A goodbye on this side reads to the end by itself, and two readers would take each other's bytes.
            guard !state.isDraining else { return false }
            state.isReceiving = true
            return true
        }
        guard mayReceive else { return nil }
        defer { state.withLock { $0.isReceiving = false } }
        return try await nextMessage()
    }

    private func nextMessage() async throws(TransportError) -> WebSocketMessage? {
        while true {
            let (event, isOver, mustWait) = try step()
            if mustWait { try await connection.waitForRoom(patience: keepAlive.patience) }
            switch event {
            case .text(let text): return .text(text)
            case .binary(let bytes): return .binary(bytes)
            case .ping, .pong: continue
            case .close(let code, let reason):
                await end(Closing(code: code, reason: reason))
                return nil
            case .failed(let error):
                await end(Closing(code: .abnormal, reason: ""))
                throw Self.translated(error)
            case nil: break
            }
            if isOver { return nil }
            try await receiveBytes()
        }
    }

    /// Takes the next event out of the machine, and sends what the machine answers.
    private func step() throws(TransportError) -> (event: WebSocketEvent?, isOver: Bool, mustWait: Bool) {
        let result = state.withLock { state -> Result<(WebSocketEvent?, Bool, Bool), TransportError> in
            let event = state.machine.next()
            do throws(TransportError) {
                let mustWait = try putOutgoing(&state)
                return .success((event, state.closing != nil, mustWait))
            } catch {
                // What the other side had to say counts even when it cannot be answered any more.
                return event == nil ? .failure(error) : .success((event, false, false))
            }
        }
        let (event, isOver, mustWait) = try result.get()
        return (event, isOver, mustWait)
    }

    private func receiveBytes() async throws(TransportError) {
        do throws(TransportError) {
            let bytes = try await connection.receive(atMost: 128 * 1024)
            state.withLock { state in
                state.unanswered = 0
                if let bytes { state.machine.receive(bytes) } else { state.machine.connectionLost() }
            }
        } catch {
            if error.code != .cancelled {
                state.withLock { state in
                    if state.closing == nil { state.closing = Closing(code: .abnormal, reason: "") }
                }
            }
            throw error
        }
    }

    private func end(_ closing: Closing) async {
        state.withLock { state in
            if state.closing == nil { state.closing = closing }
        }
        await connection.finishGently(patience: keepAlive.patience)
    }

    private static func translated(_ error: WebSocketError) -> TransportError {
        switch error.code {
        case .protocolViolation, .invalidText: TransportError(.protocolViolation, error.message)
        case .messageTooLarge: TransportError(.payloadTooLarge(limit: 0), error.message)
        case .connectionLost, .notOpen: TransportError(.closed, error.message)
        case .invalidArgument: TransportError(.protocolViolation, error.message)
        }
    }

    // MARK: Sending

    /// Sends a text message.
    ///
    /// - Throws: `closed` after a close frame, `timedOut` when the other side takes nothing, or `cancelled`.
    public func send(_ text: String) async throws(TransportError) {
        try await send { machine throws(WebSocketError) in try machine.send(text: text) }
    }

    /// Sends a binary message.
    ///
    /// - Throws: As ``send(_:)-(String)``.
    public func send(_ bytes: [UInt8]) async throws(TransportError) {
        try await send { machine throws(WebSocketError) in try machine.send(binary: bytes) }
    }

    /// Sends a ping, whose pong is received without being shown.
    ///
    /// - Throws: As ``send(_:)-(String)``.
    public func ping() async throws(TransportError) {
        try await send { machine throws(WebSocketError) in try machine.ping() }
    }

    private func send(
        _ put: @Sendable (inout WebSocketMachine) throws(WebSocketError) -> Void
    ) async throws(TransportError) {
        let mustWait = try state.withLock { state throws(TransportError) in
            do throws(WebSocketError) { try put(&state.machine) } catch { throw Self.translated(error) }
            return try putOutgoing(&state)
        }
        if mustWait { try await connection.waitForRoom(patience: keepAlive.patience) }
    }

    /// Hands the machine's bytes to the socket while the lock is held, so that frames leave in the order they were made.
    private func putOutgoing(_ state: inout State) throws(TransportError) -> Bool {
        let bytes = state.machine.takeOutgoing()
        return bytes.isEmpty ? false : try connection.put(bytes)
    }

    /// Sends a whole frame that was made once for many receivers, unless more than `limit` bytes would be left unsent.
    ///
    /// Only for the server's end, and for frames of ``WebSocketFrameHeader/serverFrame(_:_:)``.
    ///
    /// - Returns: Whether it was taken; a receiver that does not take it should be closed.
    package func offer(frame: [UInt8], limit: Int) -> Bool {
        state.withLock { state in
            state.machine.state == .open && connection.trySend(frame, limit: limit)
        }
    }

    // MARK: Closing

    /// Says goodbye, waits for the other side to do so, and closes the connection.
    ///
    /// Harmless when it is closed. What comes in the meantime and nobody receives is dropped.
    ///
    /// - Parameters:
    ///   - code: Why; one that may be sent.
    ///   - reason: At most 123 bytes of UTF-8; a longer one is left out.
    public func close(_ code: WebSocketCloseCode = .normal, reason: String = "") async {
        let deadlines = connection.group.deadlines
        let mustReceive = state.withLock { state -> Bool? in
            guard state.machine.state == .open else { return state.isReceiving ? nil : false }
            do throws(WebSocketError) {
                try state.machine.close(code, reason: reason.utf8.count > 123 ? "" : reason)
            } catch {
                try? state.machine.close()
            }
            state.closeDue = deadlines.now + keepAlive.patience
            guard (try? putOutgoing(&state)) != nil else { return false }
            state.isDraining = !state.isReceiving
            return state.isDraining
        }
        schedule(after: keepAlive.patience)
        switch mustReceive {
        case true: while (try? await nextMessage()) != nil {}
        case false: break
        // Whoever receives ends the connection when the other side answers.
        default: return
        }
        connection.close()
    }

    /// Cuts the connection without a word.
    public func cut() {
        connection.close()
    }
}

extension WebSocketConnection: DeadlineTarget {
    /// Asks whether the other side is there, or gives it up.
    package func deadlineReached(now: Duration) {
        let mayGoOn = state.withLock { state -> Bool in
            guard state.closing == nil, connection.isUsable else { return false }
            if let closeDue = state.closeDue {
                if closeDue > now { return true }
                connection.fail(
                    with: TransportError(.timedOut, "\(connection.peer) did not answer the close frame in time.")
                )
                return false
            }
            // While nobody receives, an answer could not have been seen.
            if state.isReceiving, state.unanswered >= keepAlive.missed {
                connection.fail(with: TransportError(.timedOut, "\(connection.peer) does not answer any more."))
                return false
            }
            if state.isReceiving { state.unanswered += 1 }
            guard (try? state.machine.ping()) != nil, (try? putOutgoing(&state)) != nil else { return false }
            return true
        }
        if mayGoOn { schedule(after: keepAlive.interval) }
    }
}

/// The messages of a connection, in order, until it is closed.
public struct WebSocketMessages: AsyncSequence, Sendable {
    /// Takes messages one by one.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let connection: WebSocketConnection

        /// Waits for the next message.
        public mutating func next() async throws(TransportError) -> WebSocketMessage? {
            try await connection.receive()
        }

        /// Waits for the next message.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(TransportError) -> WebSocketMessage? {
            try await connection.receive()
        }
    }

    let connection: WebSocketConnection

    /// Begins to receive.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(connection: connection)
    }
}

extension WebSocketConnection {
    /// The messages, in order; ends when the other side closes, and throws as ``receive()`` does.
    public var messages: WebSocketMessages { WebSocketMessages(connection: self) }
}
