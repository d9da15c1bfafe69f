import Foundation
import Synchronization
import TransportCore
import TransportHTTP
import TransportTLS

/// A server to be measured, and the load that is the same for it and its peers.
///
///     SocketBenchmark serve [tls]                     prints its address, then the pin of its certificate
///     SocketBenchmark http URL CONNECTIONS SECONDS    prints requests a second, for answers of 5 bytes
///     SocketBenchmark echo URL CONNECTIONS SECONDS    prints WebSocket round trips a second, for messages of 64 bytes
///     SocketBenchmark download URL BYTES [PIN]        reads an answer of so many bytes and prints megabytes a second
///     SocketBenchmark idle URL COUNT                  opens connections, prints a line, and keeps them until stdin ends
@main
struct SocketBenchmark {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            switch (arguments.first, arguments.count) {
            case ("serve", _): try await serve(isSecure: arguments.dropFirst().first == "tls")
            case ("http", 4): try await load(arguments, http)
            case ("echo", 4): try await load(arguments, echo)
            case ("download", 3...): try await download(arguments)
            case ("idle", 3): try await idle(arguments[1], count: Int(arguments[2]) ?? 0)
            default:
                print(
                    "usage: SocketBenchmark serve | http URL N SECONDS | echo URL N SECONDS | download URL N [PIN] | idle URL N"
                )
            }
        } catch {
            FileHandle.standardError.write(Data("SocketBenchmark: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func serve(isSecure: Bool) async throws {
        let identity = isSecure ? try TLSIdentity.selfSigned(issuedAt: Date().timeIntervalSince1970) : nil
        let body = [UInt8]("hello".utf8)
        let server = try HTTPServer(HTTPServerConfiguration(identity: identity)) { request in
            if request.path == "/ws" {
                return .webSocket { socket in
                    while let message = try? await socket.receive() {
                        if case .binary(let bytes) = message { try? await socket.send(bytes) }
                    }
                }
            }
            if request.path == "/large" {
                return HTTPServerResponse(body: .stream(LargeBody(largeBytes), length: largeBytes))
            }
            return HTTPServerResponse(headers: ["Content-Type": "text/plain"], body: .bytes(body))
        }
        say("\(server.url) \(identity?.fingerprints.leaf ?? "")")
        await server.run()
    }

    /// Prints a line at once, for whoever waits for it at the other end of a pipe.
    private static func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    /// Runs a body on many connections at once and prints how often it was done in a second.
    private static func load(
        _ arguments: [String],
        _ body: @escaping @Sendable (SocketHTTPClient, String, ContinuousClock.Instant) async throws -> Int
    ) async throws {
        let client = try SocketHTTPClient(SocketHTTPClient.Configuration(keptConnections: 1000))
        let clock = ContinuousClock()
        let seconds = Double(arguments[3]) ?? 1
        let end = clock.now + .seconds(seconds)
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<(Int(arguments[2]) ?? 1) {
                group.addTask { try await body(client, arguments[1], end) }
            }
            return try await group.reduce(0, +)
        }
        print(Int(Double(count) / seconds))
    }

    private static func http(
        _ client: SocketHTTPClient,
        _ url: String,
        _ end: ContinuousClock.Instant
    ) async throws -> Int {
        var count = 0
        while ContinuousClock().now < end {
            let answer = try await client.send(HTTPRequest("GET", url))
            guard answer.status == 200, answer.body.count == 5 else { throw CancellationError() }
            count += 1
        }
        return count
    }

    private static func echo(
        _ client: SocketHTTPClient,
        _ url: String,
        _ end: ContinuousClock.Instant
    ) async throws -> Int {
        let socket = try await client.openWebSocket(url)
        let bytes = [UInt8](repeating: 7, count: 64)
        var count = 0
        while ContinuousClock().now < end {
            try await socket.send(bytes)
            guard try await socket.receive() == .binary(bytes) else { throw CancellationError() }
            count += 1
        }
        await socket.close()
        return count
    }

    private static func idle(_ url: String, count: Int) async throws {
        let client = try SocketHTTPClient()
        var sockets: [WebSocketConnection] = []
        for _ in 0..<count { sockets.append(try await client.openWebSocket(url)) }
        say("open \(sockets.count)")
        _ = readLine()
        for socket in sockets { socket.cut() }
    }

    private static func download(_ arguments: [String]) async throws {
        var configuration = SocketHTTPClient.Configuration()
        if arguments.count > 3 {
            let base = arguments[1].split(separator: "/").prefix(2).joined(separator: "//")
            configuration.pins.pin([try CertificatePin(arguments[3])], for: try ServerConfig(base))
        }
        let client = try SocketHTTPClient(configuration)
        let start = ContinuousClock().now
        let answer = try await client.open(HTTPRequest("GET", arguments[1]))
        var count = 0
        while let bytes = try await answer.body.next() { count += bytes.count }
        guard count == Int(arguments[2]) else { throw CancellationError() }
        let seconds = (ContinuousClock().now - start).inSeconds
        print(Int(Double(count) / seconds / 1e6))
    }

    private static let largeBytes = 1 << 30
}

/// So many bytes, in pieces of 128 KiB that are made once.
private final class LargeBody: HTTPBodyStream {
    private let piece = [UInt8](repeating: 7, count: 128 * 1024)
    private let rest: Mutex<Int>

    init(_ count: Int) {
        rest = Mutex(count)
    }

    func next() async throws(TransportError) -> [UInt8]? {
        let count = rest.withLock { rest in
            let count = min(rest, piece.count)
            rest -= count
            return count
        }
        return count == 0 ? nil : count == piece.count ? piece : Array(piece[..<count])
    }

    func cancel() {
        rest.withLock { $0 = 0 }
    }
}
