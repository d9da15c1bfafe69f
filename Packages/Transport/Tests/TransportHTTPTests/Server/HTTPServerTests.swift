import Testing
import TransportCore
import TransportHTTP
import TransportTLS

/// Answers with what was asked, and whatever the path says.
@Sendable func exampleHandler(_ request: HTTPServerRequest) async throws -> HTTPServerResponse {
    switch request.path {
    case "/echo": return HTTPServerResponse(body: .stream(request.body, length: request.body.announcedLength))
    case "/whole":
        let bytes = try await request.body.bytes(limit: 4 * 1024 * 1024)
        return HTTPServerResponse(body: .bytes(bytes))
    case "/small-only":
        return .text("\(try await request.body.bytes(limit: 10).count)")
    case "/ignore": return .text("ignored")
    case "/stream":
        return HTTPServerResponse(body: .stream(CannedBodyStream(pattern(300_000), chunkBytes: 7000), length: nil))
    case "/broken":
        return HTTPServerResponse(body: .stream(CannedBodyStream([1, 2, 3]), length: 10))
    case "/inject": return HTTPServerResponse(headers: ["X": "a\r\nSet-Cookie: b"], body: .bytes([1]))
    case "/empty": return HTTPServerResponse(status: 204)
    case "/fail": throw TransportError(.unavailable, "secret detail")
    default: return .text("\(request.method) \(request.head.target)")
    }
}

@Suite(.timeLimit(.minutes(1))) struct HTTPServerTests {
    @Test("Requests on one connection are answered in order, also when they come at once")
    func pipelining() async throws {
        try await withServer(handler: exampleHandler) { server in
            let client = try await RawClient(server)
            try await client.send(
                "GET /a HTTP/1.1\r\nHost: localhost\r\n\r\nPOST /whole HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nxyz"
                    + "GET /c HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\nGET /d HTTP/1.1\r\nHost: localhost\r\n\r\n"
            )
            let answers = try await client.rest()
            #expect(answers.components("HTTP/1.1 200 OK").count == 4)
            #expect(answers.contains("GET /a") && answers.contains("\r\n\r\nxyz") && answers.hasSuffix("GET /c"))
            #expect(answers.contains("Connection: close\r\n"))
        }
    }

    @Test(
        "Bodies come through in any framing",
        arguments: [
            ("Content-Length: 5\r\n\r\nhello", "hello", "hello"),
            (
                "Transfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\nTrailer: a\r\n\r\n", "hello",
                "llo\r\n0\r\n\r\n"
            ),
            ("\r\n", "", ""),
        ]
    )
    func framings(_ request: String, _ whole: String, _ echoed: String) async throws {
        try await withServer(handler: exampleHandler) { server in
            for (path, expected) in [("/echo", echoed), ("/whole", whole)] {
                let client = try await RawClient(server)
                try await client.send("POST \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(request)")
                let answer = try await client.rest()
                #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
                #expect(answer.hasSuffix(expected.isEmpty ? "\r\n\r\n" : expected))
            }
        }
    }

    @Test("HEAD has the fields of GET and no body; 204 has neither length nor body")
    func bodyless() async throws {
        try await withServer(handler: exampleHandler) { server in
            let client = try await RawClient(server)
            try await client.send(
                "HEAD /abc HTTP/1.1\r\nHost: localhost\r\n\r\nGET /empty HTTP/1.1\r\nHost: localhost\r\n\r\n"
            )
            try await client.send("HEAD /stream HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            let answers = try await client.rest()
            #expect(answers.contains("Content-Length: 9\r\n"))
            let second = answers.components("HTTP/1.1 204 No Content\r\n")
            #expect(second.count == 2 && second[0].hasSuffix("\r\n\r\n"))
            #expect(second.last?.hasPrefix("\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n") == true)
            #expect(answers.hasSuffix("\r\n\r\n"))
        }
    }

    @Test("HTTP/1.0 gets a body that ends with the connection, or keeps it when it asks to")
    func oldClients() async throws {
        try await withServer(handler: exampleHandler) { server in
            let plain = try await RawClient(server)
            try await plain.send("GET /stream HTTP/1.0\r\n\r\n")
            let answer = try await plain.rest()
            #expect(!answer.contains("chunked") && answer.contains("Connection: close"))
            let kept = try await RawClient(server)
            try await kept.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(try await kept.read(until: "GET /a").contains("Connection: keep-alive"))
            try await kept.send("GET /b HTTP/1.0\r\n\r\n")
            #expect(try await kept.rest().hasSuffix("GET /b"))
        }
    }

    @Test("A client that expects 100 Continue gets it when its body is read, and not when it is refused")
    func expectation() async throws {
        try await withServer(handler: exampleHandler) { server in
            let head = "HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n"
            let read = try await RawClient(server)
            try await read.send("POST /whole \(head)")
            #expect(try await read.read(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            try await read.send("hello")
            #expect(try await read.read(until: "hello").hasPrefix("HTTP/1.1 200 OK"))
            let refused = try await RawClient(server)
            try await refused.send("POST /ignore \(head)")
            let answer = try await refused.rest()
            #expect(answer.hasPrefix("HTTP/1.1 200 OK"))
            #expect(answer.contains("Connection: close") || answer.hasSuffix("ignored"))
        }
    }

    @Test("A body that the handler leaves is read over when it is short, else the connection ends")
    func leftBody() async throws {
        try await withServer(handler: exampleHandler) { server in
            let short = try await RawClient(server)
            try await short.send(
                "POST /ignore HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhelloGET /next HTTP/1.1\r\n"
            )
            try await short.send("Host: localhost\r\nConnection: close\r\n\r\n")
            #expect(try await short.rest().hasSuffix("GET /next"))
            let long = try await RawClient(server)
            try await long.send(
                "POST /ignore HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000000\r\n\r\nGET /next HTTP/1.1\r\n"
            )
            let answer = try await long.rest()
            #expect(!answer.contains("/next"))
        }
    }

    @Test(
        "A body above the route's limit is refused with 413",
        arguments: [
            "Content-Length: 11\r\n\r\n01234567890", "Transfer-Encoding: chunked\r\n\r\nb\r\n01234567890\r\n0\r\n\r\n",
        ]
    )
    func bodyLimit(_ body: String) async throws {
        try await withServer(handler: exampleHandler) { server in
            try await RawClient.expect(
                413,
                for: "POST /small-only HTTP/1.1\r\nHost: localhost\r\n\(body)",
                from: server
            )
        }
    }

    @Test("A handler's failure is a 500 without its details, and a forged header never leaves")
    func failures() async throws {
        try await withServer(handler: exampleHandler) { server in
            for path in ["/fail", "/inject"] {
                let client = try await RawClient(server)
                try await client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                let answer = try await client.rest()
                #expect(answer.hasPrefix("HTTP/1.1 500"))
                #expect(!answer.contains("secret") && !answer.contains("Set-Cookie"))
            }
            let broken = try await RawClient(server)
            try await broken.send("GET /broken HTTP/1.1\r\nHost: localhost\r\n\r\n")
            _ = try? await broken.rest()
            try await RawClient.expect(200, for: "GET / HTTP/1.0\r\n\r\n", from: server)
        }
    }

    @Test("A handler is cancelled when its client goes away")
    func clientLeaves() async throws {
        let clock = ManualClock()
        let (ends, end) = AsyncStream.makeStream(of: Bool.self)
        try await withServer { _ in
            end.yield(false)
            try? await clock.sleep(until: .init(offset: .seconds(3600)))
            end.yield(Task.isCancelled)
            return .text("")
        } _: { server in
            let client = try await RawClient(server)
            try await client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            var iterator = ends.makeAsyncIterator()
            #expect(await iterator.next() == false)
            client.connection.close()
            #expect(await iterator.next() == true)
        }
    }

    @Test("Stopping closes idle connections, lets an answer finish, and then returns")
    func shutdown() async throws {
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        let clock = ManualClock()
        let server = try HTTPServer { request in
            if request.path == "/slow" {
                start.yield()
                try await clock.sleep(until: .init(offset: .seconds(1)))
            }
            return .text("done")
        }
        async let run: Void = server.run()
        let idle = try await RawClient(server)
        try await idle.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = try await idle.read(until: "done")
        let busy = try await RawClient(server)
        try await busy.send("GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
        for await _ in starts { break }
        server.shutdown(grace: .seconds(3600))
        #expect(try await idle.rest() == "")
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(1))
        #expect(try await busy.rest().hasSuffix("done"))
        await run
        await #expect(throws: TransportError.self) { _ = try await RawClient(server) }
    }
}

extension String {
    /// The pieces between occurrences of a text.
    func components(_ separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
}
