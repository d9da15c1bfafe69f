import Synchronization
import Testing
import TransportCore
import TransportHTTP

@Suite(.timeLimit(.minutes(1))) struct SocketTests {
    @Test("An address that is taken, or is none, is an error that says so")
    func listening() throws {
        let group = try SocketLoopGroup()
        let listener = try SocketListener(host: "127.0.0.1", port: 0, backlog: 1, group: group)
        let taken = #expect(throws: TransportError.self) {
            try SocketListener(host: "127.0.0.1", port: listener.port, backlog: 1, group: group)
        }
        #expect(taken?.code == .unavailable && taken?.message.contains("choose another port") == true)
        let none = #expect(throws: TransportError.self) {
            try SocketListener(host: "not an address", port: 0, backlog: 1, group: group)
        }
        #expect(none?.code == .invalidURL)
    }

    @Test("By default a server listens for this machine alone")
    func loopback() throws {
        let server = try HTTPServer { _ in .text("") }
        #expect(server.url == "http://127.0.0.1:\(server.port)")
    }

    @Test("IPv6 works as well, in addresses and in Host fields")
    func version6() async throws {
        guard (try? SocketListener(host: "::1", port: 0, backlog: 1, group: SocketLoopGroup())) != nil else {
            // This machine has no IPv6 loopback.
            return
        }
        try await withServer(HTTPServerConfiguration(host: "::1"), handler: exampleHandler) { server in
            #expect(server.url.hasPrefix("http://[::1]:"))
            let answer = try await SocketHTTPClient().send(HTTPRequest("GET", server.url + "/six"))
            #expect(answer.body == Array("GET /six".utf8))
        }
    }

    @Test("More callers than allowed wait until somebody leaves")
    func acceptLimit() async throws {
        try await withServer(HTTPServerConfiguration(maximumConnections: 2), handler: exampleHandler) { server in
            let first = try await RawClient(server)
            let second = try await RawClient(server)
            for client in [first, second] {
                try await client.send("GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n")
                _ = try await client.read(until: "GET /a")
            }
            let third = try await RawClient(server)
            try await third.send("GET /third HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            let (order, append) = AsyncStream.makeStream(of: String.self)
            async let answered: Void = {
                _ = try? await third.rest()
                append.yield("answered")
                append.finish()
            }()
            for _ in 0..<1000 { await Task.yield() }
            append.yield("left")
            first.connection.close()
            await answered
            var seen: [String] = []
            for await event in order { seen.append(event) }
            #expect(seen == ["left", "answered"])
        }
    }

    @Test("Time limits come in their order, and those that were moved do not come too early")
    func deadlines() async {
        let clock = ManualClock()
        let queue = DeadlineQueue(clock: clock)
        let log = Mutex<[String]>([])
        let targets = ["c", "a", "b"].map { name in
            RecordingTarget { now in log.withLock { $0.append("\(name)\(now.components.seconds)") } }
        }
        queue.schedule(targets[0], at: .seconds(3))
        queue.schedule(targets[1], at: .seconds(1))
        queue.schedule(targets[2], at: .seconds(2))
        await clock.advance(by: .milliseconds(999))
        #expect(log.withLock { $0 }.isEmpty)
        await clock.advance(by: .seconds(1))
        #expect(log.withLock { $0 } == ["a1"])
        do {
            let gone = RecordingTarget { _ in log.withLock { $0.append("gone") } }
            queue.schedule(gone, at: .milliseconds(2500))
        }
        await clock.advance(by: .seconds(10))
        #expect(log.withLock { $0 } == ["a1", "b2", "c3"])
    }

    @Test("Many time limits in any order come in theirs", arguments: 0..<5)
    func manyDeadlines(seed: Int) async {
        let clock = ManualClock()
        let queue = DeadlineQueue(clock: clock)
        var random = SeededRandom(seed: UInt64(seed))
        let log = Mutex<[Int]>([])
        let times = (0..<1000).map { _ in random.nextInt(below: 500) }
        let targets = times.map { time in RecordingTarget { _ in log.withLock { $0.append(time) } } }
        for (target, time) in zip(targets, times) { queue.schedule(target, at: .milliseconds(time)) }
        await clock.advance(by: .seconds(1))
        #expect(log.withLock { $0 } == times.sorted())
    }

    @Test("A loop that nobody holds any more leaves no task hanging")
    func loopEnds() async throws {
        for _ in 0..<20 {
            let client = try SocketHTTPClient()
            await #expect(throws: TransportError.self) {
                try await client.open(HTTPRequest("GET", "http://127.0.0.1:1/"))
            }
        }
    }
}

private final class RecordingTarget: DeadlineTarget {
    private let action: @Sendable (Duration) -> Void

    init(_ action: @escaping @Sendable (Duration) -> Void) {
        self.action = action
    }

    func deadlineReached(now: Duration) {
        action(now)
    }
}
