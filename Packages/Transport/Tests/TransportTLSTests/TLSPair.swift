import TransportCore
import TransportTLS

/// A client and a server that are joined without a network.
struct TLSPair {
    let client: TLSEngine
    let server: TLSEngine
    /// How many bytes cross at once.
    var step = Int.max

    init(client: TLSEngine, identity: TLSIdentity, step: Int = .max) throws {
        self.client = client
        self.step = step
        server = try TLSServerContext(identity: identity).makeEngine()
    }

    init(
        identity: TLSIdentity,
        host: String = "localhost",
        pins: [CertificatePin] = [],
        trust: TLSTrust = .system,
        protocols: [String] = ["http/1.1"],
        step: Int = .max
    ) throws {
        let context = try TLSClientContext(trust: trust)
        let client = try context.makeEngine(host: host, port: 443, pins: pins, protocols: protocols)
        try self.init(client: client, identity: identity, step: step)
    }

    /// Carries what each side has to send to the other, until both are silent.
    func exchange() {
        while carry(from: client, to: server) || carry(from: server, to: client) {}
    }

    private func carry(from sender: TLSEngine, to receiver: TLSEngine) -> Bool {
        let bytes = sender.takeOutput()
        var rest = bytes[...]
        while !rest.isEmpty {
            receiver.receive(Array(rest.prefix(step)))
            rest = rest.dropFirst(step)
            // The errors are looked at by the test, which asks again.
            _ = try? receiver.handshake()
        }
        return !bytes.isEmpty
    }

    /// Runs the handshake as far as it goes, and throws the client's error if it has one.
    func connect() throws(TransportError) {
        try client.handshake()
        exchange()
        try client.handshake()
    }
}
