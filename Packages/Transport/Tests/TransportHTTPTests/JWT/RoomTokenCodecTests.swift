import Testing
import TransportCore
import TransportHTTP

struct RoomTokenCodecTests {
    private let codec = RoomTokenCodec(hmac: softwareHMAC)
    private let key = RoomTokenKey(id: "hopekey", secret: Array("an-example-secret-of-32-bytes-or-more".utf8))
    private let now = 1_756_540_100.0

    /// A token with this header and these claims, and a signature that is right.
    private func signed(
        _ claims: String,
        header: String = #"{"alg":"HS256","typ":"JWT"}"#,
        change: (String) -> String = { $0 }
    ) -> String {
        let signed = change(base64URL(header.utf8) + "." + base64URL(claims.utf8))
        return signed + "." + base64URL(softwareHMAC(key.secretForTests, Array(signed.utf8)))
    }

    private func refusal(_ token: String, now: Double? = nil) -> RoomTokenError.Code? {
        do throws(RoomTokenError) {
            _ = try codec.verify(token, keys: [key], now: now ?? self.now)
            return nil
        } catch {
            return error.code
        }
    }

    private static let claims = #"{"iss":"hopekey","sub":"me","exp":1756543600,"video":{"roomJoin":true,"room":"r"}}"#

    // MARK: Tokens of others

    @Test func theSignatureFunctionOfTheseTestsIsRight() {
        // RFC 4231, test case 2.
        let mac = softwareHMAC(Array("Jefe".utf8), Array("what do ya want for nothing?".utf8))
        #expect(
            mac.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        )
    }

    @Test func verifiesTheExampleOfTheStandard() throws {
        // RFC 7515, appendix A.1: its JSON has line ends, and a claim nobody knows.
        let token =
            "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9."
            + "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ."
            + "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        let secret: [UInt8] = [
            3, 35, 53, 75, 43, 15, 165, 188, 131, 126, 6, 101, 119, 123, 166, 143, 90, 179, 40, 230, 240, 84, 201, 40,
            169,
            15, 132, 178, 210, 80, 46, 191, 211, 251, 90, 146, 210, 6, 71, 239, 150, 138, 180, 195, 119, 98, 61, 34, 61,
            46,
            33, 114, 5, 46, 79, 8, 192, 205, 154, 245, 103, 208, 128, 163,
        ]
        let joe = RoomTokenKey(id: "joe", secret: secret)
        let claims = try codec.verify(token, keys: [joe], now: 1_300_819_379)
        #expect(claims.issuer == "joe")
        #expect(claims.expires == 1_300_819_380)
        #expect(claims.identity == "")
        #expect(throws: RoomTokenError.self) { try codec.verify(token, keys: [joe], now: 1_300_819_380 + 60) }
    }

    @Test func verifiesATokenOfPyJWT() throws {
        let token =
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJob3Bla2V5Iiwic3ViIjoibWUiLCJuYW1lIjoiQWRhIExvdmVsYWNlIiwibmJm"
            + "IjoxNzU2NTQwMDAwLCJleHAiOjE3NTY1NDM2MDAsImtpbmQiOiJhZ2VudCIsIm1ldGFkYXRhIjoie1wiYVwiOjF9IiwiYXR0cmlidXRlcyI6ey"
            + "Jsay5hZ2VudC5zdGF0ZSI6Imxpc3RlbmluZyIsImNhZlx1MDBlOSI6Ilx1MDBlOVx1MjcxMyJ9LCJ2aWRlbyI6eyJyb29tSm9pbiI6dHJ1ZSwi"
            + "cm9vbSI6InZvaWNlLWRlbW8iLCJjYW5QdWJsaXNoIjpmYWxzZSwiY2FuU3Vic2NyaWJlIjp0cnVlLCJjYW5QdWJsaXNoRGF0YSI6dHJ1ZSwiY2"
            + "FuUHVibGlzaFNvdXJjZXMiOlsibWljcm9waG9uZSJdfX0.SHWKQi5as4jeeKKal7w4IUrdpaBj5-1k3d9gCvWLdPc"
        let claims = try codec.verify(token, keys: [key], now: now)
        var video = VideoGrant(joining: "voice-demo", canPublish: false)
        video.canPublishSources = ["microphone"]
        #expect(
            claims
                == RoomTokenClaims(
                    issuer: "hopekey",
                    identity: "me",
                    name: "Ada Lovelace",
                    kind: .agent,
                    metadata: #"{"a":1}"#,
                    attributes: ["lk.agent.state": "listening", "café": "é✓"],
                    video: video,
                    notBefore: 1_756_540_000,
                    expires: 1_756_543_600
                )
        )
        #expect(try RoomTokenCodec.claims(unverified: token) == claims)
    }

    @Test func verifiesATokenOfLiveKitsOwnLibrary() throws {
        // livekit-api 1.2.2 for Python.
        let token =
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJuYW1lIjoiR3JhY2UiLCJraW5kIjoiYWdlbnQiLCJ2aWRlbyI6eyJyb29tSm9pbiI6dHJ1"
            + "ZSwicm9vbSI6ImRlbW8iLCJjYW5QdWJsaXNoIjp0cnVlLCJjYW5TdWJzY3JpYmUiOnRydWUsImNhblB1Ymxpc2hEYXRhIjpmYWxzZX0sImF0dH"
            + "JpYnV0ZXMiOnsieCI6IjEifSwic3ViIjoidXNlci03IiwiaXNzIjoiZGV2a2V5IiwibmJmIjoxNzk2MDAyMDk2LCJleHAiOjE3OTYwMDU2OTZ9."
            + "DOwGQqfAzJiaeiDne4-nBRotEXpax6C0y35BSvR4qRo"
        let devkey = RoomTokenKey(id: "devkey", secret: Array("a-secret-for-the-development-server".utf8))
        let claims = try codec.verify(token, keys: [key, devkey], now: 1_796_002_096)
        #expect(claims.identity == "user-7")
        #expect(claims.kind == .agent)
        #expect(claims.attributes == ["x": "1"])
        #expect(claims.video.allowsJoining("demo"))
        #expect(claims.video.allowsPublishing)
        #expect(!claims.video.allowsPublishingData)
    }

    @Test func timesMayHaveFractions() throws {
        let token =
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJob3Bla2V5Iiwic3ViIjoibWUiLCJleHAiOjE3NTY1NDM2MDAuNSwidmlkZW8iOnsi"
            + "cm9vbUpvaW4iOnRydWUsInJvb20iOiJyIn19.JIot47dvqEVGStW5y1lWc1ZH-zqs5_dM5YNvMuS9wzQ"
        #expect(try codec.verify(token, keys: [key], now: now).expires == 1_756_543_600.5)
    }

    // MARK: Tokens of our own

    @Test func theSameClaimsGiveTheSameToken() throws {
        let claims = RoomTokenClaims(
            issuer: "",
            identity: "me/ü",
            name: "A \"B\"",
            attributes: ["b": "2", "a": "1"],
            video: VideoGrant(joining: "r"),
            notBefore: 1_756_540_000,
            expires: 1_756_543_600.25
        )
        let token = try codec.token(for: claims, key: key)
        let payload =
            #"{"iss":"hopekey","sub":"me/ü","nbf":1756540000,"exp":1756543600.25,"name":"A \"B\"","kind":"standard","#
            + #""attributes":{"a":"1","b":"2"},"video":{"roomJoin":true,"room":"r","canPublish":true,"canSubscribe":true,"#
            + #""canPublishData":true}}"#
        #expect(token == signed(payload))
        #expect(try codec.token(for: claims, key: key) == token)
        var expected = claims
        expected.issuer = "hopekey"
        #expect(try codec.verify(token, keys: [key], now: now) == expected)
    }

    @Test func tokensThatCouldNotBeReadAreNotMade() {
        var claims = RoomTokenClaims(issuer: "", identity: "me", video: VideoGrant(joining: "r"), expires: .infinity)
        #expect(throws: RoomTokenError.self) { try codec.token(for: claims, key: key) }
        claims.expires = 1
        claims.notBefore = .nan
        #expect(throws: RoomTokenError.self) { try codec.token(for: claims, key: key) }
        claims.notBefore = nil
        #expect(throws: RoomTokenError.self) { try codec.token(for: claims, key: RoomTokenKey(id: "k", secret: [])) }
        claims.metadata = String(repeating: "x", count: RoomTokenCodec.maximumBytes)
        #expect(throws: RoomTokenError.self) { try codec.token(for: claims, key: key) }
    }

    // MARK: Tricks

    @Test(arguments: [
        #"{"alg":"none","typ":"JWT"}"#, #"{"alg":"None"}"#, #"{"alg":"RS256"}"#, #"{"alg":"HS384"}"#,
        #"{"alg":"HS512"}"#,
        #"{"alg":"hs256"}"#, #"{"alg":""}"#, #"{"alg":null}"#, #"{"typ":"JWT"}"#, "{}", #"{"alg":"HS256","typ":"JWE"}"#,
        #"{"alg":"HS256","typ":""}"#, #"{"alg":"HS256","crit":["exp"]}"#, #"{"alg":"HS256","crit":[]}"#,
        #"{"alg":"HS256 "}"#,
    ])
    func onlyOneAlgorithmIsAccepted(_ header: String) {
        #expect(refusal(signed(Self.claims, header: header)) == .unsupportedAlgorithm)
    }

    @Test(arguments: [
        #"{"alg":"HS256"}"#, #"{"alg":"HS256","typ":"jwt"}"#, #"{"alg":"HS256","typ":null,"kid":"1"}"#,
        #" {"alg" : "HS256"} "#,
        #"{"\u0061lg":"HS256"}"#,
    ])
    func theHeaderMayBeWrittenInOtherWays(_ header: String) {
        #expect(refusal(signed(Self.claims, header: header)) == nil)
    }

    @Test(arguments: [
        #"{"alg":"HS256","alg":"none"}"#, #"{"alg":"none","alg":"HS256"}"#, #"{"alg":"HS256","\u0061lg":"HS256"}"#,
        #"{"alg":"HS256","x":[{"a":1,"a":2}]}"#, #"["HS256"]"#, "\"HS256\"", "null", "", #"{"alg":"HS256""#,
        #"{"alg":5}"#,
        #"{"alg":["HS256"]}"#, #"{"alg":"HS256"}x"#, #"{"alg":"HS256",}"#, #"{alg:"HS256"}"#,
        "{\"alg\":\"HS256\",\"a\":\"\u{1}\"}",
    ])
    func aHeaderCanOnlyBeReadInOneWay(_ header: String) {
        #expect(refusal(signed(Self.claims, header: header)) == .malformed)
    }

    @Test func aHeaderInUTF16IsRefused() {
        let header = #"{"alg":"HS256"}"#.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        let body = base64URL(header) + "." + base64URL(Self.claims.utf8)
        #expect(refusal(body + "." + base64URL(softwareHMAC(key.secretForTests, Array(body.utf8)))) == .malformed)
    }

    @Test(arguments: [
        #"{"iss":"hopekey","sub":"me","sub":"admin","exp":1756543600}"#,
        #"{"iss":"hopekey","exp":1756543600,"exp":9999999999}"#,
        #"{"iss":"hopekey","exp":1756543600,"video":{"room":"a","room":"b"}}"#,
        #"{"iss":"hopekey","exp":1756543600,"video":{"room":"a","ro\u006fm":"b"}}"#,
        #"{"iss":"hopekey","exp":"1756543600"}"#, #"{"iss":"hopekey","exp":true}"#, #"{"iss":"hopekey","exp":1e400}"#,
        #"{"iss":"hopekey","exp":1756543600,"video":{"roomJoin":"true"}}"#,
        #"{"iss":"hopekey","exp":1756543600,"video":{"roomJoin":1}}"#,
        #"{"iss":"hopekey","exp":1756543600,"sub":7}"#, #"{"iss":"hopekey","exp":1756543600,"attributes":{"a":1}}"#,
        #"{"iss":"hopekey","exp":NaN}"#, #"{"iss":"hopekey","exp":1756543600} "# + "{}", "[]", "",
    ])
    func claimsCanOnlyBeReadInOneWay(_ claims: String) {
        #expect(refusal(signed(claims)) == .malformed)
    }

    @Test func theSameKeyInTwoObjectsIsNoDuplicate() {
        let claims =
            #"{"iss":"hopekey","exp":1756543600,"name":"exp","a":[{"exp":1},{"exp":2},["exp","exp"]],"video":{"name":"\"exp"}}"#
        #expect(refusal(signed(claims)) == nil)
    }

    @Test func deepJSONIsRefused() {
        let deep = #"{"iss":"hopekey","exp":1756543600,"a":"# + String(repeating: "[", count: 5000)
        #expect(refusal(signed(deep + String(repeating: "]", count: 5000) + "}")) == .malformed)
    }

    @Test(arguments: [
        "", ".", "..", "a.b", "a.b.c.d", "...", "eyJhbGciOiJIUzI1NiJ9..", "e30.e30.", " eyJhbGciOiJIUzI1NiJ9.e30.AAAA",
    ])
    func whatIsNoTokenIsRefused(_ token: String) {
        #expect(refusal(token) != nil)
    }

    @Test func everyPartIsCanonicalBase64URL() {
        let good = signed(Self.claims)
        #expect(refusal(good) == nil)
        #expect(refusal(good + "=") == .malformed)
        #expect(refusal(good + " ") == .malformed)
        #expect(refusal(good + "\n") == .malformed)
        #expect(refusal(String(good.dropLast())) == .badSignature || refusal(String(good.dropLast())) == .malformed)
        // 32 bytes leave two bits of the last letter unused; only one of four spellings has them 0.
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let accepted = letters.filter { refusal(good.dropLast() + String($0)) == nil }
        #expect(accepted == [good.last])
        // The same in the parts that are signed, with a signature that is right.
        #expect(refusal(signed(Self.claims) { $0.replacing(".", with: "=.") }) == .malformed)
        #expect(refusal(signed(Self.claims, header: #"{"alg":"HS256"}  "#)) == nil)
        #expect(
            refusal(signed(Self.claims, header: #"{"alg":"HS256"} "#) { $0.replacing("A.", with: "B.") }) == .malformed
        )
        #expect(refusal(signed(Self.claims) { $0.replacing("_", with: "/").replacing("ey", with: "+y") }) == .malformed)
    }

    @Test func aTokenThatIsTooLongIsNotEvenLookedAt() {
        let long = signed(#"{"iss":"hopekey","exp":1756543600,"a":"\#(String(repeating: "x", count: 16_000))"}"#)
        #expect(refusal(long) == .tooLarge)
    }

    @Test func theKeyHasToBeTheRightOne() throws {
        let token = signed(Self.claims)
        let other = RoomTokenKey(id: "hopekey", secret: Array("another-secret-of-32-bytes-or-more".utf8))
        let renamed = RoomTokenKey(id: "other", secret: key.secretForTests)
        #expect(throws: RoomTokenError.self) { try codec.verify(token, keys: [], now: now) }
        #expect(throws: RoomTokenError.self) { try codec.verify(token, keys: [other], now: now) }
        #expect(try codec.verify(token, keys: [other, key], now: now).identity == "me")
        // The issuer names a key that did not sign it.
        #expect(throws: RoomTokenError.self) { try codec.verify(token, keys: [renamed], now: now) }
    }

    @Test func anEmptySecretSignsNothing() {
        let body = base64URL(#"{"alg":"HS256"}"#.utf8) + "." + base64URL(#"{"iss":"","exp":1756543600}"#.utf8)
        let token = body + "." + base64URL(softwareHMAC([], Array(body.utf8)))
        #expect(throws: RoomTokenError.self) {
            try codec.verify(token, keys: [RoomTokenKey(id: "", secret: [])], now: now)
        }
    }

    @Test func noSignatureOfAnotherLengthIsRight() throws {
        for shortened in [[], [UInt8](repeating: 0, count: 31)] {
            let broken = RoomTokenCodec { _, _ in shortened }
            let body = base64URL(#"{"alg":"HS256"}"#.utf8) + "." + base64URL(Self.claims.utf8)
            #expect(throws: RoomTokenError.self) {
                try broken.verify(body + "." + base64URL(shortened), keys: [key], now: now)
            }
        }
    }

    @Test func everyBitOfTheSignatureCounts() {
        let body = base64URL(#"{"alg":"HS256"}"#.utf8) + "." + base64URL(Self.claims.utf8)
        let signature = softwareHMAC(key.secretForTests, Array(body.utf8))
        #expect(refusal(body + "." + base64URL(signature)) == nil)
        for bit in 0..<256 {
            var wrong = signature
            wrong[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(refusal(body + "." + base64URL(wrong)) == .badSignature, "bit \(bit)")
            // Two wrong bits must not make up for each other.
            wrong[(bit / 8 + 1) % 32] ^= 1 << UInt8(bit % 8)
            #expect(refusal(body + "." + base64URL(wrong)) == .badSignature, "bit \(bit)")
        }
    }

    @Test func noDamagedTokenIsAccepted() {
        let token = Array(signed(Self.claims).utf8)
        let others = [token, Array(signed(#"{"iss":"hopekey","exp":9999999999}"#).utf8)]
        for seed in 0..<HTTPParserFuzzTests.rounds {
            var random = SeededRandom(seed: seed)
            let damaged = HTTPParserFuzzTests.mutated(token, with: others, using: &random)
            guard !others.contains(damaged) else { continue }
            #expect(
                refusal(String(decoding: damaged, as: UTF8.self)) != nil,
                "seed \(seed) \(String(decoding: damaged, as: UTF8.self))"
            )
        }
    }

    @Test func damagedClaimsNeverCrash() {
        let corpus = [Self.claims, #"{"a":[{"b":"\u00e9\""},null,1e5,-0.5],"iss":"hopekey","exp":1756543600}"#].map {
            Array($0.utf8)
        }
        for seed in 0..<HTTPParserFuzzTests.rounds {
            var random = SeededRandom(seed: seed)
            let json = HTTPParserFuzzTests.mutated(corpus[random.nextInt(below: 2)], with: corpus, using: &random)
            let body = base64URL(#"{"alg":"HS256"}"#.utf8) + "." + base64URL(json)
            let token = body + "." + base64URL(softwareHMAC(key.secretForTests, Array(body.utf8)))
            if let claims = try? codec.verify(token, keys: [key], now: now) {
                #expect(claims.issuer == "hopekey", "seed \(seed)")
            }
        }
    }

    // MARK: Times

    @Test(arguments: [
        (1_756_543_659.9, nil as RoomTokenError.Code?), (1_756_543_660, .expired), (1_756_539_940, nil),
        (1_756_539_939.9, .notYetValid),
        (.infinity, .expired), (.nan, .expired),
    ])
    func aMinuteOfDifferenceBetweenClocksIsForgiven(_ now: Double, _ code: RoomTokenError.Code?) {
        let claims = #"{"iss":"hopekey","nbf":1756540000,"exp":1756543600}"#
        #expect(refusal(signed(claims), now: now) == code)
    }

    @Test(arguments: [
        #"{"iss":"hopekey"}"#, #"{"iss":"hopekey","exp":null}"#, #"{"exp":1756543600}"#,
        #"{"iss":"other","exp":1756543600}"#,
    ])
    func timeAndIssuerHaveToBeThere(_ claims: String) {
        #expect(refusal(signed(claims)) == .invalidClaim)
    }

    // MARK: Rights

    @Test func onlyTheRoomOfTheTokenMayBeJoined() throws {
        var claims = RoomTokenClaims(issuer: "k", identity: "me", video: VideoGrant(joining: "r"), expires: 1)
        try claims.checkJoining("r")
        #expect(throws: RoomTokenError.self) { try claims.checkJoining("R") }
        #expect(throws: RoomTokenError.self) { try claims.checkJoining("") }
        claims.video.roomJoin = nil
        #expect(throws: RoomTokenError.self) { try claims.checkJoining("r") }
        claims.video = VideoGrant(joining: "r")
        claims.identity = ""
        #expect(throws: RoomTokenError.self) { try claims.checkJoining("r") }
        #expect(!VideoGrant().allowsJoining(""))
    }

    @Test func whatATokenDoesNotMentionHasLiveKitsMeaning() {
        var grant = VideoGrant()
        #expect(grant.allowsPublishing && grant.allowsSubscribing && grant.allowsPublishingData)
        #expect(!grant.allowsUpdatingOwnMetadata)
        grant.canPublish = false
        #expect(!grant.allowsPublishing && !grant.allowsPublishingData)
        grant.canPublishData = true
        #expect(grant.allowsPublishingData)
        grant.canSubscribe = false
        #expect(!grant.allowsSubscribing)
    }

    @Test func aKindThatIsNotKnownIsOther() throws {
        let claims = #"{"iss":"hopekey","exp":1756543600,"kind":"hologram"}"#
        #expect(try codec.verify(signed(claims), keys: [key], now: now).kind == .other)
    }

    // MARK: Secrets

    @Test func noSecretIsPrinted() {
        let secret = RoomTokenKey(id: "k", secret: Array("hush".utf8))
        var dumped = ""
        dump(secret, to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), dumped] {
            #expect(!text.contains("104") && !text.contains("hush"))
        }
    }

    @Test func noErrorQuotesTheToken() {
        let token = signed(Self.claims)
        let other = RoomTokenKey(id: "hopekey", secret: Array("another".utf8))
        let error = #expect(throws: RoomTokenError.self) { try codec.verify(token, keys: [other], now: now) }
        #expect(error.map { !$0.message.contains("ey") } == false || error?.code == .badSignature)
        #expect(error?.message.contains(token.prefix(10)) == false)
    }
}

extension RoomTokenKey {
    /// The secret of the tests' key, since a key does not give it away.
    fileprivate var secretForTests: [UInt8] { Array("an-example-secret-of-32-bytes-or-more".utf8) }
}
