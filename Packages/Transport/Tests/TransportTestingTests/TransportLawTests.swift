import Testing
import TransportCore
import TransportTesting

@Suite struct TransportLawTests {
    @Test("The in-memory hub keeps every promise", arguments: TransportLaw.allCases)
    func hubObeys(_ law: TransportLaw) async {
        let factory = InMemoryRoomFactory()
        #expect(law.applies(to: factory))
        await law.check(factory)
    }

    @Test("A recorded transport keeps the promises of the one it wraps", arguments: TransportLaw.allCases)
    func recordingObeys(_ law: TransportLaw) async {
        await law.check(
            InMemoryRoomFactory { transport, clock in
                RecordingTransport(
                    transport,
                    recorder: SessionRecorder(clock: clock, startedAt: 0) { _ in },
                    maximumEvents: 300
                )
            }
        )
    }

    @Test("A faulty transport without faults keeps every promise", arguments: TransportLaw.allCases)
    func faultlessObeys(_ law: TransportLaw) async {
        await law.check(
            InMemoryRoomFactory { transport, clock in
                FaultyTransport(transport, faults: TransportFaults(), seed: 1, clock: clock, maximumEvents: 300)
            }
        )
    }

    @Test(
        "Delay, jitter and faults of lossy packets break no promise",
        arguments: TransportLaw.allCases,
        [UInt64(1), 2]
    )
    func badNetworkObeys(_ law: TransportLaw, _ seed: UInt64) async {
        let faults = TransportFaults(
            delay: .milliseconds(20),
            jitter: .milliseconds(30),
            loss: 0.2,
            duplication: 0.1,
            reordering: 0.2
        )
        await law.check(
            InMemoryRoomFactory { transport, clock in
                FaultyTransport(transport, faults: faults, seed: seed, clock: clock, maximumEvents: 300)
            }
        )
    }

    @Test("Each law notices the transport that breaks it", arguments: Defect.allCases)
    func lawNoticesDefect(_ defect: Defect) async {
        let violation = await defect.law.violation(in: DefectiveRoomFactory(defect))
        #expect(violation != nil, "\(defect.law) did not notice that the transport \(defect).")
    }

    @Test("Each law has a transport that breaks it", arguments: TransportLaw.allCases)
    func everyLawIsProved(_ law: TransportLaw) {
        #expect(Defect.allCases.contains { $0.law == law })
    }

    @Test("A law that needs what a backend cannot do does not apply to it")
    func lawsThatDoNotApply() async {
        struct PlainFactory: TransportRoomFactory {
            let base = InMemoryRoomFactory()
            var clock: any Clock<Duration> { base.clock }
            var abilities: Set<TransportAbility> { [] }
            var invalidToken: String { base.invalidToken }
            func makeGuest(_ grant: InMemoryHub.Grant) async throws -> TransportGuest {
                try await base.makeGuest(grant)
            }
            func bringAbout(_ situation: TransportSituation) async throws {}
        }
        let needy = TransportLaw.allCases.filter { !$0.applies(to: PlainFactory()) }
        #expect(needy.count == 14)
        for law in needy { #expect(await law.violation(in: PlainFactory()) == nil) }
    }
}
