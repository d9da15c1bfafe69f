import PresenceKit
import Synchronization
import Testing
import TransportCore

@Suite struct ConversationReplayTests {
    /// The changes of a replay as `time kind`, times in milliseconds, without what goes on inside.
    private static func lines(
        of text: String,
        policy: InferencePolicy = .steady,
        includesLevels: Bool = false
    ) async throws -> (lines: [String], summary: ConversationReplay.Summary) {
        let recording = try Recording(parsing: Array(text.utf8))
        let storage = Mutex<[String]>([])
        let replay = ConversationReplay(recording, policy: policy, includesLevels: includesLevels)
        let summary = try await replay.run { change in
            let words: String? =
                switch change.kind {
                case .session(.failed(let reason)): "session failed: \(reason)"
                case .session(let state): "session \(state)"
                case .phase(let phase): "phase \(phase.rawValue)"
                case .thinkingChip(let isShown): "chip \(isShown)"
                case .bargeIn(let isOn): "barge_in \(isOn)"
                case .row(let row): "row \(row.role.rawValue) \(row.text) \(row.isFinal)"
                case .removed(let id): "removed \(id)"
                case .announce(let text): "announce \(text)"
                case .packet(let packet): "packet \(packet.topic)"
                case .levels(let microphone, let agent): "levels \(microphone) \(agent)"
                case .reconnecting(let isOn): "reconnecting \(isOn)"
                case .sent, .models, .selectedModel, .microphone, .microphoneError, .settings, .notice: nil
                }
            if let words { storage.withLock { $0.append("\(change.time.inMilliseconds) \(words)") } }
        }
        return (storage.withLock { $0 }, summary)
    }

    private static let opening = """
        {"hope_recording":1,"room":"voice-demo","local":"me","started_at":1756540000.0}
        {"t":0.000,"event":"connection","state":"connecting"}
        {"t":0.100,"event":"connection","state":"connected"}
        {"t":0.120,"event":"joined","identity":"agent-1","kind":"agent"}
        {"t":0.200,"event":"data","topic":"conversation-control","from":"agent-1","reliable":true,"payload":"{\\"type\\":\\"agent_ready\\"}"}

        """

    /// The agent at 0.31 from 1.0 s, at 0 from 2.0 s, one sample for each 100 ms.
    private static let worked =
        opening
        + (10...50).map { step in
            #"{"t":\#(Double(step) / 10),"event":"speakers","levels":{\#(step < 20 ? #""agent-1":0.31"# : "")}}"#
        }.joined(separator: "\n")

    @Test("An agent that speaks from 1 s to 2 s is thinking at 2.5 s, and the chip shows at 4.5 s")
    func workedExample() async throws {
        let (lines, summary) = try await Self.lines(of: Self.worked, policy: .web)
        #expect(
            lines == [
                "0 session connecting", "0 phase connecting",
                "100 session waitingAgent", "200 session ready",
                "1000 phase speaking", "1000 announce Speaking",
                "2500 phase thinking", "4500 chip true",
            ]
        )
        #expect(summary.lines == 45)
        #expect(summary.phases == 3)
        #expect(summary.sent == 1)
    }

    @Test("What others sent through the session, such as what is playing, is sent again at its time and compared")
    func whatOthersSent() async throws {
        let payload = #"{\"type\":\"media_state\",\"playing\":true}"#
        let sent =
            #"{"t":0.200,"event":"sent","topic":"voice-control","reliable":true,"payload":"{\"type\":\"set_voice\","#
            + #"\"voice\":\"en-US-Ava:DragonHDOmniLatestNeural\"}"}"#
        let media = #"{"t":0.900,"event":"sent","topic":"media-state","reliable":true,"payload":"\#(payload)"}"#
        let text =
            Self.opening + [sent, media, #"{"t":1.000,"event":"left","identity":"nobody"}"#].joined(separator: "\n")
        let recording = try Recording(parsing: Array(text.utf8))
        let times = Mutex<[Int]>([])
        let summary = try await ConversationReplay(recording).run { change in
            guard case .sent("media-state", _) = change.kind else { return }
            times.withLock { $0.append(change.time.inMilliseconds) }
        }
        #expect(times.withLock { $0 } == [900])
        #expect(summary.differences == [])
    }

    @Test("With levels, each tick tells the smoothed ones: 0.124 at the first sample of 0.31")
    func levels() async throws {
        let (lines, _) = try await Self.lines(of: Self.worked, policy: .web, includesLevels: true)
        let first = try #require(lines.first { $0.hasPrefix("1000 levels 0.0 ") })
        let level = try #require(Double(first.dropFirst("1000 levels 0.0 ".count)))
        #expect(abs(level - 0.124) < 1e-12)
    }

    @Test("Replaying twice gives the same")
    func sameTwice() async throws {
        let first = try await Self.lines(of: Self.worked, includesLevels: true)
        for _ in 0..<3 {
            let next = try await Self.lines(of: Self.worked, includesLevels: true)
            #expect(first.lines == next.lines)
            #expect(first.summary == next.summary)
        }
    }

    @Test("A recording in which somebody starts is idle until then, and hanging up is part of it")
    func actions() async throws {
        let text = """
            {"hope_recording":1,"room":"r","local":"me","started_at":1756540000.0}
            {"t":0.450,"event":"action","name":"start"}
            {"t":0.450,"event":"connection","state":"connected"}
            {"t":0.460,"event":"joined","identity":"agent-1","kind":"agent"}
            {"t":0.500,"event":"data","topic":"conversation-control","from":"agent-1","payload":"{\\"type\\":\\"agent_ready\\"}"}
            {"t":0.700,"event":"action","name":"text_mode","value":true}
            {"t":0.800,"event":"action","name":"send_text","value":"Hello"}
            {"t":0.800,"event":"sent","topic":"lk.chat","text":"Hello"}
            {"t":1.000,"event":"action","name":"hang_up"}
            {"t":1.500,"event":"speakers","levels":{}}
            """
        let (lines, summary) = try await Self.lines(of: text)
        #expect(
            lines == [
                "450 session connecting", "450 session waitingAgent", "450 phase connecting",
                "500 session ready", "500 phase listening", "500 announce Listening",
                "800 row user Hello true",
                "1000 session idle", "1000 phase idle",
            ]
        )
        // The recording tells of one message; voice and mode were sent as well.
        #expect(summary.sent == 3)
        #expect(summary.differences.count == 3)
    }

    @Test("What the person and the room do at one time happens in the order of the lines", arguments: [false, true])
    func orderOfLines(_ roomIsFirst: Bool) async throws {
        let hangUp = #"{"t":1.000,"event":"action","name":"hang_up"}"#
        let lost = #"{"t":1.000,"event":"connection","state":"disconnected","reason":"signalLost"}"#
        let text = Self.opening + (roomIsFirst ? [lost, hangUp] : [hangUp, lost]).joined(separator: "\n")
        let (lines, _) = try await Self.lines(of: text)
        let failed = "1000 session failed: \(DisconnectReason.signalLost.message)"
        #expect(lines.filter { $0.hasPrefix("1000 session") } == (roomIsFirst ? [failed] : []) + ["1000 session idle"])
    }

    @Test("A recording that stops where the person ended the connection ends idle, not failed")
    func endedHere() async throws {
        let text = Self.opening + #"{"t":1.000,"event":"connection","state":"disconnected","reason":"client"}"#
        let (lines, _) = try await Self.lines(of: text)
        #expect(lines.suffix(2) == ["1000 session idle", "1000 phase idle"])
    }

    @Test("A level of the microphone is heard until the person mutes or types", arguments: ["mute", "text_mode"])
    func microphone(_ action: String) async throws {
        var text = Self.opening
        for step in 3...30 {
            if step == 15 { text += #"{"t":1.5,"event":"action","name":"\#(action)","value":true}"# + "\n" }
            text += #"{"t":\#(Double(step) / 10),"event":"level","who":"microphone","level":0.4}"# + "\n"
        }
        let (lines, _) = try await Self.lines(of: text, policy: .web, includesLevels: true)
        #expect(lines.contains("300 phase listening"))
        #expect(lines.contains { $0.hasPrefix("1400 levels 0.3") })
        #expect(lines.contains("1500 levels 0.0 0.0"))
        #expect(!lines.contains { $0.hasPrefix("1600 levels") })
    }

    @Test("Transcript rows appear as their streams grow, and task packets come through in their place")
    func rowsAndPackets() async throws {
        let text =
            Self.opening + """
                {"t":0.500,"event":"text","topic":"lk.transcription","from":"me","id":"u1","attributes":{"lk.segment_id":"u","lk.transcription_final":"false"},"text":"hel"}
                {"t":0.600,"event":"text","topic":"lk.transcription","from":"me","id":"u2","attributes":{"lk.segment_id":"u","lk.transcription_final":"true"},"text":"Hello."}
                {"t":0.700,"event":"data","topic":"tasks","from":"agent-1","payload":"{}"}
                {"t":0.800,"event":"text","topic":"lk.transcription","from":"agent-1","id":"a1","attributes":{"lk.segment_id":"a"},"text":"Hi ","end":false}
                {"t":0.900,"event":"text","topic":"lk.transcription","from":"agent-1","id":"a1","text":"there","end":true}
                {"t":4.000,"event":"speakers","levels":{}}
                """
        let (lines, summary) = try await Self.lines(of: text)
        #expect(
            lines.filter { $0.contains("row") || $0.contains("packet") || $0.contains("announce") } == [
                "200 announce Listening",
                "500 row user hel false", "600 row user Hello. true", "700 packet tasks",
                "800 row agent Hi  false", "900 row agent Hi there true",
                "2200 announce Hope: Hi there",
            ]
        )
        #expect(summary.rows == 2)
        #expect(summary.finals == 2)
        #expect(summary.packets == 1)
        #expect(summary.announcements == 2)
    }

    @Test("An agent that never comes fails the session at 30 s of the recording")
    func agentTimesOut() async throws {
        let text = """
            {"hope_recording":1,"room":"r","local":"me","started_at":0}
            {"t":0,"event":"connection","state":"connected"}
            {"t":40,"event":"speakers","levels":{}}
            """
        let (lines, _) = try await Self.lines(of: text)
        let reason = SessionFailure.agentTimedOut(after: .seconds(30)).message
        #expect(
            lines.suffix(3) == [
                "30000 session failed: \(reason)", "30000 phase failed", "30000 announce Connection failed: \(reason)",
            ]
        )
    }

    @Test("Any legal recording replays twice the same, in order of time, and ends with its last line")
    func randomRecordings() async throws {
        for seed in 0..<30 as Range<UInt64> {
            let recording = RandomRecording.make(seed: seed)
            let text = recording.text
            let first = try await Self.lines(of: text)
            let second = try await Self.lines(of: text)
            #expect(first.lines == second.lines, "seed \(seed)")
            #expect(first.summary == second.summary, "seed \(seed)")
            let times = first.lines.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
            #expect(times == times.sorted(), "seed \(seed)")
            #expect(times.last ?? 0 <= recording.duration.inMilliseconds, "seed \(seed)")
        }
    }

    @Test("A recording that goes on for ever is refused")
    func tooLong() async throws {
        let text = """
            {"hope_recording":1,"room":"r","local":"me","started_at":0}
            {"t":1000000,"event":"speakers","levels":{}}
            """
        await #expect(throws: ConversationReplayError.self) { try await Self.lines(of: text) }
    }

    @Test("A live session that is recorded replays to the same phases, rows and messages")
    func recordsAndReplays() async throws {
        let clock = ManualClock()
        let hub = InMemoryHub(clock: clock, startedAt: 1_756_540_000)
        let file = Mutex("")
        let recorder = SessionRecorder(clock: clock, startedAt: 1_756_540_000) { line in file.withLock { $0 += line } }
        let session = VoiceSession(
            services: { _ in
                VoiceServices(transports: RecordingTransportFactory(hub, recorder: recorder), tokens: hub)
            },
            settings: InMemorySettingsStorage(),
            audio: ScriptedAudioLevelSource(
                (0...300).map { step in
                    let isSpeaking = (40...90).contains(step)
                    return AudioLevel(
                        source: .microphone,
                        level: isSpeaking ? 0.3 : 0.001,
                        time: .milliseconds(step * 20)
                    )
                },
                ending: .staysOpen,
                clock: clock
            ),
            wakeLock: RecordingWakeLock(),
            clock: clock,
            startedAt: 1_756_540_000,
            configuration: VoiceSessionConfiguration(tokenRequest: TokenRequest(room: "room", identity: "me")),
            recorder: recorder
        )
        let log = ChangeLog()
        try await clock.run {
            let changes = session.changes()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await log.follow(changes) }
                let agent = try await hub.join(.init(room: "room", identity: "agent-1", kind: .agent))
                await session.selectVoice("en-US-JennyNeural")
                await session.start()
                await clock.advance(by: .milliseconds(330))
                try await agent.publish(ControlMessage.agentReady.payload, topic: "conversation-control")
                await clock.advance(by: .milliseconds(2477))
                try await agent.setMicrophone(enabled: true)
                for _ in 0..<12 {
                    try await agent.publishLevel(0.2)
                    await clock.advance(by: .milliseconds(100))
                }
                try await agent.publishLevel(0)
                await clock.advance(by: .milliseconds(3))
                let text = try await agent.openText(topic: ConversationTopic.transcription)
                try await text.write("Jazz.")
                await clock.advance(by: .milliseconds(3))
                try await text.close()
                await clock.advance(by: .milliseconds(3050))
                await session.send("Thank you")
                await clock.advance(by: .milliseconds(250))
                await session.setMuted(true)
                await clock.advance(by: .milliseconds(250))
                await session.hangUp()
                await clock.advance(by: .zero)
                group.cancelAll()
            }
        }
        recorder.finish()
        // Of one time, the replay finds the phase last; the live session finds it with each event.
        func shown(_ changes: [SessionChange]) -> [String] {
            var shown = changes.compactMap { change -> (Duration, String)? in
                switch change.kind {
                case .phase, .thinkingChip, .bargeIn, .session, .announce: (change.time, "\(change.kind)")
                case .removed, .sent, .models, .selectedModel, .packet: (change.time, "\(change.kind)")
                case .row(let row): (change.time, "\(row.id) \(row.text) \(row.isFinal)")
                default: nil
                }
            }
            .sorted { $0 < $1 }.map { "\($0.inMilliseconds) \($1)" }
            // A row that only went from being sent to sent reads the same.
            for index in shown.indices.dropFirst().reversed() where shown[index] == shown[index - 1] {
                shown.remove(at: index)
            }
            return shown
        }
        let recording = try Recording(parsing: Array(file.withLock { $0 }.utf8))
        let replayed = Mutex<[SessionChange]>([])
        let summary = try await ConversationReplay(recording).run { change in replayed.withLock { $0.append(change) } }
        #expect(summary.differences == [])
        #expect(shown(replayed.withLock { $0 }) == shown(log.changes))
        #expect(log.phases.count >= 5)
    }
}
