import HopeServer
import PresenceKit
import Testing
import TransportCore
import TransportHTTP
import TransportTLS
import TransportWebSocket

/// An agent that only says when it comes and goes.
private struct WitnessAgent: Agent {
    let room: String
    let report: AsyncStream<String>.Continuation

    func serve(_ room: any Transport, timeOfDay: Double, clock: any Clock<Duration>) async throws {
        report.yield("\(self.room) began")
        for await _ in room.events {}
        report.yield("\(self.room) ended")
    }
}

@Suite(.timeLimit(.minutes(1))) struct DevelopmentServerRoomTests {
    private func join(
        _ server: DevelopmentServer,
        room: String,
        as identity: String
    ) async throws -> any Transport {
        let client = try SocketHTTPClient()
        let tokens = HTTPTokenProvider(client: client, url: server.url + "/token")
        let token = try await tokens.token(for: TokenRequest(room: room, identity: identity, name: "Ada"))
        let transport = try WebSocketTransportFactory(client: client, seed: 1).makeTransport()
        try await transport.connect(to: try #require(token.url), token: token.token)
        return transport
    }

    private func witnessed() -> (DevelopmentServerConfiguration, AsyncStream<String>) {
        let (stream, report) = AsyncStream.makeStream(of: String.self)
        var configuration = DevelopmentServerConfiguration.forTests
        configuration.makeAgent = { WitnessAgent(room: $0, report: report) }
        return (configuration, stream)
    }

    private func next(_ stream: AsyncStream<String>) async -> String? {
        for await element in stream { return element }
        return nil
    }

    @Test func anAgentComesAndSaysThatItListens() async throws {
        try await withDevelopmentServer { server in
            let ada = try await join(server, room: "kitchen", as: "ada")
            var listener = RoomListener(ada)
            let heard = await listener.wait { $0.messages.contains(.models(["scripted"])) }
            #expect(heard.agents == ["agent-1"])
            #expect(heard.messages == [.agentReady, .models(["scripted"])])
            await ada.disconnect()
        }
    }

    @Test func whatIsWrittenIsAnswered() async throws {
        var configuration = DevelopmentServerConfiguration.forTests
        configuration.makeAgent = { _ in EchoAgent() }
        try await withDevelopmentServer(configuration) { server in
            let ada = try await join(server, room: "kitchen", as: "ada")
            var listener = RoomListener(ada)
            await listener.wait { $0.messages.contains(.agentReady) }
            try await ada.sendText("Good morning", topic: ConversationTopic.chat)
            let answered = await listener.wait { !$0.whole.isEmpty }
            #expect(answered.whole == ["You wrote: Good morning"])
            await ada.disconnect()
        }
    }

    @Test func whoeverJoinsLaterIsGreetedToo() async throws {
        try await withDevelopmentServer { server in
            let ada = try await join(server, room: "kitchen", as: "ada")
            var first = RoomListener(ada)
            await first.wait { $0.messages.contains(.agentReady) }
            let bob = try await join(server, room: "kitchen", as: "bob")
            var second = RoomListener(bob)
            let heard = await second.wait { $0.messages.count >= 2 }
            #expect(heard.messages == [.agentReady, .models(["scripted"])])
            await ada.disconnect()
            await bob.disconnect()
        }
    }

    @Test func theAgentLeavesWithTheLastPersonAndComesAgainWithTheNext() async throws {
        let (configuration, happened) = witnessed()
        try await withDevelopmentServer(configuration) { server in
            let ada = try await join(server, room: "kitchen", as: "ada")
            let event1 = await next(happened)
            #expect(event1 == "kitchen began")
            let bob = try await join(server, room: "kitchen", as: "bob")
            await ada.disconnect()
            let carol = try await join(server, room: "cellar", as: "carol")
            let event2 = await next(happened)
            #expect(event2 == "cellar began", "the kitchen's agent stays for Bob")
            await bob.disconnect()
            let event3 = await next(happened)
            #expect(event3 == "kitchen ended")
            let dora = try await join(server, room: "kitchen", as: "dora")
            let event4 = await next(happened)
            #expect(event4 == "kitchen began")
            await dora.disconnect()
            let event5 = await next(happened)
            #expect(event5 == "kitchen ended")
            await carol.disconnect()
            let event6 = await next(happened)
            #expect(event6 == "cellar ended")
        }
    }

    @Test func anAgentDoesNotWaitForeverForSomebodyWhoNeverCame() async throws {
        let clock = ManualClock()
        let (witnessedConfiguration, happened) = witnessed()
        var configuration = witnessedConfiguration
        configuration.clock = clock
        try await withDevelopmentServer(configuration) { server in
            let answer = try await ask("POST", server.url + "/token", body: #"{"room":"kitchen"}"#)
            let token = try TokenEndpointAnswer.token(from: answer.body).token
            // A right token, but no WebSocket.
            _ = try await ask("GET", server.url + "/rtc", headers: ["Authorization": "Bearer \(token)"])
            let event7 = await next(happened)
            #expect(event7 == "kitchen began")
            #expect(server.hub.participants(in: "kitchen").map(\.identity) == ["agent-1"])
            await clock.waitForSleepers(1)
            await clock.advance(by: .seconds(31))
            let event8 = await next(happened)
            #expect(event8 == "kitchen ended")
        }
    }

    @Test func theServersEndIsToldToEverybody() async throws {
        let server = try DevelopmentServer(.forTests)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await server.run() }
            let ada = try await join(server, room: "kitchen", as: "ada")
            var listener = RoomListener(ada)
            await listener.wait { $0.messages.contains(.agentReady) }
            group.cancelAll()
            let heard = await listener.wait { $0.disconnected != nil }
            #expect(heard.disconnected == .serverShutdown)
        }
    }

    // MARK: Tokens that are not right

    private func refusal(_ token: String?) async throws -> Int? {
        var status: Int?
        try await withDevelopmentServer { server in
            let headers: HTTPHeaders = token.map { ["Authorization": "Bearer \($0)"] } ?? [:]
            let client = try SocketHTTPClient()
            let url = "ws://127.0.0.1:\(server.port)/rtc"
            let error = await #expect(throws: TransportError.self) {
                _ = try await client.openWebSocket(url, headers: headers)
            }
            switch error?.code {
            case .unauthorized: status = 401
            case .refused(let given): status = given
            default: break
            }
            #expect(server.hub.roomNames.isEmpty)
        }
        return status
    }

    private func token(
        key: RoomTokenKey = testTokenKey,
        room: String? = "kitchen",
        identity: String = "ada",
        from start: Double = 0,
        until end: Double = 900
    ) throws -> String {
        let codec = RoomTokenCodec { key, message in HMACSHA256.authenticationCode(for: message, key: key) }
        return try codec.token(
            for: RoomTokenClaims(
                issuer: "",
                identity: identity,
                video: room.map { VideoGrant(joining: $0) } ?? VideoGrant(),
                notBefore: testTimeOfDay + start,
                expires: testTimeOfDay + end
            ),
            key: key
        )
    }

    @Test func joiningNeedsAToken() async throws {
        #expect(try await refusal(nil) == 401)
        #expect(try await refusal("") == 401)
        #expect(try await refusal("a.b.c") == 401)
    }

    @Test func aTokenOfAnotherKeyIsRefused() async throws {
        let other = RoomTokenKey(id: "hope", secret: Array("another secret of 32 bytes or so".utf8))
        #expect(try await refusal(token(key: other)) == 401)
        let renamed = RoomTokenKey(id: "other", secret: Array("a secret of the tests, 32 bytes long".utf8))
        #expect(try await refusal(token(key: renamed)) == 401)
    }

    @Test func aTokenWhoseTimeIsNotNowIsRefused() async throws {
        #expect(try await refusal(token(from: -900, until: -61)) == 401)
        #expect(try await refusal(token(from: 120, until: 900)) == 401)
    }

    @Test func aTokenWithoutRoomOrIdentityIsRefused() async throws {
        #expect(try await refusal(token(room: nil)) == 403)
        #expect(try await refusal(token(room: "")) == 403)
        #expect(try await refusal(token(identity: "")) == 401)
    }

    @Test func anUnsignedTokenIsRefused() async throws {
        let parts = try token().split(separator: ".")
        // {"alg":"none","typ":"JWT"}
        #expect(try await refusal("eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.\(parts[1]).") == 401)
    }
}
