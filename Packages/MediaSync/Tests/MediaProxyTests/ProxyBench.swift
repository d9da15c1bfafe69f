import Foundation
import MediaProxy
import MediaSync
import Synchronization
import Testing
import TransportCore
import TransportHTTP
import TransportTLS

/// What the proxy has reported.
final class EventLog: Sendable {
    private let events = Mutex<[MediaProxyEvent]>([])

    func append(_ event: MediaProxyEvent) { events.withLock { $0.append(event) } }
    var all: [MediaProxyEvent] { events.withLock { $0 } }
    var text: String { all.map { "\($0) " + String(reflecting: $0) }.joined(separator: "\n") }
}

/// An origin, a proxy in front of it, and a player's HTTP client.
struct ProxyBench: Sendable {
    let origin: TestOrigin
    /// The origin's address, without a path.
    let base: String
    let proxy: LoopbackMediaProxy
    let session: MediaProxySession
    let player: SocketHTTPClient
    let log: EventLog

    /// Shares a path of the origin.
    func share(
        _ path: String = "/song.mp3",
        id: String = "song",
        isLive: Bool = false,
        headers: HTTPHeaders = [:]
    ) async throws -> String {
        let url = try #require(URL(string: base + path))
        return try await session.share(MediaSource(id: id, url: url, isLive: isLive, headers: headers)).absoluteString
    }

    func get(_ url: String, _ headers: HTTPHeaders = [:], method: String = "GET") async throws -> HTTPResponse {
        try await player.send(HTTPRequest(method, url, headers: headers), maximumBytes: 1 << 30)
    }

    /// Gets a range of the file that is shared at an address.
    func range(_ url: String, _ range: String) async throws -> HTTPResponse {
        try await get(url, ["Range": range])
    }

    /// Reads an answer until it ends or breaks off.
    func read(_ url: String, _ headers: HTTPHeaders = [:]) async throws -> (bytes: [UInt8], isWhole: Bool) {
        let answer = try await player.open(HTTPRequest("GET", url, headers: headers))
        var bytes: [UInt8] = []
        do {
            while let piece = try await answer.body.next() { bytes += piece }
            return (bytes, true)
        } catch {
            return (bytes, false)
        }
    }
}

/// Runs a proxy in front of an origin while a test plays.
func withProxy(
    _ behavior: TestOrigin.Behavior = TestOrigin.Behavior(),
    identity: TLSIdentity? = nil,
    pins: [CertificatePin] = [],
    configuration: MediaProxyConfiguration = MediaProxyConfiguration(resumeDelays: [.zero, .zero, .zero]),
    clock: any Clock<Duration> = ContinuousClock(),
    _ body: (ProxyBench) async throws -> Void
) async throws {
    let origin = TestOrigin(behavior)
    // Threads of their own for each side, as if they were different machines.
    let server = try HTTPServer(HTTPServerConfiguration(identity: identity)) { try await origin.answer($0) }
    let loops = try SocketLoopGroup()
    var settings = SocketHTTPClient.Configuration()
    settings.pins.pin(pins, for: try ServerConfig(server.url))
    let log = EventLog()
    let proxy = try LoopbackMediaProxy(
        client: SocketHTTPClient(settings, loops: loops),
        configuration: configuration,
        loops: loops,
        clock: clock,
        generator: SeededRandom(seed: 1)
    ) { log.append($0) }
    let session = proxy.makeSession()
    let player = try SocketHTTPClient(SocketHTTPClient.Configuration(userAgent: "player"))
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await server.run() }
        group.addTask { await proxy.run() }
        defer { group.cancelAll() }
        try await body(
            ProxyBench(origin: origin, base: server.url, proxy: proxy, session: session, player: player, log: log)
        )
    }
}

extension TestOrigin.Behavior {
    /// Makes a behaviour that differs from the usual one.
    static func with(_ change: (inout Self) -> Void) -> Self {
        var behavior = Self()
        change(&behavior)
        return behavior
    }
}
