public import TransportCore

/// What a room token says about its bearer, with the meaning LiveKit gives to it.
public struct RoomTokenClaims: Hashable, Sendable {
    /// The name of the key that signs it (`iss`).
    public var issuer: String
    /// Under which identity the bearer joins (`sub`).
    public var identity: String
    /// The name to show; empty when there is none.
    public var name: String
    /// What sort of participant the bearer is; a kind that is not known is `other`.
    public var kind: Participant.Kind
    /// Free text of the application; empty when there is none.
    public var metadata: String
    /// The attributes the bearer joins with.
    public var attributes: [String: String]
    /// What the bearer may do.
    public var video: VideoGrant
    /// From when it is valid, in seconds since 1970; `nil` for always.
    public var notBefore: Double?
    /// Until when it is valid, in seconds since 1970.
    public var expires: Double

    /// Creates claims.
    public init(
        issuer: String,
        identity: String,
        name: String = "",
        kind: Participant.Kind = .standard,
        metadata: String = "",
        attributes: [String: String] = [:],
        video: VideoGrant,
        notBefore: Double? = nil,
        expires: Double
    ) {
        self.issuer = issuer
        self.identity = identity
        self.name = name
        self.kind = kind
        self.metadata = metadata
        self.attributes = attributes
        self.video = video
        self.notBefore = notBefore
        self.expires = expires
    }

    /// Checks that the bearer may join a room.
    ///
    /// - Parameter room: The room's name.
    /// - Throws: `notAllowed` when the token is for another room or has no right to join; `invalidClaim` when it has no
    ///   identity.
    public func checkJoining(_ room: String) throws(RoomTokenError) {
        guard !identity.isEmpty else {
            throw RoomTokenError(.invalidClaim, "The token names no identity; ask for a new one.")
        }
        guard video.allowsJoining(room) else {
            throw RoomTokenError(.notAllowed, "The token does not allow joining “\(room)”; ask for one for this room.")
        }
    }

    // MARK: JSON

    init(payload bytes: [UInt8]) throws(RoomTokenError) {
        do throws(JSONFields.Mismatch) {
            let fields = try JSONFields(parsing: bytes)
            issuer = try fields.string("iss") ?? ""
            identity = try fields.string("sub") ?? ""
            name = try fields.string("name") ?? ""
            kind = try fields.string("kind").map { Participant.Kind(rawValue: $0) ?? .other } ?? .standard
            metadata = try fields.string("metadata") ?? ""
            attributes = try fields.texts("attributes") ?? [:]
            if let grant = try fields.fields("video") { video = try VideoGrant(grant) } else { video = VideoGrant() }
            notBefore = try fields.number("nbf")
            expires = try fields.number("exp") ?? .nan
        } catch {
            throw RoomTokenError(.malformed, "The token's claims cannot be read.")
        }
        guard !expires.isNaN else {
            throw RoomTokenError(.invalidClaim, "The token does not say until when it is valid.")
        }
    }

    var payload: [UInt8] {
        let payload: JSONValue = .present([
            "iss": .string(issuer),
            "sub": .string(identity),
            "nbf": notBefore.map { .number($0) },
            "exp": .number(expires),
            "name": name.jsonUnlessEmpty,
            "kind": .string(kind.rawValue),
            "metadata": metadata.jsonUnlessEmpty,
            "attributes": .texts(attributes),
            "video": video.json,
        ])
        return payload.bytes
    }
}
