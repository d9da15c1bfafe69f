public import TransportCore
public import TransportTLS

/// Tries the single steps of connecting to a server, for telling people which of them fails.
public final class ConnectionProbe: Sendable {
    private let configuration: SocketHTTPClient.Configuration
    private let group: SocketLoopGroup
    private let tls: TLSClientContext

    /// Creates a probe.
    ///
    /// - Parameters:
    ///   - configuration: The pins, trust and time limit of the client whose connections are to be tried.
    ///   - loops: The threads to use; `nil` makes one for this probe alone.
    /// - Throws: As ``SocketHTTPClient/init(_:loops:)``.
    public init(
        _ configuration: SocketHTTPClient.Configuration = SocketHTTPClient.Configuration(),
        loops: SocketLoopGroup? = nil
    ) throws(TransportError) {
        self.configuration = configuration
        group = if let loops { loops } else { try SocketLoopGroup() }
        tls = try TLSClientContext(trust: configuration.trust)
    }

    /// Looks a server's name up.
    ///
    /// - Parameter server: The server.
    /// - Returns: Its addresses as numbers, in the order in which they are tried.
    /// - Throws: `nameNotFound`, `timedOut` or `cancelled`.
    public func addresses(of server: ServerConfig) async throws(TransportError) -> [String] {
        let due = group.deadlines.now + configuration.connectTimeout
        let found = try await HostResolver.resolve(
            host: server.host,
            port: server.port,
            due: due,
            deadlines: group.deadlines
        )
        return found.map(\.parts.host)
    }

    /// Connects to a server and hangs up.
    ///
    /// - Parameter server: The server.
    /// - Throws: `nameNotFound`, `unreachable`, `timedOut` or `cancelled`.
    public func connect(to server: ServerConfig) async throws(TransportError) {
        let connection = try await SocketConnection.connect(
            host: server.host,
            port: server.port,
            tls: nil,
            timeout: configuration.connectTimeout,
            group: group
        )
        connection.close()
    }

    /// Connects to a server, sets TLS up as the client would, and hangs up without having sent a request.
    ///
    /// - Parameter server: The server.
    /// - Returns: What its certificate can be recognised by.
    /// - Throws: `pinMismatch` when it is another one, or is not trusted and no pin is known; as ``connect(to:)``; and
    ///   `protocolViolation` when the server does not speak TLS.
    public func handshake(with server: ServerConfig) async throws(TransportError) -> CertificateFingerprints {
        let connection = try await SocketConnection.connect(
            host: server.host,
            port: server.port,
            tls: SocketConnection.ClientTLS(
                context: tls,
                pins: configuration.pins.pins(host: server.host, port: server.port),
                protocols: ["http/1.1"]
            ),
            timeout: configuration.connectTimeout,
            group: group
        )
        defer { connection.close() }
        guard let fingerprints = connection.peerFingerprints else {
            throw TransportError(.protocolViolation, "\(server) showed no certificate.")
        }
        return fingerprints
    }
}
