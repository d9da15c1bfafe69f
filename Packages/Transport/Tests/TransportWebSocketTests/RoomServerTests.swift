import Synchronization
import Testing
import TransportCore
import TransportHTTP
import TransportTLS
import TransportWebSocket

@Suite(.timeLimit(.minutes(1))) struct RoomServerTests {
    // MARK: Letting in

    @Test("Only a token that is accepted gets as far as the upgrade, and the answer says why not")
    func tokens() async throws {
        let bench = try RoomBench()
        try await bench.run {
            let token = bench.tokens.make(InMemoryHub.Grant(room: "room", identity: "ada"))
            let http = bench.server.url + "/rtc"
            for (headers, query, reason) in [
                ([:], "", "A token is missing; send it as “Authorization: Bearer …”."),
                (["Authorization": "Bearer nonsense"], "", "This token is not known here."),
                (["Authorization": "Basic \(token)"], "", "A token is missing; send it as “Authorization: Bearer …”."),
                ([:], "?access_token=", "A token is missing; send it as “Authorization: Bearer …”."),
                ([:], "?access_token=nonsense", "This token is not known here."),
            ] as [(HTTPHeaders, String, String)] {
                let answer = try await bench.client.send(
                    HTTPRequest("GET", http + query, headers: headers)
                )
                #expect(answer.status == 401)
                #expect(String(decoding: answer.body, as: UTF8.self) == reason + "\n")
                #expect(answer.headers["WWW-Authenticate"] == "Bearer")
            }
            let socket = try await bench.client.openWebSocket(bench.url + "?access_token=\(token)")
            try await socket.send(#"{"type":"hello","version":1}"#)
            guard case .text(let text)? = try await socket.receive() else { throw TransportError(.closed) }
            #expect(try JSONValue(parsing: text.utf8)["type"] == "welcome")
        }
    }

    @Test("Every way in which connecting fails has its own error")
    func connectErrors() async throws {
        let bench = try RoomBench()
        let secure = try RoomBench(isSecure: true)
        try await bench.run {
            try await secure.run {
                let token = bench.tokens.make(InMemoryHub.Grant(room: "room", identity: "ada"))
                func code(_ url: String, client: SocketHTTPClient? = nil) async -> TransportError.Code? {
                    let transport = WebSocketTransport(
                        client: client ?? bench.client,
                        random: SeededRandom(seed: 1)
                    )
                    do throws(TransportError) {
                        try await transport.connect(to: url, token: token)
                        return nil
                    } catch {
                        return error.code
                    }
                }
                #expect(await code(bench.url.replacing("/rtc", with: "/other")) == .refused(status: 404))
                #expect(await code("ws://127.0.0.1:1/rtc") == .unreachable)
                #expect(await code("ws://no-such-host.invalid/rtc") == .nameNotFound)
                #expect(await code("room") == .invalidURL)
                let pin = String(repeating: "0", count: 64)
                var configuration = SocketHTTPClient.Configuration()
                configuration.pins.pin([try CertificatePin(pin)], for: try ServerConfig(secure.server.url))
                let wrong = try SocketHTTPClient(configuration)
                guard case .pinMismatch(let expected, let found) = await code(secure.url, client: wrong) else {
                    Issue.record("A wrong pin was accepted.")
                    return
                }
                #expect(expected == [pin])
                #expect(
                    secure.identity.map { [$0.fingerprints.leaf, $0.fingerprints.publicKey] }?.contains(found) == true
                )
                bench.rooms.shutDown()
                #expect(await code(bench.url) == .refused(status: 503))
            }
        }
    }

    @Test("A server that takes the call and says nothing is timed out, and what it says later is ignored")
    func silentServer() async throws {
        let group = try SocketLoopGroup()
        let listener = try SocketListener(host: "127.0.0.1", port: 0, backlog: 4, group: group)
        let transport = WebSocketTransport(
            client: try SocketHTTPClient(loops: group),
            clock: HastyClock(factor: 100),
            random: SeededRandom(seed: 1)
        )
        let url = "ws://127.0.0.1:\(listener.port)/rtc"
        let error = await #expect(throws: TransportError.self) { try await transport.connect(to: url, token: "t") }
        #expect(error?.code == .timedOut)
        let caller = try #require(await listener.accept())
        try? await caller.send(Array("HTTP/1.1 101 Switching Protocols\r\n\r\n".utf8))
        var events: [TransportEvent] = []
        for await event in transport.events { events.append(event) }
        #expect(events == [.connection(.connecting), .connection(.disconnected(.joinFailed))])
        let second = await #expect(throws: TransportError.self) { try await transport.connect(to: url, token: "t") }
        #expect(second?.code == .closed)
        listener.close()
    }

    @Test("Hanging up while connecting ends the attempt at once")
    func disconnectWhileConnecting() async throws {
        let group = try SocketLoopGroup()
        let listener = try SocketListener(host: "127.0.0.1", port: 0, backlog: 4, group: group)
        let transport = WebSocketTransport(client: try SocketHTTPClient(loops: group), random: SeededRandom(seed: 1))
        let url = "ws://127.0.0.1:\(listener.port)/rtc"
        async let code: TransportError.Code? = {
            do throws(TransportError) {
                try await transport.connect(to: url, token: "t")
                return nil
            } catch {
                return error.code
            }
        }()
        let caller = try #require(await listener.accept())
        _ = try await caller.receive()
        await transport.disconnect()
        #expect(await code == .closed)
        listener.close()
    }

    // MARK: Rooms

    @Test("Programs in the same process are participants like all others")
    func sameProcess() async throws {
        let bench = try RoomBench()
        try await bench.run {
            let ada = try await bench.join("ada")
            let agent = try await bench.rooms.hub.join(
                InMemoryHub.Grant(room: "room", identity: "agent-1", kind: .agent, name: "Hope")
            )
            try await ada.wait(forJoinOf: "agent-1")
            try await agent.publish(Array("{}".utf8), topic: "conversation-control")
            try await ada.read { $0.packet?.sender == "agent-1" }
            try await ada.transport.publish([1], topic: "voice-control")
            for await event in agent.events where event.packet != nil {
                #expect(event.packet?.sender == "ada")
                break
            }
            await agent.disconnect()
            try await ada.wait(for: .participantLeft(identity: "agent-1"))
        }
    }

    @Test("Rooms come with the first and go with the last")
    func roomsComeAndGo() async throws {
        let bench = try RoomBench()
        try await bench.run {
            let ada = try await bench.join("ada", room: "one")
            let bob = try await bench.join("bob", room: "two")
            #expect(bench.rooms.hub.roomNames == ["one", "two"])
            await ada.transport.disconnect()
            await bob.transport.disconnect()
            // The goodbye has been sent when hanging up returns; the server hears it a moment later.
            while !bench.rooms.hub.roomNames.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        }
    }

    @Test("64 clients at once each get everything of all others, once and in order")
    func storm() async throws {
        let bench = try RoomBench()
        try await bench.run {
            let (clients, packets) = (64, 4)
            let transports = try (0..<clients).map { _ in try bench.makeTransport() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, transport) in transports.enumerated() {
                    let token = bench.tokens.make(InMemoryHub.Grant(room: "storm", identity: "guest-\(number)"))
                    group.addTask { try await transport.connect(to: bench.url, token: token) }
                }
                try await group.waitForAll()
            }
            #expect(bench.rooms.hub.participants(in: "storm").count == clients)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, transport) in transports.enumerated() {
                    group.addTask {
                        for packet in 0..<packets { try await transport.publish([UInt8(packet)], topic: "storm") }
                    }
                    group.addTask {
                        var received: [String: [UInt8]] = [:]
                        var count = 0
                        for await event in transport.events {
                            guard let packet = event.packet else { continue }
                            received[packet.sender, default: []] += packet.payload
                            count += 1
                            if count == (clients - 1) * packets { break }
                        }
                        #expect(received["guest-\(number)"] == nil)
                        #expect(received.values.allSatisfy { $0 == Array(0..<UInt8(packets)) })
                        #expect(received.count == clients - 1)
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    // MARK: Those who do not behave

    @Test("A receiver that reads nothing is cut, and the others get everything meanwhile")
    func slowReceiver() async throws {
        let bench = try RoomBench(
            configuration: RoomServer.Configuration(keptBytes: 256 * 1024, unsentBytes: 256 * 1024)
        )
        try await bench.run {
            let slow = try await RawGuest(bench, "slow")
            let (ada, bob) = (try await bench.join("ada"), try await bench.join("bob"))
            let payload = [UInt8](repeating: 7, count: 50_000)
            // The system's own buffers take some megabytes before anything waits here.
            for _ in 0..<400 {
                try await ada.transport.publish(payload, topic: "much")
                try await bob.read { $0.packet != nil }
            }
            // What was in the buffers can still be read, then it is over without a goodbye.
            var count = 0
            var error: TransportError?
            do throws(TransportError) {
                while try await slow.socket.receive() != nil { count += 1 }
            } catch let thrown {
                error = thrown
            }
            #expect(count < 400)
            #expect(error?.code == .closed)
            // It may come back, but what is missing is too much to be sent again.
            let again = try await RawGuest(bench, "slow", resume: slow.resume)
            #expect(again.welcome["resumed"] == false)
        }
    }

    static let hostile: [(name: String, message: WebSocketMessage)] = [
        ("no JSON", .text("hello")),
        ("no object", .text("[]")),
        ("no type", .text("{}")),
        ("an unknown type", .text(#"{"type":"sudo"}"#)),
        ("a name twice", .text(#"{"type":"level","type":"hello","level":1}"#)),
        ("hello twice", .text(#"{"type":"hello","version":1}"#)),
        ("a gap in the numbers", .text(#"{"type":"microphone","request":2,"enabled":true}"#)),
        ("a negative number", .text(#"{"type":"microphone","request":-1,"enabled":true}"#)),
        ("a huge number", .text(#"{"type":"microphone","request":1e300,"enabled":true}"#)),
        ("a level that is text", .text(#"{"type":"level","level":"loud"}"#)),
        ("more received than sent", .text(#"{"type":"received","count":1000000}"#)),
        ("attributes that are no texts", .text(#"{"type":"attributes","request":1,"changed":{"a":1}}"#)),
        ("a long topic", .text(#"{"type":"open","request":1,"topic":"\#(String(repeating: "t", count: 2000))"}"#)),
        ("deep nesting", .text(String(repeating: #"{"a":"#, count: 5000))),
        ("an empty packet", .binary([])),
        ("another kind of packet", .binary([9, 0, 0, 0])),
        ("unknown flags", .binary([1, 0xFF] + [UInt8](repeating: 0, count: 12))),
        ("half a packet's head", .binary([1, 1, 0, 1, 0])),
        ("a topic longer than the packet", .binary(Array(RawGuest.packet(request: 1, payload: []).dropLast()))),
        ("a topic that is not UTF-8", .binary(RawGuest.packet(request: 1, topic: [0xFF, 0xFE], payload: []))),
        ("a reliable packet without a number", .binary(RawGuest.packet(request: 0, payload: [1]))),
        ("65,535 receivers", .binary([1, 1, 0, 0, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0, 1])),
        ("more than the largest message", .binary([UInt8](repeating: 1, count: 128 * 1024 + 1))),
    ]

    @Test("Whoever breaks the protocol is put out, and nobody else notices", arguments: 0..<hostile.count)
    func hostileMessages(index: Int) async throws {
        let (name, message) = Self.hostile[index]
        let bench = try RoomBench()
        try await bench.run {
            let ada = try await bench.join("ada")
            let eve = try await RawGuest(bench, "eve")
            try await ada.wait(forJoinOf: "eve")
            switch message {
            case .text(let text): try await eve.socket.send(text)
            case .binary(let bytes): try await eve.socket.send(bytes)
            }
            while let answer = try? await eve.next() {
                if answer["type"] == "bye" { #expect(answer["reason"] == "protocolViolation", "\(name)") }
            }
            let code = eve.socket.closing?.code
            #expect(code == .policyViolation || code == .messageTooBig, "\(name): \(String(describing: code))")
            let events = try await ada.wait(for: .participantLeft(identity: "eve"))
            #expect(events.count == 1, "\(name)")
        }
    }

    @Test(
        "Before the hello nothing else is listened to",
        arguments: [
            "", "x", #"{"type":"level","level":1}"#, #"{"type":"hello","version":2}"#, #"{"type":"hello"}"#,
        ]
    )
    func badHello(text: String) async throws {
        let bench = try RoomBench()
        try await bench.run {
            let socket = try await RawGuest.open(bench, "eve")
            try await socket.send(text)
            #expect(try await socket.receive() == .text(#"{"type":"bye","reason":"protocolViolation"}"#))
            #expect(try await socket.receive() == nil)
            #expect(bench.rooms.hub.roomNames == [])
        }
    }

    @Test("Whoever says nothing at all is not waited for")
    func noHello() async throws {
        let clock = ManualClock()
        let bench = try RoomBench(clock: clock)
        try await bench.run {
            let socket = try await RawGuest.open(bench, "eve")
            async let end: Void = {
                _ = try? await socket.receive()
            }()
            while socket.closing == nil {
                await clock.advance(by: .seconds(11))
                try await Task.sleep(for: .milliseconds(2))
            }
            await end
        }
    }

    @Test("What is too large, or not allowed, is refused, and the connection lives")
    func refusals() async throws {
        let bench = try RoomBench()
        try await bench.run {
            let eve = try await RawGuest(bench, "eve")
            let large = String(repeating: "x", count: 70_000)
            try await eve.socket.send(RawGuest.packet(request: 1, payload: [UInt8](repeating: 1, count: 60_001)))
            try await eve.socket.send(#"{"type":"attributes","request":2,"changed":{"a":"\#(large)"}}"#)
            try await eve.socket.send(RawGuest.packet(request: 3, receivers: [Array("nobody".utf8)], payload: [1]))
            try await eve.socket.send(#"{"type":"open","request":4,"topic":"t","speaker":"ada"}"#)
            try await eve.socket.send(#"{"type":"chunk","request":5,"id":"none","text":"x"}"#)
            try await eve.socket.send(#"{"type":"microphone","request":6,"enabled":true}"#)
            // A second time is after a lost connection, and has been answered.
            try await eve.socket.send(#"{"type":"microphone","request":6,"enabled":true}"#)
            try await eve.socket.send(#"{"type":"microphone","request":7,"enabled":true}"#)
            for (request, code) in [
                (1, "payloadTooLarge"), (2, "payloadTooLarge"), (3, "unknownReceiver"), (4, "notPermitted"),
                (5, "closed"), (6, nil), (7, nil),
            ] as [(Int, String?)] {
                let answer = try #require(try await eve.next())
                #expect(answer["request"] == .integer(request))
                #expect(answer["type"]?.stringValue == (code == nil ? "done" : "refused"))
                #expect(answer["code"]?.stringValue == code)
            }
        }
    }

    @Test("A goodbye that the client does not follow is enforced")
    func goodbyeIsEnforced() async throws {
        let clock = ManualClock()
        let bench = try RoomBench(clock: clock)
        try await bench.run {
            let eve = try await RawGuest(bench, "eve")
            bench.rooms.hub.remove("eve", from: "room")
            #expect(try await eve.next() == ["type": "bye", "reason": "removed"])
            await clock.advance(by: .seconds(11))
            let error = await #expect(throws: TransportError.self) { try await eve.socket.receive() }
            #expect(error?.code == .closed)
        }
    }
}
