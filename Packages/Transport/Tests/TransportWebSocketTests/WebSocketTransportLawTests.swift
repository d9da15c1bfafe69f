import Testing
import TransportTesting

@Suite(.serialized, .timeLimit(.minutes(2))) struct WebSocketTransportLawTests {
    @Test("The laws of the seam hold on a real server", arguments: TransportLaw.allCases)
    func plain(_ law: TransportLaw) async throws {
        await law.check(try WebSocketRoomFactory(isSecure: false))
    }
}

@Suite(.serialized, .timeLimit(.minutes(2))) struct SecureWebSocketTransportLawTests {
    /// Those that wait for real time have nothing to do with how the bytes travel.
    static let laws = TransportLaw.allCases.filter { law in
        ![.signalLostForGoodEnds, .speakersAreRepeated, .packetsDoNotWaitForTheJoin].contains(law)
    }

    @Test("The laws of the seam hold on a real server with TLS and a pin", arguments: laws)
    func secure(_ law: TransportLaw) async throws {
        await law.check(try WebSocketRoomFactory(isSecure: true))
    }
}
