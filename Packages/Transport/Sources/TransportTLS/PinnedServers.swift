public import TransportCore

/// Which pins hold for which server: host and port together, and no other.
public struct PinnedServers: Hashable, Sendable {
    private var pins: [String: [CertificatePin]] = [:]

    /// Creates a table without pins, where the system's trust store decides.
    public init() {}

    /// Adds pins for a server; any one of a server's pins is enough, so that keys can be changed over.
    ///
    /// - Parameters:
    ///   - pins: What the server's certificate may be.
    ///   - server: The server, of which host and port count.
    public mutating func pin(_ pins: [CertificatePin], for server: ServerConfig) {
        let key = Self.key(host: server.host, port: server.port)
        for pin in pins where !self.pins[key, default: []].contains(pin) { self.pins[key, default: []].append(pin) }
    }

    /// Forgets a server's pins.
    public mutating func removePins(for server: ServerConfig) {
        pins[Self.key(host: server.host, port: server.port)] = nil
    }

    /// The pins of a server, in the order they were added.
    ///
    /// - Parameters:
    ///   - host: The host as ``ServerConfig/host`` writes it.
    ///   - port: The port.
    /// - Returns: The pins; empty when the trust store decides.
    public func pins(host: String, port: Int) -> [CertificatePin] {
        pins[Self.key(host: host, port: port)] ?? []
    }

    private static func key(host: String, port: Int) -> String {
        "\(host.lowercased()) \(port)"
    }
}
