import Foundation
import Testing
import TransportCore
import TransportHTTP
import TransportTLS

@Suite(
    .enabled(if: PeerProgram.path("openssl") != nil, "the openssl program is not installed"),
    // One after the other: together they would take the time that other tests' limits count on.
    .serialized,
    .timeLimit(.minutes(1))
) struct OpenSSLPeerTests {
    /// Makes a key where there is none and a certificate for it, and returns the certificate.
    private func makeCertificate(_ folder: String, _ name: String, key: String) async throws -> [UInt8] {
        if !FileManager.default.fileExists(atPath: "\(folder)/\(key).key") {
            _ = try await PeerProgram(
                "openssl",
                ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "\(folder)/\(key).key"]
            ).end()
        }
        _ = try await PeerProgram(
            "openssl",
            [
                "req", "-new", "-x509", "-key", "\(folder)/\(key).key", "-subj", "/CN=\(name)", "-days", "30", "-out",
                "\(folder)/\(name).pem",
            ]
        ).end()
        return Array(try Data(contentsOf: URL(filePath: "\(folder)/\(name).pem")))
    }

    /// Runs `openssl s_server` for some connections.
    private func serve(
        _ folder: String,
        _ name: String,
        key: String,
        _ options: [String]
    ) async throws -> (PeerProgram, ServerConfig) {
        let server = try PeerProgram(
            "openssl",
            ["s_server", "-accept", "127.0.0.1:0", "-cert", "\(folder)/\(name).pem", "-key", "\(folder)/\(key).key"]
                + options
        )
        let output = await server.wait { $0.components("ACCEPT").last?.contains("\n") == true && $0.contains("ACCEPT") }
        let line = output.split(separator: "\n").first { $0.hasPrefix("ACCEPT") } ?? ""
        let port = try #require(line.split(separator: ":").last.flatMap { Int($0) })
        return (server, try ServerConfig("https://127.0.0.1:\(port)"))
    }

    private func client(_ pins: [String], for server: ServerConfig) throws -> SocketHTTPClient {
        var configuration = SocketHTTPClient.Configuration()
        configuration.pins.pin(try pins.map { try CertificatePin($0) }, for: server)
        return try SocketHTTPClient(configuration)
    }

    @Test("A pinned server is reached with every kind of pin; a key that stays survives a new certificate")
    func rightPins() async throws {
        try await withFolder { folder in
            let old = try CertificateFingerprints(certificate: try await makeCertificate(folder, "old", key: "a"))
            let renewed = try CertificateFingerprints(
                certificate: try await makeCertificate(folder, "renewed", key: "a")
            )
            let other = try CertificateFingerprints(certificate: try await makeCertificate(folder, "other", key: "b"))
            #expect(old.publicKey == renewed.publicKey && old.leaf != renewed.leaf && other.publicKey != old.publicKey)
            let (server, address) = try await serve(folder, "renewed", key: "a", ["-www"])
            defer { server.stop() }
            for pins in [
                [renewed.leaf], ["leaf:" + renewed.leaf], [old.publicKey], ["spki:" + old.publicKey],
                [other.leaf, other.publicKey, renewed.leaf], [old.leaf, other.leaf, old.publicKey],
            ] {
                let answer = try await client(pins, for: address).send(HTTPRequest("GET", address.baseURL + "/"))
                #expect(answer.status == 200)
            }
            for pins in [
                [old.leaf], [other.leaf, other.publicKey], ["spki:" + renewed.leaf], ["leaf:" + old.publicKey],
            ] {
                let error = await #expect(throws: TransportError.self) {
                    try await client(pins, for: address).open(HTTPRequest("GET", address.baseURL + "/"))
                }
                guard case .pinMismatch = error?.code else {
                    Issue.record("\(pins) gave \(String(describing: error))")
                    continue
                }
            }
        }
    }

    @Test("On a wrong pin the server sees not one byte of the request", arguments: ["-tls1_2", "-tls1_3"])
    func nothingLeaks(version: String) async throws {
        try await withFolder { folder in
            let right = try CertificateFingerprints(certificate: try await makeCertificate(folder, "server", key: "a"))
            for (pin, isRight) in [(String(repeating: "0", count: 64), false), (right.leaf, true)] {
                let (server, address) = try await serve(folder, "server", key: "a", ["-naccept", "1", version])
                defer { server.stop() }
                let request = HTTPRequest(
                    "POST",
                    address.baseURL + "/secret-path",
                    body: .bytes(Array("secret-body".utf8))
                )
                let client = try client([pin], for: address)
                if isRight {
                    // It answers nothing, so seeing the request is enough.
                    let task = Task { try await client.open(request) }
                    #expect(await server.wait(for: "secret-body").contains("secret-path"))
                    task.cancel()
                } else {
                    let error = await #expect(throws: TransportError.self) { try await client.open(request) }
                    #expect(error?.code == .pinMismatch(expected: [pin], found: right.leaf))
                    let seen = await server.end()
                    #expect(!seen.contains("secret") && !seen.contains("POST"))
                }
            }
        }
    }

    @Test("A server that speaks only what is too old is refused")
    func oldProtocol() async throws {
        try await withFolder { folder in
            let pin = try CertificateFingerprints(certificate: try await makeCertificate(folder, "server", key: "a"))
                .leaf
            let (server, address) = try await serve(
                folder,
                "server",
                key: "a",
                ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"]
            )
            defer { server.stop() }
            let error = await #expect(throws: TransportError.self) {
                try await client([pin], for: address).open(HTTPRequest("GET", address.baseURL + "/"))
            }
            #expect(error?.code == .protocolViolation)
        }
    }

    @Test("Our server neither renegotiates nor speaks anything older than TLS 1.2, and closes with a closing message")
    func ourServer() async throws {
        let identity = try TLSIdentity.selfSigned(issuedAt: 1_600_000_000, days: 36_500)
        try await withServer(HTTPServerConfiguration(identity: identity), handler: exampleHandler) { server in
            let address = "127.0.0.1:\(server.port)"
            let old = try PeerProgram(
                "openssl",
                ["s_client", "-connect", address, "-tls1_1", "-cipher", "ALL:@SECLEVEL=0"]
            )
            #expect(await old.end().contains("Cipher is (NONE)"))

            let again = try PeerProgram("openssl", ["s_client", "-connect", address, "-tls1_2"])
            defer { again.stop() }
            await again.wait(for: "Verify return code")
            try again.write("R\n")
            #expect(await again.end().contains("no renegotiation"))

            let polite = try PeerProgram(
                "openssl",
                ["s_client", "-connect", address, "-quiet", "-ign_eof", "-servername", "localhost"]
            )
            try polite.write("GET /hello HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            let output = await polite.end()
            #expect(output.contains("GET /hello"))
            #expect(!output.contains("unexpected eof"))
        }
    }
}
