import Synchronization
import Testing
import TransportCore

/// Text that several writers append to.
final class Page: Sendable {
    private let storage = Mutex("")

    var text: String { storage.withLock { $0 } }

    func append(_ text: String) {
        storage.withLock { $0 += text }
    }
}

@Suite struct RecordingTests {
    /// The format's published example.
    static let example = #"""
        {"hope_recording":1,"room":"voice-demo","local":"me","started_at":1756540000.0}
        {"t":0.000,"event":"connection","state":"connected"}
        {"t":0.120,"event":"joined","identity":"agent-1","kind":"agent","attributes":{"lk.agent.state":"listening"}}
        {"t":0.130,"event":"attributes","identity":"agent-1","attributes":{"lk.agent.state":"thinking"}}
        {"t":0.200,"event":"data","topic":"conversation-control","from":"agent-1","reliable":true,"payload":"{\"type\":\"agent_ready\"}"}
        {"t":1.000,"event":"speakers","levels":{"agent-1":0.31}}
        {"t":1.500,"event":"text","topic":"lk.transcription","from":"agent-1","id":"s1","attributes":{"lk.segment_id":"s1","lk.transcription_final":"true"},"text":"Hello"}
        {"t":2.000,"event":"level","who":"microphone","level":0.22}
        {"t":2.500,"event":"sent","topic":"voice-control","reliable":true,"payload":"…"}
        {"t":3.000,"event":"action","name":"text_mode","value":true}
        {"t":9.000,"event":"left","identity":"agent-1"}

        """#

    @Test("The published example is read and written byte for byte")
    func exampleRoundTrip() throws {
        let recording = try Recording(parsing: Self.example.utf8)
        #expect(recording.text == Self.example)
        #expect(recording.header == Recording.Header(room: "voice-demo", local: "me", startedAt: 1_756_540_000))
        #expect(recording.lines.count == 10)
        #expect(recording.duration == .seconds(9))
        #expect(
            recording.lines[3].event
                == .data(
                    DataPacket(
                        topic: "conversation-control",
                        sender: "agent-1",
                        payload: Array(#"{"type":"agent_ready"}"#.utf8)
                    )
                )
        )
        #expect(recording.lines[8].event == .action(name: "text_mode", value: .bool(true)))
    }

    @Test(
        "Every kind of line comes back as it was written",
        arguments: [
            RecordedEvent.connection(.connecting), .connection(.reconnecting), .connection(.reconnected),
            .connection(.disconnected(.duplicateIdentity)),
            .joined(Participant(identity: "ö\"\\\n\u{1}", kind: .sip, name: "N", metadata: "{}")),
            .data(DataPacket(topic: "", sender: "s", payload: [0xFF, 0x00, 0xFE], reliability: .lossy)),
            .data(DataPacket(topic: "t", sender: "s", payload: Array("a\u{0}\u{7F}\u{2028}👩‍👩‍👧".utf8))),
            .text(TextStreamHeader(id: "1", topic: "t", sender: "s"), text: "a", end: .open),
            .text(TextStreamHeader(id: "1", topic: "t", sender: "s", timestamp: 1.5), text: "", end: .failed("broke")),
            .speakers([:]), .speakers(["b": 1, "a": 0.1]), .level(who: "agent", level: 1),
            .sent(topic: "t", content: .text("hi"), to: ["a", "b"]),
            .sent(topic: "t", content: .data([0x80], .lossy), to: []),
            .action(name: "start", value: nil), .action(name: "voice", value: .text("v")),
            .action(name: "speed", value: .number(1.5)),
        ]
    )
    func lineRoundTrip(_ event: RecordedEvent) throws {
        let header = Recording.Header(room: "r", local: "l", startedAt: 0.25)
        let recording = Recording(header: header, lines: [.init(time: .milliseconds(61_001), event: event)])
        let text = recording.text
        #expect(text.hasSuffix("\n"))
        #expect(text.contains("{\"t\":61.001,"))
        #expect(try Recording(parsing: text.utf8) == recording)
    }

    @Test(
        "What cannot be read is an error that names the line and the reason",
        arguments: [
            ("", 1, "header"),
            (#"{"t":0,"event":"left","identity":"a"}"#, 1, "hope_recording"),
            (#"{"hope_recording":2,"room":"","local":"","started_at":0}"#, 1, "version 2"),
            ("H\n\n{\"t\":1", 3, "ends in the middle"),
            ("H\nnot json", 2, "column 1"),
            ("H\n[1]", 2, "object"),
            (#"H\#n{"event":"left","identity":"a"}"#, 2, "“t”"),
            (#"H\#n{"t":-1,"event":"left","identity":"a"}"#, 2, "“t”"),
            (#"H\#n{"t":1e300,"event":"left","identity":"a"}"#, 2, "“t”"),
            (#"H\#n{"t":1,"event":"left","identity":"a"}\#n{"t":0.5,"event":"left","identity":"a"}"#, 3, "above"),
            (#"H\#n{"t":1,"event":"jumped"}"#, 2, "jumped"),
            (#"H\#n{"t":1,"event":"left"}"#, 2, "identity"),
            (#"H\#n{"t":1,"event":"data","topic":"t","from":"a"}"#, 2, "payload"),
            (#"H\#n{"t":1,"event":"data","topic":"t","from":"a","payload_base64":"%"}"#, 2, "Base64"),
            (#"H\#n{"t":1,"event":"data","topic":"t","from":"a","payload":"","reliable":1}"#, 2, "reliable"),
            (#"H\#n{"t":1,"event":"speakers","levels":{"a":"loud"}}"#, 2, "levels"),
            (#"H\#n{"t":1,"event":"speakers"}"#, 2, "levels"),
            (#"H\#n{"t":1,"event":"connection","state":"up"}"#, 2, "up"),
            (#"H\#n{"t":1,"event":"connection","state":"disconnected","reason":"moon"}"#, 2, "moon"),
            (#"H\#n{"t":1,"event":"action","name":"a","value":[1]}"#, 2, "value"),
            (#"H\#n{"t":1,"event":"left","identity":"\ud800"}"#, 2, "surrogate"),
            ("H\n" + String(repeating: "[", count: 100_000), 2, "nested"),
        ]
    )
    func unreadable(_ text: String, _ line: Int, _ hint: String) {
        let header = #"{"hope_recording":1,"room":"","local":"","started_at":0}"#
        let whole = text.hasPrefix("H") ? header + text.dropFirst() : text
        let error = #expect(throws: RecordingError.self) { try Recording(parsing: whole.utf8) }
        #expect(error?.line == line)
        #expect(error?.description.contains(hint) == true, "\(error?.description ?? "")")
    }

    @Test("Fields that are not known, blank lines and carriage returns do no harm")
    func tolerance() throws {
        let text =
            #"{"hope_recording":1,"room":"r","local":"l","started_at":1,"made_by":"x"}"# + "\r\n\r\n"
            + #"{"t":1, "event":"left", "identity":"a", "extra":{"b":[null]}}"#
        #expect(try Recording(parsing: text.utf8).lines.count == 1)
    }

    @Test("Mangled recordings are read or refused, never a crash", arguments: UInt64(1)...20)
    func fuzz(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<50 {
            var bytes = Array(Self.example.utf8)
            for _ in 0...random.nextInt(below: 8) {
                let index = random.nextInt(below: bytes.count)
                switch random.nextInt(below: 3) {
                case 0: bytes[index] = UInt8(random.nextInt(below: 256))
                case 1: bytes.remove(at: index)
                default: bytes.insert(bytes[random.nextInt(below: bytes.count)], at: index)
                }
            }
            guard let recording = try? Recording(parsing: bytes) else { continue }
            // What is read once comes out in a form that stays the same.
            #expect((try? Recording(parsing: recording.text.utf8)) == recording, "seed \(seed)")
        }
    }
}

@Suite struct SessionRecorderTests {
    private let clock = ManualClock()
    private let page = Page()

    private func makeRecorder() -> SessionRecorder {
        SessionRecorder(clock: clock, startedAt: 1000) { [page] in page.append($0) }
    }

    @Test("The header comes first, once the room is known, and times never go back")
    func headerFirst() async throws {
        let recorder = makeRecorder()
        recorder.record(.action(name: "start", value: nil))
        recorder.record(TransportEvent.connection(.connecting))
        #expect(page.text == "")
        await clock.advance(by: .microseconds(1_500))
        recorder.begin(room: "r", local: "me")
        recorder.record(TransportEvent.connection(.connected))
        recorder.begin(room: "other", local: "other")
        recorder.finish()
        recorder.record(.action(name: "late", value: nil))
        #expect(
            page.text == #"""
                {"hope_recording":1,"room":"r","local":"me","started_at":1000.0}
                {"t":0.000,"event":"action","name":"start"}
                {"t":0.000,"event":"connection","state":"connecting"}
                {"t":0.002,"event":"connection","state":"connected"}

                """#
        )
    }

    @Test("A text that comes at once is one line; one that comes in time is one line a piece")
    func textLines() async throws {
        let recorder = makeRecorder()
        recorder.begin(room: "r", local: "me")
        func part(_ id: String, _ content: TextStreamPart.Content, timestamp: Double = 1000) -> TransportEvent {
            let header = TextStreamHeader(
                id: id,
                topic: "t",
                sender: "a",
                timestamp: timestamp,
                attributes: ["k": "v"]
            )
            return .text(TextStreamPart(header: header, content: content))
        }
        for content in [TextStreamPart.Content.opened, .chunk("Hel"), .chunk("lo"), .ended(attributes: [:])] {
            recorder.record(part("1", content))
        }
        recorder.record(part("2", .opened, timestamp: 998.5))
        recorder.record(part("2", .chunk("one ")))
        await clock.advance(by: .milliseconds(10))
        recorder.record(part("2", .chunk("two")))
        recorder.record(part("2", .ended(attributes: ["final": "true"])))
        recorder.record(part("3", .opened, timestamp: 1000.01))
        recorder.record(part("3", .failed("broke")))
        recorder.finish()
        #expect(
            page.text == #"""
                {"hope_recording":1,"room":"r","local":"me","started_at":1000.0}
                {"t":0.000,"event":"text","topic":"t","from":"a","id":"1","attributes":{"k":"v"},"text":"Hello"}
                {"t":0.000,"event":"text","topic":"t","from":"a","id":"2","attributes":{"k":"v"},"text":"one ","end":false,"timestamp":998.5}
                {"t":0.010,"event":"text","topic":"t","from":"a","id":"2","text":"two","end":false}
                {"t":0.010,"event":"text","topic":"t","from":"a","id":"2","attributes":{"final":"true"},"text":""}
                {"t":0.010,"event":"text","topic":"t","from":"a","id":"3","attributes":{"k":"v"},"text":"","error":"broke"}

                """#
        )
    }

    @Test("A token never gets into a recording, not even inside a payload")
    func tokenIsRedacted() async throws {
        let hub = InMemoryHub(clock: clock)
        let recorder = makeRecorder()
        let me = RecordingTransport(try hub.makeTransport(), recorder: recorder)
        let token = hub.makeToken(for: .init(room: "r", identity: "me"))
        try await me.connect(to: "memory:", token: token)
        let agent = try await hub.join(.init(room: "r", identity: "agent-1"))
        try await agent.publish(Array("your token is \(token)".utf8), topic: "t")
        try await me.sendText("mine is \(token)", topic: "t")
        recorder.finish()
        #expect(page.text.contains("your token is [token]"))
        #expect(page.text.contains("mine is [token]"))
        #expect(!page.text.contains(token))
    }

    @Test("A recording of a session, replayed, gives the same events and finds what was sent the same")
    func recordAndReplay() async throws {
        let hub = InMemoryHub(clock: clock, startedAt: 1000)
        let recorder = makeRecorder()
        let factory = RecordingTransportFactory(hub, recorder: recorder)
        let me = try factory.makeTransport()
        let token = try await hub.token(for: TokenRequest(room: "r", identity: "me"))
        try await me.connect(to: "memory:", token: token.token)
        await clock.advance(by: .milliseconds(120))
        let agent = try await hub.join(.init(room: "r", identity: "agent-1", kind: .agent))
        let stream = try await agent.openText(topic: "lk.transcription", attributes: ["lk.segment_id": "s"])
        try await stream.write("Hello")
        await clock.advance(by: .milliseconds(80))
        try await stream.close(attributes: ["lk.transcription_final": "true"])
        try await me.publish(Array("{}".utf8), topic: "voice-control")
        try await me.sendText("typed", topic: "lk.chat")
        try await agent.publishLevel(0.31)
        await clock.advance(by: .milliseconds(500))
        hub.closeRoom("r")
        recorder.finish()
        let original = me.events.takeAvailable()

        let recording = try Recording(parsing: page.text.utf8)
        #expect(recording.header.local == "me")
        let replayClock = ManualClock()
        let replay = SessionReplay(recording, clock: replayClock)
        let again = try replay.makeTransport()
        #expect(try await again.connect(to: "", token: "").local.identity == "me")
        await replayClock.advance(to: .milliseconds(150))
        #expect(replay.differences.count == 2)
        try await again.publish(Array("{}".utf8), topic: "voice-control")
        try await again.sendText("typed", topic: "lk.chat")
        #expect(replay.differences == [])
        try await again.publish([], topic: "more")
        #expect(
            replay.differences == [
                #"Message 3 is new: {"t":0.000,"event":"sent","topic":"more","reliable":true,"payload":""}."#
            ]
        )
        await replayClock.advance(to: recording.duration)
        // The recording does not say when somebody joined, other than by its line.
        let replayed = again.events.takeAvailable()
        #expect(replayed == original.map(\.withoutJoinTime))
        await #expect(throws: TransportError(.closed)) { try await again.publish([], topic: "t") }
    }
}

extension TransportEvent {
    fileprivate var withoutJoinTime: TransportEvent {
        guard case .participantJoined(var participant) = self else { return self }
        participant.joinedAt = nil
        return .participantJoined(participant)
    }
}

@Suite struct SessionReplayTests {
    private let clock = ManualClock()

    private func makeReplay(_ lines: [(Int, RecordedEvent)]) -> SessionReplay {
        let header = Recording.Header(room: "r", local: "me", startedAt: 1000)
        let lines = lines.map { Recording.Line(time: .milliseconds($0.0), event: $0.1) }
        return SessionReplay(Recording(header: header, lines: lines), clock: clock)
    }

    @Test("Connecting takes as long as it took, and a second connection plays the second part")
    func twoConnections() async throws {
        let replay = makeReplay([
            (0, .connection(.connecting)), (15_000, .connection(.disconnected(.timedOut))),
            (15_100, .connection(.connecting)), (15_300, .connection(.connected)),
            (16_000, .left(identity: "a")),
        ])
        let journal = Journal()
        try await clock.run(until: .seconds(60)) { [clock] in
            let first = try replay.makeTransport()
            do {
                try await first.connect(to: "", token: "")
            } catch let error as TransportError {
                journal.write("\(clock.now.offset.inMilliseconds) \(error.code)")
            }
            let second = try replay.makeTransport()
            try await second.connect(to: "", token: "")
            journal.write("\(clock.now.offset.inMilliseconds) connected")
            for await event in second.events {
                journal.write("\(clock.now.offset.inMilliseconds) \(event)")
                if case .participantLeft = event { await second.disconnect() }
            }
            let third = try replay.makeTransport()
            await #expect(throws: TransportError.self) { try await third.connect(to: "", token: "") }
        }
        #expect(
            journal.lines == [
                "15000 timedOut", "15300 connected",
                "15300 connection(TransportCore.ConnectionState.connecting)",
                "15300 connection(TransportCore.ConnectionState.connected)",
                "16000 participantLeft(identity: \"a\")",
                "16000 connection(TransportCore.ConnectionState.disconnected(TransportCore.DisconnectReason.client))",
            ]
        )
    }

    @Test("Sending while the recording is reconnecting fails as it would have")
    func reconnecting() async throws {
        let replay = makeReplay([
            (0, .connection(.connected)), (100, .connection(.reconnecting)), (200, .connection(.reconnected)),
        ])
        let transport = try replay.makeTransport()
        try await transport.connect(to: "", token: "")
        await clock.advance(by: .milliseconds(100))
        await #expect(throws: TransportError(.notConnected)) { try await transport.publish([], topic: "t") }
        await clock.advance(by: .milliseconds(100))
        try await transport.publish([], topic: "t")
        #expect(replay.sent.count == 1)
    }

    @Test("A connect that is cancelled before the recording's answer ends at once")
    func cancelledConnect() async throws {
        let replay = makeReplay([(1000, .connection(.connected))])
        let transport = try replay.makeTransport()
        let task = Task { try await transport.connect(to: "", token: "") }
        task.cancel()
        let result = await task.result
        #expect(throws: TransportError(.cancelled)) { try result.get() }
        #expect(transport.events.takeAvailable().last == .connection(.disconnected(.client)))
    }
}
