import Testing
import TransportCore
import TransportHTTP

@Suite(.serialized, .timeLimit(.minutes(1))) struct HTTPServerAttackTests {
    @Test(
        "A request that two readers could understand differently never reaches the handler",
        arguments: [
            ("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
            ("Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello", 400),
            ("Content-Length: 5, 5\r\n\r\nhello", 400),
            ("Content-Length: +5\r\n\r\nhello", 400),
            ("Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501),
            ("Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n", 400),
            ("Transfer-Encoding: chunked\r\n\r\n0x2\r\nab\r\n0\r\n\r\n", 400),
            ("X: a\r\n b\r\n\r\n", 400),
            ("X: a\nY: b\r\n\r\n", 400),
            ("X: a\u{0}\r\n\r\n", 400),
            ("Host: other\r\n\r\n", 400),
        ]
    )
    func smuggling(_ rest: String, _ status: Int) async throws {
        try await withServer(handler: exampleHandler) { server in
            let request =
                "POST /whole HTTP/1.1\r\nHost: localhost\r\n\(rest)GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n"
            let client = try await RawClient(server)
            try await client.send(request)
            let answer = try await client.rest()
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
            #expect(!answer.contains("smuggled"))
            #expect(answer.contains("Connection: close"))
        }
    }

    @Test("Whatever is too large is refused with the status that says so")
    func oversized() async throws {
        try await withServer(handler: exampleHandler) { server in
            let long = String(repeating: "a", count: 9000)
            let big = (0..<9).map { "X\($0): \(long)\r\n" }.joined()
            let many = (0..<200).map { "X\($0): a\r\n" }.joined()
            let requests = [
                ("GET /\(long) HTTP/1.1\r\nHost: localhost\r\n\r\n", 414),
                ("GET / HTTP/1.1\r\nHost: localhost\r\n\(big)\r\n", 431),
                ("GET / HTTP/1.1\r\nHost: localhost\r\n\(many)\r\n", 431),
                ("POST /whole HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n", 413),
                ("PRI * HTTP/2.0\r\n\r\n", 505),
                ("GET / HTTP/3.0\r\nHost: a\r\n\r\n", 505),
            ]
            for (request, expected) in requests {
                let status = try await RawClient.status(of: request, from: server)
                #expect(status == expected)
            }
        }
    }

    @Test(
        "A name that was pointed at this machine is no name of the server's",
        arguments: [
            ("localhost", 200), ("LOCALHOST:99", 200), ("127.0.0.1", 200), ("[::1]:8080", 200), ("192.168.1.7", 200),
            ("hope.test", 200), ("evil.test", 421), ("localhost.evil.test", 421), ("127.0.0.1.evil.test", 421),
            ("", 400),
            ("a b", 400), ("user@localhost", 400),
        ]
    )
    func hosts(_ host: String, _ status: Int) async throws {
        try await withServer(HTTPServerConfiguration(allowedHosts: ["hope.test"]), handler: exampleHandler) { server in
            let request = "GET / HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
            try await RawClient.expect(status, for: request, from: server)
        }
    }

    @Test(
        "A page of another origin is turned away, the server's own is not",
        arguments: [
            ("http://localhost:7777", 200), ("http://localhost", 403), ("https://evil.test", 403), ("null", 403),
            ("http://localhost:7777.evil.test", 403),
        ]
    )
    func origins(_ origin: String, _ status: Int) async throws {
        try await withServer(handler: exampleHandler) { server in
            let request = "GET / HTTP/1.1\r\nHost: localhost:7777\r\nOrigin: \(origin)\r\nConnection: close\r\n\r\n"
            try await RawClient.expect(status, for: request, from: server)
        }
    }

    @Test(
        "A client that dribbles or falls silent is cut, wherever it stops",
        arguments: [
            "", "G", "GET / HTTP/1.1\r\nHost: local",
            "POST /whole HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nab",
            "GET /first HTTP/1.1\r\nHost: localhost\r\n\r\n",
        ]
    )
    func slowClients(_ beginning: String) async throws {
        let clock = ManualClock()
        try await withServer(clock: clock, handler: exampleHandler) { server in
            let client = try await RawClient(server)
            try await client.send(beginning)
            // Only virtual time passes: however the server's reading and the clock interleave, the end comes.
            while client.connection.isOpen { await clock.advance(by: .seconds(5)) }
        }
    }

    @Test("A head has to be there in time, however often a byte of it comes")
    func dribbling() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock, handler: exampleHandler) { server in
            let client = try await RawClient(server)
            var sent = 0
            while client.connection.isOpen, sent < 100 {
                guard (try? await client.send("G")) != nil else { break }
                sent += 1
                // Nothing tells that the server has seen the byte; it gets a chance, and a second passes.
                for _ in 0..<500 { await Task.yield() }
                await clock.advance(by: .seconds(1))
            }
            #expect(sent < 100)
        }
    }

    @Test("A slow body is cut although every byte of it comes in time")
    func slowBody() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock, handler: exampleHandler) { server in
            let client = try await RawClient(server)
            try await client.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
            _ = try await client.read(until: "\r\n\r\n")
            var echoed = 0
            while echoed < 200 {
                guard (try? await client.send("1\r\nx\r\n")) != nil,
                    (try? await client.read(until: "x").contains("x")) == true
                else { break }
                echoed += 1
                for _ in 0..<50 { await Task.yield() }
                await clock.advance(by: .seconds(5))
            }
            #expect(echoed > 0 && echoed < 200)
        }
    }

    @Test("Random requests never bring the server down", arguments: 0..<20)
    func fuzz(seed: Int) async throws {
        var random = SeededRandom(seed: UInt64(seed))
        let pieces = [
            "GET ", "POST ", "/", " HTTP/1.1", " HTTP/1.0", "\r\n", "\n", "Host: localhost", "Content-Length: ", "5",
            "-1",
            "Transfer-Encoding: chunked", "0\r\n\r\n", "Expect: 100-continue", "Upgrade: websocket",
            "Connection: upgrade",
            "\u{0}", "é", String(repeating: "x", count: 5000), ":", " ", "\t", "hello",
        ]
        let texts = (0..<20).map { _ in
            (0..<random.nextInt(below: 20)).map { _ in pieces[random.nextInt(below: pieces.count)] }.joined()
        }
        try await withServer(handler: exampleHandler) { server in
            for text in texts {
                let client = try await RawClient(server)
                try? await client.send(text)
                client.connection.close()
            }
            try await RawClient.expect(200, for: "GET / HTTP/1.0\r\n\r\n", from: server)
        }
    }
}
