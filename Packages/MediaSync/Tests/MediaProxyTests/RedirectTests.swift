import Foundation
import MediaProxy
import Testing
import TransportCore
import TransportHTTP
import TransportTLS

@Suite(.timeLimit(.minutes(1))) struct RedirectTests {
    private static let secret: HTTPHeaders = ["Authorization": "Bearer s3cret", "X-Key": "s3cret-too"]

    @Test(
        "Where a redirect leads is remembered, and looked up again when it has expired",
        arguments: [401, 403, 404, 410]
    )
    func remembered(status: Int) async throws {
        try await withProxy(
            .with { $0.redirects = ["/song.mp3": "/hop", "/hop": "files/../signed-1.mp3?key=k"] }
        ) { bench in
            let url = try await bench.share(headers: Self.secret)
            for _ in 0..<3 { #expect(try await bench.range(url, "bytes=0-9").status == 206) }
            let first = bench.origin.seen.map(\.target)
            let signed = "/signed-1.mp3?key=k"
            #expect(first == ["/song.mp3", "/hop", signed, signed, signed])
            #expect(bench.origin.seen.allSatisfy { $0.headers["X-Key"] == "s3cret-too" })

            bench.origin.change {
                $0.redirects = ["/song.mp3": "/signed-2.mp3"]
                $0.statuses = ["/signed-1.mp3": status]
            }
            #expect(try await bench.range(url, "bytes=10-19").body == bench.origin.content.bytes(10, 19))
            #expect(bench.origin.seen.dropFirst(5).map(\.target) == [signed, "/song.mp3", "/signed-2.mp3"])
            #expect(bench.log.all.contains(.redirectExpired(id: "song")))
        }
    }

    @Test("Another origin gets the request without a single field of the source's, now and later")
    func otherOrigin() async throws {
        let other = TestOrigin()
        let server = try HTTPServer { try await other.answer($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await server.run() }
            defer { group.cancelAll() }
            let elsewhere = server.url
            try await withProxy(
                .with { $0.redirects = ["/song.mp3": elsewhere + "/w.mp3?token=t0ken"] }
            ) { bench in
                other.change { $0.redirects = ["/w.mp3": "/x.mp3"] }
                // The way back to the first origin is no way back to its credentials.
                let back = bench.base
                let url = try await bench.share(headers: Self.secret)
                for _ in 0..<2 { #expect(try await bench.range(url, "bytes=0-9").status == 206) }
                other.change { $0.redirects = ["/x.mp3": back + "/again.mp3"] }
                #expect(try await bench.range(url, "bytes=0-9").status == 206)

                #expect(other.seen.map(\.target) == ["/w.mp3?token=t0ken", "/x.mp3", "/x.mp3", "/x.mp3"])
                #expect(bench.origin.seen.first?.headers["Authorization"] == "Bearer s3cret")
                #expect(bench.origin.seen.last?.target == "/again.mp3")
                for head in other.seen + bench.origin.seen.suffix(1) {
                    #expect(head.headers["Authorization"] == nil && head.headers["X-Key"] == nil)
                    #expect(head.headers["Referer"] == nil)
                }
                #expect(!bench.log.text.contains("s3cret") && !bench.log.text.contains("t0ken"))
                #expect(bench.log.all.contains(.redirected(id: "song", host: "127.0.0.1")))
            }
        }
    }

    @Test(
        "Redirects that lead nowhere safe are refused",
        arguments: [
            "/song.mp3", "ftp://127.0.0.1/x", "http://user:pw@127.0.0.1:PORT/x", "javascript:alert(1)", "http://",
        ]
    )
    func unsafe(_ location: String) async throws {
        try await withProxy { bench in
            let port = bench.base.split(separator: ":").last.map(String.init) ?? ""
            bench.origin.change { $0.redirects["/song.mp3"] = location.replacingOccurrences(of: "PORT", with: port) }
            let answer = try await bench.get(try await bench.share())
            #expect(answer.status == 502)
            #expect(bench.origin.seen.allSatisfy { $0.target == "/song.mp3" })
            #expect(bench.origin.seen.count <= 11)
        }
    }

    @Test("A redirect from https to http is not followed")
    func downgrade() async throws {
        let plain = TestOrigin()
        let server = try HTTPServer { try await plain.answer($0) }
        let identity = try TLSIdentity.selfSigned(issuedAt: 1_600_000_000, days: 36_500)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await server.run() }
            defer { group.cancelAll() }
            let elsewhere = server.url
            try await withProxy(
                .with { $0.redirects = ["/song.mp3": elsewhere + "/x.mp3"] },
                identity: identity,
                pins: [try CertificatePin(identity.fingerprints.publicKey)]
            ) { bench in
                let answer = try await bench.get(try await bench.share())
                #expect(answer.status == 502)
                #expect(plain.seen.isEmpty)
            }
        }
    }

    @Test("A server is only played over TLS with the certificate that is pinned", arguments: [false, true])
    func pins(isRight: Bool) async throws {
        let identity = try TLSIdentity.selfSigned(issuedAt: 1_600_000_000, days: 36_500)
        let other = try TLSIdentity.selfSigned(issuedAt: 1_600_000_000, days: 36_500)
        let pin = try CertificatePin(isRight ? identity.fingerprints.leaf : other.fingerprints.leaf)
        try await withProxy(
            .with { $0.dropsAfter = 40_000 },
            identity: identity,
            pins: [pin]
        ) { bench in
            let answer = try await bench.get(try await bench.share(headers: Self.secret))
            #expect(answer.status == (isRight ? 200 : 502))
            if isRight {
                #expect(answer.body == bench.origin.content.bytes(0, 99_999))
            } else {
                #expect(bench.origin.seen.isEmpty)
                #expect(String(decoding: answer.body, as: UTF8.self).contains("certificate"))
            }
        }
    }
}
