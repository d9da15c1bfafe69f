import Testing
import TransportCore
import TransportHTTP

@Suite(.timeLimit(.minutes(1))) struct HTTPTokenProviderTests {
    private let url = "https://hope.test/token"

    @Test("A token is asked for and read", arguments: TokenEndpointFormat.allCases)
    func asks(format: TokenEndpointFormat) async throws {
        let client = CannedHTTPClient()
        let body = #"{"token":"abc","room":"r","url":"wss://hope.test/rtc","user":{"id":"me","display_name":"Me"}}"#
        client.answer("POST", url, with: .success(HTTPResponse(status: 200, body: Array(body.utf8))))
        let provider = HTTPTokenProvider(client: client, url: url, format: format, headers: ["Authorization": "x"])
        let token = try await provider.token(for: TokenRequest(room: "r", identity: "me"))
        #expect(
            token == RoomToken(token: "abc", room: "r", url: "wss://hope.test/rtc", identity: "me", displayName: "Me")
        )
        let received = try #require(client.received.first)
        #expect(received.headers["Content-Type"] == "application/json" && received.headers["Authorization"] == "x")
        let asked = try TokenEndpointRequest(body: received.body)
        #expect(asked.format == format && asked.request == TokenRequest(room: "r", identity: "me"))
    }

    @Test(
        "A server that says no, or something else, is an error",
        arguments: [
            (HTTPResponse(status: 401), TransportError.Code.unauthorized),
            (HTTPResponse(status: 403), .unauthorized),
            (HTTPResponse(status: 500), .refused(status: 500)),
            (HTTPResponse(status: 302), .refused(status: 302)),
            (HTTPResponse(status: 200, body: Array("<html>".utf8)), .protocolViolation),
            (HTTPResponse(status: 200, body: [UInt8](repeating: 32, count: 100_000)), .payloadTooLarge(limit: 65_536)),
        ]
    )
    func refusals(_ answer: HTTPResponse, _ code: TransportError.Code) async {
        let client = CannedHTTPClient()
        client.answer("POST", url, with: .success(answer))
        let error = await #expect(throws: TransportError.self) {
            try await HTTPTokenProvider(client: client, url: url).token(for: TokenRequest())
        }
        #expect(error?.code == code)
    }

    @Test("What the server says about its refusal is passed on, bounded", arguments: [401, 500])
    func refusalsSayWhy(status: Int) async throws {
        let words = "This room is closed until Monday." + String(repeating: "!", count: 1000)
        let body = JSONValue.object(["error": ["code": "closed", "message": .string(words)]])
        let client = CannedHTTPClient()
        client.answer("POST", url, with: .success(HTTPResponse(status: status, body: body.bytes)))
        let error = await #expect(throws: TransportError.self) {
            try await HTTPTokenProvider(client: client, url: url).token(for: TokenRequest())
        }
        #expect(error?.message.contains("This room is closed until Monday.") == true)
        #expect((error?.message.count ?? 0) < 400)
    }
}
