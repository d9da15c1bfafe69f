internal import HopeServer
internal import LedWall
internal import MediaSync
internal import PresenceKit
internal import TransportCore

extension Command {
    /// `hope talk`: a conversation.
    public static func talk(plugins: PluginRegistry) -> Command {
        let options = TalkOptions(plugins: plugins)
        return Command(
            "talk",
            summary: "hold a conversation, as lines",
            discussion: [
                """
                With --say or --script what is typed comes from there, and the conversation ends when it has been answered and
                no task is running, or after --for. Without them each line of standard input is typed, until it ends. With
                --audio the microphone is on as well.
                """,
                """
                What the server plays in the room is played here, and the room is told of it; ask for it with "play" and some
                words. What played before the conversation pauses meanwhile, and goes on afterwards.
                """,
            ],
            options: options.all,
            examples: [
                CommandExample("hope talk", "type to the agent inside the process"),
                CommandExample(
                    "hope talk --server https://127.0.0.1:7443 --say \"Research the history of jazz\" --for 20s --json",
                    "one request to a server, as JSON Lines"
                ),
                CommandExample("hope talk --library ~/Music --say \"Play blue moon\" --player mpv", "music on request"),
                CommandExample("hope talk --say Hello --record talk.jsonl", "keep it, for hope replay talk.jsonl"),
            ],
            action: { invocation, world in
                let talk = try TalkRun(invocation, options: options, world: world)
                try await talk.run()
            }
        )
    }
}

private struct TalkOptions: Sendable {
    let say = CommandOption("say", value: "TEXT", summary: "type a text; may be given again")
    let script = CommandOption(
        "script",
        value: "FILE",
        summary: "type each line of a file, or of standard input with -"
    )
    let length = CommandOption("for", value: "TIME", summary: "end after a time, as 20s")
    let record = CommandOption("record", value: "FILE", summary: "record the session, for hope replay")
    let transport: CommandOption
    let audio: CommandOption
    let player: CommandOption

    init(plugins: PluginRegistry) {
        transport = CommandOption(
            "transport",
            value: "SPEC",
            summary: "how the room is reached: \(plugins.transports.usage) (default: auto)"
        )
        audio = CommandOption(
            "audio",
            value: "SPEC",
            summary: "what is heard as the microphone: \(plugins.audio.usage)"
        )
        player = CommandOption(
            "player",
            value: "SPEC",
            summary: "what plays media: \(plugins.players.usage) "
                + "(default: mpv on a terminal where it is installed, else fake)"
        )
    }

    var all: [CommandOption] {
        [.server, .pin, .library, transport, audio, player, say, script, length, record, .json]
    }
}

/// One run of `hope talk`.
private struct TalkRun: Sendable {
    private let world: HopeWorld
    private let form: ConversationLog.Form
    private let texts: [String]?
    private let limit: Duration?
    private let recording: RecordingFile?
    private let access: ServerAccess?
    private let audio: (any AudioLevelSource)?
    private let player: PlayerOutput
    private let mediaAccess: MediaServerAccess
    private let volume: Double
    private let startedAt: Double

    init(_ invocation: Invocation, options: TalkOptions, world: HopeWorld) throws(CommandError) {
        self.world = world
        form = invocation.has(.json) ? .json : .words
        limit = try invocation.duration(options.length)
        var texts = invocation.all(options.say)
        if let path = invocation[options.script] {
            let lines = String(decoding: try InputFile(path: path).read(), as: UTF8.self)
            texts += lines.split(whereSeparator: \.isNewline).map(String.init)
        }
        let isScripted = invocation.has(options.say) || invocation.has(options.script)
        self.texts = isScripted ? texts : nil
        let settings = try world.loadSettings()
        let choice = try world.plugins.transports.make(invocation[options.transport] ?? "auto", in: world)
        let typed = invocation[.server] ?? settings.serverURL ?? "embedded"
        if typed == "embedded" || choice == .inProcess {
            if let url = choice.url {
                throw .badUsage("--transport \(url) needs a server that gives tokens: --server", see: invocation.path)
            }
            access = nil
            let library = invocation[.library].map(MediaServerAccess.Library.folder) ?? .samples
            mediaAccess = try MediaServerAccess(library, in: world)
        } else {
            if invocation.has(.library) {
                throw .badUsage("--library is for a server inside the process, not \(typed)", see: invocation.path)
            }
            let access = try ServerAccess(
                typed,
                roomURL: choice.url,
                pinned: invocation.all(.pin),
                settings: settings,
                key: world.environment["HOPE_SERVER_KEY"],
                clock: world.clock
            )
            self.access = access
            mediaAccess = try MediaServerAccess(access, in: world)
        }
        player = try world.player(invocation[options.player], isHeard: world.terminal != nil && form == .words)
        volume = settings.volume
        if let spec = invocation[options.audio] {
            audio = try world.plugins.audio.make(spec, in: world).makeSource(.microphone, world.clock)
        } else {
            audio = nil
        }
        recording = try invocation[options.record].map { path throws(CommandError) in try RecordingFile(path: path) }
        startedAt = world.timeOfDay()
    }

    func run() async throws {
        let recorder = recording.map { SessionRecorder(clock: world.clock, startedAt: startedAt, write: $0.append) }
        let place: Place =
            access.map { .server($0) }
            ?? .embedded(EmbeddedRoom(name: "talk", timeOfDay: startedAt, clock: world.clock))
        let session = makeSession(in: place, recorder: recorder)
        let show = ConversationShow(world: world, form: form, renderer: nil)
        do {
            let media = makeMedia(of: session, in: place)
            try await show.run(session, startedAt: startedAt, clock: world.clock, notices: media.notices) {
                try await media.run { _ in try await converse(in: session, at: place) }
            }
        } catch {
            recorder?.finish()
            // What was recorded up to here is worth keeping; the failure that ended it is told.
            try? recording?.save()
            throw error
        }
        recorder?.finish()
        try recording?.save()
    }

    /// Holds the conversation to its end, and hangs up.
    private func converse(in session: VoiceSession, at place: Place) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            if case .embedded(let room) = place {
                let agent = ScriptedAgent(media: mediaAccess.service?.desk(for: room.name))
                group.addTask { try await room.serve(agent) }
            }
            group.addTask {
                try await act(in: session)
                throw Ended()
            }
            if let limit {
                group.addTask {
                    try await world.clock.sleep(for: limit)
                    throw Ended()
                }
            }
            do {
                for try await _ in group {}
            } catch is Ended {
                let failure = await session.failure
                // Before the agent is told to go, lest it looks as if it had left.
                await session.hangUp()
                group.cancelAll()
                if let failure { throw CommandError(.unavailable, failure.message) }
            }
        }
    }

    /// Where the conversation is held.
    private enum Place: Sendable {
        case embedded(EmbeddedRoom)
        case server(ServerAccess)

        /// The room to ask for; nil lets the server choose.
        var roomName: String? {
            if case .embedded(let room) = self { room.name } else { nil }
        }

        func services(recorder: SessionRecorder?) -> VoiceServices {
            switch self {
            case .server(let access): return access.services(recorder: recorder)
            case .embedded(let room):
                let transports: any TransportFactory =
                    recorder.map { RecordingTransportFactory(room.hub, recorder: $0) } ?? room.hub
                return VoiceServices(transports: transports, tokens: room.hub, roomURL: "memory:")
            }
        }
    }

    private func makeMedia(of session: VoiceSession, in place: Place) -> ConversationMedia {
        let playback = MediaPlayback(
            access: mediaAccess,
            output: player,
            clock: world.clock,
            startedAt: startedAt,
            volume: volume
        )
        return ConversationMedia(session, on: playback) {
            switch place {
            case .embedded(let room): room.name
            case .server(let access): access.lastToken.value?.room ?? MediaAPI.defaultRoom
            }
        }
    }

    /// How a part of the conversation tells that the whole is over.
    private struct Ended: Error {}

    private func makeSession(in place: Place, recorder: SessionRecorder?) -> VoiceSession {
        let services = place.services(recorder: recorder)
        return VoiceSession(
            services: { _ in services },
            settings: world.settings,
            history: world.transcripts,
            audio: audio,
            wakeLock: RecordingWakeLock(),
            clock: world.clock,
            startedAt: startedAt,
            configuration: VoiceSessionConfiguration(tokenRequest: TokenRequest(room: place.roomName)),
            recorder: recorder
        )
    }

    private func act(in session: VoiceSession) async throws {
        let follower = TalkFollower(clock: world.clock)
        let changes = session.changes()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await change in changes { follower.follow(change) }
            }
            defer { group.cancelAll() }
            await session.start()
            guard try await follower.wait(until: { $0.isReady }) else { return }
            if let texts {
                for text in texts {
                    follower.sent()
                    await session.send(text)
                    guard try await follower.wait(until: { !$0.awaitsAnswer }) else { return }
                }
            } else {
                for await line in StandardInput.lines() { await session.send(line) }
                try Task.checkCancellation()
            }
            if limit != nil {
                // To the end of the time that was asked for, unless the conversation fails before.
                try await follower.wait { _ in false }
            } else {
                try await follower.waitForRest()
            }
        }
    }
}
