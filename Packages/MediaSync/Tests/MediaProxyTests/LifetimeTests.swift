import Foundation
import MediaProxy
import Testing
import TransportCore
import TransportHTTP

@Suite(.timeLimit(.minutes(1))) struct LifetimeTests {
    @Test("A player that goes away in the middle ends the request to the server")
    func goesAway() async throws {
        try await withProxy(.with { $0.content = .zeros(1 << 30) }) { bench in
            let url = try await bench.share()
            let answer = try await bench.player.open(HTTPRequest("GET", url))
            _ = try await answer.body.next()
            #expect(bench.origin.open == 1)
            answer.body.cancel()
            await bench.origin.wait { _, open in open == 0 }
            #expect(bench.origin.sent < 1 << 30)
        }
    }

    @Test("A player that goes away before the server answers ends the request as well")
    func goesAwayEarly() async throws {
        try await withProxy(.with { $0.gate = Gate() }) { bench in
            let url = try await bench.share()
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    _ = try? await bench.player.open(HTTPRequest("GET", url, headers: ["Range": "bytes=5-"]))
                }
                await bench.origin.wait { seen, open in seen == 1 && open == 1 }
                group.cancelAll()
            }
            await bench.origin.wait { _, open in open == 0 }
        }
    }

    @Test("P10 Twenty seeks while the server keeps silent leave at most two requests a second later")
    func seeks() async throws {
        try await withProxy(.with { $0.gate = Gate() }) { bench in
            let url = try await bench.share()
            var old: Task<Void, any Error>?
            for number in 1...20 {
                // A player often opens the next connection before it drops the old one.
                let next = Task {
                    _ = try await bench.player.open(HTTPRequest("GET", url, headers: ["Range": "bytes=\(number)-"]))
                }
                await bench.origin.wait { seen, _ in seen == number }
                old?.cancel()
                old = next
            }
            let start = ContinuousClock.now
            await bench.origin.wait { _, open in open <= 2 }
            #expect(ContinuousClock.now - start < .seconds(1))
            old?.cancel()
            await bench.origin.wait { _, open in open == 0 }
        }
    }

    @Test("Closing a session revokes its addresses, ends what is being sent, and leaves other sessions alone")
    func closing() async throws {
        try await withProxy(.with { $0.content = .zeros(1 << 30) }) { bench in
            let url = try await bench.share()
            let other = bench.proxy.makeSession()
            let source = try #require(URL(string: bench.base + "/other.mp3"))
            let kept = try await other.share(MediaSource(id: "kept", url: source)).absoluteString
            let answer = try await bench.player.open(HTTPRequest("GET", url))
            _ = try await answer.body.next()
            bench.session.close()
            await bench.origin.wait { _, open in open == 0 }
            await #expect(throws: TransportError.self) {
                while try await answer.body.next() != nil {}
            }
            #expect(try await bench.get(url).status == 404)
            #expect(try await bench.range(kept, "bytes=0-1").status == 206)
            await #expect(throws: MediaProxyError.sessionClosed) { _ = try await bench.share() }
        }
    }

    @Test("One address can be revoked, by its own session only")
    func revoking() async throws {
        try await withProxy { bench in
            let first = try await bench.share()
            let second = try await bench.share()
            #expect(first != second)
            bench.proxy.makeSession().revoke(try #require(URL(string: first)))
            #expect(try await bench.get(first).status == 200)
            bench.session.revoke(try #require(URL(string: first)))
            #expect(try await bench.get(first).status == 404)
            #expect(try await bench.get(second).status == 200)
        }
    }

    @Test("A session that nobody holds any more is closed")
    func forgotten() async throws {
        try await withProxy { bench in
            let source = try #require(URL(string: bench.base + "/a.mp3"))
            let url = try await bench.proxy.makeSession().share(MediaSource(id: "a", url: source)).absoluteString
            #expect(try await bench.get(url).status == 404)
        }
    }

    @Test("A player that takes nothing holds the server back")
    func backPressure() async throws {
        try await withProxy(.with { $0.content = .zeros(1 << 30) }) { bench in
            let url = try await bench.share()
            let idle = try await bench.player.open(HTTPRequest("GET", url))
            // While others are served, no more is fetched for it than fits into buffers.
            for _ in 0..<100 { _ = try await bench.range(url, "bytes=0-1") }
            #expect(bench.origin.sent < 64 << 20)
            var count = 0
            while count < 200 << 20, let bytes = try await idle.body.next() { count += bytes.count }
            #expect(count >= 200 << 20)
            idle.body.cancel()
        }
    }

    @Test("A whole gigabyte goes through in constant memory")
    func constantMemory() async throws {
        try await withProxy(.with { $0.content = .zeros(1 << 30) }) { bench in
            let url = try await bench.share()
            _ = try await bench.range(url, "bytes=0-16777215")
            let before = try residentBytes()
            var most = before
            let answer = try await bench.player.open(HTTPRequest("GET", url))
            var count = 0
            var next = 0
            while let bytes = try await answer.body.next() {
                count += bytes.count
                if count >= next {
                    next += 16 << 20
                    most = max(most, try residentBytes())
                }
            }
            #expect(count == 1 << 30)
            #expect(most - before < 100 << 20)
        }
    }

    private func residentBytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) }) * 1024
    }

    @Test("Cancelling the proxy ends everything")
    func cancelled() async throws {
        let origin = TestOrigin(.with { $0.content = .zeros(1 << 30) })
        let server = try HTTPServer { try await origin.answer($0) }
        let proxy = try LoopbackMediaProxy(client: SocketHTTPClient())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await server.run() }
            let running = Task { await proxy.run() }
            let session = proxy.makeSession()
            let url = try await session.share(
                MediaSource(id: "a", url: try #require(URL(string: server.url + "/a.mp3")))
            )
            let answer = try await SocketHTTPClient().open(HTTPRequest("GET", url.absoluteString))
            running.cancel()
            await running.value
            await origin.wait { _, open in open == 0 }
            await #expect(throws: TransportError.self) { while try await answer.body.next() != nil {} }
            group.cancelAll()
        }
    }
}
