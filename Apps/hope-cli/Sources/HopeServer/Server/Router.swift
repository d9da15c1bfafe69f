internal import TransportCore
internal import TransportHTTP

/// Finds what answers a request.
struct Router: Sendable {
    private static let mediaPath = "/media/"

    let requestGuard: RequestGuard
    let tokens: TokenEndpoint
    let rooms: RoomService
    let media: MediaService?
    let other: @Sendable (HTTPServerRequest) async throws -> HTTPServerResponse?

    func answer(_ request: HTTPServerRequest) async throws -> HTTPServerResponse {
        if let reason = RequestGuard.refusal(of: request) {
            return Self.failure(415, "unsupported_media_type", reason, to: request)
        }
        switch request.path {
        case "/healthz":
            // Says nothing that a closed port would not say, so that whoever watches the server needs no key.
            return Self.method(of: request, ["GET", "HEAD"]) ?? JSONAnswer.answer(Array("{\"ok\":true}".utf8))
        case "/rtc":
            // Who joins proves it with the token.
            if let refusal = Self.method(of: request, ["GET"]) { return refusal }
            return rooms.accept(request)
        default: break
        }
        guard let caller = requestGuard.caller(of: request) else {
            return Self.failure(
                401,
                "unauthorized",
                "Send the server's key or a room token as Authorization: Bearer …; the key is what HOPE_SERVER_KEY says.",
                to: request,
                headers: [("WWW-Authenticate", "Bearer")]
            )
        }
        if request.path == "/token" {
            if let refusal = Self.method(of: request, ["POST"]) { return refusal }
            return try await tokens.answer(request, from: caller)
        }
        if let media, request.path.hasPrefix(Self.mediaPath) {
            return try await media.answer(
                MediaRequest(
                    head: request.head,
                    target: request.target,
                    caller: caller,
                    readBody: { try await request.body.bytes(limit: MediaRequest.maximumBodyBytes) }
                )
            )
        }
        if let answer = try await other(request) { return answer }
        return JSONAnswer.failure(404, "not_found", "There is nothing at \(request.path) on this server.")
    }

    /// An error in the shape that the callers of a path read: players show the media API's own words.
    private static func failure(
        _ status: Int,
        _ code: String,
        _ message: String,
        to request: HTTPServerRequest,
        headers: [(String, String)] = []
    ) -> HTTPServerResponse {
        request.path.hasPrefix(mediaPath)
            ? MediaAnswer.refusal(status, message, headers: headers)
            : JSONAnswer.failure(status, code, message, headers: headers)
    }

    private static func method(of request: HTTPServerRequest, _ allowed: [String]) -> HTTPServerResponse? {
        if allowed.contains(request.method) { return nil }
        let names = allowed.joined(separator: ", ")
        return JSONAnswer.failure(
            405,
            "method_not_allowed",
            "\(request.path) answers \(names) only.",
            headers: [("Allow", names)]
        )
    }
}
