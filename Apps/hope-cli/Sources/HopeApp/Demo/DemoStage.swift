internal import Foundation
internal import HopeServer
internal import MediaSync
internal import PresenceAudio
internal import PresenceKit
internal import TransportCore

/// Where the demo's stories play: a room inside this process, recorded voices, and a session of the person's.
struct DemoStage: Sendable {
    let samples: URL
    let clock: any Clock<Duration>
    /// The time of day at the beginning, in seconds since 1970.
    let startedAt: Double
    /// What the music is played with.
    let player: PlayerOutput
    private let time: Stopwatch

    init(samples: URL, clock: any Clock<Duration>, startedAt: Double, player: PlayerOutput) {
        self.samples = samples
        self.clock = clock
        self.startedAt = startedAt
        self.player = player
        time = Stopwatch(clock: clock)
    }

    /// Plays a story to its end.
    ///
    /// - Throws: `.notFound` when a voice is missing; what the show throws.
    func play(_ story: DemoStory, on show: ConversationShow, recording: RecordingFile?) async throws {
        let voice = try sample("conversation-agent.wav")
        let microphone = WAVAudioLevelSource(path: try sample("conversation-user.wav"), clock: clock)
        let room = EmbeddedRoom(name: "voice-demo", timeOfDay: startedAt, clock: clock)
        let library = story.hasMedia ? SampleMusic.tracks : []
        let service = MediaService(.samples(library), startedAt: startedAt, clock: clock)
        let agent = ScriptedAgent(script: story.script, media: service.desk(for: room.name)) {
            WAVAudioLevelSource(path: voice, owner: .agent, clock: $0)
        }
        let recorder = recording.map { SessionRecorder(clock: clock, startedAt: startedAt, write: $0.append) }
        let session = makeSession(in: room, microphone: microphone, recorder: recorder)
        defer { recorder?.finish() }
        let media = story.hasMedia ? try makeMedia(of: session, in: room, service) : nil
        if show.renderer != nil {
            media?.tell(
                player.opensAddresses
                    ? "\(player.name) plays what the agent chooses"
                    : "no player that can be heard is installed, so the music is silent; mpv is one"
            )
        }
        try await show.run(session, startedAt: startedAt, clock: clock, notices: media?.notices) {
            guard let media else { return try await tell(story, by: agent, in: room, session, nil) }
            try await media.run { try await tell(story, by: agent, in: room, session, $0) }
        }
    }

    private func makeMedia(
        of session: VoiceSession,
        in room: EmbeddedRoom,
        _ service: MediaService
    ) throws(CommandError) -> ConversationMedia {
        let startedAt = startedAt
        let access = try MediaServerAccess(service) { startedAt }
        let playback = MediaPlayback(access: access, output: player, clock: clock, startedAt: startedAt, volume: 1)
        return ConversationMedia(session, on: playback) { room.name }
    }

    private func tell(
        _ story: DemoStory,
        by agent: ScriptedAgent,
        in room: EmbeddedRoom,
        _ session: VoiceSession,
        _ media: MediaController?
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await room.serve(agent) }
            for deed in story.deeds {
                try await wait(until: deed.time)
                await perform(deed.action, in: room, session, media)
            }
            // The story is over for the agent too, whatever it was about to say.
            group.cancelAll()
        }
    }

    private func wait(until moment: Duration) async throws {
        let remaining = moment - time.elapsed
        if remaining > .zero { try await clock.sleep(for: remaining) }
    }

    private func perform(
        _ action: DemoStory.Deed.Action,
        in room: EmbeddedRoom,
        _ session: VoiceSession,
        _ media: MediaController?
    ) async {
        switch action {
        case .start: await session.start()
        case .type(let text): await session.send(text)
        case .textMode(let isOn): await session.setTextMode(isOn)
        case .interruption(true): await session.interruptionBegan()
        case .interruption(false): await session.interruptionEnded(shouldResume: true)
        case .signal(true): room.hub.restoreSignal(of: Self.person, in: room.name)
        case .signal(false): room.hub.loseSignal(of: Self.person, in: room.name)
        case .agentLeaves: room.hub.remove(EmbeddedRoom.agentIdentity, from: room.name)
        case .pauseMedia: await media?.pause()
        case .hangUp: await session.hangUp()
        }
    }

    private static let person = "me"

    private func makeSession(
        in room: EmbeddedRoom,
        microphone: any AudioLevelSource,
        recorder: SessionRecorder?
    ) -> VoiceSession {
        let transports: any TransportFactory =
            recorder.map { RecordingTransportFactory(room.hub, recorder: $0) } ?? room.hub
        let services = VoiceServices(transports: transports, tokens: room.hub, roomURL: "memory:")
        return VoiceSession(
            services: { _ in services },
            settings: InMemorySettingsStorage(),
            audio: microphone,
            wakeLock: RecordingWakeLock(),
            clock: clock,
            startedAt: startedAt,
            configuration: VoiceSessionConfiguration(
                tokenRequest: TokenRequest(room: room.name, identity: Self.person)
            ),
            recorder: recorder
        )
    }

    private func sample(_ name: String) throws(CommandError) -> String {
        let path = samples.appendingPathComponent(name).path
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw CommandError(
                .notFound,
                "the demo's voice \(quoted(path)) is not there; build again, or keep it beside hope"
            )
        }
        return path
    }
}
