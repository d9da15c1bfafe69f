import Testing
import TransportCore

/// A clock that nobody can tell to be a manual one, as a real clock cannot be told.
private struct PlainClock: Clock {
    let base: ManualClock

    var now: ManualClock.Instant { base.now }
    var minimumResolution: Duration { base.minimumResolution }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
        try await base.sleep(until: deadline, tolerance: tolerance)
    }
}

@Suite struct InMemoryHubTests {
    private let clock = ManualClock()

    private func makeHub(_ configuration: InMemoryHub.Configuration = .init()) -> InMemoryHub {
        InMemoryHub(clock: clock, startedAt: 1000, configuration: configuration, seed: 7)
    }

    @Test("What is sent can be read when the call returns")
    func immediateDelivery() async throws {
        let hub = makeHub()
        let app = try await hub.join(.init(room: "r", identity: "me"))
        let agent = try await hub.join(.init(room: "r", identity: "agent-1", kind: .agent))
        #expect(
            app.events.takeAvailable() == [
                .connection(.connecting), .connection(.connected),
                .participantJoined(Participant(identity: "agent-1", kind: .agent, joinedAt: 1000)),
            ]
        )
        try await agent.publish(Array("hello".utf8), topic: "t")
        #expect(
            app.events.takeAvailable() == [
                .data(DataPacket(topic: "t", sender: "agent-1", payload: Array("hello".utf8)))
            ]
        )
        #expect(hub.participants(in: "r").map(\.identity) == ["me", "agent-1"])
    }

    @Test("The speakers list is repeated every 400 ms and falls silent 800 ms after the last level")
    func speakersOverTime() async throws {
        let hub = makeHub()
        let app = try await hub.join(.init(room: "r", identity: "me"))
        let agent = try await hub.join(.init(room: "r", identity: "agent-1", kind: .agent))
        _ = app.events.takeAvailable()
        try await agent.publishLevel(0.3)
        #expect(app.events.takeAvailable() == [.speakers(["agent-1": 0.3])])
        await clock.advance(by: .milliseconds(399))
        #expect(app.events.takeAvailable() == [])
        await clock.advance(by: .milliseconds(1))
        #expect(app.events.takeAvailable() == [.speakers(["agent-1": 0.3])])
        await clock.advance(by: .milliseconds(399))
        #expect(app.events.takeAvailable() == [])
        await clock.advance(by: .milliseconds(1))
        #expect(app.events.takeAvailable() == [.speakers([:])])
        await clock.advance(by: .seconds(10))
        #expect(app.events.takeAvailable() == [])
        #expect(clock.nextDeadline == nil)
    }

    @Test("A level that keeps coming is never called silent")
    func steadyLevel() async throws {
        let hub = makeHub()
        let app = try await hub.join(.init(room: "r", identity: "me"))
        let agent = try await hub.join(.init(room: "r", identity: "agent-1", kind: .agent))
        _ = app.events.takeAvailable()
        for _ in 0..<50 {
            try await agent.publishLevel(0.5)
            await clock.advance(by: .milliseconds(100))
        }
        #expect(app.events.takeAvailable() == Array(repeating: .speakers(["agent-1": 0.5]), count: 50))
    }

    @Test("On a clock that is not moved by hand, timers keep the same times")
    func plainClock() async throws {
        let hub = InMemoryHub(clock: PlainClock(base: clock))
        let journal = Journal()
        try await clock.run(until: .seconds(60)) { [clock] in
            let app = try await hub.join(.init(room: "r", identity: "me"))
            let agent = try await hub.join(.init(room: "r", identity: "agent-1", kind: .agent))
            try await agent.publishLevel(0.5)
            for await event in app.events {
                guard case .speakers(let levels) = event else { continue }
                journal.write("\(clock.now.offset.inMilliseconds) \(levels["agent-1"] ?? 0)")
                if levels.isEmpty { hub.loseSignal(of: "me", in: "r") }
            }
            journal.write("\(clock.now.offset.inMilliseconds) end")
        }
        #expect(journal.lines == ["0 0.5", "400 0.5", "800 0.0", "45800 end"])
    }

    @Test("What a hub does at a time is done before the tasks that wake at that time")
    func timersBeforeTasks() async throws {
        let hub = makeHub()
        let journal = Journal()
        try await clock.run { [clock] in
            let app = try await hub.join(.init(room: "r", identity: "me"))
            let agent = try await hub.join(.init(room: "r", identity: "agent-1", kind: .agent))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    // Asleep before the hub sets its timer for the same time.
                    try await clock.sleep(for: .milliseconds(800))
                    journal.write("\(app.events.takeAvailable().last == .speakers([:]))")
                }
                await clock.waitForSleepers(1)
                try await agent.publishLevel(0.5)
                try await group.waitForAll()
            }
        }
        #expect(journal.lines == ["true"])
    }

    @Test("A short loss of signal is resumed with what was missed, without lossy packets")
    func resume() async throws {
        let hub = makeHub()
        let app = try await hub.join(.init(room: "r", identity: "me"))
        let agent = try await hub.join(.init(room: "r", identity: "agent-1", kind: .agent))
        _ = app.events.takeAvailable()
        hub.loseSignal(of: "me", in: "r")
        try await agent.publish([1], topic: "t")
        try await agent.publish([2], topic: "t", reliability: .lossy, to: [])
        await #expect(throws: TransportError(.notConnected)) { try await app.publish([3], topic: "t") }
        #expect(app.events.takeAvailable() == [.connection(.reconnecting)])
        hub.restoreSignal(of: "me", in: "r")
        #expect(
            app.events.takeAvailable() == [
                .connection(.reconnected), .data(DataPacket(topic: "t", sender: "agent-1", payload: [1])),
                .speakers([:]),
            ]
        )
    }

    @Test("A rejoin tells both sides of leaving and joining, and breaks off open streams")
    func rejoin() async throws {
        let hub = makeHub()
        let app = try await hub.join(.init(room: "r", identity: "me"))
        let agent = try await hub.join(.init(room: "r", identity: "agent-1", kind: .agent))
        let stream = try await agent.openText(topic: "lk.transcription")
        try await stream.write("segment 7, first ")
        _ = app.events.takeAvailable()
        _ = agent.events.takeAvailable()
        hub.loseSignal(of: "me", in: "r")
        try await stream.write("half")
        hub.restoreSignal(of: "me", in: "r", resuming: false)
        try await stream.close()
        let header = TextStreamHeader(id: stream.id, topic: "lk.transcription", sender: "agent-1", timestamp: 1000)
        #expect(
            app.events.takeAvailable() == [
                .connection(.reconnecting),
                .text(TextStreamPart(header: header, content: .failed("The connection was lost."))),
                .participantLeft(identity: "agent-1"),
                .participantJoined(Participant(identity: "agent-1", kind: .agent, joinedAt: 1000)),
                .connection(.reconnected), .speakers([:]),
            ]
        )
        #expect(
            agent.events.takeAvailable() == [
                .participantLeft(identity: "me"),
                .participantJoined(Participant(identity: "me", joinedAt: 1000)),
            ]
        )
    }

    @Test("A signal that stays away for 45 s ends the connection, and the others see it leave")
    func signalLost() async throws {
        let hub = makeHub()
        let app = try await hub.join(.init(room: "r", identity: "me"))
        let agent = try await hub.join(.init(room: "r", identity: "agent-1", kind: .agent))
        hub.loseSignal(of: "me", in: "r")
        _ = agent.events.takeAvailable()
        _ = app.events.takeAvailable()
        await clock.advance(by: .milliseconds(44_999))
        #expect(agent.events.takeAvailable() == [])
        await clock.advance(by: .milliseconds(1))
        #expect(agent.events.takeAvailable() == [.participantLeft(identity: "me")])
        #expect(app.events.takeAvailable() == [.connection(.disconnected(.signalLost))])
        await #expect(throws: TransportError(.closed)) { try await app.publish([], topic: "t") }
    }

    @Test("V12: a packet that comes before its sender is announced is delivered")
    func packetBeforeJoin() async throws {
        let hub = makeHub(.init(joinAnnouncementDelay: .seconds(3)))
        let app = try await hub.join(.init(room: "r", identity: "me"))
        _ = app.events.takeAvailable()
        let agent = try await hub.join(.init(room: "r", identity: "agent-1", kind: .agent))
        try await agent.publish([1], topic: "t")
        #expect(
            app.events.takeAvailable() == [.data(DataPacket(topic: "t", sender: "agent-1", payload: [1]))]
        )
        await clock.advance(by: .seconds(3))
        #expect(
            app.events.takeAvailable() == [
                .participantJoined(Participant(identity: "agent-1", kind: .agent, joinedAt: 1000))
            ]
        )
        try await agent.setAttributes(["lk.agent.state": "thinking"])
        #expect(
            app.events.takeAvailable() == [
                .attributesChanged(identity: "agent-1", changed: ["lk.agent.state": "thinking"])
            ]
        )
    }

    @Test("Whoever leaves before the join was announced is not announced at all")
    func leaveBeforeAnnouncement() async throws {
        let hub = makeHub(.init(joinAnnouncementDelay: .seconds(3)))
        let app = try await hub.join(.init(room: "r", identity: "me"))
        _ = app.events.takeAvailable()
        let agent = try await hub.join(.init(room: "r", identity: "agent-1", kind: .agent))
        await agent.disconnect()
        await clock.advance(by: .seconds(5))
        #expect(app.events.takeAvailable() == [])
    }

    @Test("Too much missed for a resume ends in a rejoin")
    func missedTooMuch() async throws {
        let hub = makeHub(.init(maximumMissedEvents: 2))
        let app = try await hub.join(.init(room: "r", identity: "me"))
        let agent = try await hub.join(.init(room: "r", identity: "agent-1", kind: .agent))
        _ = app.events.takeAvailable()
        hub.loseSignal(of: "me", in: "r")
        for number in UInt8(0)..<3 { try await agent.publish([number], topic: "t") }
        hub.restoreSignal(of: "me", in: "r")
        let events = app.events.takeAvailable()
        #expect(events.contains(.participantLeft(identity: "agent-1")))
        #expect(events.contains(.connection(.reconnected)))
        #expect(!events.contains { if case .data = $0 { true } else { false } })
    }

    @Test("A room goes with its last participant, and one that is let go of leaves")
    func roomLifetime() async throws {
        let hub = makeHub()
        var app: InMemoryTransport? = try await hub.join(.init(room: "r", identity: "me"))
        #expect(hub.roomNames == ["r"])
        #expect(app != nil)
        app = nil
        #expect(hub.roomNames == [])
    }

    @Test("A token without a room is for a room of the user's own, named from the seed")
    func roomOfTheUser() async throws {
        let token = try await makeHub().token(for: TokenRequest(identity: "ada"))
        #expect(token.room.hasPrefix("voice-ada-"))
        #expect(token.room.utf8.count == "voice-ada-".utf8.count + 8)
        #expect(try await makeHub().token(for: TokenRequest(identity: "ada")).room == token.room)
        #expect(!"\(token)".contains(token.token))
    }

    @Test("With a check of tokens of its own, a hub takes those tokens and no others")
    func ownVerifier() async throws {
        let hub = InMemoryHub(clock: clock) { token throws(TransportError) in
            guard token.hasPrefix("ok-") else { throw TransportError(.unauthorized) }
            return InMemoryHub.Grant(room: "r", identity: String(token.dropFirst(3)))
        }
        let transport = try hub.makeTransport()
        #expect(try await transport.connect(to: "", token: "ok-ada").local.identity == "ada")
        let other = try hub.makeTransport()
        await #expect(throws: TransportError(.unauthorized)) { try await other.connect(to: "", token: "bad") }
    }

    @Test("A token that was revoked lets nobody in, but nobody out either")
    func revokedToken() async throws {
        let hub = makeHub()
        let token = hub.makeToken(for: .init(room: "r", identity: "me"))
        let first = try hub.makeTransport()
        try await first.connect(to: "", token: token)
        hub.revoke(token)
        let second = try hub.makeTransport()
        await #expect(throws: TransportError(.unauthorized)) { try await second.connect(to: "", token: token) }
        #expect(hub.participants(in: "r").map(\.identity) == ["me"])
    }

    @Test("A text of a megabyte reaches a reader that has not begun to read")
    func longText() async throws {
        let hub = makeHub()
        let app = try await hub.join(.init(room: "r", identity: "me"))
        let agent = try await hub.join(.init(room: "r", identity: "agent-1", kind: .agent))
        let text = String(repeating: "äöü€😀 ", count: 70_000)
        try await agent.sendText(text, topic: "t")
        let received = app.events.takeAvailable().reduce(into: "") { received, event in
            if case .text(let part) = event, case .chunk(let chunk) = part.content {
                #expect(chunk.utf8.count <= 15_000)
                received += chunk
            }
        }
        #expect(received == text)
    }

    @Test("After a shutdown nobody is left and nobody gets in, until the restart")
    func shutDown() async throws {
        let hub = makeHub()
        let app = try await hub.join(.init(room: "r", identity: "me"))
        hub.shutDown()
        #expect(app.events.takeAvailable().last == .connection(.disconnected(.serverShutdown)))
        await #expect(throws: TransportError.self) { try await hub.join(.init(room: "r", identity: "me")) }
        hub.restart()
        _ = try await hub.join(.init(room: "r", identity: "me"))
    }
}
