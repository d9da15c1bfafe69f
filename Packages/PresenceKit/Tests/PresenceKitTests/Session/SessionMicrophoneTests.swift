import PresenceKit
import Testing
import TransportCore

@Suite struct SessionMicrophoneTests {
    private static let denied = AudioLevelSourceError(.accessDenied, thing: "The microphone", reason: "is not allowed")
    private static let missing = AudioLevelSourceError(.deviceMissing, thing: "The microphone", reason: "is not there")
    private static let noChannels = AudioLevelSourceError(
        .noChannels,
        thing: "The microphone",
        reason: "has no channels"
    )
    private static let busy = AudioLevelSourceError(.readFailed, thing: "The microphone", reason: "is busy")

    @Test(
        "A microphone that is denied, missing or without channels is not tried again, and the session stays ready",
        arguments: [denied, missing, noChannels]
    )
    func notRetried(_ error: AudioLevelSourceError) async throws {
        let world = SessionWorld(microphone: [.fails(error)])
        try await world.run { world in
            let agent = try await world.becomeReady()
            await world.advance(20)
            #expect(world.microphone.starts == 1)
            let snapshot = await world.session.snapshot
            #expect(snapshot.session == .ready)
            #expect(snapshot.microphoneError == error.message)
            #expect(!snapshot.settings.isTextMode)
            #expect(agent.packets.allSatisfy { !$0.contains("set_mode") })
        }
    }

    @Test("A microphone that may work at the next try is tried three times")
    func threeTries() async throws {
        let world = SessionWorld(microphone: [.fails(Self.busy), .fails(Self.busy), .fails(Self.busy)])
        try await world.run { world in
            _ = try await world.becomeReady()
            await world.advance(0.9)
            #expect(await world.session.snapshot.microphoneError == nil)
            await world.advance(0.2)
            #expect(world.microphone.starts == 3)
            #expect(await world.session.snapshot.microphoneError == Self.busy.message)
            await world.advance(20)
            #expect(world.microphone.starts == 3)
        }
    }

    @Test("One that works at the third try is on, without an error")
    func thirdTryWorks() async throws {
        let world = SessionWorld(microphone: [.fails(Self.busy), .silent])
        try await world.run { world in
            _ = try await world.becomeReady()
            await world.advance(5)
            #expect(world.microphone.starts == 3)
            #expect(world.microphone.isOpen)
            #expect(await world.session.snapshot.microphoneError == nil)
        }
    }

    @Test("No sample for 2 s is a failed try, and the silent source is closed")
    func silence() async throws {
        let world = SessionWorld(microphone: [.silent, .silent, .silent])
        try await world.run { world in
            _ = try await world.becomeReady()
            await world.advance(1.9)
            #expect(world.microphone.isOpen)
            await world.advance(0.2)
            #expect(!world.microphone.isOpen)
            await world.advance(4.9)
            #expect(world.microphone.starts == 3)
            #expect(!world.microphone.isOpen)
            #expect(await world.session.snapshot.microphoneError == MicrophoneError.silent(after: .seconds(2)).message)
        }
        #expect(world.microphone.overlaps == 0)
    }

    @Test("Going to text and back tries the microphone again, and the error is gone")
    func textAndBack() async throws {
        let world = SessionWorld(microphone: [.fails(Self.denied)])
        try await world.run { world in
            let agent = try await world.becomeReady()
            #expect(await world.session.snapshot.microphoneError != nil)
            await world.session.setTextMode(true)
            await world.settle()
            #expect(await world.session.snapshot.microphoneError == nil)
            await world.session.setTextMode(false)
            await world.settle()
            #expect(world.microphone.isOpen)
            #expect(await world.session.snapshot.microphoneError == nil)
            #expect(
                agent.packets.filter { $0.contains("set_mode") }
                    == [#"{"type":"set_mode","mode":"text"}"#, #"{"type":"set_mode","mode":"voice"}"#]
            )
        }
    }

    @Test("A microphone that breaks while it is used is opened again, three times in a row at most")
    func breaks() async throws {
        let world = SessionWorld(microphone: [.breaks(Self.busy), .breaks(Self.busy), .breaks(Self.busy)])
        try await world.run { world in
            _ = try await world.becomeReady()
            await world.advance(10)
            #expect(world.microphone.starts == 3)
            #expect(await world.session.snapshot.microphoneError == Self.busy.message)
        }
    }

    @Test("Audio that has come to its end, as a file does, is neither an error nor begun again")
    func ends() async throws {
        let world = SessionWorld(microphone: [.ends])
        try await world.run { world in
            _ = try await world.becomeReady()
            await world.advance(10)
            #expect(world.microphone.starts == 1)
            #expect(!world.microphone.isOpen)
            #expect(await world.session.snapshot.microphoneError == nil)
        }
    }

    @Test("A room that does not take the microphone is asked three times", arguments: [2, 3])
    func roomRefuses(_ failures: Int) async throws {
        let world = SessionWorld(faults: [TransportFaults(microphoneFailures: failures)])
        try await world.run { world in
            _ = try await world.becomeReady()
            await world.advance(3)
            #expect(world.microphone.starts == 3)
            #expect(world.microphone.isOpen == (failures == 2))
            #expect(await world.session.snapshot.microphoneError.map { _ in true } == (failures == 2 ? nil : true))
        }
        #expect(world.microphone.overlaps == 0)
    }

    @Test("Muting closes the microphone, and unmuting opens it")
    func mute() async throws {
        let world = SessionWorld()
        try await world.run { world in
            _ = try await world.becomeReady()
            await world.session.setMuted(true)
            await world.settle()
            #expect(!world.microphone.isOpen)
            #expect(await world.session.snapshot.isMuted)
            await world.session.setMuted(false)
            await world.settle()
            #expect(world.microphone.isOpen)
        }
    }

    @Test("An interruption mutes, and its end with advice to resume leads back to what was before")
    func interruption() async throws {
        let world = SessionWorld()
        try await world.run { world in
            _ = try await world.becomeReady()
            await world.session.interruptionBegan()
            await world.settle()
            #expect(!world.microphone.isOpen)
            #expect(await world.session.snapshot.isMuted)
            await world.session.interruptionEnded(shouldResume: true)
            await world.settle()
            #expect(world.microphone.isOpen)

            await world.session.setMuted(true)
            await world.session.interruptionBegan()
            await world.session.interruptionEnded(shouldResume: true)
            await world.settle()
            #expect(!world.microphone.isOpen)
        }
    }

    @Test("An interruption that ends without advice to resume leaves the person muted until they unmute")
    func interruptionWithoutResuming() async throws {
        let world = SessionWorld()
        try await world.run { world in
            _ = try await world.becomeReady()
            await world.session.interruptionBegan()
            await world.session.setMuted(false)
            await world.settle()
            #expect(!world.microphone.isOpen)
            await world.session.interruptionEnded(shouldResume: false)
            await world.settle()
            #expect(!world.microphone.isOpen)
            await world.session.setMuted(false)
            await world.settle()
            #expect(world.microphone.isOpen)
        }
    }

    @Test("In text mode nothing opens the microphone: not the end of an interruption, not reconnecting, not unmuting")
    func textMode() async throws {
        let world = SessionWorld(settings: Settings(isTextMode: true))
        try await world.run { world in
            let agent = try await world.becomeReady()
            await world.session.interruptionBegan()
            await world.session.interruptionEnded(shouldResume: true)
            await world.session.setMuted(true)
            await world.session.setMuted(false)
            world.hub.loseSignal(of: "me", in: SessionWorld.room)
            await world.advance(1)
            world.hub.restoreSignal(of: "me", in: SessionWorld.room, resuming: false)
            await world.advance(1)
            await agent.transport.disconnect()
            await world.advance(1)
            try await world.joinAgent("agent-2").say(.agentReady)
            await world.advance(1)
            #expect(await world.session.state == .ready)
        }
        #expect(world.microphone.starts == 0)
    }

    @Test("A microphone that opens only after the person went to text is closed at once and never was on")
    func lateOpening() async throws {
        let clock = ManualClock()
        let world = SessionWorld(microphone: [.opensAfter(.seconds(1), clock)], clock: clock)
        try await world.run { world in
            _ = try await world.becomeReady()
            await world.advance(0.5)
            await world.session.setTextMode(true)
            await world.advance(2)
            #expect(!world.microphone.isOpen)
        }
        #expect(!world.log.changes.contains { $0.kind == .microphone(isOn: true) })
    }

    @Test("The level of the microphone is forwarded to the room, and speaking makes the phase listening")
    func levels() async throws {
        let world = SessionWorld(policy: .web)
        try await world.run { world in
            let agent = try await world.becomeReady()
            for _ in 1...10 {
                world.microphone.say(0.3)
                await world.advance(0.1)
            }
            let heard = agent.events.compactMap { event -> Double? in
                if case .speakers(let levels) = event { levels["me"] } else { nil }
            }
            #expect(heard.count >= 8)
            #expect(heard.allSatisfy { $0 == 0.3 })
            #expect(await world.session.snapshot.phase == .listening)
            #expect(await world.session.snapshot.microphoneLevel > 0.25)
            await world.session.setMuted(true)
            #expect(await world.session.snapshot.microphoneLevel == 0)
        }
    }

    @Test("Without a source of its own the session takes the room's word for how loud the person is")
    func roomLevels() async throws {
        let clock = ManualClock()
        let hub = InMemoryHub(clock: clock)
        let services = VoiceServices(transports: hub, tokens: hub)
        let session = VoiceSession(
            services: { _ in services },
            settings: InMemorySettingsStorage(),
            audio: nil,
            wakeLock: RecordingWakeLock(),
            clock: clock,
            startedAt: 0,
            configuration: VoiceSessionConfiguration(tokenRequest: TokenRequest(room: "room", identity: "me"))
        )
        try await clock.run {
            let agent = try await hub.join(.init(room: "room", identity: "agent-1", kind: .agent))
            await session.start()
            await clock.advance(by: .zero)
            try await agent.publish(ControlMessage.agentReady.payload, topic: ConversationTopic.conversationControl)
            await clock.advance(by: .seconds(5))
            let snapshot = await session.snapshot
            #expect(snapshot.session == .ready)
            #expect(snapshot.microphoneError == nil)
            await session.hangUp()
        }
    }
}
