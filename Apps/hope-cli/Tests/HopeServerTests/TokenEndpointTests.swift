import HopeServer
import Testing
import TransportCore
import TransportHTTP

@Suite(.timeLimit(.minutes(1))) struct TokenEndpointTests {
    private func token(
        _ server: DevelopmentServer,
        _ body: String,
        headers: HTTPHeaders = [:]
    ) async throws -> RoomToken {
        let answer = try await ask("POST", server.url + "/token", headers: headers, body: body)
        try #require(answer.status == 200, "\(answer.text)")
        return try TokenEndpointAnswer.token(from: answer.body)
    }

    @Test func answersInHopesFormat() async throws {
        try await withDevelopmentServer { server in
            let token = try await token(server, #"{"room":"kitchen","identity":"ada","name":"Ada"}"#)
            #expect(token.room == "kitchen")
            #expect(token.identity == "ada")
            #expect(token.displayName == "Ada")
            #expect(token.url == "ws://127.0.0.1:\(server.port)/rtc")
        }
    }

    @Test func answersInLiveKitsFormat() async throws {
        try await withDevelopmentServer { server in
            let body = #"{"room_name":"r","participant_identity":"ada","participant_attributes":{"a":"b"}}"#
            let answer = try await ask("POST", server.url + "/token", body: body)
            #expect(answer.status == 200)
            #expect(answer.text.contains("\"server_url\":\"ws://127.0.0.1:\(server.port)/rtc\""))
            let token = try TokenEndpointAnswer.token(from: answer.body)
            #expect(token.identity == "ada")
            #expect(try claims(of: token.token).attributes == ["a": "b"])
        }
    }

    @Test func tokensSayWhatTheirBearerMayDoAndForHowLong() async throws {
        try await withDevelopmentServer { server in
            let token = try await token(server, #"{"room":"kitchen","identity":"ada","name":"Ada"}"#)
            let claims = try claims(of: token.token)
            #expect(claims.issuer == "hope")
            #expect(claims.identity == "ada")
            #expect(claims.name == "Ada")
            #expect(claims.kind == .standard)
            #expect(claims.video.allowsJoining("kitchen"))
            #expect(!claims.video.allowsJoining("cellar"))
            #expect(claims.video.roomAdmin == nil)
            #expect(claims.expires - (claims.notBefore ?? 0) == 900)
        }
    }

    @Test func choosesARoomAndAnIdentityWhereNoneIsAskedFor() async throws {
        try await withDevelopmentServer { server in
            let first = try await token(server, #"{"identity":"ada"}"#)
            #expect(first.room.wholeMatch(of: /voice-ada-[0-9a-f]{8}/) != nil)
            let second = try await token(server, "{}")
            #expect(second.identity.wholeMatch(of: /user-[0-9a-f]{8}/) != nil)
            #expect(second.room.hasPrefix("voice-\(second.identity)-"))
        }
    }

    @Test(
        arguments: [
            ("", 400), ("[]", 400), ("{", 400), (#"{"room":""}"#, 400), (#"{"room":1}"#, 400),
            (#"{"room":"a","room":"b"}"#, 400), (#"{"room":"a","room_name":"b"}"#, 400),
            (#"{"identity":"agent-1"}"#, 403), (#"{"participant_identity":"agent-7"}"#, 403),
        ]
    )
    func refusesWhatItCannotGive(_ body: String, _ status: Int) async throws {
        try await withDevelopmentServer { server in
            let answer = try await ask("POST", server.url + "/token", body: body)
            #expect(answer.status == status)
            #expect(answer.text.hasPrefix(#"{"error":{"code":""#))
        }
    }

    @Test func aBodyThatIsTooLargeIsNotRead() async throws {
        try await withDevelopmentServer { server in
            let name = String(repeating: "a", count: 70_000)
            let answer = try await ask("POST", server.url + "/token", body: #"{"name":"\#(name)"}"#)
            #expect(answer.status == 413)
        }
    }

    @Test func whereOthersReachItATokenNeedsTheServersKey() async throws {
        var configuration = DevelopmentServerConfiguration.forTests
        configuration.host = "0.0.0.0"
        configuration.serverKey = "the key of the server"
        try await withDevelopmentServer(configuration) { server in
            let url = server.url + "/token"
            for proof in [nil, "Bearer", "Bearer wrong", "Basic the key of the server", "Bearer the key of the serve"] {
                let headers: HTTPHeaders = proof.map { ["Authorization": $0] } ?? [:]
                let answer = try await ask("POST", url, headers: headers, body: "{}")
                #expect(answer.status == 401, "\(proof ?? "none")")
                #expect(!answer.text.contains("the key of the server"))
            }
            let headers: HTTPHeaders = ["Authorization": "Bearer the key of the server"]
            #expect(try await ask("POST", url, headers: headers, body: "{}").status == 200)
            #expect(try await ask("GET", server.url + "/healthz").status == 200)
            #expect(try await ask("GET", server.url + "/anything").status == 401)
        }
    }

    @Test func aRoomTokenRenewsItselfAndNothingElse() async throws {
        var configuration = DevelopmentServerConfiguration.forTests
        configuration.host = "0.0.0.0"
        configuration.serverKey = "the key of the server"
        try await withDevelopmentServer(configuration) { server in
            let first = try await token(
                server,
                #"{"room":"kitchen","identity":"ada"}"#,
                headers: ["Authorization": "Bearer the key of the server"]
            )
            let proof: HTTPHeaders = ["Authorization": "Bearer \(first.token)"]
            let renewed = try await token(server, "{}", headers: proof)
            #expect(renewed.room == "kitchen")
            #expect(renewed.identity == "ada")
            for body in [#"{"room":"cellar"}"#, #"{"identity":"bob"}"#] {
                #expect(try await ask("POST", server.url + "/token", headers: proof, body: body).status == 403)
            }
        }
    }
}
