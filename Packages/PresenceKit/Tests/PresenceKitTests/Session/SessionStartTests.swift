import PresenceKit
import Testing
import TransportCore

@Suite struct SessionStartTests {
    private static let failedState = "failed"

    @Test("A start goes through connecting and waiting to ready, and hanging up leads back to idle")
    func course() async throws {
        let world = SessionWorld()
        try await world.run { world in
            _ = try await world.becomeReady()
            #expect(world.wakeLock.isHeld)
            #expect(world.microphone.isOpen)
            await world.session.hangUp()
            #expect(!world.wakeLock.isHeld)
            #expect(!world.microphone.isOpen)
            #expect(world.hub.participants(in: SessionWorld.room).map(\.identity) == ["agent-1"])
        }
        #expect(world.log.states == [.connecting, .waitingAgent, .ready, .idle])
        #expect(world.wakeLock.calls == [.acquire, .release])
    }

    @Test("The agent may be there and ready before its join is announced")
    func readyBeforeJoin() async throws {
        let world = SessionWorld(hub: InMemoryHub.Configuration(joinAnnouncementDelay: .seconds(3)))
        try await world.run { world in
            await world.session.start()
            await world.settle()
            let participant = Participant(identity: "hope", kind: .agent)
            let agent = try await world.join(participant)
            try await agent.say(.agentReady)
            await world.settle()
            #expect(await world.session.state == .waitingAgent)
            await world.advance(3)
            #expect(await world.session.state == .ready)
        }
    }

    @Test("Somebody who is no agent cannot make the session ready")
    func impostor() async throws {
        let world = SessionWorld()
        try await world.run { world in
            await world.session.start()
            await world.settle()
            let person = try await world.join(Participant(identity: "someone"))
            try await person.say(.agentReady)
            await world.settle()
            #expect(await world.session.state == .waitingAgent)
            #expect(await world.session.statistics.ignoredControlMessages == 1)
        }
    }

    @Test("Without an agent the session waits 30 s, then fails and lets everything go")
    func agentTimesOut() async throws {
        let world = SessionWorld()
        try await world.run { world in
            await world.session.start()
            await world.advance(29.9)
            #expect(await world.session.state == .waitingAgent)
            #expect(world.wakeLock.isHeld)
            await world.advance(0.1)
            #expect(await world.session.failure == .agentTimedOut(after: .seconds(30)))
            #expect(!world.wakeLock.isHeld)
            #expect(world.hub.roomNames.isEmpty)
        }
        #expect(world.log.phases == ["0 connecting", "30000 failed", "30000 idle"])
    }

    @Test("Every attempt after a time-out has a new transport and a fresh token, and the third is the last")
    func retriesTimeouts() async throws {
        let timesOut = TransportFaults(connect: .timesOut(lateConnected: nil))
        let world = SessionWorld(faults: [timesOut, timesOut, timesOut])
        try await world.run { world in
            await world.session.start()
            await world.advance(59.9)
            #expect(await world.session.state == .connecting)
            await world.advance(0.1)
            #expect(await world.session.failure == .joining(TransportError(.timedOut)))
        }
        #expect(world.transports.made == 3)
        #expect(Set(world.tokens.tokens).count == 3)
        #expect(world.wakeLock.calls.isEmpty)
    }

    @Test("V15: a transport that timed out and reports connected later is ignored, and the second attempt is a new one")
    func lateConnected() async throws {
        let late = TransportFaults(connect: .timesOut(lateConnected: .seconds(1)))
        let world = SessionWorld(faults: [late])
        try await world.run { world in
            await world.session.start()
            await world.advance(20)
            #expect(await world.session.state == .waitingAgent)
            await world.advance(5)
            #expect(await world.session.state == .waitingAgent)
            #expect(world.hub.participants(in: SessionWorld.room).map(\.identity) == ["me"])
        }
        #expect(world.transports.made == 2)
        #expect(world.tokens.tokens.count == 2)
        let first = try #require(world.kept.all.first).events.takeAvailable()
        #expect(first == [.connection(.connecting), .connection(.disconnected(.timedOut))])
        #expect(world.log.states == [.connecting, .waitingAgent, .idle])
    }

    @Test(
        "Anything but a time-out ends the start at once",
        arguments: [
            TransportError(.refused(status: 403)), TransportError(.unauthorized), TransportError(.invalidURL),
            TransportError(.pinMismatch(expected: ["aa"], found: "bb")), TransportError(.unreachable),
        ]
    )
    func refusalEnds(_ error: TransportError) async throws {
        let world = SessionWorld(faults: [TransportFaults(connect: .fails(error, after: .zero))])
        try await world.run { world in
            await world.session.start()
            await world.settle()
            #expect(await world.session.failure == .joining(error))
        }
        #expect(world.transports.made == 1)
    }

    @Test("A token that cannot be had in time is asked for again")
    func tokenTimesOut() async throws {
        let world = SessionWorld(tokens: [.failure(TransportError(.timedOut), after: .seconds(5))])
        try await world.run { world in
            await world.session.start()
            await world.advance(5)
            #expect(await world.session.state == .waitingAgent)
        }
    }

    @Test("V14: hanging up at any point of a start leads to idle, and nothing late changes anything", arguments: 0...4)
    func hangUpDuringStart(_ point: Int) async throws {
        let slow = TransportFaults(connect: .fails(TransportError(.unreachable), after: .seconds(4)))
        let world = SessionWorld(
            faults: point == 1 ? [slow] : [],
            microphone: [.silent],
            tokens: point == 0 ? [.token(after: .seconds(4))] : []
        )
        try await world.run { world in
            if point < 3 {
                await world.session.start()
                await world.advance(1)
            } else {
                _ = try await world.becomeReady()
                if point == 3 { await world.advance(1) }
            }
            await world.session.hangUp()
            #expect(await world.session.state == .idle)
            #expect(!world.wakeLock.isHeld)
            #expect(!world.microphone.isOpen)
            await world.settle()
            let count = world.log.changes.count
            await world.advance(60)
            #expect(world.log.changes.count == count)
            #expect(await world.session.state == .idle)
        }
        #expect(world.log.states.last == .idle)
    }

    @Test("V14: one session holds three conversations, one after the other")
    func threeConversations() async throws {
        let world = SessionWorld()
        try await world.run { world in
            for _ in 1...3 {
                let agent = try await world.becomeReady()
                await world.session.hangUp()
                await agent.transport.disconnect()
                #expect(!world.wakeLock.isHeld)
            }
        }
        let once: [VoiceSessionState] = [.connecting, .waitingAgent, .ready, .idle]
        #expect(world.log.states == once + once + once)
        #expect(world.microphone.overlaps == 0)
    }

    @Test("A token that comes late, for a conversation that was hung up, is not used in the next one")
    func lateToken() async throws {
        let world = SessionWorld(tokens: [.stubborn(after: .seconds(4))])
        try await world.run { world in
            await world.session.start()
            await world.advance(1)
            async let end: Void = world.session.hangUp()
            await world.settle()
            await world.session.start()
            await world.advance(1)
            #expect(await world.session.state == .connecting)
            await world.advance(3)
            await end
            #expect(await world.session.state == .waitingAgent)
            #expect(world.tokens.tokens.count == 2)
            #expect(world.transports.made == 1)
        }
        #expect(world.log.states == [.connecting, .idle, .connecting, .waitingAgent, .idle])
    }

    @Test("Hanging up twice, or while nothing is on, does nothing more")
    func hangUpIsIdempotent() async throws {
        let world = SessionWorld()
        try await world.run { world in
            await world.session.hangUp()
            _ = try await world.becomeReady()
            async let first: Void = world.session.hangUp()
            async let second: Void = world.session.hangUp()
            _ = await (first, second)
        }
        #expect(world.log.states == [.connecting, .waitingAgent, .ready, .idle])
        #expect(world.wakeLock.calls == [.acquire, .release])
    }

    @Test("A start while a conversation is on does nothing; one right after hanging up waits for what is still held")
    func startAgain() async throws {
        let world = SessionWorld()
        try await world.run { world in
            _ = try await world.becomeReady()
            await world.session.start()
            #expect(await world.session.state == .ready)
            async let end: Void = world.session.hangUp()
            await world.session.start()
            await end
            await world.settle()
            await world.session.hangUp()
        }
        #expect(world.microphone.overlaps == 0)
        #expect(!world.wakeLock.isHeld)
    }

    @Test("On a real clock and real threads the course is the same")
    func realClock() async throws {
        let hub = InMemoryHub(clock: ContinuousClock())
        let session = VoiceSession(
            services: { _ in VoiceServices(transports: hub, tokens: hub) },
            settings: InMemorySettingsStorage(),
            audio: ProbeAudioLevelSource([]),
            wakeLock: RecordingWakeLock(),
            clock: ContinuousClock(),
            startedAt: 0,
            configuration: VoiceSessionConfiguration(tokenRequest: TokenRequest(room: "room", identity: "me"))
        )
        let agent = try await hub.join(InMemoryHub.Grant(room: "room", identity: "agent-1", kind: .agent))
        let changes = session.changes()
        await session.start()
        var states: [VoiceSessionState] = []
        for await change in changes {
            guard case .session(let state) = change.kind else { continue }
            states.append(state)
            switch state {
            case .waitingAgent:
                try await agent.publish(
                    ControlMessage.agentReady.payload,
                    topic: ConversationTopic.conversationControl
                )
            case .ready: await session.hangUp()
            default: break
            }
            if state == .idle { break }
        }
        #expect(states == [.connecting, .waitingAgent, .ready, .idle])
        #expect(hub.participants(in: "room").map(\.identity) == ["agent-1"])
    }
}
