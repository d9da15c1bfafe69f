import Testing
import TransportCore
import TransportHTTP

struct WebSocketHandshakeTests {
    private func request(_ changes: HTTPHeaders = [:], removing: [String] = []) -> HTTPRequestHead {
        var head = HTTPRequestHead(
            method: "GET",
            target: "/chat",
            headers: [
                "Host": "server.example.com", "Upgrade": "websocket", "Connection": "Upgrade",
                "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Origin": "http://server.example.com",
                "Sec-WebSocket-Protocol": "chat, superchat", "Sec-WebSocket-Version": "13",
            ]
        )
        for field in changes.fields { head.headers[field.name] = field.value }
        for name in removing { head.headers[name] = nil }
        return head
    }

    private func refusal(_ head: HTTPRequestHead, origins: WebSocketOriginPolicy = .sameHost) -> Int? {
        do throws(WebSocketHandshake.Failure) {
            _ = try WebSocketHandshake.accept(head, origins: origins)
            return nil
        } catch {
            return error.status
        }
    }

    @Test func answersTheExampleOfTheStandard() throws {
        // RFC 6455, section 1.3.
        #expect(WebSocketHandshake.acceptValue(for: "dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        let (response, subprotocol) = try WebSocketHandshake.accept(request(), subprotocols: ["superchat"])
        #expect(subprotocol == "superchat")
        let text =
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nSec-WebSocket-Protocol: superchat\r\n\r\n"
        #expect(try response.serialized() == Array(text.utf8))
    }

    // Values from Python's hashlib, for messages around the ends of a block.
    @Test(arguments: [
        (0, "Kfh9QIsMVZcl6xEPYxPHzW8SZ8w="), (19, "yzaGyu0mcUukN7CdsSwa30tnCpc="), (20, "dUYRM7bOMwDmbriNIPr11x+r3E0="),
        (27, "NCEiOv6lMC9mC8oEZnneqRdJ4DU="), (28, "xMWmCBqYJY4uXzUs8PNU1t+Pzro="),
    ])
    func digestsOfAllLengths(_ count: Int, _ expected: String) {
        #expect(WebSocketHandshake.acceptValue(for: String(repeating: "a", count: count)) == expected)
    }

    @Test func bothSidesUnderstandEachOther() throws {
        let nonce = (0..<16).map { UInt8($0) }
        let head = WebSocketHandshake.request(
            target: "/rtc?x=1",
            host: "h:1",
            nonce: nonce,
            subprotocols: ["a", "b"],
            headers: ["Authorization": "Bearer t"]
        )
        #expect(head.headers["Sec-WebSocket-Key"] == "AAECAwQFBgcICQoLDA0ODw==")
        #expect(head.headers["Authorization"] == "Bearer t")
        _ = try head.serialized()
        for (spoken, expected) in [([], nil), (["b", "a"], "a"), (["c"], nil)] as [([String], String?)] {
            let (response, subprotocol) = try WebSocketHandshake.accept(head, subprotocols: spoken)
            #expect(subprotocol == expected)
            #expect(try WebSocketHandshake.verify(response, answering: head) == expected)
        }
    }

    @Test func refusesWhatIsNoHandshake() {
        #expect(refusal(request()) == nil)
        #expect(refusal(request(["Connection": "keep-alive, Upgrade", "Upgrade": "WebSocket"])) == nil)
        #expect(refusal(request(["Upgrade": "h2c"])) == 426)
        #expect(refusal(request(removing: ["Upgrade"])) == 426)
        #expect(refusal(request(["Connection": "close"])) == 426)
        #expect(refusal(request(["Sec-WebSocket-Version": "8"])) == 426)
        #expect(refusal(request(removing: ["Sec-WebSocket-Version"])) == 426)
        #expect(refusal(request(removing: ["Sec-WebSocket-Key"])) == 400)
        for key in [
            "", "AAAA", "dGhlIHNhbXBsZSBub25jZQ", "dGhlIHNhbXBsZSBub25jZR==", "dGhlIHNhbXBsZSBub25jZSE=", "!!!",
        ] {
            #expect(refusal(request(["Sec-WebSocket-Key": key])) == 400, "\(key)")
        }
        var twice = request()
        twice.headers.append("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")
        #expect(refusal(twice) == 400)
        #expect(refusal(request(["Content-Length": "3"])) == 400)
        #expect(refusal(request(["Content-Length": "0"])) == nil)
        var post = request()
        post.method = "POST"
        #expect(refusal(post) == 405)
        var old = request()
        old.version = .http10
        #expect(refusal(old) == 405)
    }

    @Test func aRefusalSaysWhichVersionIsSpoken() throws {
        let upgrade = WebSocketHandshake.Failure(status: 426, "").response
        #expect(upgrade.headers["Sec-WebSocket-Version"] == "13")
        #expect(upgrade.keepsAlive == false)
        _ = try upgrade.serialized()
        #expect(WebSocketHandshake.Failure(status: 403, "").response.headers["Sec-WebSocket-Version"] == nil)
    }

    @Test func theClientChecksTheAnswer() throws {
        let head = request()
        func verify(_ changes: HTTPHeaders, status: Int = 101) throws -> String? {
            var response = try WebSocketHandshake.accept(head, subprotocols: ["chat"]).response
            response.status = status
            for field in changes.fields { response.headers[field.name] = field.value.isEmpty ? nil : field.value }
            return try WebSocketHandshake.verify(response, answering: head)
        }
        #expect(try verify([:]) == "chat")
        #expect(try verify(["Sec-WebSocket-Protocol": ""]) == nil)
        #expect(try verify(["Upgrade": "WebSocket", "Connection": "upgrade"]) == "chat")
        for changes: HTTPHeaders in [
            ["Upgrade": ""], ["Upgrade": "h2c"], ["Connection": ""], ["Connection": "close"],
            ["Sec-WebSocket-Accept": ""],
            ["Sec-WebSocket-Accept": "s3pPLMBiTxaQ9kYGzzhZRbK+xOO="],
            ["Sec-WebSocket-Extensions": "permessage-deflate"],
            ["Sec-WebSocket-Protocol": "other"],
        ] {
            #expect(throws: WebSocketHandshake.Failure.self, "\(changes)") { try verify(changes) }
        }
        let refused = #expect(throws: WebSocketHandshake.Failure.self) { try verify([:], status: 401) }
        #expect(refused?.status == 401)
    }

    // MARK: Pages of other sites

    @Test(arguments: [
        ("http://server.example.com", true), ("https://server.example.com", true),
        ("http://SERVER.example.com:80", true),
        ("http://server.example.com:8080", false), ("http://evil.example.com", false),
        ("http://server.example.com.evil.com", false),
        ("null", false), ("", false), ("file://", false), ("http://", false), ("http://evil@server.example.com", false),
        ("http://server.example.com/path", false),
    ])
    func onlyItsOwnPagesMayConnect(_ origin: String, _ allowed: Bool) {
        #expect(refusal(request(["Origin": origin])) == (allowed ? nil : 403))
    }

    @Test func portsOfOriginAndHostHaveToAgree() {
        #expect(refusal(request(["Host": "h:8080", "Origin": "http://h:8080"])) == nil)
        #expect(refusal(request(["Host": "h:8080", "Origin": "http://h"])) == 403)
        #expect(refusal(request(["Host": "h:443", "Origin": "https://h"])) == nil)
        #expect(refusal(request(["Host": "[::1]:80", "Origin": "http://[::1]"])) == nil)
    }

    @Test func otherPolicies() {
        let listed = WebSocketOriginPolicy.only(["https://a.example"])
        #expect(refusal(request(["Origin": "https://a.example"]), origins: listed) == nil)
        #expect(refusal(request(["Origin": "http://a.example"]), origins: listed) == 403)
        #expect(refusal(request(), origins: listed) == 403)
        #expect(refusal(request(), origins: .noPages) == 403)
        for policy in [WebSocketOriginPolicy.sameHost, listed, .noPages] {
            #expect(refusal(request(removing: ["Origin"]), origins: policy) == nil)
            var twice = request()
            twice.headers.append("Origin", "http://server.example.com")
            #expect(refusal(twice, origins: policy) == 403)
        }
    }
}
