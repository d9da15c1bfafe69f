public import TransportCore
public import TransportHTTP

/// Something that tries the steps of connecting which come before any request.
///
/// An Apple backend would be Network.framework's `NWConnection`.
public protocol NetworkProbe: Sendable {
    /// Looks a server's name up, and returns its addresses as numbers.
    ///
    /// - Throws: `nameNotFound`, `timedOut` or `cancelled`.
    func addresses(of server: ServerConfig) async throws(TransportError) -> [String]

    /// Connects to a server and hangs up.
    ///
    /// - Throws: `unreachable`, `timedOut` or `cancelled`.
    func connect(to server: ServerConfig) async throws(TransportError)

    /// Connects to a server, sets TLS up, and hangs up without having sent a request.
    ///
    /// - Returns: What the certificate can be recognised by, and why it is not accepted, if it is not.
    /// - Throws: `protocolViolation` when the server does not speak TLS, and as ``connect(to:)``.
    func handshake(with server: ServerConfig) async throws(TransportError) -> ConnectionProbe.Handshake
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ConnectionProbe: NetworkProbe {}
