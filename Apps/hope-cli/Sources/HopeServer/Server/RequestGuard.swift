internal import TransportCore
internal import TransportHTTP

/// Decides which requests are let through to the server's routes.
struct RequestGuard: Sendable {
    /// What a caller has proved.
    enum Caller: Hashable, Sendable {
        /// Nothing, and nothing was asked for: only this machine can reach the server.
        case local
        /// That it knows the server's key.
        case keyHolder
        /// That it may join this room under this identity.
        case participant(room: String, identity: String)
    }

    /// Whether nobody but this machine can reach the server.
    let isLoopback: Bool
    let serverKey: String?
    let tokens: RoomTokenIssuer

    /// Returns why a request that changes something cannot be taken; nil when it can.
    ///
    /// A form or a script of another page can send anything but this type without asking first.
    static func refusal(of request: HTTPServerRequest) -> String? {
        guard ["POST", "PUT", "PATCH", "DELETE"].contains(request.method) else { return nil }
        let type = request.headers["Content-Type"]?.prefix { $0 != ";" }.lowercased() ?? ""
        let trimmed = type.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard trimmed == "application/json", request.headers.values(of: "Content-Type").count == 1 else {
            return "\(request.method) requests need Content-Type: application/json."
        }
        return nil
    }

    /// Finds out who calls.
    ///
    /// - Returns: What the caller has proved; nil when that is not enough.
    func caller(of request: HTTPServerRequest) -> Caller? {
        guard let proof = Self.proof(of: request) else { return isLoopback ? .local : nil }
        if let serverKey, Self.isEqual(proof, serverKey) { return .keyHolder }
        if let claims = try? tokens.claims(of: proof), let room = claims.video.room {
            return .participant(room: room, identity: claims.identity)
        }
        return nil
    }

    /// The key or token that came with a request: `Authorization: Bearer …`, or `access_token` for players, which can
    /// send no fields.
    private static func proof(of request: HTTPServerRequest) -> String? {
        if let field = request.headers["Authorization"] {
            let words = field.split(separator: " ", maxSplits: 1)
            guard words.count == 2, words[0].lowercased() == "bearer" else { return "" }
            return String(words[1])
        }
        return request.target.queryValue("access_token")
    }

    /// Compares in a time that depends on the lengths only.
    private static func isEqual(_ left: String, _ right: String) -> Bool {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        guard left.count == right.count, !right.isEmpty else { return false }
        return zip(left, right).reduce(UInt8(0)) { $0 | $1.0 ^ $1.1 } == 0
    }
}
