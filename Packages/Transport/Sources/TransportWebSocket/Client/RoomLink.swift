import Synchronization
import TransportCore
import TransportHTTP

/// A participant's side of the protocol, from the first socket to the end.
///
/// One task reads the socket, one writes what waits; they belong to ``run(_:)``, which the transport owns.
final class RoomLink: Sendable {
    enum Phase {
        case unused
        case connecting
        case open
        case reconnecting
        case over
    }

    /// A request that has not been answered.
    private struct Pending {
        let number: UInt64
        let frame: RoomFrame
        let ticket: UInt64
        var continuation: CheckedContinuation<Result<String?, TransportError>, Never>?
    }

    private struct State {
        var phase = Phase.unused
        var url = ""
        var token = ""
        var options = TransportOptions()
        var attempt: Task<Result<JoinedRoom, TransportError>, Never>?
        var running: Task<Void, Never>?
        var socket: WebSocketConnection?
        var random: SeededRandom
        /// Why the server does not want this participant back.
        var refusal: DisconnectReason?
        var goodbyes: [GoodbyeWait] = []
        var hasEnded = false

        // Sending.
        var lastRequest: UInt64 = 0
        var lastTicket: UInt64 = 0
        var pending: [Pending] = []
        var outgoing: [RoomFrame] = []
        var outgoingBytes = 0
        var isLastLevel = false
        var writer: CheckedContinuation<Void, Never>?

        // Receiving.
        var welcome: RoomServerMessage.Welcome?
        var received: UInt64 = 0
        var confirmed: UInt64 = 0
        var unconfirmedBytes = 0
        var known: [String] = []
        var streams: [RoomServerMessage.TextID: TextStreamHeader] = [:]
        var streamOrder: [RoomServerMessage.TextID] = []
        var hasSpeakers = false

        // What a new join has to say again.
        var ownAttributes: [String: String] = [:]
        var isMicrophoneEnabled: Bool?

        mutating func put(_ frame: RoomFrame) {
            outgoing.append(frame)
            outgoingBytes += frame.count
            isLastLevel = false
        }

        mutating func takeWriter() -> CheckedContinuation<Void, Never>? {
            defer { writer = nil }
            return writer
        }
    }

    let buffer: TransportEventBuffer
    private let client: SocketHTTPClient
    private let policy: ReconnectPolicy
    private let clock: any Clock<Duration>
    private let keepAlive: WebSocketConnection.KeepAlive
    private let state: Mutex<State>

    init(
        client: SocketHTTPClient,
        policy: ReconnectPolicy,
        clock: any Clock<Duration>,
        random: SeededRandom,
        keepAlive: WebSocketConnection.KeepAlive,
        buffer: TransportEventBuffer
    ) {
        self.client = client
        self.policy = policy
        self.clock = clock
        self.keepAlive = keepAlive
        self.buffer = buffer
        state = Mutex(State(random: random))
    }

    // MARK: Connecting

    func connect(_ url: String, _ token: String, _ options: TransportOptions) async throws(TransportError) -> JoinedRoom
    {
        let attempt = state.withLock { state -> Task<Result<JoinedRoom, TransportError>, Never>? in
            guard case .unused = state.phase else { return nil }
            state.phase = .connecting
            (state.url, state.token, state.options) = (url, token, options)
            buffer.append(.connection(.connecting))
            let isCancelled = Task.isCancelled
            let attempt = Task { await self.firstAttempt(isCancelled: isCancelled) }
            state.attempt = attempt
            return attempt
        }
        guard let attempt else { throw TransportError(.closed, "This connection was used before; make a new one.") }
        let result = await withTaskCancellationHandler {
            await attempt.value
        } onCancel: {
            attempt.cancel()
        }
        return try result.get()
    }

    private func firstAttempt(isCancelled: Bool) async -> Result<JoinedRoom, TransportError> {
        let (token, limit) = state.withLock { ($0.token, $0.options.roomTimeout) }
        do throws(TransportError) {
            if isCancelled { throw TransportError(.cancelled) }
            let (socket, welcome) = try await limited(limit) { () async throws(TransportError) in
                try await self.open(token)
            }
            let isWanted = state.withLock { state -> Bool in
                guard case .connecting = state.phase else { return false }
                state.attempt = nil
                state.phase = .open
                state.welcome = welcome
                state.socket = socket
                state.known = welcome.present.map(\.identity)
                buffer.append(.connection(.connected))
                for participant in welcome.present { buffer.append(.participantJoined(participant)) }
                state.running = Task { await self.run(socket) }
                return true
            }
            guard isWanted else {
                await socket.close()
                throw TransportError(.closed)
            }
            return .success(JoinedRoom(name: welcome.room, local: welcome.local))
        } catch {
            let isOver = state.withLock { state in
                if case .over = state.phase { true } else { false }
            }
            finish(.joinFailed)
            return .failure(isOver ? TransportError(.closed) : error)
        }
    }

    /// Opens a socket and introduces this participant.
    private func open(
        _ token: String
    ) async throws(TransportError) -> (WebSocketConnection, RoomServerMessage.Welcome) {
        let (url, options, hello) = state.withLock { state in
            let hello = RoomClientMessage.Hello(
                client: state.options.clientName,
                resume: state.welcome?.resume,
                received: state.received
            )
            return (state.url, state.options, hello)
        }
        let limit = RoomProtocol.maximumServerMessageBytes
        let socket = try await limited(options.socketTimeout) { [client, keepAlive] () async throws(TransportError) in
            try await client.openWebSocket(
                url,
                headers: ["Authorization": "Bearer \(token)"],
                limits: WebSocketLimits(frameBytes: limit, messageBytes: limit),
                keepAlive: keepAlive,
                timeout: options.socketTimeout
            )
        }
        do throws(TransportError) {
            try await Self.send(RoomClientMessage.hello(hello).frame, on: socket)
            guard case .text(let text)? = try await socket.receive() else {
                throw TransportError(.closed, "The server closed the connection instead of answering.")
            }
            switch try Self.parse(text) {
            case .welcome(let welcome): return (socket, welcome)
            case .bye(let reason):
                state.withLock { $0.refusal = reason }
                throw TransportError(.refused(status: 403), reason.message)
            default: throw TransportError(.protocolViolation, "The server did not begin with a welcome.")
            }
        } catch {
            socket.cut()
            throw error
        }
    }

    private static func parse(_ text: String) throws(TransportError) -> RoomServerMessage? {
        do throws(RoomProtocolError) {
            return try RoomServerMessage(text: text)
        } catch {
            throw TransportError(.protocolViolation, "The server sent something that is not allowed: \(error.message)")
        }
    }

    private static func send(_ frame: RoomFrame, on socket: WebSocketConnection) async throws(TransportError) {
        switch frame {
        case .text(let bytes): try await socket.send(String(decoding: bytes, as: UTF8.self))
        case .binary(let bytes): try await socket.send(bytes)
        }
    }

    /// Gives up after a time.
    private func limited<Value: Sendable>(
        _ limit: Duration,
        _ body: @escaping @Sendable () async throws(TransportError) -> Value
    ) async throws(TransportError) -> Value {
        let clock = clock
        let result = await withTaskGroup(of: Result<Value, TransportError>?.self) { group in
            group.addTask {
                do throws(TransportError) { return .success(try await body()) } catch { return .failure(error) }
            }
            group.addTask {
                try? await clock.sleep(for: limit)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            if let first { return first }
            // What succeeded at the very moment of the limit is not thrown away.
            for await late in group { if case .success = late { return late ?? .failure(TransportError(.timedOut)) } }
            return .failure(TransportError(Task.isCancelled ? .cancelled : .timedOut))
        }
        return try result.get()
    }

    // MARK: Ending

    /// Ends everything here; the socket is left to whoever reads it.
    @discardableResult
    private func finish(_ reason: DisconnectReason) -> State? {
        let last = state.withLock { state -> State? in
            if case .over = state.phase { return nil }
            let last = state
            state.phase = .over
            state.pending = []
            state.outgoing = []
            state.writer = nil
            state.attempt = nil
            return last
        }
        guard let last else { return nil }
        for pending in last.pending { pending.continuation?.resume(returning: .failure(TransportError(.closed))) }
        last.writer?.resume()
        buffer.append(.connection(.disconnected(reason)))
        return last
    }

    func disconnect(_ reason: DisconnectReason) async {
        guard let last = finish(reason) else { return }
        last.attempt?.cancel()
        guard case .open = last.phase else {
            last.running?.cancel()
            return
        }
        // Who exits after this has said goodbye; a server that does not answer is not waited for long.
        let wait = GoodbyeWait(clock: clock)
        let isPending = state.withLock { state in
            state.goodbyes.append(wait)
            return !state.hasEnded
        }
        if isPending { await wait.value() }
    }

    /// Ends when nobody holds the transport any more.
    func abandon() {
        guard let last = finish(.client) else { return }
        last.attempt?.cancel()
        if case .open = last.phase { return }
        last.running?.cancel()
    }

    // MARK: Running

    private enum End {
        case over
        case lost
    }

    private func run(_ first: WebSocketConnection) async {
        defer {
            let goodbyes = state.withLock { state in
                state.hasEnded = true
                defer { state.goodbyes = [] }
                return state.goodbyes
            }
            for goodbye in goodbyes { goodbye.end() }
        }
        var socket = first
        while true {
            switch await serve(socket) {
            case .over: return await socket.close()
            case .lost: socket.cut()
            }
            guard let renewed = await reconnect() else { return }
            socket = renewed
        }
    }

    private func serve(_ socket: WebSocketConnection) async -> End {
        await withTaskGroup(of: End?.self) { group in
            group.addTask { await self.read(socket) }
            // Only one task at a time may receive, so the socket is closed when the reader has stopped.
            group.addTask { await self.write(to: socket) ? .over : nil }
            // Why the socket failed is what the reader knows.
            for await end in group {
                guard let end else { continue }
                group.cancelAll()
                return end
            }
            return .lost
        }
    }

    private func reconnect() async -> WebSocketConnection? {
        let wasOpen = state.withLock { state -> Bool in
            guard case .open = state.phase else { return false }
            state.phase = .reconnecting
            state.socket = nil
            state.outgoing = []
            state.outgoingBytes = 0
            buffer.append(.connection(.reconnecting))
            return true
        }
        guard wasOpen else { return nil }
        var (random, token, options) = state.withLock { ($0.random.split(), $0.token, $0.options) }
        do throws(TransportError) {
            let socket = try await policy.reconnect(
                on: clock,
                random: &random,
                token: token,
                renewToken: options.renewToken
            ) { token async throws(TransportError) in
                let (socket, welcome) = try await limited(options.roomTimeout) { () async throws(TransportError) in
                    try await self.open(token)
                }
                guard resume(with: welcome, on: socket, token: token) else {
                    await socket.close()
                    throw TransportError(.cancelled)
                }
                return socket
            }
            return socket
        } catch {
            finish(state.withLock { $0.refusal } ?? error.code.endOfReconnecting)
            return nil
        }
    }

    /// Goes on after a welcome.
    private func resume(with welcome: RoomServerMessage.Welcome, on socket: WebSocketConnection, token: String) -> Bool
    {
        let (isWanted, failed) = state.withLock { state -> (Bool, [Pending]) in
            guard case .reconnecting = state.phase else { return (false, []) }
            state.phase = .open
            state.socket = socket
            state.token = token
            state.outgoing = []
            state.outgoingBytes = 0
            var failed: [Pending] = []
            if welcome.isResumed {
                // Those that the server has done are answered by what it kept.
                for pending in state.pending where pending.number > welcome.received { state.put(pending.frame) }
            } else {
                failed = state.pending
                rejoin(with: welcome, &state)
            }
            state.welcome = welcome
            buffer.append(.connection(.reconnected))
            return (true, failed)
        }
        for pending in failed {
            pending.continuation?.resume(
                returning: .failure(
                    TransportError(.notConnected, "The connection was lost before the server had confirmed this.")
                )
            )
        }
        return isWanted
    }

    /// Tells of a join that is a new one: everybody has left, and those who are there have joined.
    private func rejoin(with welcome: RoomServerMessage.Welcome, _ state: inout State) {
        for id in state.streamOrder {
            guard let header = state.streams[id] else { continue }
            buffer.append(.text(TextStreamPart(header: header, content: .failed("The connection was lost."))))
        }
        for identity in state.known { buffer.append(.participantLeft(identity: identity)) }
        for participant in welcome.present { buffer.append(.participantJoined(participant)) }
        if state.hasSpeakers { buffer.append(.speakers([:])) }
        state.hasSpeakers = false
        state.streams = [:]
        state.streamOrder = []
        state.known = welcome.present.map(\.identity)
        state.pending = []
        (state.lastRequest, state.received, state.confirmed, state.unconfirmedBytes) = (0, 0, 0, 0)
        if !state.ownAttributes.isEmpty { put(.attributes(state.ownAttributes), &state) }
        if let isEnabled = state.isMicrophoneEnabled { put(.microphone(isEnabled), &state) }
    }

    // MARK: Receiving

    private func read(_ socket: WebSocketConnection) async -> End {
        do {
            while let message = try await socket.receive() {
                guard try handle(message) else { return .over }
            }
        } catch let error as RoomProtocolError {
            finish(.protocolViolation)
            await socket.close(.protocolError, reason: error.message)
            return .over
        } catch {}
        if Task.isCancelled { return .over }
        return state.withLock { state in
            if case .over = state.phase { .over } else { .lost }
        }
    }

    /// Takes a message; false at the end.
    private func handle(_ message: WebSocketMessage) throws(RoomProtocolError) -> Bool {
        let parsed: RoomServerMessage?
        let count: Int
        switch message {
        case .binary(let bytes):
            parsed = try RoomServerMessage(binary: bytes)
            count = bytes.count
        case .text(let text):
            parsed = try RoomServerMessage(text: text)
            count = text.utf8.count
        }
        if case .bye(let reason) = parsed {
            finish(reason)
            return false
        }
        // A newer server's messages are counted as the protocol says.
        let isCounted = parsed?.isCounted ?? true
        let writer = state.withLock { state in isCounted ? confirm(count, &state) : nil }
        writer?.resume()
        switch parsed {
        case .done(let number, let id): answer(number, .success(id))
        case .refused(let number, let error): answer(number, .failure(error))
        case nil, .welcome, .bye: break
        case .some(let told):
            guard let event = state.withLock({ state in event(of: told, &state) }) else { break }
            if buffer.append(event) != .accepted {
                finish(.readerTooSlow)
                return false
            }
        }
        return true
    }

    private func confirm(_ bytes: Int, _ state: inout State) -> CheckedContinuation<Void, Never>? {
        state.received += 1
        state.unconfirmedBytes += bytes
        guard state.received - state.confirmed >= 32 || state.unconfirmedBytes >= 64 * 1024 else { return nil }
        state.confirmed = state.received
        state.unconfirmedBytes = 0
        state.put(RoomClientMessage.received(state.received).frame)
        return state.takeWriter()
    }

    private func event(of message: RoomServerMessage, _ state: inout State) -> TransportEvent? {
        switch message {
        case .joined(let participant):
            if !state.known.contains(participant.identity) { state.known.append(participant.identity) }
            return .participantJoined(participant)
        case .left(let identity):
            state.known.removeAll { $0 == identity }
            return .participantLeft(identity: identity)
        case .attributes(let identity, let changed):
            return .attributesChanged(identity: identity, changed: changed)
        case .data(let packet): return .data(packet)
        case .speakers(let levels):
            state.hasSpeakers = !levels.isEmpty
            return .speakers(levels)
        case .opened(let header):
            let id = RoomServerMessage.TextID(id: header.id, sender: header.sender)
            if state.streams.updateValue(header, forKey: id) == nil { state.streamOrder.append(id) }
            return .text(TextStreamPart(header: header, content: .opened))
        case .continued(let id, let content):
            // A stream that began before this side joined is not its own.
            guard let header = state.streams[id] else { return nil }
            switch content {
            case .ended, .failed:
                state.streams[id] = nil
                state.streamOrder.removeAll { $0 == id }
            case .opened, .chunk: break
            }
            return .text(TextStreamPart(header: header, content: content))
        case .welcome, .done, .refused, .bye: return nil
        }
    }

    private func answer(_ number: UInt64, _ result: Result<String?, TransportError>) {
        let pending = state.withLock { state -> Pending? in
            guard let index = state.pending.firstIndex(where: { $0.number == number }) else { return nil }
            return state.pending.remove(at: index)
        }
        pending?.continuation?.resume(returning: result)
    }

    // MARK: Sending

    /// Writes what waits.
    ///
    /// - Returns: Whether this side has ended the connection; false when the socket is gone.
    private func write(to socket: WebSocketConnection) async -> Bool {
        while !Task.isCancelled {
            let frames = state.withLock { state in
                defer {
                    state.outgoing = []
                    state.outgoingBytes = 0
                    state.isLastLevel = false
                }
                return state.outgoing
            }
            do throws(TransportError) {
                for frame in frames { try await Self.send(frame, on: socket) }
            } catch {
                return false
            }
            await withTaskCancellationHandler {
                await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                    let mustWait = state.withLock { state in
                        guard state.outgoing.isEmpty, !Task.isCancelled else { return false }
                        if case .over = state.phase { return false }
                        state.writer = continuation
                        return true
                    }
                    if !mustWait { continuation.resume() }
                }
            } onCancel: {
                state.withLock { $0.takeWriter() }?.resume()
            }
            let isOver = state.withLock { state in
                if case .over = state.phase { true } else { false }
            }
            if isOver { return true }
        }
        return false
    }

    @discardableResult
    private func put(_ request: RoomClientMessage.Request, _ state: inout State) -> UInt64 {
        state.lastRequest += 1
        state.lastTicket += 1
        var request = request
        if case .publish(var publication) = request {
            publication.request = state.lastRequest
            request = .publish(publication)
        }
        let frame = RoomClientMessage.request(state.lastRequest, request).frame
        state.pending.append(Pending(number: state.lastRequest, frame: frame, ticket: state.lastTicket))
        state.put(frame)
        return state.lastTicket
    }

    private static func checkOpen(_ state: borrowing State) throws(TransportError) {
        switch state.phase {
        case .open: return
        case .unused, .connecting:
            throw TransportError(.notConnected, "There is no connection yet; connect first.")
        case .reconnecting: throw TransportError(.notConnected)
        case .over: throw TransportError(.closed)
        }
    }

    /// What this participant may do; throws when there is no connection.
    func grants() throws(TransportError) -> RoomServerMessage.Welcome {
        try state.withLock { state throws(TransportError) in
            try Self.checkOpen(state)
            guard let welcome = state.welcome else { throw TransportError(.notConnected) }
            return welcome
        }
    }

    /// Sends requests together and waits for the answer to the last.
    ///
    /// They are answered in order, so nothing is missed by that, except for errors of those before.
    @discardableResult
    func request(_ requests: [RoomClientMessage.Request]) async throws(TransportError) -> String? {
        let ticket = Mutex<UInt64?>(nil)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation {
                (continuation: CheckedContinuation<Result<String?, TransportError>, Never>) in
                let (failure, writer) = state.withLock {
                    state -> (TransportError?, CheckedContinuation<Void, Never>?) in
                    do throws(TransportError) {
                        try Self.checkOpen(state)
                        if Task.isCancelled { throw TransportError(.cancelled) }
                    } catch {
                        return (error, nil)
                    }
                    for request in requests {
                        let number = put(request, &state)
                        ticket.withLock { $0 = number }
                    }
                    state.pending[state.pending.count - 1].continuation = continuation
                    return (nil, state.takeWriter())
                }
                if let failure { continuation.resume(returning: .failure(failure)) }
                writer?.resume()
            }
        } onCancel: {
            // It may still be done, as anything that was sent.
            let continuation = state.withLock { state in
                let number = ticket.withLock { $0 }
                guard let index = state.pending.firstIndex(where: { $0.ticket == number }) else {
                    return CheckedContinuation<Result<String?, TransportError>, Never>?.none
                }
                defer { state.pending[index].continuation = nil }
                return state.pending[index].continuation
            }
            continuation?.resume(returning: .failure(TransportError(.cancelled)))
        }
        return try result.get()
    }

    /// Sends a lossy packet, unless too much waits already.
    func sendLossy(_ publication: RoomDataFrame.Publication) throws(TransportError) {
        let writer = try state.withLock { state throws(TransportError) in
            try Self.checkOpen(state)
            guard state.outgoingBytes < 256 * 1024 else { return CheckedContinuation<Void, Never>?.none }
            state.put(RoomClientMessage.lossy(publication).frame)
            return state.takeWriter()
        }
        writer?.resume()
    }

    /// Sends a level in place of one that has not been sent.
    func send(level: Double) throws(TransportError) {
        let writer = try state.withLock { state throws(TransportError) in
            try Self.checkOpen(state)
            if state.isLastLevel, let last = state.outgoing.popLast() { state.outgoingBytes -= last.count }
            state.put(RoomClientMessage.level(level).frame)
            state.isLastLevel = true
            return state.takeWriter()
        }
        writer?.resume()
    }

    /// Remembers what a new join would have to say again.
    func remember(attributes: [String: String]) {
        state.withLock { $0.ownAttributes.merge(attributes) { $1 } }
    }

    /// Remembers what a new join would have to say again.
    func remember(microphone isEnabled: Bool) {
        state.withLock { $0.isMicrophoneEnabled = isEnabled }
    }
}

/// Waits for a connection to be closed, but not for long.
private final class GoodbyeWait: Sendable {
    private struct State {
        var isOver = false
        var continuation: CheckedContinuation<Void, Never>?
        var timer: ClockTimer?
    }

    private let clock: any Clock<Duration>
    private let state = Mutex(State())

    init(clock: any Clock<Duration>) {
        self.clock = clock
    }

    func value() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isOver = state.withLock { state in
                if !state.isOver { state.continuation = continuation }
                return state.isOver
            }
            if isOver { return continuation.resume() }
            let timer = ClockTimer(on: clock, after: .seconds(1)) { [weak self] in self?.end() }
            state.withLock { $0.timer = timer }
        }
        state.withLock { $0.timer = nil }
    }

    func end() {
        let continuation = state.withLock { state in
            state.isOver = true
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume()
    }
}

extension TransportError.Code {
    /// What attempts to get a connection back end with when the last of them failed like this.
    fileprivate var endOfReconnecting: DisconnectReason {
        switch self {
        case .unauthorized, .refused, .pinMismatch, .notPermitted, .invalidURL: .joinFailed
        case .protocolViolation: .protocolViolation
        default: .signalLost
        }
    }
}
