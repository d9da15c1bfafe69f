import PresenceKit
import Testing
import TransportCore

@Suite struct SessionSettingsTests {
    @Test("An address that cannot be used is shown with its reason, and no conversation begins until it is corrected")
    func invalidAddress() async throws {
        let world = SessionWorld()
        try await world.run { world in
            await world.session.setServerURL("ftp://hope.example.com")
            #expect(await world.session.snapshot.serverURLError != nil)
            await world.session.start()
            #expect(await world.session.state == .idle)
            await world.session.setServerURL("hope.example.com")
            #expect(await world.session.snapshot.serverURLError == nil)
            await world.session.start()
            #expect(await world.session.state == .connecting)
        }
    }

    @Test("A new address is used by the next conversation, not by the one that is on")
    func newAddress() async throws {
        let clock = ManualClock()
        let first = InMemoryHub(clock: clock)
        let second = InMemoryHub(clock: clock)
        let session = VoiceSession(
            services: { config in
                let hub = config?.host == "second.example.com" ? second : first
                return VoiceServices(transports: hub, tokens: hub)
            },
            settings: InMemorySettingsStorage(),
            audio: nil,
            wakeLock: RecordingWakeLock(),
            clock: clock,
            startedAt: 0
        )
        try await clock.run {
            await session.start()
            await clock.advance(by: .zero)
            await session.setServerURL("second.example.com")
            await clock.advance(by: .seconds(1))
            #expect(first.roomNames.count == 1)
            #expect(second.roomNames.isEmpty)
            await session.hangUp()
            await session.start()
            await clock.advance(by: .zero)
            #expect(first.roomNames.isEmpty)
            #expect(second.roomNames.count == 1)
            await session.hangUp()
        }
    }

    @Test("A failure on one server is forgotten when the address changes")
    func failureForgotten() async throws {
        let world = SessionWorld(faults: [TransportFaults(connect: .fails(TransportError(.unreachable), after: .zero))])
        try await world.run { world in
            await world.session.start()
            await world.settle()
            #expect(await world.session.failure != nil)
            await world.session.setServerURL("hope.example.com")
            #expect(await world.session.state == .idle)
            #expect(await world.session.failure == nil)
        }
    }

    @Test("Text mode is one stored value, whoever changes it")
    func textModeIsStored() async throws {
        let world = SessionWorld()
        try await world.run { world in
            await world.session.changeSettings { $0.isTextMode = true }
            #expect(await world.session.snapshot.settings.isTextMode)
            var stored = try world.settings.load().settings
            #expect(stored.isTextMode)
            await world.session.setTextMode(false)
            stored = try world.settings.load().settings
            #expect(!stored.isTextMode)
        }
    }

    @Test("Finals are stored as they come, stand above the next conversation, and clearing empties both")
    func history() async throws {
        let world = SessionWorld()
        try await world.run { world in
            let agent = try await world.becomeReady()
            try await agent.transcribe("Hello, I am Hope.", segment: "s1")
            try await agent.transcribe("Not fin", segment: "s2", isFinal: false)
            await world.settle()
        }
        #expect(try world.history.load().rows.map(\.text).first == "Hello, I am Hope.")
        let next = VoiceSession(
            services: { _ in VoiceServices(transports: world.transports, tokens: world.tokens) },
            settings: world.settings,
            history: world.history,
            audio: nil,
            wakeLock: world.wakeLock,
            clock: world.clock,
            startedAt: 0
        )
        #expect(await next.snapshot.rows.map(\.text).first == "Hello, I am Hope.")
        await next.clearTranscript()
        #expect(await next.snapshot.rows.isEmpty)
        #expect(try world.history.load().rows.isEmpty)
    }

    @Test("Settings that cannot be read are said, and the defaults are used")
    func unreadableSettings() async throws {
        let storage = InMemorySettingsStorage(contents: Array("not JSON".utf8))
        let hub = InMemoryHub(clock: ManualClock())
        let session = VoiceSession(
            services: { _ in VoiceServices(transports: hub, tokens: hub) },
            settings: storage,
            audio: nil,
            wakeLock: RecordingWakeLock(),
            clock: ManualClock(),
            startedAt: 0
        )
        #expect(await session.notices.count == 1)
        #expect(await session.settings == Settings())
    }

    @Test("Snapshots begin with the present one, and a slow reader sees the newest")
    func snapshots() async throws {
        let world = SessionWorld()
        try await world.run { world in
            var snapshots = await world.session.snapshots().makeAsyncIterator()
            #expect(await snapshots.next()?.session == .idle)
            _ = try await world.becomeReady()
            #expect(await snapshots.next()?.session == .ready)
        }
    }
}
