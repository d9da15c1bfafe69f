import Testing
import TransportCore

@Suite struct FaultyTransportTests {
    private let clock = ManualClock()

    /// A sender, and a receiver behind the faults.
    private func makePair(
        _ faults: TransportFaults,
        seed: UInt64 = 1
    ) async throws -> (sender: InMemoryTransport, receiver: FaultyTransport, hub: InMemoryHub) {
        let hub = InMemoryHub(clock: clock)
        let receiver = FaultyTransport(try hub.makeTransport(), faults: faults, seed: seed, clock: clock)
        try await receiver.connect(to: "memory:", token: hub.makeToken(for: .init(room: "r", identity: "me")))
        let sender = try await hub.join(.init(room: "r", identity: "agent-1"))
        await clock.advance(by: .seconds(1))
        _ = receiver.events.takeAvailable()
        return (sender, receiver, hub)
    }

    private func numbers(_ events: TransportEvents) -> [UInt8] {
        events.takeAvailable().compactMap { event in
            if case .data(let packet) = event { packet.payload.first } else { nil }
        }
    }

    @Test("A delay holds everything back for exactly that long")
    func delay() async throws {
        let (sender, receiver, _) = try await makePair(TransportFaults(delay: .milliseconds(80)))
        try await sender.publish([1], topic: "t")
        await clock.advance(by: .milliseconds(79))
        #expect(numbers(receiver.events) == [])
        await clock.advance(by: .milliseconds(1))
        #expect(numbers(receiver.events) == [1])
    }

    @Test("Jitter changes when reliable packets come, not their order")
    func jitter() async throws {
        let (sender, receiver, _) = try await makePair(TransportFaults(jitter: .milliseconds(500)))
        for number in UInt8(0)..<50 {
            try await sender.publish([number], topic: "t")
            await clock.advance(by: .milliseconds(20))
        }
        let early = numbers(receiver.events)
        #expect((1..<50).contains(early.count))
        await clock.advance(by: .milliseconds(500))
        #expect(early + numbers(receiver.events) == Array(0..<50))
    }

    @Test("Loss, duplication and reordering meet about as many lossy packets as they should, the same ones each time")
    func lossyFaults() async throws {
        func received(_ faults: TransportFaults, seed: UInt64) async throws -> [UInt8] {
            let (sender, receiver, _) = try await makePair(faults, seed: seed)
            for number in UInt8(0)..<200 { try await sender.publish([number], topic: "t", reliability: .lossy, to: []) }
            await clock.advance(by: .seconds(1))
            return numbers(receiver.events)
        }
        let lost = try await received(TransportFaults(loss: 0.25), seed: 3)
        #expect((120...180).contains(lost.count))
        #expect(lost == lost.sorted())
        #expect(try await received(TransportFaults(loss: 0.25), seed: 3) == lost)
        #expect(try await received(TransportFaults(loss: 0.25), seed: 4) != lost)
        let doubled = try await received(TransportFaults(duplication: 0.25), seed: 3)
        #expect((220...280).contains(doubled.count))
        let reordered = try await received(TransportFaults(reordering: 0.25), seed: 3)
        #expect(reordered.sorted() == Array(0..<200))
        #expect(reordered != reordered.sorted())
    }

    @Test("After n packets the line is cut, and what comes later is gone")
    func cut() async throws {
        let (sender, receiver, _) = try await makePair(TransportFaults(cutAfterPackets: 3))
        try await receiver.publish([9], topic: "t")
        for number in UInt8(0)..<5 { try await sender.publish([number], topic: "t") }
        let events = receiver.events.takeAvailable()
        #expect(
            events == [
                .data(DataPacket(topic: "t", sender: "agent-1", payload: [0])),
                .data(DataPacket(topic: "t", sender: "agent-1", payload: [1])),
                .connection(.disconnected(.signalLost)),
            ]
        )
        await #expect(throws: TransportError(.closed)) { try await receiver.publish([], topic: "t") }
    }

    @Test("After n packets the signal is lost for a while; reliable packets follow, lossy ones do not")
    func reconnect() async throws {
        let (sender, receiver, _) = try await makePair(
            TransportFaults(reconnectAfterPackets: 1, outage: .seconds(3))
        )
        try await sender.publish([0], topic: "t")
        try await sender.publish([1], topic: "t", reliability: .lossy, to: [])
        try await sender.publish([2], topic: "t")
        await #expect(throws: TransportError(.notConnected)) { try await receiver.publish([], topic: "t") }
        await clock.advance(by: .seconds(3))
        #expect(
            receiver.events.takeAvailable() == [
                .data(DataPacket(topic: "t", sender: "agent-1", payload: [0])), .connection(.reconnecting),
                .connection(.reconnected), .data(DataPacket(topic: "t", sender: "agent-1", payload: [2])),
            ]
        )
        try await receiver.publish([], topic: "t")
    }

    @Test("V15: an attempt that times out says connected later, and the next one has a transport of its own")
    func lateConnected() async throws {
        let hub = InMemoryHub(clock: clock)
        let factory = FaultyTransportFactory(
            hub,
            attempts: [TransportFaults(connect: .timesOut(lateConnected: .seconds(2)))],
            seed: 1,
            clock: clock
        )
        let journal = Journal()
        try await clock.run(until: .seconds(120)) { [clock] in
            let first = try factory.makeTransport()
            let token = try await hub.token(for: TokenRequest(room: "r", identity: "me"))
            do {
                try await first.connect(to: "memory:", token: token.token)
            } catch let error as TransportError {
                journal.write("\(clock.now.offset.inMilliseconds) \(error.code)")
            }
            await clock.advance(by: .seconds(2))
            #expect(first.events.takeAvailable() == [.connection(.connecting), .connection(.connected)])
            await first.disconnect()
            let second = try factory.makeTransport()
            try await second.connect(to: "memory:", token: token.token)
            #expect(hub.participants(in: "r").map(\.identity) == ["me"])
        }
        #expect(journal.lines == ["20000 timedOut"])
        #expect(factory.made == 2)
    }

    @Test("A refusal is thrown after its delay and ends the events")
    func refusal() async throws {
        let hub = InMemoryHub(clock: clock)
        let faults = TransportFaults(connect: .fails(TransportError(.unauthorized), after: .zero))
        let transport = FaultyTransport(try hub.makeTransport(), faults: faults, seed: 1, clock: clock)
        await #expect(throws: TransportError(.unauthorized)) { try await transport.connect(to: "", token: "") }
        #expect(
            transport.events.takeAvailable() == [.connection(.connecting), .connection(.disconnected(.joinFailed))]
        )
    }

    @Test("The microphone fails as often as it is told to")
    func microphone() async throws {
        let (_, receiver, _) = try await makePair(TransportFaults(microphoneFailures: 2))
        for _ in 0..<2 {
            await #expect(throws: TransportError.self) { try await receiver.setMicrophone(enabled: true) }
        }
        try await receiver.setMicrophone(enabled: true)
    }
}
