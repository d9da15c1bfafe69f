import Testing
import TransportCore
import TransportTLS

@Suite struct TLSEngineTests {
    private static let issued = 1_800_000_000.0
    private let identity: TLSIdentity
    private let pin: CertificatePin

    init() throws {
        identity = try TLSIdentity.selfSigned(issuedAt: Self.issued)
        pin = try CertificatePin(identity.fingerprints.publicKey)
    }

    @Test("What one side writes the other reads, in any pieces", arguments: [Int.max, 1, 7])
    func bothWays(step: Int) throws {
        let pair = try TLSPair(identity: identity, pins: [pin], step: step)
        try pair.connect()
        #expect(pair.client.isOpen && pair.server.isOpen)
        #expect(pair.client.protocolVersion == "TLSv1.3")
        #expect(pair.client.applicationProtocol == "http/1.1")
        #expect(pair.server.applicationProtocol == "http/1.1")
        let long = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try pair.client.write(long)
        try pair.server.write(Array("answer".utf8))
        pair.exchange()
        var received: [UInt8] = []
        while case .bytes(let bytes) = try pair.server.read(atMost: 10_000) {
            #expect(bytes.count <= 10_000)
            received += bytes
        }
        #expect(received == long)
        #expect(try pair.client.read() == .bytes(Array("answer".utf8)))
        #expect(try pair.client.read() == .needsInput)
    }

    @Test("Encrypting and decrypting at once lose nothing, however the bytes are cut", arguments: 0..<12)
    func cuts(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let pair = try TLSPair(identity: identity, pins: [pin])
        try pair.connect()
        _ = try pair.client.read()
        var sent: [UInt8] = []
        var records: [UInt8] = []
        for _ in 0..<5 {
            let size = random.nextInt(below: 60_000)
            let message = [UInt8](unsafeUninitializedCapacity: size) { buffer, used in
                for index in 0..<size { buffer[index] = UInt8(truncatingIfNeeded: index &* 131 &+ seed) }
                used = size
            }
            sent += message
            records += try pair.server.encrypt(message)
        }
        var received: [UInt8] = []
        var start = 0
        while start < records.count {
            let end = min(
                records.count,
                start + 1 + random.nextInt(below: [20, 3000, 40_000][random.nextInt(below: 3)])
            )
            let reading = try records.withUnsafeBytes { bytes throws(TransportError) in
                try pair.client.decrypt(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            }
            if case .bytes(let bytes) = reading { received += bytes }
            while case .bytes(let bytes) = try pair.client.read(atMost: 5000) { received += bytes }
            start = end
        }
        #expect(received == sent)
        pair.server.close()
        let end = pair.server.takeOutput()
        let last = try end.withUnsafeBytes { bytes throws(TransportError) in try pair.client.decrypt(bytes) }
        #expect(last == .end)
    }

    @Test("Nothing can be written before the server has been verified")
    func nothingEarly() throws {
        let pair = try TLSPair(identity: identity, pins: [pin])
        try pair.client.handshake()
        let error = #expect(throws: TransportError.self) { try pair.client.write([1]) }
        #expect(error?.code == .notConnected)
    }

    @Test("A closing message is an end; a connection that just stops is an error")
    func endings() throws {
        let polite = try TLSPair(identity: identity, pins: [pin])
        try polite.connect()
        try polite.server.write([1, 2, 3])
        polite.server.close()
        polite.exchange()
        polite.client.receiveEnd()
        #expect(try polite.client.read() == .bytes([1, 2, 3]))
        #expect(try polite.client.read() == .end)
        // The other direction stays open until it is closed as well.
        try polite.client.write([4])
        polite.exchange()
        #expect(try polite.server.read() == .bytes([4]))
        #expect(throws: TransportError.self) { try polite.server.write([5]) }

        let cut = try TLSPair(identity: identity, pins: [pin])
        try cut.connect()
        try cut.server.write([1, 2, 3])
        cut.exchange()
        cut.client.receiveEnd()
        #expect(try cut.client.read() == .bytes([1, 2, 3]))
        let error = #expect(throws: TransportError.self) { try cut.client.read() }
        #expect(error?.code == .closed)
    }

    @Test("Bytes that were changed on the way are refused, and nothing of them is handed over")
    func tampering() throws {
        let pair = try TLSPair(identity: identity, pins: [pin])
        try pair.connect()
        try pair.client.write(Array("secret".utf8))
        var record = pair.client.takeOutput()
        record[record.count - 1] ^= 1
        pair.server.receive(record)
        let error = #expect(throws: TransportError.self) { try pair.server.read() }
        #expect(error?.code == .protocolViolation)
        // It stays that way.
        #expect(throws: TransportError.self) { try pair.server.read() }
        #expect(throws: TransportError.self) { try pair.server.write([1]) }
    }

    @Test("A client that speaks only something else is turned away")
    func otherProtocol() throws {
        let pair = try TLSPair(identity: identity, pins: [pin], protocols: ["h2"])
        let error = #expect(throws: TransportError.self) { try pair.connect() }
        #expect(error?.code == .protocolViolation)
        let open = try TLSPair(identity: identity, pins: [pin], protocols: [])
        try open.connect()
        #expect(open.client.applicationProtocol == nil)
        let both = try TLSPair(identity: identity, pins: [pin], protocols: ["h2", "http/1.1"])
        try both.connect()
        #expect(both.server.applicationProtocol == "http/1.1")
    }

    @Test(
        "What is not TLS is refused with a reason",
        arguments: ["GET / HTTP/1.1\r\nHost: a\r\n\r\n", String(repeating: "\u{0}", count: 64), "\u{16}\u{3}\u{1}"]
    )
    func notTLS(_ text: String) throws {
        let server = try TLSServerContext(identity: identity).makeEngine()
        server.receive(Array(text.utf8))
        server.receiveEnd()
        let error = #expect(throws: TransportError.self) { try server.handshake() }
        #expect(error?.code == .protocolViolation || error?.code == .closed)
    }

    @Test("Random bytes at any point of a connection never crash it")
    func fuzz() throws {
        let context = try TLSClientContext()
        for seed in 0..<100 {
            var random = SeededRandom(seed: UInt64(seed))
            let client = try context.makeEngine(host: "localhost", port: 443, pins: [pin])
            let pair = try TLSPair(client: client, identity: identity)
            if random.nextBool(probability: 0.5) { try pair.connect() } else { try client.handshake() }
            var bytes = client.takeOutput()
            if bytes.isEmpty {
                try client.write(Array("hello".utf8))
                bytes = client.takeOutput()
            }
            for _ in 0..<(1 + random.nextInt(below: 8)) {
                bytes[random.nextInt(below: bytes.count)] = UInt8(truncatingIfNeeded: random.next())
            }
            pair.server.receive(bytes)
            pair.server.receiveEnd()
            _ = try? pair.server.handshake()
            _ = try? pair.server.read()
            _ = pair.server.takeOutput()
        }
    }
}

@Suite struct TLSVerificationTests {
    private static let issued = 1_800_000_000.0
    private let identity: TLSIdentity
    private let other: TLSIdentity

    init() throws {
        identity = try TLSIdentity.selfSigned(issuedAt: Self.issued)
        other = try TLSIdentity.selfSigned(issuedAt: Self.issued)
    }

    @Test("Either kind of pin is enough, alone or among others", arguments: ["leaf:", "spki:", ""])
    func matchingPins(kind: String) throws {
        let stranger = try CertificatePin(other.fingerprints.leaf)
        let fingerprints = identity.fingerprints
        for fingerprint in [fingerprints.leaf, fingerprints.publicKey] {
            let isRight = kind == "" || (kind == "leaf:") == (fingerprint == fingerprints.leaf)
            let pin = try CertificatePin(kind + fingerprint)
            let alone = try TLSPair(identity: identity, pins: [pin])
            let among = try TLSPair(identity: identity, pins: [stranger, pin])
            if isRight {
                try alone.connect()
                try among.connect()
                #expect(alone.client.peerFingerprints == fingerprints)
            } else {
                #expect(throws: TransportError.self) { try alone.connect() }
                #expect(throws: TransportError.self) { try among.connect() }
            }
        }
    }

    @Test("A wrong pin names host, expected and found, and the server is never open to the client")
    func wrongPin() throws {
        let pin = try CertificatePin(other.fingerprints.leaf)
        let pair = try TLSPair(identity: identity, host: "server.test", pins: [pin])
        let error = try #require(#expect(throws: TransportError.self) { try pair.connect() })
        #expect(error.code == .pinMismatch(expected: [other.fingerprints.leaf], found: identity.fingerprints.leaf))
        for part in ["server.test:443", other.fingerprints.leaf, identity.fingerprints.leaf, "store the new pin"] {
            #expect(error.message.contains(part))
        }
        #expect(!pair.client.isOpen)
        #expect(!pair.server.isOpen)
        #expect(throws: error) { try pair.client.write([1]) }
        pair.exchange()
        #expect(throws: TransportError.self) { try pair.server.handshake() }
    }

    @Test("A public key's pin survives a renewal with the same key; the certificate's does not")
    func rotation() throws {
        let renewed = try TLSIdentity.selfSigned(issuedAt: Self.issued + 1e6, reusingKeyOf: identity)
        #expect(renewed.fingerprints.publicKey == identity.fingerprints.publicKey)
        #expect(renewed.fingerprints.leaf != identity.fingerprints.leaf)
        try TLSPair(identity: renewed, pins: [CertificatePin(identity.fingerprints.publicKey)]).connect()
        #expect(throws: TransportError.self) {
            try TLSPair(identity: renewed, pins: [CertificatePin(identity.fingerprints.leaf)]).connect()
        }
    }

    @Test("Without pins a self-signed certificate is not trusted, and the error says what could be pinned")
    func untrusted() throws {
        let pair = try TLSPair(identity: identity)
        let error = try #require(#expect(throws: TransportError.self) { try pair.connect() })
        #expect(error.code == .pinMismatch(expected: [], found: identity.fingerprints.leaf))
        #expect(error.message.contains("self-signed"))
        #expect(error.message.contains(identity.fingerprints.publicKey))
        #expect(!pair.server.isOpen)
    }

    @Test(
        "Without pins a trusted certificate has to be for the host, by name or by address",
        arguments: [
            ("localhost", true), ("LOCALHOST", true), ("127.0.0.1", true), ("::1", true), ("example.com", false),
            ("127.0.0.2", false), ("::2", false), ("localhost.example.com", false), ("sub.wild.test", true),
            ("wild.test", false), ("a.b.wild.test", false),
        ]
    )
    func hostNames(_ host: String, _ isRight: Bool) throws {
        // OpenSSL compares with the system's time where no pin decides, so this one holds for a century.
        let identity = try TLSIdentity.selfSigned(
            names: ["localhost", "127.0.0.1", "::1", "*.wild.test"],
            issuedAt: 1_600_000_000,
            days: 36_500
        )
        let pair = try TLSPair(identity: identity, host: host, trust: .authorities(identity.certificates))
        guard isRight else {
            let error = #expect(throws: TransportError.self) { try pair.connect() }
            #expect(error?.code == .pinMismatch(expected: [], found: identity.fingerprints.leaf))
            return
        }
        try pair.connect()
    }

    @Test("A pinned certificate may be for another host, and may have ended")
    func pinDecides() throws {
        let old = try TLSIdentity.selfSigned(names: ["old.test"], issuedAt: 1_000_000_000, days: 1)
        try TLSPair(identity: old, host: "new.test", pins: [CertificatePin(old.fingerprints.leaf)]).connect()
    }

    @Test("Pins are for host and port together, however the address is written")
    func pinnedServers() throws {
        let pin = try CertificatePin(identity.fingerprints.leaf)
        var servers = PinnedServers()
        servers.pin([pin, pin], for: try ServerConfig("https://Example.COM:8443/path/"))
        #expect(servers.pins(host: "example.com", port: 8443) == [pin])
        #expect(servers.pins(host: "example.com", port: 443).isEmpty)
        #expect(servers.pins(host: "www.example.com", port: 8443).isEmpty)
        servers.pin([pin], for: try ServerConfig("[0:0::1]"))
        #expect(servers.pins(host: "::1", port: 443) == [pin] || servers.pins(host: "::1", port: 80) == [pin])
        servers.removePins(for: try ServerConfig("wss://example.com:8443"))
        #expect(servers.pins(host: "example.com", port: 8443).isEmpty)
    }
}
