internal import PresenceKit
public import TransportCore
internal import TransportHTTP
public import TransportTLS

/// Tries everything that a conversation needs of a server, one step after the other, and says what to do about what fails.
public struct ConnectionCheck: Sendable {
    /// One thing that is tried, in this order.
    public enum StepName: String, Hashable, Sendable, CaseIterable {
        /// The host's name is known.
        case name
        /// The host accepts connections.
        case tcp
        /// Its certificate is trusted or pinned.
        case tls
        /// It is a Hope server, and well.
        case health
        /// It gives a token.
        case token
        /// A room can be joined with the token.
        case room
        /// An agent answers in the room.
        case agent
    }

    /// How one step went.
    public struct Step: Hashable, Sendable {
        /// What was tried.
        public var name: StepName
        /// Whether it worked; false as well for what was not tried.
        public var isOK: Bool
        /// How long it took; nil for what was not tried.
        public var milliseconds: Int?
        /// A sentence for people: what was found, or what is wrong and what to do.
        public var message: String
    }

    /// How all steps went.
    public struct Report: Hashable, Sendable {
        /// Every step, in order.
        public var steps: [Step] = []
        /// What the server's certificate can be recognised by, trusted or not; nil without TLS.
        public var fingerprints: CertificateFingerprints?

        /// Whether every step worked.
        public var isOK: Bool { steps.allSatisfy(\.isOK) }
    }

    private let server: ServerConfig
    private let pins: [CertificatePin]
    private let network: any NetworkProbe
    private let client: any HTTPClient
    private let tokens: any TokenProvider
    private let transports: any TransportFactory
    private let agentTimeout: Duration
    private let clock: any Clock<Duration>

    /// Prepares a check.
    ///
    /// - Parameters:
    ///   - server: The server.
    ///   - pins: What the server's certificate may be; empty when the system's trust decides.
    ///   - network: What tries name, connection and certificate, with the same pins.
    ///   - client: What asks whether the server is well, with the same pins.
    ///   - tokens: What asks for a token.
    ///   - transports: What joins the room.
    ///   - agentTimeout: How long the agent may take.
    ///   - clock: What times are measured on.
    public init(
        server: ServerConfig,
        pins: [CertificatePin] = [],
        network: any NetworkProbe,
        client: any HTTPClient,
        tokens: any TokenProvider,
        transports: any TransportFactory,
        agentTimeout: Duration = .seconds(30),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.server = server
        self.pins = pins
        self.network = network
        self.client = client
        self.tokens = tokens
        self.transports = transports
        self.agentTimeout = agentTimeout
        self.clock = clock
    }

    /// Tries all steps; what cannot work because an earlier one failed is not tried.
    ///
    /// - Parameter onStep: Called as each step ends, in order.
    /// - Returns: How they went; when the task is cancelled the rest has failed.
    public func run(onStep: (Step) -> Void = { _ in }) async -> Report {
        var report = Report()
        var obstacle: StepName?

        func add(_ step: Step) {
            report.steps.append(step)
            onStep(step)
        }

        func attempt(_ name: StepName, _ body: () async throws(TransportError) -> String) async -> Bool {
            if let obstacle {
                add(Step(name: name, isOK: false, message: "Not tried, since “\(obstacle.rawValue)” failed."))
                return false
            }
            let time = Stopwatch(clock: clock)
            do throws(TransportError) {
                let message = try await body()
                add(Step(name: name, isOK: true, milliseconds: time.elapsed.inMilliseconds, message: message))
                return true
            } catch {
                add(Step(name: name, isOK: false, milliseconds: time.elapsed.inMilliseconds, message: error.message))
                return false
            }
        }

        if await !attempt(.name, { () async throws(TransportError) in try await lookUp() }) { obstacle = .name }
        if await !attempt(.tcp, { () async throws(TransportError) in try await connect() }) {
            obstacle = obstacle ?? .tcp
        }
        var fingerprints: CertificateFingerprints?
        let isTrusted = await attempt(.tls) { () async throws(TransportError) in try await handshake(&fingerprints) }
        if !isTrusted { obstacle = obstacle ?? .tls }
        report.fingerprints = fingerprints
        // A server without a health check may still give tokens, so the rest is tried in any case.
        _ = await attempt(.health) { () async throws(TransportError) in try await askForHealth() }
        var token: RoomToken?
        let hasToken = await attempt(.token) { () async throws(TransportError) in
            let given = try await tokens.token(for: TokenRequest(name: "Connection test"))
            token = given
            return "The server gave a token for the room “\(given.room)” as “\(given.identity)”."
        }
        if !hasToken { obstacle = obstacle ?? .token }
        var connection: (any Transport)?
        let hasJoined = await attempt(.room) { () async throws(TransportError) in
            guard let token else { throw TransportError(.unauthorized) }
            let fresh = try transports.makeTransport()
            connection = fresh
            let joined = try await fresh.connect(to: server.roomURL(tokenAnswer: token.url), token: token.token)
            return "Joined the room “\(joined.name)”."
        }
        if !hasJoined { obstacle = obstacle ?? .room }
        _ = await attempt(.agent) { () async throws(TransportError) in
            guard let connection else { throw TransportError(.notConnected) }
            return try await waitForAgent(connection)
        }
        await connection?.disconnect()
        return report
    }

    private func lookUp() async throws(TransportError) -> String {
        let addresses = try await network.addresses(of: server)
        return addresses == [server.host]
            ? "\(server.host) is an address." : "\(server.host) is \(addresses.joined(separator: ", "))."
    }

    private func connect() async throws(TransportError) -> String {
        do throws(TransportError) {
            try await network.connect(to: server)
        } catch {
            switch error.code {
            case .unreachable, .timedOut:
                throw TransportError(
                    error.code,
                    "\(error.message) Check that the server runs and listens at port \(server.port), and that no firewall "
                        + "is in between."
                )
            default: throw error
            }
        }
        return "Port \(server.port) accepts connections."
    }

    private func handshake(_ fingerprints: inout CertificateFingerprints?) async throws(TransportError) -> String {
        guard server.isSecure else { return "Not used: the address begins with http." }
        let handshake: ConnectionProbe.Handshake
        do throws(TransportError) {
            handshake = try await network.handshake(with: server)
        } catch {
            guard error.code == .protocolViolation else { throw error }
            throw TransportError(
                .protocolViolation,
                "\(error.message) If the server is without TLS, write http:// in front of its address."
            )
        }
        fingerprints = handshake.fingerprints
        let found = "leaf:\(handshake.fingerprints.leaf), spki:\(handshake.fingerprints.publicKey)"
        if let refusal = handshake.refusal {
            guard pins.isEmpty else { throw refusal }
            throw TransportError(
                refusal.code,
                "\(refusal.message) To trust this server, store the pin spki:\(handshake.fingerprints.publicKey)."
            )
        }
        return pins.isEmpty
            ? "The certificate is trusted here: \(found)." : "The certificate is the pinned one: \(found)."
    }

    private func askForHealth() async throws(TransportError) -> String {
        let answer = try await client.send(
            HTTPRequest("GET", server.healthURL, timeout: .seconds(10)),
            maximumBytes: 64 * 1024
        )
        guard answer.status == 200, let state = try? JSONValue(parsing: answer.body) else {
            throw TransportError(
                .refused(status: answer.status),
                "\(server.healthURL) answered with status \(answer.status); check that the address is a Hope server's."
            )
        }
        guard state["ok"]?.boolValue == true else {
            throw TransportError(.unavailable, "The server says that it is not well; look into its own log.")
        }
        return "The server is well."
    }

    private func waitForAgent(_ connection: any Transport) async throws(TransportError) -> String {
        let limit = "within \(agentTimeout.inMilliseconds / 1000) s"
        let (identity, isReady) = await withTaskGroup(of: (String?, Bool)?.self) { group in
            group.addTask {
                var agent: String?
                for await event in connection.events {
                    switch event {
                    case .participantJoined(let participant)
                    where participant.kind == .agent || participant.identity.hasPrefix("agent-"):
                        agent = participant.identity
                    case .data(let packet) where packet.topic == ConversationTopic.conversationControl:
                        guard case .agentReady? = try? ControlMessage(payload: packet.payload) else { continue }
                        return (packet.sender, true)
                    default: break
                    }
                }
                return (agent, false)
            }
            group.addTask { [clock, agentTimeout] in
                try? await clock.sleep(for: agentTimeout)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            if let first { return first }
            // The time is up; the reader says whom it has met.
            return (await group.next() ?? nil) ?? (nil, false)
        }
        guard let identity else {
            throw TransportError(
                .timedOut,
                "No agent came into the room \(limit); check that one runs and joins rooms of this server."
            )
        }
        guard isReady else {
            throw TransportError(
                .timedOut,
                "The agent “\(identity)” came, but did not say \(limit) that it listens; look into its own log."
            )
        }
        return "The agent “\(identity)” listens."
    }
}
