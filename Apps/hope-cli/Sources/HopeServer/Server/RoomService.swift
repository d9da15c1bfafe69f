internal import TransportCore
internal import TransportHTTP

/// The rooms of a development server, on the network and in the process.
struct RoomService: Sendable {
    let hub: InMemoryHub

    /// - Parameter onAdmission: Called with the room's name when a person's token has been found right.
    init(
        tokens: RoomTokenIssuer,
        configuration: DevelopmentServerConfiguration,
        onAdmission: @escaping @Sendable (_ room: String) -> Void
    ) {
        hub = InMemoryHub(clock: configuration.clock, startedAt: configuration.startedAt) {
            (token: String) throws(TransportError) in
            let grant = try tokens.grant(of: token)
            if grant.participant.kind != .agent { onAdmission(grant.room) }
            return grant
        }
    }

    func accept(_ request: HTTPServerRequest) async throws -> HTTPServerResponse {
        JSONAnswer.failure(503, "unavailable", "This server has no rooms.")
    }

    func shutDown() {
        hub.shutDown()
    }
}
