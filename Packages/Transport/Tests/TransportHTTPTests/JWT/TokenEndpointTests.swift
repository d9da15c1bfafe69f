import Testing
import TransportCore
import TransportHTTP

struct TokenEndpointTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    // MARK: Requests

    @Test func hopesRequest() throws {
        let request = TokenEndpointRequest(
            TokenRequest(room: "voice-demo", identity: "me", name: "Ada", agent: "hope"),
            format: .hope
        )
        #expect(text(request.body) == #"{"room":"voice-demo","identity":"me","name":"Ada","agent":"hope"}"#)
        #expect(try TokenEndpointRequest(body: request.body) == request)
        let empty = TokenEndpointRequest(TokenRequest())
        #expect(text(empty.body) == "{}")
        #expect(try TokenEndpointRequest(body: empty.body) == empty)
    }

    @Test func liveKitsRequest() throws {
        let request = TokenEndpointRequest(
            TokenRequest(room: "r", identity: "me", name: "Ada", agent: "hope"),
            format: .liveKit,
            metadata: "m",
            attributes: ["b": "2", "a": "1"]
        )
        #expect(
            text(request.body)
                == #"{"room_name":"r","participant_identity":"me","participant_name":"Ada","participant_metadata":"m","#
                + #""participant_attributes":{"a":"1","b":"2"},"room_config":{"agents":[{"agent_name":"hope"}]}}"#
        )
        #expect(try TokenEndpointRequest(body: request.body) == request)
    }

    @Test func whatIsNotKnownOrNullIsPassedOver() throws {
        let body = #"{"room":null,"identity":"me","extra":[1,{"a":null}]}"#
        #expect(try TokenEndpointRequest(body: Array(body.utf8)).request == TokenRequest(identity: "me"))
        let liveKit = #"{"room_name":"r","room_config":{"agents":[],"empty_timeout":300,"max_participants":2}}"#
        let request = try TokenEndpointRequest(body: Array(liveKit.utf8))
        #expect(request.format == .liveKit)
        #expect(request.request == TokenRequest(room: "r"))
    }

    @Test(arguments: [
        "", "[]", "null", "{", #"{"room":1}"#, #"{"room":"a","room":"b"}"#, #"{"room":"a","room_name":"b"}"#,
        #"{"room":""}"#,
        #"{"identity":""}"#, #"{"identity":"a\u0000b"}"#, #"{"room_name":"a\nb"}"#,
        #"{"participant_attributes":{"a":1}}"#,
        #"{"room_config":{"agents":{}}}"#, #"{"identity":"\#(String(repeating: "x", count: 257))"}"#,
        #"{"name":"\#(String(repeating: "x", count: 70_000))"}"#,
    ])
    func refusesRequestsThatMakeNoSense(_ body: String) {
        let error = #expect(throws: TransportError.self) { try TokenEndpointRequest(body: Array(body.utf8)) }
        #expect(error?.code == .protocolViolation)
    }

    @Test func aRoomIsMadeUpForAUser() {
        var random = SeededRandom(seed: 1)
        var copy = random
        let room = TokenEndpointRequest.voiceRoom(for: "ada", using: &random)
        let digits = room.dropFirst("voice-ada-".count)
        #expect(room.hasPrefix("voice-ada-"))
        #expect(digits.count == 8 && digits.allSatisfy { $0.isHexDigit && !$0.isUppercase })
        #expect(TokenEndpointRequest.voiceRoom(for: "ada", using: &copy) == room)
        #expect(TokenEndpointRequest.voiceRoom(for: "ada", using: &random) != room)
        var zeros = Zeros()
        #expect(TokenEndpointRequest.voiceRoom(for: "ada", using: &zeros) == "voice-ada-00000000")
    }

    private struct Zeros: RandomNumberGenerator {
        mutating func next() -> UInt64 { 0 }
    }

    // MARK: Answers

    @Test func hopesAnswer() throws {
        let token = RoomToken(token: "t", room: "r", url: "wss://h/rtc", identity: "me", displayName: "Ada")
        let body = TokenEndpointAnswer.body(token, format: .hope)
        #expect(text(body) == #"{"token":"t","room":"r","url":"wss://h/rtc","user":{"id":"me","display_name":"Ada"}}"#)
        #expect(try TokenEndpointAnswer.token(from: body) == token)
        let spare = Array(#"{"token":"t","room":"r","url":"","user":{"id":"me","display_name":null}}"#.utf8)
        #expect(try TokenEndpointAnswer.token(from: spare) == RoomToken(token: "t", room: "r", identity: "me"))
    }

    @Test func liveKitsAnswer() throws {
        let claims = RoomTokenClaims(
            issuer: "",
            identity: "me",
            name: "Ada",
            video: VideoGrant(joining: "r"),
            expires: 1_756_543_600
        )
        let jwt = try RoomTokenCodec(hmac: softwareHMAC).token(for: claims, key: RoomTokenKey(id: "k", secret: [1]))
        let token = RoomToken(token: jwt, room: "r", url: "wss://h", identity: "me", displayName: "Ada")
        let body = TokenEndpointAnswer.body(token, format: .liveKit)
        #expect(
            text(body)
                == #"{"server_url":"wss://h","participant_token":"\#(jwt)","participant_name":"Ada","room_name":"r"}"#
        )
        #expect(try TokenEndpointAnswer.token(from: body) == token)
        // Room, identity and name are in the token as well.
        let spare = Array(#"{"server_url":"wss://h","participant_token":"\#(jwt)"}"#.utf8)
        #expect(try TokenEndpointAnswer.token(from: spare) == token)
    }

    @Test(arguments: [
        "", "{}", "[]", "<html>", #"{"token":"t"}"#, #"{"token":"","room":"r","user":{"id":"me"}}"#,
        #"{"token":"t","room":"r"}"#,
        #"{"token":"t","room":"r","user":{}}"#, #"{"server_url":"u"}"#,
        #"{"server_url":"u","participant_token":"secret.but.no-token"}"#,
        #"{"participant_token":"t"}"#, #"{"token":"a","token":"b","room":"r","user":{"id":"me"}}"#,
    ])
    func refusesAnswersThatMakeNoSense(_ body: String) throws {
        let error = #expect(throws: TransportError.self) { try TokenEndpointAnswer.token(from: Array(body.utf8)) }
        #expect(error?.code == .protocolViolation)
        #expect(error?.message.contains("secret") == false)
    }
}
