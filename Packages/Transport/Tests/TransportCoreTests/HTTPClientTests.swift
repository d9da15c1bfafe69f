import Testing
import TransportCore

@Suite struct HTTPClientTests {
    private let url = "https://example.com/a"

    @Test("Prepared answers are given in order, the last one again and again, and requests are remembered")
    func cannedAnswers() async throws {
        let client = CannedHTTPClient(chunkBytes: 2)
        client.answer("POST", url, with: .failure(TransportError(.timedOut)))
        client.answer("POST", url, with: .success(HTTPResponse(status: 200, body: [1, 2, 3, 4, 5])))
        let request = HTTPRequest(
            "POST",
            url,
            headers: ["A": "b"],
            body: .stream(CannedBodyStream([7, 8, 9], chunkBytes: 1), length: 3)
        )
        await #expect(throws: TransportError(.timedOut)) { try await client.send(request) }
        for _ in 0..<2 { #expect(try await client.send(HTTPRequest("POST", url)).body == [1, 2, 3, 4, 5]) }
        #expect(try await client.send(HTTPRequest("GET", url)).status == 404)
        #expect(client.received.map(\.method) == ["POST", "POST", "POST", "GET"])
        #expect(client.received.first?.body == [7, 8, 9])
        #expect(client.received.first?.headers["a"] == "b")
    }

    @Test("A body that is larger than asked for is an error")
    func bodyLimit() async {
        let client = CannedHTTPClient(chunkBytes: 4)
        client.answer("GET", url, with: .success(HTTPResponse(status: 200, body: Array(repeating: 0, count: 10))))
        let error = await #expect(throws: TransportError.self) {
            try await client.send(HTTPRequest("GET", url), maximumBytes: 9)
        }
        #expect(error?.code == .payloadTooLarge(limit: 9))
    }

    @Test("Header names ignore case, keep their order and may stand twice")
    func headers() {
        var headers: HTTPHeaders = ["Content-Type": "a", "X": "1"]
        headers.append("x", "2")
        #expect(headers["content-type"] == "a")
        #expect(headers.values(of: "X") == ["1", "2"])
        headers["CONTENT-TYPE"] = "b"
        #expect(headers.fields.map(\.value) == ["b", "1", "2"])
        headers["x"] = nil
        #expect(headers.fields.map(\.name) == ["CONTENT-TYPE"])
    }
}

@Suite struct TokenProviderTests {
    @Test("Prepared tokens come in order, and printing one hides it")
    func cannedTokens() async throws {
        let token = RoomToken(token: "secret", room: "r", identity: "me")
        let provider = CannedTokenProvider([.failure(TransportError(.unauthorized)), .success(token)])
        await #expect(throws: TransportError(.unauthorized)) { try await provider.token(for: TokenRequest(room: "a")) }
        #expect(try await provider.token(for: TokenRequest(room: "b")) == token)
        #expect(try await provider.token(for: TokenRequest(room: "c")) == token)
        #expect(provider.requests.map(\.room) == ["a", "b", "c"])
        var dumped = ""
        dump(token, to: &dumped)
        #expect(!"\(token) \(String(reflecting: token)) \(dumped)".contains("secret"))
        await #expect(throws: TransportError(.refused(status: 404))) {
            try await CannedTokenProvider([]).token(for: TokenRequest())
        }
    }
}

@Suite struct ContentDigestTests {
    @Test(
        "SHA-256 of NIST's examples",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ]
    )
    func examples(_ text: String, _ expected: String) {
        #expect(SoftwareContentDigest().sha256Hex(Array(text.utf8)) == expected)
    }

    @Test("A hundred thousand letters in pieces give the same digest as at once")
    func pieces() {
        let digest = SoftwareContentDigest()
        let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 1000)
        var hasher = digest.makeHasher()
        for start in stride(from: 0, to: 1000, by: 37) { hasher.update(Array(bytes[start..<min(start + 37, 1000)])) }
        // From coreutils' sha256sum.
        #expect(digest.sha256Hex(bytes) == "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3")
        #expect(hasher.finalize() == digest.sha256(bytes))
    }
}
