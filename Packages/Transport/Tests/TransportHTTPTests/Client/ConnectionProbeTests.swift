import Testing
import TransportCore
import TransportHTTP
import TransportTLS

@Suite(.timeLimit(.minutes(1))) struct ConnectionProbeTests {
    private func probe(_ pins: PinnedServers = PinnedServers()) throws -> ConnectionProbe {
        try ConnectionProbe(SocketHTTPClient.Configuration(pins: pins, connectTimeout: .seconds(10)))
    }

    @Test(arguments: [("http://127.0.0.1:9", ["127.0.0.1"]), ("http://[::1]", ["::1"])])
    func addressesNeedNoLookup(_ url: String, _ addresses: [String]) async throws {
        #expect(try await probe().addresses(of: ServerConfig(url)) == addresses)
    }

    @Test func connectsToAServerAndToNobody() async throws {
        var server = try ServerConfig("http://127.0.0.1")
        try await withServer(handler: { _ in .text("") }) { local in
            server = try ServerConfig(local.url)
            try await probe().connect(to: server)
        }
        let error = await #expect(throws: TransportError.self) { try await probe().connect(to: server) }
        #expect(error?.code == .unreachable)
    }

    @Test func showsACertificateWhetherItIsAcceptedOrNot() async throws {
        let identity = try TLSIdentity.selfSigned(issuedAt: 1_756_540_000)
        try await withServer(HTTPServerConfiguration(identity: identity), handler: { _ in .text("") }) { local in
            let server = try ServerConfig(local.url)
            let unknown = try await probe().handshake(with: server)
            #expect(unknown.fingerprints == identity.fingerprints)
            #expect(unknown.refusal?.code == .pinMismatch(expected: [], found: identity.fingerprints.leaf))

            var pins = PinnedServers()
            pins.pin([try CertificatePin(identity.fingerprints.publicKey)], for: server)
            let pinned = try await probe(pins).handshake(with: server)
            #expect(pinned.fingerprints == identity.fingerprints)
            #expect(pinned.refusal == nil)
        }
    }

    @Test func aServerWithoutTLSIsNoHandshake() async throws {
        try await withServer(handler: { _ in .text("") }) { local in
            let server = try ServerConfig("https" + local.url.dropFirst(4))
            await #expect(throws: TransportError.self) { try await probe().handshake(with: server) }
        }
    }
}
