internal import Synchronization
internal import TransportCore
internal import TransportHTTP
internal import TransportTLS

/// Makes the room tokens of a server, and reads them when somebody joins.
final class RoomTokenIssuer: Sendable {
    private let codec = RoomTokenCodec { key, message in HMACSHA256.authenticationCode(for: message, key: key) }
    private let key: RoomTokenKey
    private let lifetime: Double
    private let startedAt: Double
    private let time: Stopwatch
    private let random = Mutex(SystemRandomNumberGenerator())

    init(key: RoomTokenKey, lifetime: Duration, startedAt: Double, clock: any Clock<Duration>) {
        self.key = key
        self.lifetime = lifetime.inSeconds
        self.startedAt = startedAt
        time = Stopwatch(clock: clock)
    }

    private var now: Double { startedAt + time.elapsed.inSeconds }

    /// A token for what somebody asked for; what was left open is chosen here.
    func token(for request: TokenEndpointRequest, url: String?) throws(RoomTokenError) -> RoomToken {
        let identity = request.request.identity ?? "user-\(digits())"
        let room = request.request.room ?? random.withLock { TokenEndpointRequest.voiceRoom(for: identity, using: &$0) }
        var claims = RoomTokenClaims(
            issuer: key.id,
            identity: identity,
            name: request.request.name ?? "",
            metadata: request.metadata ?? "",
            attributes: request.attributes,
            video: VideoGrant(joining: room, canUpdateOwnMetadata: true),
            expires: 0
        )
        return RoomToken(
            token: try sign(&claims),
            room: room,
            url: url,
            identity: identity,
            displayName: claims.name
        )
    }

    /// What a token says, once its signature, its times, its room and its identity are right.
    func claims(of token: String) throws(RoomTokenError) -> RoomTokenClaims {
        let claims = try codec.verify(token, keys: [key], now: now)
        try claims.checkJoining(claims.video.room ?? "")
        return claims
    }

    /// What a token allows its bearer in its room.
    func grant(of token: String) throws(TransportError) -> InMemoryHub.Grant {
        let claims: RoomTokenClaims
        do {
            claims = try self.claims(of: token)
        } catch {
            throw TransportError(error.code == .notAllowed ? .refused(status: 403) : .unauthorized, error.message)
        }
        return InMemoryHub.Grant(
            room: claims.video.room ?? "",
            participant: Participant(
                identity: claims.identity,
                kind: claims.kind,
                name: claims.name,
                metadata: claims.metadata,
                attributes: claims.attributes
            ),
            canPublish: claims.video.allowsPublishing,
            canPublishData: claims.video.allowsPublishingData,
            canUpdateAttributes: claims.video.allowsUpdatingOwnMetadata
        )
    }

    private func sign(_ claims: inout RoomTokenClaims) throws(RoomTokenError) -> String {
        let issued = now.rounded(.down)
        claims.notBefore = issued
        claims.expires = issued + lifetime
        return try codec.token(for: claims, key: key)
    }

    private func digits() -> String {
        let text = String(random.withLock { $0.next() as UInt64 } >> 32, radix: 16)
        return String(repeating: "0", count: 8 - text.utf8.count) + text
    }
}
