import CTransportLinux
import Glibc
package import TransportCore
package import TransportTLS

extension SocketConnection {
    /// How the client's end of a connection is encrypted.
    package struct ClientTLS: Sendable {
        /// The trust store.
        package var context: TLSClientContext
        /// What the certificate may be.
        package var pins: [CertificatePin]
        /// What is spoken inside.
        package var protocols: [String]

        package init(context: TLSClientContext, pins: [CertificatePin], protocols: [String]) {
            self.context = context
            self.pins = pins
            self.protocols = protocols
        }
    }

    /// Connects to a server, trying its addresses one after the other.
    ///
    /// - Parameters:
    ///   - host: A name, or an address without brackets.
    ///   - port: The port.
    ///   - tls: Encryption, `nil` for none.
    ///   - timeout: How long it may take altogether, the handshake included.
    ///   - group: Whose threads to use.
    /// - Returns: A connection whose other end has been verified, where TLS is used.
    /// - Throws: `nameNotFound`, `unreachable`, `timedOut`, `cancelled`, or what TLS throws.
    package static func connect(
        host: String,
        port: Int,
        tls: ClientTLS?,
        timeout: Duration,
        group: SocketLoopGroup
    ) async throws(TransportError) -> SocketConnection {
        let due = group.deadlines.now + timeout
        let addresses = try await HostResolver.resolve(host: host, port: port, due: due, deadlines: group.deadlines)
        let name = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        var lastError = TransportError(.unreachable, "\(name) has no address that can be reached from here.")
        for (index, address) in addresses.enumerated() {
            // Every address gets its share of the time that is left, so that a dead one does not use up all of it.
            let now = group.deadlines.now
            let share = max(.zero, due - now) / (addresses.count - index)
            do throws(TransportError) {
                let connection = try await connect(address, name: name, due: now + share, group: group)
                guard let tls else { return connection }
                let engine = try tls.context.makeEngine(
                    host: host,
                    port: port,
                    pins: tls.pins,
                    protocols: tls.protocols
                )
                do throws(TransportError) {
                    try await connection.startTLS(engine, due: due)
                } catch {
                    connection.close()
                    throw error
                }
                return connection
            } catch {
                // Another address helps against one that is dead, not against a wrong certificate.
                guard error.code == .unreachable || error.code == .timedOut, !Task.isCancelled else { throw error }
                lastError =
                    error.code == .timedOut
                    ? TransportError(.timedOut, "\(name) did not answer within \(timeout.inSeconds) seconds.") : error
            }
        }
        throw lastError
    }

    private static func connect(
        _ address: SocketAddress,
        name: String,
        due: Duration,
        group: SocketLoopGroup
    ) async throws(TransportError) -> SocketConnection {
        let descriptor = hope_socket_create(address.family)
        guard descriptor >= 0 else { throw unreachable(name, errno) }
        var storage = address.storage
        let result = hope_socket_connect(descriptor, &storage, address.length)
        let code = errno
        guard result == 0 || code == EINPROGRESS else {
            Glibc.close(descriptor)
            throw unreachable(name, code)
        }
        if result == 0 { hope_socket_send_at_once(descriptor) }
        let connection = SocketConnection(
            descriptor,
            group: group,
            loop: group.nextLoop(),
            peer: name,
            isConnecting: result != 0
        )
        try connection.watch()
        do throws(TransportError) {
            try await connection.waitUntilConnected(due: due)
        } catch {
            connection.close()
            throw error
        }
        return connection
    }
}
