import Foundation
import Testing
import TransportCore
import TransportHTTP
import TransportTLS

@Suite(
    .enabled(if: PeerProgram.path("curl") != nil, "curl is not installed"),
    // One after the other: together they would take the time that other tests' limits count on.
    .serialized,
    .timeLimit(.minutes(1))
) struct CurlPeerTests {
    private func curl(_ arguments: [String]) async throws -> String {
        try await PeerProgram("curl", ["-s", "-S", "--max-time", "20", "--noproxy", "*"] + arguments).end()
    }

    @Test("curl gets, uploads, keeps its connection, and speaks HTTP/1.0")
    func plain() async throws {
        try await withServer(
            HTTPServerConfiguration(limits: HTTPLimits(bodyBytes: 10_000_000)),
            handler: exampleHandler
        ) { server in
            #expect(try await curl([server.url + "/a?b"]) == "GET /a?b")
            #expect(try await curl(["-0", server.url + "/a"]) == "GET /a")
            let head = try await curl(["-I", server.url + "/abc"])
            #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n") && head.contains("Content-Length: 9\r\n"))
            #expect(try await curl(["-d", "hello", server.url + "/echo"]) == "hello")
            #expect(
                try await curl(["-d", "hello", "-H", "Transfer-Encoding: chunked", server.url + "/whole"]) == "hello"
            )
            let twice = try await curl(["-v", server.url + "/1", server.url + "/2"])
            #expect(twice.contains("Re-using existing connection"))
            #expect(
                try await curl(["-o", "/dev/null", "-w", "%{http_code}", "-H", "Host: evil.test", server.url]) == "421"
            )
        }
    }

    @Test("A large upload that expects 100 Continue comes back whole")
    func upload() async throws {
        try await withFolder { folder in
            let bytes = pattern(3_000_000)
            try Data(bytes).write(to: URL(filePath: folder + "/up"))
            try await withServer(
                HTTPServerConfiguration(limits: HTTPLimits(bodyBytes: 10_000_000)),
                handler: exampleHandler
            ) { server in
                for (path, framing) in [("/echo", "X: y"), ("/whole", "X: y"), ("/echo", "Transfer-Encoding: chunked")]
                {
                    let output = try await curl([
                        "-v", "-T", folder + "/up", "-X", "POST", "-H", framing, "-H", "Expect: 100-continue", "-o",
                        folder + "/down", server.url + path,
                    ])
                    // An answer that begins before the body is read leaves no room for it.
                    #expect(output.contains("100 Continue") == (path == "/whole"))
                    #expect(try Data(contentsOf: URL(filePath: folder + "/down")) == Data(bytes))
                }
            }
        }
    }

    @Test("curl accepts our certificate when it is told to, and only for the names that are in it")
    func encrypted() async throws {
        try await withFolder { folder in
            let identity = try TLSIdentity.selfSigned(issuedAt: 1_600_000_000, days: 36_500)
            try Data(identity.certificates).write(to: URL(filePath: folder + "/ca"))
            try await withServer(HTTPServerConfiguration(identity: identity), handler: exampleHandler) { server in
                #expect(try await curl(["--cacert", folder + "/ca", server.url + "/a"]) == "GET /a")
                let byName = try await curl(["--cacert", folder + "/ca", "https://localhost:\(server.port)/a"])
                #expect(byName == "GET /a")
                #expect(try await curl([server.url + "/a"]).contains("curl: (60)"))
                #expect(try await curl(["-k", "--tls-max", "1.1", server.url + "/a"]).contains("curl: (35)"))
                #expect(
                    try await curl(["-k", "--http2", "--tlsv1.2", "--tls-max", "1.2", server.url + "/a"]) == "GET /a"
                )
                let pin = "sha256//" + Data(identity.fingerprints.publicKey.hexBytes).base64EncodedString()
                #expect(try await curl(["-k", "--pinnedpubkey", pin, server.url + "/a"]) == "GET /a")
                let wrong = "sha256//" + Data(identity.fingerprints.leaf.hexBytes).base64EncodedString()
                #expect(try await curl(["-k", "--pinnedpubkey", wrong, server.url + "/a"]).contains("curl: (90)"))
            }
        }
    }
}

extension String {
    fileprivate var hexBytes: [UInt8] {
        let digits = utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
    }
}
