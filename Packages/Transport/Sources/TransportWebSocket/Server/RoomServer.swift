import Synchronization
public import TransportCore
public import TransportHTTP

/// Rooms for clients on the network, on any path of an HTTP server.
///
/// What happens in a room is an ``TransportCore/InMemoryHub``'s matter; each WebSocket is a participant of it, and programs in
/// the same process take part through ``hub``. Packets are encoded once for all receivers. Who does not take what is sent
/// to it is cut, and who lost its socket may come back and gets what it missed.
///
/// ```swift
/// let rooms = RoomServer { token throws(TransportError) in try grant(for: token) }
/// let server = try HTTPServer(HTTPServerConfiguration(port: 7880)) { request in
///     request.path == "/rtc" ? rooms.accept(request) : .text("Not found\n", status: 404)
/// }
/// await server.run()
/// ```
public final class RoomServer: Sendable {
    /// Limits and habits of a room server.
    public struct Configuration: Sendable {
        /// How the rooms behave.
        public var hub: InMemoryHub.Configuration
        /// How clients are asked whether they are there.
        public var keepAlive: WebSocketConnection.KeepAlive
        /// How long a participant whose socket was lost may come back.
        public var resumeWindow: Duration
        /// How many reliable messages are kept for one participant until it has confirmed them.
        public var keptMessages: Int
        /// How many bytes those may have together.
        public var keptBytes: Int
        /// How many bytes may wait for one participant to read them before its socket is cut.
        public var unsentBytes: Int
        /// From how many waiting bytes on lossy packets and levels are left out.
        public var unsentLossyBytes: Int
        /// How long a client may take to say who it is, and to close after a goodbye.
        public var patience: Duration

        /// Creates a configuration.
        public init(
            hub: InMemoryHub.Configuration = InMemoryHub.Configuration(),
            keepAlive: WebSocketConnection.KeepAlive = WebSocketConnection.KeepAlive(),
            resumeWindow: Duration = .seconds(30),
            keptMessages: Int = 4096,
            keptBytes: Int = 4 * 1024 * 1024,
            unsentBytes: Int = 4 * 1024 * 1024,
            unsentLossyBytes: Int = 256 * 1024,
            patience: Duration = .seconds(10)
        ) {
            self.hub = hub
            self.keepAlive = keepAlive
            self.resumeWindow = resumeWindow
            self.keptMessages = keptMessages
            self.keptBytes = keptBytes
            self.unsentBytes = unsentBytes
            self.unsentLossyBytes = unsentLossyBytes
            self.patience = patience
        }
    }

    /// Reads a token, as the server's key allows.
    public typealias Verification = @Sendable (String) throws(TransportError) -> InMemoryHub.Grant

    /// The most that a participant's attributes may have together, in bytes.
    static let maximumAttributeBytes = 64 * 1024

    private struct State {
        var sessions: [String: RoomSession] = [:]
        var isRunning = true
    }

    /// The rooms, for participants in the same process; its tokens are its own.
    public let hub: InMemoryHub
    private let configuration: Configuration
    private let verify: Verification
    private let random: @Sendable () -> UInt64
    private let deadlines: DeadlineQueue
    private let cache = RoomFrameCache()
    private let batch = RoomBatch()
    private let state = Mutex(State())

    /// Creates a server without rooms.
    ///
    /// - Parameters:
    ///   - configuration: Limits and habits.
    ///   - clock: What its timers run on.
    ///   - startedAt: The time of day at creation, in seconds since 1970, for `joinedAt` and time stamps.
    ///   - random: Where resume tokens come from; has to be unpredictable outside of tests.
    ///   - verify: Reads a token, throwing `unauthorized`, or `refused` with a status; its message is shown to the client.
    public init(
        configuration: Configuration = Configuration(),
        clock: any Clock<Duration> = ContinuousClock(),
        startedAt: Double = 0,
        random: @escaping @Sendable () -> UInt64 = { UInt64.random(in: 0 ... .max) },
        verify: @escaping Verification
    ) {
        self.configuration = configuration
        self.verify = verify
        self.random = random
        hub = InMemoryHub(clock: clock, startedAt: startedAt, configuration: configuration.hub)
        deadlines = DeadlineQueue(clock: clock)
    }

    /// Ends all rooms, tells everybody so, and lets nobody in any more.
    public func shutDown() {
        state.withLock { $0.isRunning = false }
        hub.shutDown()
    }

    /// How many participants have a place here, with a socket or waiting for one.
    public var participantCount: Int { state.withLock { $0.sessions.values.count { $0.outbox.end == nil } } }

    // MARK: Requests

    /// Lets a request become a connection to a room, or refuses it.
    ///
    /// The token is `Authorization: Bearer …` or, for browsers, `?access_token=…`.
    ///
    /// - Parameter request: A WebSocket upgrade on whatever path it came.
    /// - Returns: The upgrade; 401 with a reason for a token that is missing or not accepted, 503 after ``shutDown()``.
    public func accept(_ request: HTTPServerRequest) -> HTTPServerResponse {
        guard state.withLock({ $0.isRunning }) else { return .text("The server is shutting down.\n", status: 503) }
        guard let token = Self.token(of: request) else {
            return Self.unauthorized("A token is missing; send it as “Authorization: Bearer …”.")
        }
        let grant: InMemoryHub.Grant
        do throws(TransportError) {
            grant = try verify(token)
        } catch {
            if case .refused(let status) = error.code, (400...599).contains(status) {
                return .text(error.message + "\n", status: status)
            }
            return Self.unauthorized(error.code == .unauthorized ? error.message : "The token was not accepted.")
        }
        let names = [grant.room, grant.participant.identity]
        guard names.allSatisfy({ !$0.isEmpty && $0.utf8.count <= RoomProtocol.maximumNameBytes }) else {
            return .text("The token names no room or no identity, or one that is too long.\n", status: 403)
        }
        let limit = RoomProtocol.maximumClientMessageBytes
        return .webSocket(
            limits: WebSocketLimits(frameBytes: limit, messageBytes: limit),
            keepAlive: configuration.keepAlive
        ) { [self] socket in
            await serve(socket, grant)
        }
    }

    private static func token(of request: HTTPServerRequest) -> String? {
        if let field = request.headers["Authorization"] {
            let parts = field.split(separator: " ", omittingEmptySubsequences: true)
            guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
            return String(parts[1])
        }
        return request.target.queryValue("access_token").flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func unauthorized(_ reason: String) -> HTTPServerResponse {
        var response = HTTPServerResponse.text(reason + "\n", status: 401)
        response.headers["WWW-Authenticate"] = "Bearer"
        return response
    }

    // MARK: Connections

    private func serve(_ socket: WebSocketConnection, _ grant: InMemoryHub.Grant) async {
        guard let hello = await hello(from: socket) else {
            return await refuse(socket, .protocolViolation, .policyViolation)
        }
        if let resume = hello.resume, let session = state.withLock({ $0.sessions[resume] }), session.belongs(to: grant)
        {
            if let end = session.outbox.end, end.isFinal { return await refuse(socket, end, .normal) }
            if let generation = session.attach(socket, received: hello.received, isResumed: true) {
                return await serve(socket, session, generation)
            }
        }
        do throws(TransportError) {
            let session = try makeSession(grant)
            guard let generation = session.attach(socket, received: 0, isResumed: false) else {
                session.lose(0)
                return await refuse(socket, session.outbox.end ?? .serverShutdown, .goingAway)
            }
            await serve(socket, session, generation)
        } catch {
            await refuse(socket, .serverShutdown, .goingAway)
        }
    }

    private func makeSession(_ grant: InMemoryHub.Grant) throws(TransportError) -> RoomSession {
        let (high, low) = (random(), random())
        let digits = [high, low].map { number in
            let digits = String(number, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        let session = try RoomSession(
            grant,
            hub: hub,
            resume: digits.joined(),
            window: configuration.resumeWindow,
            outbox: RoomOutbox(
                cache: cache,
                batch: batch,
                limits: RoomOutbox.Limits(
                    keptFrames: configuration.keptMessages,
                    keptBytes: configuration.keptBytes,
                    unsentBytes: configuration.unsentBytes,
                    unsentLossyBytes: configuration.unsentLossyBytes,
                    patience: configuration.patience
                ),
                clock: deadlines
            ),
            clock: deadlines
        ) { [weak self] session in
            self?.state.withLock { $0.sessions[session.resume] = nil }
        }
        state.withLock { $0.sessions[session.resume] = session }
        return session
    }

    private func serve(_ socket: WebSocketConnection, _ session: RoomSession, _ generation: Int) async {
        let scope = RoomBatchScope(batch)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await scope.run() }
            await receive(from: socket, session, generation, scope)
            scope.end()
        }
        session.lose(generation)
    }

    private func receive(
        from socket: WebSocketConnection,
        _ session: RoomSession,
        _ generation: Int,
        _ scope: RoomBatchScope
    ) async {
        do {
            while let message = try await socket.receive() {
                scope.begin()
                switch message {
                case .text(let text): try session.process(RoomClientMessage(text: text), generation)
                case .binary(let bytes): try session.process(RoomClientMessage(binary: bytes), generation)
                }
            }
            // A goodbye; somebody who only lost the connection could not have said it.
            switch socket.closing?.code {
            case .normal, .goingAway, .noStatus: session.leave(.client)
            default: break
            }
        } catch let error as RoomProtocolError {
            session.leave(.protocolViolation)
            await socket.close(.policyViolation, reason: error.message)
        } catch let error as TransportError {
            switch error.code {
            case .protocolViolation, .payloadTooLarge: session.leave(.protocolViolation)
            default: break
            }
        } catch {}
    }

    private func hello(from socket: WebSocketConnection) async -> RoomClientMessage.Hello? {
        let deadline = SocketDeadline(socket)
        deadlines.schedule(deadline, at: deadlines.now + configuration.patience)
        let message = try? await socket.receive()
        deadline.cancel()
        guard case .text(let text) = message, case .hello(let hello) = try? RoomClientMessage(text: text),
            hello.version == RoomProtocol.version
        else { return nil }
        return hello
    }

    private func refuse(_ socket: WebSocketConnection, _ reason: DisconnectReason, _ code: WebSocketCloseCode) async {
        _ = socket.offer(frame: RoomServerMessage.bye(reason).serverFrame, limit: configuration.unsentBytes)
        await socket.close(code)
    }
}

/// Cuts a socket whose client does not say what it has to in time.
private final class SocketDeadline: DeadlineTarget {
    private let socket: WebSocketConnection
    private let isOver = Atomic(false)

    init(_ socket: WebSocketConnection) {
        self.socket = socket
    }

    func cancel() {
        isOver.store(true, ordering: .relaxed)
    }

    func deadlineReached(now: Duration) {
        if !isOver.load(ordering: .relaxed) { socket.cut() }
    }
}

extension DisconnectReason {
    /// Whether coming back is not wanted, rather than only having failed.
    var isFinal: Bool {
        switch self {
        case .duplicateIdentity, .serverShutdown, .removed, .roomDeleted, .roomClosed, .agentError, .protocolViolation:
            true
        case .client, .timedOut, .signalLost, .joinFailed, .readerTooSlow: false
        }
    }
}
