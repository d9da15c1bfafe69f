import Foundation
import MediaProxy
import MediaSync
import Testing
import TransportCore
import TransportHTTP

@Suite(.timeLimit(.minutes(1))) struct ProxySecurityTests {
    @Test("An address holds 192 bits that are never the same twice, a plain name and the container's ending")
    func addresses() async throws {
        try await withProxy { bench in
            var tokens: Set<String> = []
            for _ in 0..<100 {
                let url = try #require(URL(string: try await bench.share(id: "../a b/ü?#\r\n")))
                #expect(url.host() == "127.0.0.1" && url.port == bench.proxy.port)
                let parts = url.path(percentEncoded: true).split(separator: "/")
                #expect(parts.count == 2 && parts[0].count == 48 && parts[0].allSatisfy(\.isHexDigit))
                #expect(parts[1] == "---a-b-------.mp3")
                tokens.insert(String(parts[0]))
            }
            #expect(tokens.count == 100)
            #expect(try await bench.share(id: "").hasSuffix("/media.mp3"))
        }
    }

    @Test("Anything but the very path is answered as if nothing were there")
    func guesses() async throws {
        try await withProxy { bench in
            let url = try #require(URL(string: try await bench.share()))
            let path = url.path()
            let token = String(path.dropFirst().prefix(48))
            let root = "http://127.0.0.1:\(bench.proxy.port)"
            var answers: Set<[UInt8]> = []
            for guess in [
                "/", "/song.mp3", "/\(token)", "/\(token)/", "/\(token)/song.flac", "/\(token)/song",
                "/\(token)//song.mp3",
                "/\(token)/../\(token)/song.mp3", "/\(token)/x/../song.mp3", "/\(token.uppercased())/song.mp3",
                "/\(token.dropLast())0/song.mp3", "/\(token)/song.mp3/", "/%2e%2e/etc/passwd", "/\(token)/song%2emp3",
            ] where guess != path {
                let answer = try await bench.get(root + guess)
                #expect(answer.status == 404, "\(guess)")
                answers.insert(answer.body)
            }
            #expect(answers.count == 1)
            #expect(bench.origin.seen.isEmpty)
            #expect(!bench.log.text.contains(token))
            #expect(try await bench.get(root + path).status == 200)
        }
    }

    @Test(
        "The Host field has to be this machine, or a page elsewhere could be pointed at it",
        arguments: [
            ("127.0.0.1", 200), ("localhost:1234", 200), ("[::1]", 200), ("LOCALHOST", 200), ("evil.test", 421),
            ("10.0.0.1", 421), ("192.168.1.2:80", 421), ("127.0.0.1.evil.test", 421), ("[fe80::1]", 421),
            ("localhost.evil.test", 421), ("user@127.0.0.1", 400),
        ]
    )
    func hosts(_ host: String, _ status: Int) async throws {
        try await withProxy { bench in
            let path = try #require(URL(string: try await bench.share())?.path())
            let answer = try await RawSocket.exchange(
                port: bench.proxy.port,
                "GET \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
            )
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer.prefix(40))")
            #expect(bench.origin.seen.isEmpty == (status != 200))
        }
    }

    @Test("A request without a Host, and one of a foreign page's, are turned away")
    func noHost() async throws {
        try await withProxy { bench in
            let path = try #require(URL(string: try await bench.share())?.path())
            let old = try await RawSocket.exchange(port: bench.proxy.port, "GET \(path) HTTP/1.0\r\n\r\n")
            #expect(old.hasPrefix("HTTP/1.1 421 "))
            let page = try await RawSocket.exchange(
                port: bench.proxy.port,
                "GET \(path) HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.test\r\n\r\n"
            )
            #expect(page.hasPrefix("HTTP/1.1 403 "))
            #expect(bench.origin.seen.isEmpty)
        }
    }

    @Test(
        "Other methods than GET and HEAD are told so",
        arguments: ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "get"]
    )
    func methods(_ method: String) async throws {
        try await withProxy { bench in
            let answer = try await bench.get(try await bench.share(), ["Range": "bytes=0-1"], method: method)
            #expect(answer.status == 405 && answer.headers["Allow"] == "GET, HEAD")
            #expect(bench.origin.seen.isEmpty)
        }
    }

    @Test("What players send beside the range stays here; what the source demands goes to the server")
    func requestFields() async throws {
        try await withProxy { bench in
            let url = try await bench.share(headers: ["Authorization": "Bearer s3cret", "X-Room": "demo"])
            let sent: HTTPHeaders = [
                "Icy-MetaData": "1", "Cookie": "a=b", "Authorization": "Basic x", "Referer": "http://x/",
                "X-Forwarded-For": "1.2.3.4", "Accept-Encoding": "gzip", "X-Playback-Session-Id": "1",
                "Range": "bytes=5-9",
            ]
            #expect(try await bench.get(url, sent).status == 206)
            let head = try #require(bench.origin.seen.first)
            let names = Set(head.headers.fields.map { $0.name.lowercased() })
            #expect(names == ["host", "user-agent", "accept-encoding", "range", "authorization", "x-room"])
            #expect(head.headers.values(of: "Authorization") == ["Bearer s3cret"])
            #expect(head.headers["Range"] == "bytes=5-9" && head.headers["User-Agent"] == "hope")
            #expect(!bench.log.text.contains("s3cret"))
        }
    }

    @Test(
        "A header field that would be read as two, or that the proxy writes itself, is refused when it is given",
        arguments: [
            ("X", "a\r\nX-Evil: 1"), ("X", "a\nb"), ("X", "a\u{0}"), ("X: a\r\nY", "1"), ("", "a"), ("X Y", "a"),
            ("Host", "evil.test"), ("range", "bytes=0-1"), ("If-Range", "\"x\""), ("Accept-Encoding", "gzip"),
            ("Transfer-Encoding", "chunked"), ("Icy-MetaData", "1"),
        ]
    )
    func injection(_ name: String, _ value: String) async throws {
        try await withProxy { bench in
            await #expect(throws: MediaProxyError.invalidHeader(name: name)) {
                _ = try await bench.share(headers: HTTPHeaders([HTTPHeaders.Field(name: name, value: value)]))
            }
        }
    }

    @Test(
        "Addresses that are not plain http or https are refused",
        arguments: [
            "file:///etc/passwd", "ftp://x/y", "http:///y", "/relative", "https://user:pw@x/y", "https://user@x/y",
            "data:,x",
        ]
    )
    func addressesToShare(_ text: String) async throws {
        try await withProxy { bench in
            let url = try #require(URL(string: text))
            await #expect(throws: MediaProxyError.invalidAddress) {
                _ = try await bench.session.share(MediaSource(id: "x", url: url))
            }
        }
    }

    @Test(
        "A track whose address has a name and password in it is fetched with them in a field",
        arguments: [
            // RFC 7617, section 2, has the first value.
            ("Aladdin:open%20sesame@", [:], "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="), ("key@", [:], "Basic a2V5Og=="),
            ("a:b@", ["Authorization": "Bearer t"], "Bearer t"), ("", [:], nil),
        ] as [(String, HTTPHeaders, String?)]
    )
    func credentialsInAddresses(_ userInfo: String, _ headers: HTTPHeaders, _ field: String?) async throws {
        try await withProxy { bench in
            let address = bench.base.replacingOccurrences(of: "://", with: "://\(userInfo)") + "/song.mp3"
            let track = MediaTrack(id: "song", title: "Song", audioURL: URL(string: address))
            let source = try #require(MediaSource(track, headers: headers))
            #expect(source.url.absoluteString == bench.base + "/song.mp3")
            let url = try await bench.session.share(source).absoluteString
            #expect(try await bench.get(url).status == 200)
            #expect(bench.origin.seen.allSatisfy { $0.headers["Authorization"] == field })
            #expect(!bench.log.text.contains("sesame") && !bench.origin.seen.isEmpty)
        }
    }

    @Test("Of a server's header fields only those about the bytes reach the player")
    func answerFields() async throws {
        try await withProxy(
            .with {
                $0.extraHeaders = [
                    "Set-Cookie": "a=b", "X-Evil": "1", "Location": "http://evil.test/",
                    "Refresh": "0;url=http://evil.test/",
                    "Content-Disposition": "attachment", "Access-Control-Allow-Origin": "*", "Server": "x",
                ]
                $0.lastModified = "<script>"
            }
        ) { bench in
            let answer = try await bench.range(try await bench.share(), "bytes=0-1")
            let names = Set(answer.headers.fields.map { $0.name.lowercased() })
            #expect(
                names == [
                    "accept-ranges", "cache-control", "content-length", "content-range", "content-type", "etag",
                    "x-content-type-options",
                ]
            )
        }
    }

    @Test(
        "A server's answer that hides a field in another one is no answer",
        arguments: [
            "HTTP/1.1 200 OK\r\nETag: \"a\r\n Set-Cookie: x=y\"\r\nContent-Length: 2\r\n\r\nhi",
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nhi!",
            "HTTP/1.1 200 OK\nETag: \"a\"\n\nhi",
            "ICY 200 OK\r\n\r\nhi", "garbage\r\n\r\n", "",
        ]
    )
    func malformed(_ answer: String) async throws {
        let origin = try RawOrigin(answer: answer)
        defer { origin.stop() }
        try await withProxy { bench in
            let source = try #require(URL(string: "http://127.0.0.1:\(origin.port)/a.mp3"))
            let url = try await bench.session.share(MediaSource(id: "a", url: source)).absoluteString
            let found = try await bench.get(url)
            #expect(found.status == 502 && found.headers["Set-Cookie"] == nil)
        }
    }

    @Test("Credentials show neither in the log, nor in an answer, nor when a source is printed")
    func secrets() async throws {
        try await withProxy(.with { $0.status = 500 }) { bench in
            let headers: HTTPHeaders = ["Authorization": "Bearer s3cret"]
            let url = try await bench.share("/song.mp3?signature=s3cret", headers: headers)
            let failed = try await bench.get(url)
            bench.origin.change { $0.status = nil }
            let played = try await bench.get(url)
            let source = MediaSource(
                id: "song",
                url: try #require(URL(string: "http://h/?s3cret")),
                headers: headers
            )
            var dumped = ""
            dump(source, to: &dumped)
            let all =
                bench.log.text + String(decoding: failed.body, as: UTF8.self)
                + "\(failed.headers)\(played.headers)\(url)"
                + "\(source)" + String(reflecting: source) + dumped
            #expect(!all.contains("s3cret"))
            #expect(failed.status == 502 && played.status == 200 && all.contains("HTTP 500"))
        }
    }

    @Test("A server that cannot be reached is said to be, without its address")
    func unreachable() async throws {
        try await withProxy { bench in
            let source = try #require(URL(string: "http://127.0.0.1:1/a.mp3?s3cret"))
            let url = try await bench.session.share(MediaSource(id: "a", url: source)).absoluteString
            let answer = try await bench.get(url)
            #expect(answer.status == 502)
            #expect(String(decoding: answer.body, as: UTF8.self).contains("127.0.0.1 cannot be reached"))
            #expect(!bench.log.text.contains("s3cret"))
        }
    }
}
