import HopeServer
import Testing
import TransportCore
import TransportHTTP
import TransportTLS
import TransportWebSocket

@Suite(.timeLimit(.minutes(1))) struct ConnectionCheckTests {
    // MARK: Against a server

    private func report(
        _ url: String,
        pins: [String] = [],
        agentTimeout: Duration = .seconds(20)
    ) async throws -> ConnectionCheck.Report {
        let server = try ServerConfig(url)
        let pins = try pins.map { try CertificatePin($0) }
        var configuration = SocketHTTPClient.Configuration()
        configuration.pins.pin(pins, for: server)
        let client = try SocketHTTPClient(configuration)
        defer { client.close() }
        let check = ConnectionCheck(
            server: server,
            pins: pins,
            network: try ConnectionProbe(configuration),
            client: client,
            tokens: HTTPTokenProvider(client: client, url: server.tokenURL),
            transports: WebSocketTransportFactory(client: client, seed: 1),
            agentTimeout: agentTimeout
        )
        return await check.run()
    }

    private var withTLS: DevelopmentServerConfiguration {
        get throws {
            var configuration = DevelopmentServerConfiguration.forTests
            configuration.certificate = .given(try TLSIdentity.selfSigned(issuedAt: testTimeOfDay))
            return configuration
        }
    }

    @Test func everyStepWorksWithAPlainServer() async throws {
        try await withDevelopmentServer { server in
            let report = try await report(server.url)
            #expect(report.isOK)
            #expect(report.steps.map(\.name) == ConnectionCheck.StepName.allCases)
            #expect(report.steps.allSatisfy { $0.milliseconds != nil })
            #expect(report.steps[0].message == "127.0.0.1 is an address.")
            #expect(report.steps[2].message == "Not used: the address begins with http.")
            #expect(report.steps[6].message == "The agent “agent-1” listens.")
            #expect(report.fingerprints == nil)
        }
    }

    @Test func everyStepWorksWithAPinnedServer() async throws {
        try await withDevelopmentServer(withTLS) { server in
            let pins = try #require(server.pins)
            let report = try await report(server.url, pins: ["spki:\(pins.publicKey)"])
            #expect(report.isOK, "\(report.steps.map(\.message))")
            #expect(report.fingerprints == pins)
            #expect(
                report.steps[2].message
                    == "The certificate is the pinned one: leaf:\(pins.leaf), spki:\(pins.publicKey)."
            )
        }
    }

    @Test func aSelfSignedCertificateWithoutAPinSaysWhichOneToStore() async throws {
        try await withDevelopmentServer(withTLS) { server in
            let pins = try #require(server.pins)
            let report = try await report(server.url)
            #expect(report.steps.map(\.isOK) == [true, true, false, false, false, false, false])
            #expect(report.steps[2].message.hasSuffix("To trust this server, store the pin spki:\(pins.publicKey)."))
            #expect(report.steps[3].message == "Not tried, since “tls” failed.")
            #expect(report.steps[3].milliseconds == nil)
            #expect(report.fingerprints == pins)
        }
    }

    @Test func aCertificateThatIsNotThePinnedOneIsShownBesideIt() async throws {
        try await withDevelopmentServer(withTLS) { server in
            let pins = try #require(server.pins)
            let other = String(repeating: "ab", count: 32)
            let report = try await report(server.url, pins: ["leaf:\(other)"])
            #expect(report.steps.map(\.isOK) == [true, true, false, false, false, false, false])
            #expect(report.steps[2].message.contains(other))
            #expect(report.steps[2].message.contains(pins.leaf))
            #expect(report.steps[2].message.contains("store the new pin"))
            #expect(!report.steps[2].message.contains("To trust this server"))
        }
    }

    @Test func aServerWithoutTLSSaysHowToWriteItsAddress() async throws {
        try await withDevelopmentServer { server in
            let report = try await report("https" + server.url.dropFirst(4))
            #expect(report.steps.map(\.isOK) == [true, true, false, false, false, false, false])
            #expect(report.steps[2].message.contains("http://"))
        }
    }

    @Test func aServerThatHasEndedAcceptsNothing() async throws {
        var url = ""
        try await withDevelopmentServer { url = $0.url }
        let report = try await report(url)
        #expect(report.steps.map(\.isOK) == [true, false, false, false, false, false, false])
        #expect(report.steps[1].message.contains("Check that the server runs"))
    }

    // MARK: Against parts

    private struct Network: NetworkProbe {
        var fault: TransportError?

        func addresses(of server: ServerConfig) async throws(TransportError) -> [String] {
            if let fault, fault.code == .nameNotFound { throw fault }
            return ["192.0.2.1", "192.0.2.2"]
        }

        func connect(to server: ServerConfig) async throws(TransportError) {}

        func handshake(with server: ServerConfig) async throws(TransportError) -> ConnectionProbe.Handshake {
            throw fault ?? TransportError(.unavailable)
        }
    }

    /// A check of a server at hope.example of which everything works but what is given.
    private func check(
        health: Result<HTTPResponse, TransportError> = .success(
            HTTPResponse(status: 200, body: Array(#"{"ok":true}"#.utf8))
        ),
        token: TransportError? = nil,
        fault: TransportError? = nil,
        joins agent: @escaping @Sendable (InMemoryHub) async throws -> InMemoryTransport? = { _ in nil }
    ) async throws -> [ConnectionCheck.Step] {
        let clock = ManualClock()
        let client = CannedHTTPClient()
        client.answer("GET", "http://hope.example/healthz", with: health)
        return try await clock.run {
            let hub = InMemoryHub(clock: clock)
            let agent = try await agent(hub)
            let grant = InMemoryHub.Grant(room: "r", identity: "me")
            let given = RoomToken(token: hub.makeToken(for: grant), room: "r", identity: "me")
            let check = ConnectionCheck(
                server: try ServerConfig("http://hope.example"),
                network: Network(fault: fault),
                client: client,
                tokens: CannedTokenProvider([token.map { .failure($0) } ?? .success(given)]),
                transports: hub,
                clock: clock
            )
            let steps = await check.run().steps
            await agent?.disconnect()
            return steps
        }
    }

    @Test func aNameThatIsNotKnownStopsEverything() async throws {
        let steps = try await check(fault: TransportError(.nameNotFound, "No such name."))
        #expect(steps.map(\.isOK) == [false, false, false, false, false, false, false])
        #expect(steps[0].message == "No such name.")
        #expect(steps[6].message == "Not tried, since “name” failed.")
    }

    @Test(
        arguments: [
            (404, "", "answered with status 404"), (200, "<html>", "answered with status 200"),
            (200, #"{"ok":false}"#, "not well"), (200, "{}", "not well"),
        ]
    )
    func aServerThatIsNotWellStillGivesTokens(_ status: Int, _ body: String, _ sentence: String) async throws {
        let steps = try await check(health: .success(HTTPResponse(status: status, body: Array(body.utf8))))
        #expect(steps.map(\.isOK) == [true, true, true, false, true, true, false])
        #expect(steps[0].message == "hope.example is 192.0.2.1, 192.0.2.2.")
        #expect(steps[3].message.contains(sentence))
    }

    @Test func withoutATokenNoRoomIsTried() async throws {
        let steps = try await check(token: TransportError(.unauthorized, "Set the key."))
        #expect(steps.map(\.isOK) == [true, true, true, true, false, false, false])
        #expect(steps[4].message == "Set the key.")
        #expect(steps[5].message == "Not tried, since “token” failed.")
    }

    @Test func aRoomWithoutAnAgentIsWaitedInForItsTime() async throws {
        let steps = try await check()
        #expect(steps.map(\.isOK) == [true, true, true, true, true, true, false])
        #expect(steps[6].milliseconds == 30_000)
        #expect(steps[6].message.hasPrefix("No agent came into the room within 30 s;"))
    }

    @Test func anAgentThatSaysNothingIsNamed() async throws {
        let steps = try await check(joins: { hub in
            try await hub.join(InMemoryHub.Grant(room: "r", identity: "agent-7", kind: .agent))
        })
        #expect(!steps[6].isOK)
        #expect(steps[6].message.hasPrefix("The agent “agent-7” came, but did not say within 30 s"))
    }
}
