internal import TransportCore
internal import TransportHTTP

/// Answers `POST /token`, in Hope's format and in LiveKit's.
struct TokenEndpoint: Sendable {
    let tokens: RoomTokenIssuer

    func answer(_ request: HTTPServerRequest, from caller: RequestGuard.Caller) async throws -> HTTPServerResponse {
        let body = try await request.body.bytes(limit: TokenEndpointRequest.maximumBytes)
        var asked: TokenEndpointRequest
        do {
            asked = try TokenEndpointRequest(body: body)
        } catch {
            return JSONAnswer.failure(400, "bad_request", error.message)
        }
        if let identity = asked.request.identity, identity.hasPrefix("agent-") {
            // Whoever joins under an identity replaces the one who was there.
            return JSONAnswer.failure(403, "forbidden", "Identities that begin with “agent-” are the server's own.")
        }
        if case .participant(let room, let identity) = caller {
            guard asked.request.room ?? room == room, asked.request.identity ?? identity == identity else {
                return JSONAnswer.failure(
                    403,
                    "forbidden",
                    "A room token renews itself only; ask for another room or identity with the server's key."
                )
            }
            asked.request.room = room
            asked.request.identity = identity
        }
        do {
            let token = try tokens.token(for: asked, url: Self.roomURL(request))
            return JSONAnswer.answer(TokenEndpointAnswer.body(token, format: asked.format))
        } catch {
            return JSONAnswer.failure(400, "bad_request", error.message)
        }
    }

    /// The room server's address as the caller reaches it, since only the caller knows by which name.
    private static func roomURL(_ request: HTTPServerRequest) -> String? {
        request.headers["Host"].map { "\(request.isSecure ? "wss" : "ws")://\($0)/rtc" }
    }
}
