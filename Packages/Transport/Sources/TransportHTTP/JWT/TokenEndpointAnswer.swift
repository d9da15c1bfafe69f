public import TransportCore

/// The body of a token endpoint's answer, in either format.
public enum TokenEndpointAnswer {
    /// The largest answer that is read, in bytes.
    public static let maximumBytes = 64 * 1024

    private struct HopeBody: Codable {
        struct User: Codable {
            enum CodingKeys: String, CodingKey {
                case id
                case displayName = "display_name"
            }

            var id: String
            var displayName: String?
        }

        var token: String
        var room: String
        var url: String?
        var user: User
    }

    private struct LiveKitBody: Codable {
        enum CodingKeys: String, CodingKey {
            case serverURL = "server_url"
            case token = "participant_token"
            case name = "participant_name"
            case room = "room_name"
        }

        var serverURL: String
        var token: String
        var name: String?
        var room: String?
    }

    private struct FormatProbe: Decodable {
        enum CodingKeys: String, CodingKey {
            case liveKitToken = "participant_token"
        }

        var liveKitToken: String?
    }

    /// Writes an answer.
    ///
    /// - Parameters:
    ///   - token: The token and what goes with it.
    ///   - format: The format of the request.
    /// - Returns: JSON; LiveKit's has an empty `server_url` when there is no address.
    public static func body(_ token: RoomToken, format: TokenEndpointFormat) -> [UInt8] {
        switch format {
        case .hope:
            StrictJSON.encode(
                HopeBody(
                    token: token.token,
                    room: token.room,
                    url: token.url,
                    user: .init(id: token.identity, displayName: token.displayName)
                )
            )
        case .liveKit:
            StrictJSON.encode(
                LiveKitBody(
                    serverURL: token.url ?? "",
                    token: token.token,
                    name: token.displayName.isEmpty ? nil : token.displayName,
                    room: token.room
                )
            )
        }
    }

    /// Reads an answer in the format that its keys show.
    ///
    /// LiveKit's format need not say room and identity; they are then taken from the token itself.
    ///
    /// - Parameter body: JSON, at most ``maximumBytes``.
    /// - Returns: The token and what came with it.
    /// - Throws: `protocolViolation` when it cannot be read or lacks something.
    public static func token(from body: [UInt8]) throws(TransportError) -> RoomToken {
        let failure = TransportError(
            .protocolViolation,
            "The token endpoint's answer cannot be read; check that the address is a Hope or LiveKit server's."
        )
        guard body.count <= maximumBytes, let probe = StrictJSON.decode(FormatProbe.self, from: body) else {
            throw failure
        }
        if probe.liveKitToken == nil {
            guard let hope = StrictJSON.decode(HopeBody.self, from: body), !hope.token.isEmpty else { throw failure }
            return RoomToken(
                token: hope.token,
                room: hope.room,
                url: hope.url.flatMap { $0.isEmpty ? nil : $0 },
                identity: hope.user.id,
                displayName: hope.user.displayName ?? ""
            )
        }
        guard let liveKit = StrictJSON.decode(LiveKitBody.self, from: body) else { throw failure }
        let claims: RoomTokenClaims
        do {
            claims = try RoomTokenCodec.claims(unverified: liveKit.token)
        } catch {
            throw TransportError(.protocolViolation, "The token endpoint's token cannot be used. \(error.message)")
        }
        return RoomToken(
            token: liveKit.token,
            room: liveKit.room ?? claims.video.room ?? "",
            url: liveKit.serverURL.isEmpty ? nil : liveKit.serverURL,
            identity: claims.identity,
            displayName: liveKit.name ?? claims.name
        )
    }
}
