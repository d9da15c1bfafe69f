public import TransportCore
public import TransportTLS

/// Tries the single steps of connecting to a server, for telling people which of them fails.
public final class ConnectionProbe: Sendable {
    /// What setting TLS up has shown.
    public struct Handshake: Sendable {
        /// What the server's certificate can be recognised by.
        public var fingerprints: CertificateFingerprints
        /// Why the client would not go on, `pinMismatch`; `nil` when it would.
        public var refusal: TransportError?

        /// Creates what a handshake has shown.
        public init(fingerprints: CertificateFingerprints, refusal: TransportError? = nil) {
            self.fingerprints = fingerprints
            self.refusal = refusal
        }
    }

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
    /// - Returns: The certificate's fingerprints, and why it is not accepted, if it is not.
    /// - Throws: As ``connect(to:)``; `protocolViolation` when the server does not speak TLS.
    public func handshake(with server: ServerConfig) async throws(TransportError) -> Handshake {
        let due = group.deadlines.now + configuration.connectTimeout
        let connection = try await SocketConnection.connect(
            host: server.host,
            port: server.port,
            tls: nil,
            timeout: configuration.connectTimeout,
            group: group
        )
        defer { connection.close() }
        let engine = try tls.makeEngine(
            host: server.host,
            port: server.port,
            pins: configuration.pins.pins(host: server.host, port: server.port)
        )
        do throws(TransportError) {
            try await connection.startTLS(engine, due: due)
        } catch {
            guard case .pinMismatch = error.code, let fingerprints = engine.peerFingerprints else { throw error }
            return Handshake(fingerprints: fingerprints, refusal: error)
        }
        guard let fingerprints = engine.peerFingerprints else {
            throw TransportError(.protocolViolation, "\(server) showed no certificate.")
        }
        return Handshake(fingerprints: fingerprints, refusal: nil)
    }
}
