import Synchronization
import Testing
import TransportCore
import TransportHTTP
import TransportTLS

@Suite(.serialized, .timeLimit(.minutes(1))) struct SocketHTTPClientTests {
    private let identity: TLSIdentity

    init() throws {
        identity = try TLSIdentity.selfSigned(issuedAt: 1_600_000_000, days: 36_500)
    }

    private func client(for server: HTTPServer, pins: [CertificatePin]? = nil) throws -> SocketHTTPClient {
        var configuration = SocketHTTPClient.Configuration()
        let pins = try pins ?? [CertificatePin(identity.fingerprints.leaf)]
        configuration.pins.pin(pins, for: try ServerConfig(server.url))
        return try SocketHTTPClient(configuration)
    }

    @Test("Small, large and streamed bodies go both ways, plain and encrypted", arguments: [false, true])
    func bodies(isSecure: Bool) async throws {
        let configuration = HTTPServerConfiguration(
            identity: isSecure ? identity : nil,
            limits: HTTPLimits(bodyBytes: 10_000_000)
        )
        try await withServer(configuration, handler: exampleHandler) { server in
            let client = try client(for: server)
            #expect(try await client.send(HTTPRequest("GET", server.url + "/a?b=c")).body == Array("GET /a?b=c".utf8))
            #expect(try await client.send(HTTPRequest("GET", server.url + "/stream")).body == pattern(300_000))
            #expect(try await client.send(HTTPRequest("GET", server.url + "/empty")).status == 204)
            #expect(try await client.send(HTTPRequest("HEAD", server.url + "/stream")).body.isEmpty)
            for count in [0, 1, 65_536, 65_537, 700_000] {
                let bytes = pattern(count)
                for path in ["/echo", "/whole"] {
                    let whole = try await client.send(HTTPRequest("POST", server.url + path, body: .bytes(bytes)))
                    #expect(whole.body == bytes)
                    let stream = CannedBodyStream(bytes, chunkBytes: 10_000)
                    let chunked = HTTPRequest("POST", server.url + path, body: .stream(stream, length: nil))
                    #expect(try await client.send(chunked).body == bytes)
                }
            }
        }
    }

    @Test("Connections are used again, unless the server or an unread answer ends them")
    func reuse() async throws {
        try await withServer { request in
            if request.path == "/drop" { _ = try await request.body.bytes(limit: 10) }
            return .text(request.peer)
        } _: { server in
            let client = try client(for: server)
            func peer() async throws -> [UInt8] { try await client.send(HTTPRequest("GET", server.url)).body }
            let first = try await peer()
            #expect(try await peer() == first)
            let unread = try await client.open(HTTPRequest("GET", server.url))
            unread.body.cancel()
            #expect(try await peer() != first)
        }
    }

    @Test("A kept connection that the server closed in the meantime is replaced without anybody noticing")
    func staleConnection() async throws {
        let clock = ManualClock()
        let client = try SocketHTTPClient()
        try await withServer(clock: clock, handler: exampleHandler) { server in
            for _ in 0..<5 {
                let status = try await client.send(HTTPRequest("GET", server.url)).status
                #expect(status == 200)
                await clock.advance(by: .seconds(61))
            }
        }
    }

    @Test("Redirects are followed; credentials go along to the same origin only", arguments: [301, 302, 303, 307, 308])
    func redirects(status: Int) async throws {
        try await withServer { request in
            .text("\(request.method) \(request.headers["Authorization"] ?? "-") \(request.headers["X"] ?? "-")")
        } _: { other in
            let elsewhere = other.url
            try await withServer { request in
                switch request.path {
                case "/same": HTTPServerResponse(status: status, headers: ["Location": "deeper/../end?x=1#part"])
                case "/other": HTTPServerResponse(status: status, headers: ["Location": elsewhere + "/"])
                case "/circle": HTTPServerResponse(status: status, headers: ["Location": "/circle"])
                default:
                    .text(
                        "\(request.method) \(request.head.target) \(request.headers["Authorization"] ?? "-") "
                            + String(decoding: try await request.body.bytes(limit: 10), as: UTF8.self)
                    )
                }
            } _: { server in
                let client = try SocketHTTPClient()
                func send(_ path: String) async throws -> String {
                    let headers: HTTPHeaders = ["Authorization": "secret", "X": "kept", "Cookie": "a=b"]
                    let request = HTTPRequest("POST", server.url + path, headers: headers, body: .bytes([0x68, 0x69]))
                    return String(decoding: try await client.send(request).body, as: UTF8.self)
                }
                let method = status <= 303 ? "GET" : "POST"
                let same = try await send("/same")
                let elsewhere = try await send("/other")
                #expect(same == method + " /end?x=1 secret " + (status <= 303 ? "" : "hi"))
                #expect(elsewhere == method + " - kept")
                let error = await #expect(throws: TransportError.self) { _ = try await send("/circle") }
                #expect(error?.code == .protocolViolation)
            }
        }
    }

    @Test("A redirect is handed over where it is not to be followed", arguments: ["GET", "HEAD", "POST"])
    func unfollowedRedirect(method: String) async throws {
        try await withServer { request in
            HTTPServerResponse(status: request.path == "/" ? 302 : 200, headers: ["Location": "/end"])
        } _: { server in
            let client = try SocketHTTPClient()
            let answer = try await client.send(HTTPRequest(method, server.url, followsRedirects: false))
            #expect(answer.status == 302 && answer.headers["Location"] == "/end")
            #expect(try await client.send(HTTPRequest(method, server.url)).status == 200)
        }
    }

    @Test("A redirect never leads from https to http, and pins do not follow it to another host")
    func redirectSecurity() async throws {
        let target = Mutex("")
        let counts = Mutex(0)
        try await withServer(HTTPServerConfiguration(identity: identity)) { _ in
            counts.withLock { $0 += 1 }
            return .text("reached")
        } _: { other in
            try await withServer(HTTPServerConfiguration(identity: identity)) { _ in
                HTTPServerResponse(status: 302, headers: ["Location": target.withLock { $0 }])
            } _: { server in
                let client = try client(for: server)
                target.withLock { $0 = other.url + "/" }
                // The other server has the very same certificate, but it is pinned for the first one alone.
                let error = await #expect(throws: TransportError.self) {
                    try await client.send(HTTPRequest("GET", server.url))
                }
                #expect(error?.code == .pinMismatch(expected: [], found: identity.fingerprints.leaf))
                target.withLock { $0 = "http://127.0.0.1:1/" }
                let down = await #expect(throws: TransportError.self) {
                    try await client.send(HTTPRequest("GET", server.url))
                }
                #expect(down?.code == .protocolViolation)
                #expect(counts.withLock { $0 } == 0)
            }
        }
    }

    @Test("A wrong pin sends nothing, and the handler is never asked")
    func wrongPin() async throws {
        let counts = Mutex(0)
        try await withServer(HTTPServerConfiguration(identity: identity)) { _ in
            counts.withLock { $0 += 1 }
            return .text("")
        } _: { server in
            let wrong = try CertificatePin(String(repeating: "ab", count: 32))
            let client = try client(for: server, pins: [wrong])
            let error = await #expect(throws: TransportError.self) {
                try await client.send(HTTPRequest("POST", server.url, body: .bytes([1])))
            }
            #expect(error?.code == .pinMismatch(expected: [wrong.sha256], found: identity.fingerprints.leaf))
            #expect(counts.withLock { $0 } == 0)
        }
    }

    @Test(
        "Addresses that cannot be asked for are errors",
        arguments: [
            "", "localhost", "ftp://localhost/", "http://", "http://a b/", "http://localhost/a b",
            "http://localhost/\r\nX: y",
            "http://user:secret@localhost/", "http://localhost:99999/", "http://[::1/",
        ]
    )
    func invalidURLs(_ url: String) async throws {
        let client = try SocketHTTPClient()
        let error = await #expect(throws: TransportError.self) { try await client.open(HTTPRequest("GET", url)) }
        #expect(error?.code == .invalidURL)
        #expect(error?.message.contains("secret") == false)
    }

    @Test("Headers and methods that would be read as something else are never sent")
    func injection() async throws {
        try await withServer(handler: exampleHandler) { server in
            let client = try SocketHTTPClient()
            for request in [
                HTTPRequest("GET", server.url, headers: ["X": "a\r\nY: b"]),
                HTTPRequest("GET", server.url, headers: ["X\r\nY": "b"]),
                HTTPRequest("GET /x HTTP/1.1\r\nX:", server.url),
                HTTPRequest("GET", server.url, headers: ["Host": "a\r\nY: b"]),
            ] {
                let error = await #expect(throws: TransportError.self) { try await client.open(request) }
                #expect(error?.code == .protocolViolation)
            }
            let twice = HTTPRequest(
                "POST",
                server.url + "/whole",
                headers: ["Content-Length": "99", "Transfer-Encoding": "chunked"],
                body: .bytes([0x61])
            )
            #expect(try await client.send(twice).body == [0x61])
        }
    }

    @Test("Nobody there is unreachable; a name that is not known is not found")
    func nobody() async throws {
        let client = try SocketHTTPClient()
        let closed = await #expect(throws: TransportError.self) {
            try await client.open(HTTPRequest("GET", "http://127.0.0.1:1/"))
        }
        #expect(closed?.code == .unreachable)
        try await withServer(handler: exampleHandler) { server in
            let plain = await #expect(throws: TransportError.self) {
                try await client.open(HTTPRequest("GET", "https://127.0.0.1:\(server.port)/"))
            }
            #expect(plain?.code == .protocolViolation)
        }
    }

    @Test(
        "A server that falls silent is given up: while connecting, before the head, within the body",
        arguments: 0..<3
    )
    func silence(stage: Int) async throws {
        let clock = ManualClock()
        let group = try SocketLoopGroup(clock: clock)
        let listener = try SocketListener(host: "127.0.0.1", port: 0, backlog: 8, group: SocketLoopGroup())
        let client = try SocketHTTPClient(loops: group)
        let url = "\(stage == 0 ? "https" : "http")://127.0.0.1:\(listener.port)/"
        let isOver = Flag()
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                guard let connection = await listener.accept() else { return }
                if stage == 2 {
                    try await connection.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab".utf8))
                }
                while (try? await connection.receive()) != nil {}
            }
            tasks.addTask {
                defer { isOver.raise() }
                let error = await #expect(throws: TransportError.self) {
                    try await client.send(HTTPRequest("GET", url, timeout: .seconds(5)))
                }
                #expect(error?.code == .timedOut)
            }
            while !isOver.isRaised { await clock.advance(by: .seconds(1)) }
            listener.close()
            try await tasks.waitForAll()
        }
    }

    @Test("Cancelling closes the connection, before the head and within the body", arguments: [false, true])
    func cancellation(inBody: Bool) async throws {
        let listener = try SocketListener(host: "127.0.0.1", port: 0, backlog: 8, group: SocketLoopGroup())
        let client = try SocketHTTPClient()
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        let task = Task { try await client.send(HTTPRequest("GET", "http://127.0.0.1:\(listener.port)/")) }
        let connection = try #require(await listener.accept())
        var request = ""
        while !request.hasSuffix("\r\n\r\n"), let bytes = try await connection.receive() {
            request += String(decoding: bytes, as: UTF8.self)
        }
        if inBody { try await connection.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab".utf8)) }
        start.finish()
        for await _ in starts {}
        task.cancel()
        let error = await #expect(throws: TransportError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        let rest = try? await connection.receive()
        #expect(rest == nil)
    }

    @Test("An early refusal of an upload is seen although the upload is not over")
    func earlyRefusal() async throws {
        try await withServer { request in
            request.path == "/refuse" ? .text("no", status: 403) : .text("yes")
        } _: { server in
            let client = try SocketHTTPClient()
            let endless = EndlessBody()
            let request = HTTPRequest("POST", server.url + "/refuse", body: .stream(endless, length: nil))
            let answer = try await client.open(request)
            #expect(answer.status == 403)
            answer.body.cancel()
            #expect(try await client.send(HTTPRequest("GET", server.url)).body == Array("yes".utf8))
        }
    }

    @Test(
        "Answers that could be read in two ways, or are cut short, are errors",
        arguments: [
            (
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                TransportError.Code.protocolViolation
            ),
            ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc", .closed),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", .closed),
            ("HTTP/2 200\r\n\r\n", .protocolViolation),
            ("SSH-2.0-OpenSSH\r\n", .protocolViolation),
            ("", .closed),
        ]
    )
    func badAnswers(_ answer: String, _ code: TransportError.Code) async throws {
        let listener = try SocketListener(host: "127.0.0.1", port: 0, backlog: 8, group: SocketLoopGroup())
        let client = try SocketHTTPClient()
        let task = Task { try await client.send(HTTPRequest("POST", "http://127.0.0.1:\(listener.port)/")) }
        let connection = try #require(await listener.accept())
        _ = try await connection.receive()
        try await connection.send(Array(answer.utf8))
        await connection.finish()
        let error = await #expect(throws: TransportError.self) { try await task.value }
        #expect(error?.code == code)
    }

    @Test("A reader that does not read holds the server back instead of filling memory")
    func backPressure() async throws {
        let source = EndlessBody()
        try await withServer { _ in
            HTTPServerResponse(body: .stream(source, length: nil))
        } _: { server in
            let client = try SocketHTTPClient()
            let answer = try await client.open(HTTPRequest("GET", server.url))
            // Ten pieces are taken out, and then the source has to come to rest by itself.
            for _ in 0..<10 { _ = try await answer.body.next() }
            var last = -1
            while source.count != last {
                last = source.count
                for _ in 0..<2000 { await Task.yield() }
            }
            #expect(source.count < 1000)
            answer.body.cancel()
        }
    }
}

/// A body without an end, in pieces of 64 KiB.
final class EndlessBody: HTTPBodyStream {
    private let state = Mutex((count: 0, isOver: false))

    var count: Int { state.withLock { $0.count } }

    func next() async throws(TransportError) -> [UInt8]? {
        if Task.isCancelled { throw TransportError(.cancelled) }
        let isOver = state.withLock { state in
            state.count += 1
            return state.isOver
        }
        return isOver ? nil : [UInt8](repeating: 7, count: 65_536)
    }

    func cancel() {
        state.withLock { $0.isOver = true }
    }
}

/// Something that happens once.
final class Flag: Sendable {
    private let state = Atomic(false)

    var isRaised: Bool { state.load(ordering: .acquiring) }

    func raise() { state.store(true, ordering: .releasing) }
}
