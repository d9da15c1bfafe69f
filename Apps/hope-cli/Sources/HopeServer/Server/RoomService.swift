internal import TransportCore
internal import TransportHTTP
internal import TransportWebSocket

/// The rooms of a development server, on the network and in the process.
struct RoomService: Sendable {
    private let server: RoomServer

    /// Makes the rooms; `onAdmission` is called with the room's name when a person's token has been found right.
    init(
        tokens: RoomTokenIssuer,
        configuration: DevelopmentServerConfiguration,
        onAdmission: @escaping @Sendable (_ room: String) -> Void
    ) {
        server = RoomServer(clock: configuration.clock, startedAt: configuration.startedAt) {
            (token: String) throws(TransportError) in
            let grant = try tokens.grant(of: token)
            if grant.participant.kind != .agent { onAdmission(grant.room) }
            return grant
        }
    }

    var hub: InMemoryHub { server.hub }

    func accept(_ request: HTTPServerRequest) -> HTTPServerResponse {
        server.accept(request)
    }

    /// Lets an agent of this process join a room.
    func join(_ connection: some Transport, room: String) async throws(TransportError) {
        let token = hub.makeToken(
            for: InMemoryHub.Grant(room: room, identity: EmbeddedRoom.agentIdentity, kind: .agent, name: "Hope")
        )
        defer { hub.revoke(token) }
        try await connection.connect(to: "memory:", token: token)
    }

    func isOccupied(_ room: String) -> Bool {
        hub.participants(in: room).contains { $0.kind != .agent }
    }

    func shutDown() {
        server.shutDown()
    }
}
