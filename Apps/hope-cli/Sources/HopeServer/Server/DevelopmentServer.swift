internal import Synchronization
public import TransportCore
internal import TransportHTTP
public import TransportTLS

/// A server for developing against: tokens, rooms with an agent in each, media, and whatever paths a program adds.
public final class DevelopmentServer: Sendable {
    /// How often a certificate's file is looked at.
    static let certificateInterval = Duration.seconds(30)

    private struct State {
        var http: HTTPServer
        var identity: TLSIdentity?
        /// Servers with an earlier certificate, whose connections go on.
        var retired: [HTTPServer] = []
        var isStopping = false
    }

    private let configuration: DevelopmentServerConfiguration
    private let time: Stopwatch
    private let loops: SocketLoopGroup
    private let router: Router
    private let agents: RoomAgents
    private let rooms: RoomService
    private let servers: AsyncStream<HTTPServer>
    private let serverArrivals: AsyncStream<HTTPServer>.Continuation
    private let state: Mutex<State>

    /// Begins to listen; ``run()`` has to be called for anybody to be answered.
    ///
    /// - Throws: `unavailable` when the address cannot be listened at, when a certificate's file cannot be used, or when
    ///   other machines could reach the server and there is no server key; `invalidURL` when the host is no address.
    public init(_ configuration: DevelopmentServerConfiguration) throws(TransportError) {
        if !configuration.isLoopback, (configuration.serverKey ?? "").utf8.count < 16 {
            throw TransportError(
                .unavailable,
                "Other machines can reach \(configuration.host), so callers have to prove who they are; "
                    + "set HOPE_SERVER_KEY to at least 16 characters, or listen at 127.0.0.1."
            )
        }
        self.configuration = configuration
        time = Stopwatch(clock: configuration.clock)
        loops = try SocketLoopGroup(clock: configuration.clock)
        let tokens = RoomTokenIssuer(
            key: configuration.tokenKey,
            lifetime: configuration.tokenLifetime,
            startedAt: configuration.startedAt,
            clock: configuration.clock
        )
        let admission = Admission()
        let rooms = RoomService(tokens: tokens, configuration: configuration) { room in admission.admit(room) }
        let agents = RoomAgents(
            startedAt: configuration.startedAt,
            clock: configuration.clock,
            makeAgent: configuration.makeAgent,
            makeTransport: { try rooms.hub.makeTransport() },
            join: { connection, room in try await rooms.join(connection, room: room) },
            isOccupied: { room in rooms.isOccupied(room) }
        )
        admission.agents.withLock { $0 = agents }
        self.agents = agents
        self.rooms = rooms
        router = Router(
            requestGuard: RequestGuard(
                isLoopback: configuration.isLoopback,
                serverKey: configuration.serverKey,
                tokens: tokens
            ),
            tokens: TokenEndpoint(tokens: tokens),
            rooms: rooms,
            media: configuration.media,
            other: configuration.handleOther
        )
        let identity = try Self.identity(of: configuration, now: configuration.startedAt)
        let http = try Self.listen(configuration, port: configuration.port, identity, loops, router)
        state = Mutex(State(http: http, identity: identity))
        (servers, serverArrivals) = AsyncStream.makeStream(of: HTTPServer.self)
        serverArrivals.yield(http)
    }

    /// The address that a client on this machine uses, without a trailing slash.
    public var url: String { state.withLock { $0.http }.url }

    /// The port it listens at, also when the system chose it.
    public var port: Int { state.withLock { $0.http }.port }

    /// What clients can pin; nil without TLS.
    public var pins: CertificateFingerprints? { state.withLock { $0.identity?.fingerprints } }

    /// The rooms, for whoever wants to take part without a network.
    public var hub: InMemoryHub { rooms.hub }

    /// Answers until the task is cancelled or ``shutDown(grace:)`` is called, and returns when everybody has been told.
    public func run() async {
        await withTaskCancellationHandler {
            // Cancelling would cut the connections in the middle of their answers; shutting down ends this task too.
            let serving = Task(executorPreference: ManualClock.runExecutor) { await self.serve() }
            await serving.value
        } onCancel: {
            shutDown()
        }
    }

    /// Stops: nobody is let in any more, the rooms are told, and answers that have begun are finished.
    ///
    /// - Parameter grace: How long those may take before they are cut.
    public func shutDown(grace: Duration = .seconds(3)) {
        let running = state.withLock { state in
            state.isStopping = true
            return state.retired + [state.http]
        }
        agents.stop()
        rooms.shutDown()
        configuration.media?.stop()
        serverArrivals.finish()
        for server in running { server.shutdown(grace: grace) }
    }

    /// Takes the certificate from its file again, renewing one that is about to end; connections that are open go on with the
    /// earlier one.
    ///
    /// - Returns: Whether it is another one than before.
    /// - Throws: `unavailable` or `protocolViolation` when the file cannot be used; the earlier certificate stays.
    @discardableResult
    public func reloadCertificate() throws(TransportError) -> Bool {
        guard case .kept = configuration.certificate else { return false }
        let now = configuration.startedAt + time.elapsed.inSeconds
        let identity = try Self.identity(of: configuration, now: now)
        let (next, isChanged) = try state.withLock { state throws(TransportError) -> (HTTPServer?, Bool) in
            guard !state.isStopping, let identity, identity.fingerprints != state.identity?.fingerprints else {
                return (nil, false)
            }
            // The port has to be free for the next server; callers of this instant are refused and try again.
            let earlier = state.http
            earlier.shutdown(grace: .seconds(7 * 86_400))
            let next = try Self.listen(configuration, port: earlier.port, identity, loops, router)
            state.retired.append(earlier)
            state.http = next
            state.identity = identity
            return (next, true)
        }
        if let next { serverArrivals.yield(next) }
        return isChanged
    }

    private func serve() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.agents.run() }
            if let media = self.configuration.media { group.addTask { await media.run() } }
            let watch = AsyncStream.makeStream(of: Never.self)
            group.addTask { await self.watchCertificate(until: watch.stream) }
            await withDiscardingTaskGroup { answering in
                for await server in self.servers {
                    answering.addTask {
                        await server.run()
                        self.state.withLock { $0.retired.removeAll { $0 === server } }
                    }
                }
            }
            watch.continuation.finish()
        }
    }

    private func watchCertificate(until end: AsyncStream<Never>) async {
        guard case .kept = configuration.certificate else { return }
        await withDiscardingTaskGroup { group in
            group.addTask { [configuration] in
                while (try? await configuration.clock.sleep(for: Self.certificateInterval)) != nil {
                    // A file that cannot be used, perhaps because it is being written, is looked at again.
                    _ = try? self.reloadCertificate()
                }
            }
            for await _ in end {}
            group.cancelAll()
        }
    }

    private static func identity(
        of configuration: DevelopmentServerConfiguration,
        now: Double
    ) throws(TransportError) -> TLSIdentity? {
        switch configuration.certificate {
        case nil: nil
        case .given(let identity): identity
        case .kept(let file, let names): try file.loadOrCreate(names: names, now: now)
        }
    }

    private static func listen(
        _ configuration: DevelopmentServerConfiguration,
        port: Int,
        _ identity: TLSIdentity?,
        _ loops: SocketLoopGroup,
        _ router: Router
    ) throws(TransportError) -> HTTPServer {
        try HTTPServer(
            HTTPServerConfiguration(
                host: configuration.host == "localhost" ? "127.0.0.1" : configuration.host,
                port: port,
                identity: identity,
                allowedHosts: configuration.allowedHosts
            ),
            loops: loops
        ) { request in
            try await router.answer(request)
        }
    }
}

/// Tells the agents of people who are let in, which are made after the rooms that let them in.
private final class Admission: Sendable {
    let agents = Mutex<RoomAgents?>(nil)

    func admit(_ room: String) {
        agents.withLock { $0 }?.personIsJoining(room)
    }
}
