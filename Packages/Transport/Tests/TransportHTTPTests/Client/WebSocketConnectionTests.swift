import Synchronization
import Testing
import TransportCore
import TransportHTTP
import TransportTLS

@Suite(.timeLimit(.minutes(1))) struct WebSocketConnectionTests {
    private func withEcho(
        _ configuration: HTTPServerConfiguration = HTTPServerConfiguration(),
        clock: any Clock<Duration> = ContinuousClock(),
        _ body: (HTTPServer) async throws -> Void
    ) async throws {
        try await withServer(configuration, clock: clock) { request in
            guard request.path == "/ws" else { return .text("no", status: request.path == "/denied" ? 401 : 404) }
            return .webSocket(subprotocols: ["b", "c"]) { socket in
                do {
                    for try await message in socket.messages {
                        switch message {
                        case .text("bye"): return
                        case .text(let text): try await socket.send(text)
                        case .binary(let bytes): try await socket.send(bytes)
                        }
                    }
                } catch {
                    return
                }
            }
        } _: { server in
            try await body(server)
        }
    }

    @Test("Messages of every size come back, plain and encrypted", arguments: [false, true])
    func echo(isSecure: Bool) async throws {
        let identity = try TLSIdentity.selfSigned(issuedAt: 1_600_000_000, days: 36_500)
        try await withEcho(HTTPServerConfiguration(identity: isSecure ? identity : nil)) { server in
            var configuration = SocketHTTPClient.Configuration()
            configuration.pins.pin(
                [try CertificatePin(identity.fingerprints.publicKey)],
                for: try ServerConfig(server.url)
            )
            let client = try SocketHTTPClient(configuration)
            let address = server.url.replacing("http", with: "ws") + "/ws"
            let socket = try await client.openWebSocket(address, subprotocols: ["a", "c", "b"])
            #expect(socket.subprotocol == "c")
            for count in [0, 1, 125, 126, 65_535, 65_536, 1_000_000] {
                let bytes = pattern(count)
                try await socket.send(bytes)
                #expect(try await socket.receive() == .binary(bytes))
            }
            try await socket.send("Grüße")
            #expect(try await socket.receive() == .text("Grüße"))
            try await socket.ping()
            await socket.close(.goingAway, reason: "done")
            #expect(socket.closing?.code == .goingAway)
            let error = await #expect(throws: TransportError.self) { try await socket.send("late") }
            #expect(error?.code == .closed)
        }
    }

    @Test("When the server closes, messages end without an error")
    func serverCloses() async throws {
        try await withEcho { server in
            let client = try SocketHTTPClient()
            let socket = try await client.openWebSocket(server.url + "/ws")
            try await socket.send("bye")
            #expect(try await socket.receive() == nil)
            #expect(socket.closing?.code == .normal)
        }
    }

    @Test("A refusal has the server's status, and a page of another origin is refused")
    func refusals() async throws {
        try await withEcho { server in
            let client = try SocketHTTPClient()
            for (path, headers, code) in [
                ("/none", [:], .refused(status: 404)), ("/denied", [:], .unauthorized),
                ("/ws", ["Origin": "https://evil.test"], .refused(status: 403)),
            ] as [(String, HTTPHeaders, TransportError.Code)] {
                let error = await #expect(throws: TransportError.self) {
                    try await client.openWebSocket(server.url + path, headers: headers)
                }
                #expect(error?.code == code)
            }
            try await RawClient.expect(426, for: "GET /ws HTTP/1.1\r\nHost: localhost\r\n\r\n", from: server)
        }
    }

    @Test(
        "A side that breaks the rules is told and left",
        arguments: [[0xC1, 0x80, 0, 0, 0, 0], [0x81, 0x02, 0x68, 0x69]] as [[UInt8]]
    )
    func violation(_ frame: [UInt8]) async throws {
        try await withEcho { server in
            let client = try await RawClient(server)
            try await client.send(
                "GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
            )
            #expect(try await client.read(until: "\r\n\r\n").contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
            try await client.connection.send(frame)
            #expect(try await client.connection.receive() == [0x88, 0x02, 0x03, 0xEA])
            #expect(try await client.connection.receive() == nil)
        }
    }

    @Test("Pings keep a silent connection, and one that answers nothing is given up")
    func keepAlive() async throws {
        let clock = ManualClock()
        let ends = Flag()
        try await withServer(clock: clock) { _ in
            .webSocket { socket in
                while case .text(let text) = try? await socket.receive() { try? await socket.send(text) }
                ends.raise()
            }
        } _: { server in
            let client = try await RawClient(server)
            try await client.send(
                "GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
            )
            _ = try await client.read(until: "\r\n\r\n")
            // A pong for every ping: an hour passes and the connection stands.
            for _ in 0..<240 {
                await clock.advance(by: .seconds(15))
                #expect(try await client.connection.receive() == [0x89, 0x00])
                // The echo shows that the pong in front of it has been seen.
                try await client.connection.send([0x8A, 0x80, 0, 0, 0, 0, 0x81, 0x81, 0, 0, 0, 0, 0x78])
                #expect(try await client.connection.receive() == [0x81, 0x01, 0x78])
            }
            #expect(!ends.isRaised)
            while !ends.isRaised { await clock.advance(by: .seconds(15)) }
        }
    }

    @Test("A receiver that takes nothing is told apart from one that does")
    func slowReceiver() async throws {
        let results = Mutex<[Bool]>([])
        let (done, finish) = AsyncStream.makeStream(of: Void.self)
        try await withServer { _ in
            .webSocket { socket in
                let frame = WebSocketFrameHeader.serverFrame(.binary, [UInt8](repeating: 1, count: 65_536))
                var taken = 0
                while taken < 100_000, socket.offer(frame: frame, limit: 1024 * 1024) { taken += 1 }
                results.withLock { $0.append(taken < 100_000) }
                socket.cut()
                finish.finish()
            }
        } _: { server in
            let client = try SocketHTTPClient()
            let socket = try await client.openWebSocket(server.url + "/ws")
            for await _ in done {}
            #expect(results.withLock { $0 } == [true])
            socket.cut()
        }
    }
}
