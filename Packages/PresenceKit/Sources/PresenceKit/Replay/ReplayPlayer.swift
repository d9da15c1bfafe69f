import TransportCore

/// One run of a replay: a session, the room that the recording plays to it, and the clock that both live on.
struct ReplayPlayer: Sendable {
    /// What the session itself sends on.
    private static let ownTopics: Set<String> = [
        ConversationTopic.conversationControl, ConversationTopic.voiceControl, ConversationTopic.chat,
    ]

    private let recording: Recording
    private let includesLevels: Bool
    private let clock: ManualClock
    private let room: SessionReplay
    private let session: VoiceSession

    init(_ replay: ConversationReplay, clock: ManualClock) {
        recording = replay.recording
        includesLevels = replay.includesLevels
        self.clock = clock
        let room = SessionReplay(Self.inOrder(replay.recording), clock: clock)
        self.room = room
        let header = replay.recording.header
        let token = RoomToken(token: "replay", room: header.room, url: "replay:", identity: header.local)
        let services = VoiceServices(transports: room, tokens: CannedTokenProvider([.success(token)]))
        // A microphone that was measured here decides; else the room has said how loud the person was.
        let wasMeasuredHere = replay.recording.lines.contains { line in
            if case .level(AudioLevelOwner.microphone.rawValue, _) = line.event { true } else { false }
        }
        session = VoiceSession(
            services: { _ in services },
            settings: InMemorySettingsStorage(),
            history: nil,
            audio: nil,
            wakeLock: RecordingWakeLock(),
            clock: clock,
            startedAt: header.startedAt,
            configuration: VoiceSessionConfiguration(policy: replay.policy),
            recorder: nil,
            ticksItself: false,
            hearsOwnSpeakerLevel: !wasMeasuredHere
        )
    }

    /// The recording with its lines a nanosecond apart where they have one time, so that what the room does and what
    /// the person does come in the order of the lines, and after what is due at that time by itself.
    ///
    /// The session counts in whole milliseconds and sees the times as they were.
    private static func inOrder(_ recording: Recording) -> Recording {
        var recording = recording
        var last: Duration?
        var offset = 0
        for (index, line) in recording.lines.enumerated() {
            offset = line.time == last ? offset + 1 : 1
            last = line.time
            recording.lines[index].time += .nanoseconds(offset)
        }
        return recording
    }

    func play(_ take: @escaping @Sendable (SessionChange) -> Void) async throws -> ConversationReplay.Summary {
        let changes = session.changes(includingLevels: includesLevels)
        var summary = try await withThrowingTaskGroup(of: ConversationReplay.Summary?.self) { group in
            group.addTask {
                var summary = ConversationReplay.Summary()
                var digest = ChangeDigest()
                for await change in changes {
                    for change in digest.take(change) {
                        summary.count(change)
                        take(change)
                    }
                }
                for change in digest.finish() {
                    summary.count(change)
                    take(change)
                }
                return summary
            }
            group.addTask {
                let end: Result<Void, any Error>
                do {
                    try await feed()
                    end = .success(())
                } catch {
                    end = .failure(error)
                }
                // What hanging up changes is no part of the recording.
                await session.finishChanges()
                await session.hangUp()
                try end.get()
                return nil
            }
            var summary = ConversationReplay.Summary()
            for try await result in group {
                if let result { summary = result }
            }
            return summary
        }
        summary.lines = recording.lines.count
        summary.duration = recording.duration
        summary.sent = room.sent.count
        // A recording that took nothing down of what was sent has nothing to compare with.
        summary.differences = recording.lines.contains { $0.event.isSent } ? room.differences : []
        summary.statistics = await session.statistics
        let rows = await session.snapshot.rows
        summary.rows = rows.count
        summary.finals = rows.count(where: \.isFinal)
        return summary
    }

    private func feed() async throws {
        var lines = room.recording.lines[...]
        if !recording.lines.contains(where: { $0.event.isStart }) { await session.start() }
        var grid = Duration.zero
        while true {
            try Task.checkCancellation()
            let next = lines.first.map { Duration.milliseconds($0.time.inMilliseconds) }
            let time = min(grid, next ?? grid)
            guard time <= recording.duration else { return }
            await clock.advance(to: time)
            while let line = lines.first, line.time.inMilliseconds <= time.inMilliseconds {
                lines.removeFirst()
                // The clock feeds what the room has to say as it gets there.
                await clock.advance(to: line.time)
                await apply(line.event)
                await clock.advance(to: line.time)
            }
            await session.tick()
            if time == grid { grid += .milliseconds(100) }
        }
    }

    private func apply(_ event: RecordedEvent) async {
        switch event {
        case .level(let who, let level):
            guard let owner = AudioLevelOwner(rawValue: who) else { return }
            await session.hear(owner, level)
        case .action(let name, let value):
            await apply(name, value)
        case .sent(let topic, .data(let payload, let reliability), let identities)
        where identities.isEmpty && !Self.ownTopics.contains(topic):
            // What others said through the session is not its own decision: it is said again. Where that fails, the
            // comparison tells.
            try? await session.publish(payload, topic: topic, reliability: reliability)
        case .connection, .joined, .attributes, .left, .data, .text, .speakers, .sent:
            break
        }
    }

    private func apply(_ action: String, _ value: RecordedEvent.Value?) async {
        switch action {
        case "start": await session.start()
        case "hang_up": await session.hangUp()
        case "mute": await session.setMuted(value?.isOn ?? true)
        case "text_mode": await session.setTextMode(value?.isOn ?? true)
        case "send_text": await session.send(value?.text ?? "")
        case "voice": await session.selectVoice(value?.text ?? "")
        case "model": await session.selectModel(value?.text)
        case "interruption":
            if value == .text(VoiceSession.endWithoutResuming) {
                await session.interruptionEnded(shouldResume: false)
            } else if value?.isOn ?? true {
                await session.interruptionBegan()
            } else {
                await session.interruptionEnded(shouldResume: true)
            }
        default:
            // An action of a newer program.
            break
        }
    }
}

extension RecordedEvent {
    fileprivate var isSent: Bool {
        if case .sent = self { true } else { false }
    }

    fileprivate var isStart: Bool {
        if case .action("start", _) = self { true } else { false }
    }
}

extension RecordedEvent.Value {
    /// Whether a switch was turned on; people also write it as a word or a number.
    fileprivate var isOn: Bool {
        switch self {
        case .bool(let flag): flag
        case .number(let number): number != 0
        case .text(let text): !["", "0", "end", "ended", "false", "no", "off", "voice"].contains(text.lowercased())
        }
    }

    fileprivate var text: String? {
        if case .text(let text) = self { text } else { nil }
    }
}

extension ConversationReplay.Summary {
    fileprivate mutating func count(_ change: SessionChange) {
        switch change.kind {
        case .phase: phases += 1
        case .session: sessions += 1
        case .announce: announcements += 1
        case .packet: packets += 1
        default: break
        }
    }
}
