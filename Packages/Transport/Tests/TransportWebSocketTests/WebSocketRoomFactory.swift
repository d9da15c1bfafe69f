import TransportCore
import TransportHTTP
import TransportTesting
import TransportWebSocket

/// Rooms of a server on this machine, for the laws of the seam.
final class WebSocketRoomFactory: TransportRoomFactory {
    private let bench: RoomBench

    init(isSecure: Bool) throws {
        bench = try RoomBench(
            isSecure: isSecure,
            configuration: RoomServer.Configuration(resumeWindow: .seconds(2))
        )
    }

    var clock: any Clock<Duration> { ContinuousClock() }
    var abilities: Set<TransportAbility> { Set(TransportAbility.allCases) }
    var invalidToken: String { "no-token-of-this-server" }

    func makeGuest(_ grant: InMemoryHub.Grant) async throws -> TransportGuest {
        let address = try bench.address(of: "\(grant.room)/\(grant.participant.identity)")
        return TransportGuest(
            transport: try bench.makeTransport(to: address, maximumEvents: 300),
            url: address,
            token: bench.tokens.make(grant)
        )
    }

    func bringAbout(_ situation: TransportSituation) async throws {
        switch situation {
        case .removed(let identity, let room): bench.rooms.hub.remove(identity, from: room)
        case .roomClosed(let room): bench.rooms.hub.closeRoom(room, reason: .roomClosed)
        case .serverDown: bench.rooms.shutDown()
        case .signalLost(let identity, let room): try bench.line(of: "\(room)/\(identity)").cut()
        case .signalRestored(let identity, let room): try bench.line(of: "\(room)/\(identity)").mend()
        case .joinsAnnouncedLate: bench.rooms.hub.setJoinAnnouncementDelay(.seconds(1))
        }
    }

    func run(_ check: @escaping @Sendable () async throws -> Void) async throws {
        try await bench.run(check)
    }
}
