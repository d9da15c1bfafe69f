import Testing
import TransportTesting

@Suite(.serialized, .timeLimit(.minutes(2))) struct WebSocketTransportLawTests {
    @Test("The laws of the seam hold on a real server", arguments: TransportLaw.allCases)
    func plain(_ law: TransportLaw) async throws {
        await law.check(try WebSocketRoomFactory(isSecure: false))
    }

    @Test("The laws of the seam hold on a real server with TLS and a pin", arguments: TransportLaw.allCases)
    func secure(_ law: TransportLaw) async throws {
        await law.check(try WebSocketRoomFactory(isSecure: true))
    }
}
