import Testing
import TransportCore
import TransportHTTP
import TransportTLS

/// Runs a server of ours while a test talks to it, and stops it afterwards.
func withServer(
    _ configuration: HTTPServerConfiguration = HTTPServerConfiguration(),
    clock: any Clock<Duration> = ContinuousClock(),
    handler: @escaping HTTPServer.Handler,
    _ body: (HTTPServer) async throws -> Void
) async throws {
    let server = try HTTPServer(configuration, loops: SocketLoopGroup(clock: clock), handler: handler)
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await server.run() }
        defer { group.cancelAll() }
        try await body(server)
    }
}

/// Sends bytes as they are and reads what comes back.
struct RawClient {
    let connection: SocketConnection

    init(_ server: HTTPServer) async throws {
        self.connection = try await SocketConnection.connect(
            host: "127.0.0.1",
            port: server.port,
            tls: nil,
            timeout: .seconds(10),
            group: SocketLoopGroup()
        )
    }

    func send(_ text: String) async throws {
        try await connection.send(Array(text.utf8))
    }

    /// Everything until the server closes the connection.
    func rest() async throws -> String {
        var all: [UInt8] = []
        while let bytes = try await connection.receive() { all += bytes }
        return String(decoding: all, as: UTF8.self)
    }

    /// Everything up to and with a piece of text.
    func read(until end: String) async throws -> String {
        var text = ""
        while !text.contains(end), let bytes = try await connection.receive() {
            text += String(decoding: bytes, as: UTF8.self)
        }
        return text
    }

    /// The status of the answer to one request on a connection that ends after it.
    static func status(of request: String, from server: HTTPServer) async throws -> Int? {
        let client = try await RawClient(server)
        try await client.send(request)
        return Int(try await client.rest().dropFirst(9).prefix(3))
    }

    /// Expects an answer with this status.
    static func expect(
        _ status: Int,
        for request: String,
        from server: HTTPServer,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let found = try await self.status(of: request, from: server)
        #expect(found == status, sourceLocation: sourceLocation)
    }
}

/// Bytes whose content depends on where they are, so that a piece in the wrong place is noticed.
func pattern(_ count: Int) -> [UInt8] {
    var random = SeededRandom(seed: UInt64(count))
    let block = (0..<1021).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + block.count + 3)
    var number = 0
    while bytes.count < count {
        bytes += block
        bytes += [UInt8(truncatingIfNeeded: number >> 16), UInt8(truncatingIfNeeded: number >> 8), UInt8(number & 255)]
        number += 1
    }
    bytes.removeLast(bytes.count - count)
    return bytes
}
