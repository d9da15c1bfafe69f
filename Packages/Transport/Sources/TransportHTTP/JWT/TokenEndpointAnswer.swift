public import TransportCore

/// The body of a token endpoint's answer, in either format.
public enum TokenEndpointAnswer {
    /// The largest answer that is read, in bytes.
    public static let maximumBytes = 64 * 1024

    /// Writes an answer.
    ///
    /// - Parameters:
    ///   - token: The token and what goes with it.
    ///   - format: The format of the request.
    /// - Returns: JSON; LiveKit's has an empty `server_url` when there is no address.
    public static func body(_ token: RoomToken, format: TokenEndpointFormat) -> [UInt8] {
        let value: JSONValue =
            switch format {
            case .hope:
                .present([
                    "token": .string(token.token),
                    "room": .string(token.room),
                    "url": token.url.map { .string($0) },
                    "user": ["id": .string(token.identity), "display_name": .string(token.displayName)],
                ])
            case .liveKit:
                .present([
                    "server_url": .string(token.url ?? ""),
                    "participant_token": .string(token.token),
                    "participant_name": token.displayName.jsonUnlessEmpty,
                    "room_name": .string(token.room),
                ])
            }
        return value.bytes
    }

    /// Reads an answer in the format that its keys show.
    ///
    /// LiveKit's format need not say room and identity; they are then taken from the token itself.
    ///
    /// - Parameter body: JSON, at most ``maximumBytes``.
    /// - Returns: The token and what came with it.
    /// - Throws: `protocolViolation` when it cannot be read or lacks something.
    public static func token(from body: [UInt8]) throws(TransportError) -> RoomToken {
        if body.count <= maximumBytes {
            do throws(JSONFields.Mismatch) {
                let fields = try JSONFields(parsing: body)
                if let token = try fields.string("participant_token") { return try liveKitToken(token, fields) }
                if let token = try hopeToken(fields) { return token }
            } catch {
                // Said below, as for an answer that lacks something.
            }
        }
        throw TransportError(
            .protocolViolation,
            "The token endpoint's answer cannot be read; check that the address is a Hope or LiveKit server's."
        )
    }

    private static func hopeToken(_ fields: JSONFields) throws(JSONFields.Mismatch) -> RoomToken? {
        guard let token = try fields.string("token"), !token.isEmpty, let room = try fields.string("room"),
            let user = try fields.fields("user"), let identity = try user.string("id")
        else { return nil }
        return RoomToken(
            token: token,
            room: room,
            url: try fields.string("url").flatMap { $0.isEmpty ? nil : $0 },
            identity: identity,
            displayName: try user.string("display_name") ?? ""
        )
    }

    private static func liveKitToken(_ token: String, _ fields: JSONFields) throws(JSONFields.Mismatch) -> RoomToken {
        guard let url = try fields.string("server_url"), let claims = try? RoomTokenCodec.claims(unverified: token)
        else {
            throw JSONFields.Mismatch()
        }
        return RoomToken(
            token: token,
            room: try fields.string("room_name") ?? claims.video.room ?? "",
            url: url.isEmpty ? nil : url,
            identity: claims.identity,
            displayName: try fields.string("participant_name") ?? claims.name
        )
    }
}
