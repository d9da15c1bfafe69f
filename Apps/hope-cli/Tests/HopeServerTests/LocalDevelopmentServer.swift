import HopeServer
import TransportCore
import TransportHTTP
import TransportTLS

/// The time of day at the start of every test.
let testTimeOfDay = 1_756_540_000.0

/// A key for tests.
let testTokenKey = RoomTokenKey(id: "hope", secret: Array("a secret of the tests, 32 bytes long".utf8))

extension DevelopmentServerConfiguration {
    /// What most tests need.
    static var forTests: DevelopmentServerConfiguration {
        DevelopmentServerConfiguration(tokenKey: testTokenKey, startedAt: testTimeOfDay)
    }
}

/// Runs a development server while a test talks to it, and shuts it down afterwards.
func withDevelopmentServer(
    _ configuration: DevelopmentServerConfiguration = .forTests,
    _ body: (DevelopmentServer) async throws -> Void
) async throws {
    let server = try DevelopmentServer(configuration)
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await server.run() }
        defer { group.cancelAll() }
        try await body(server)
    }
}

/// Asks a server, and closes the client's connections afterwards.
func ask(
    _ method: String,
    _ url: String,
    headers: HTTPHeaders = [:],
    body: String? = nil,
    pins: PinnedServers = PinnedServers()
) async throws -> HTTPResponse {
    let client = try SocketHTTPClient(SocketHTTPClient.Configuration(pins: pins))
    defer { client.close() }
    var headers = headers
    if body != nil, headers["Content-Type"] == nil { headers["Content-Type"] = "application/json" }
    return try await client.send(
        HTTPRequest(
            method,
            url,
            headers: headers,
            body: body.map { .bytes(Array($0.utf8)) } ?? .none,
            timeout: .seconds(20)
        )
    )
}

extension HTTPResponse {
    /// The body as text.
    var text: String { String(decoding: body, as: UTF8.self) }
}

/// The claims of a token that a server of the tests has signed.
func claims(of token: String) throws -> RoomTokenClaims {
    let codec = RoomTokenCodec { key, message in HMACSHA256.authenticationCode(for: message, key: key) }
    return try codec.verify(token, keys: [testTokenKey], now: testTimeOfDay + 1)
}
