internal import HopeServer
internal import LedWall
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
                """
            ],
            options: options.all,
            examples: [
                CommandExample("hope talk", "type to the agent inside the process"),
                CommandExample(
                    "hope talk --server https://127.0.0.1:7443 --say \"Research the history of jazz\" --for 20s --json",
                    "one request to a server, as JSON Lines"
                ),
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
    }

    var all: [CommandOption] {
        [.server, .pin, transport, audio, say, script, length, record, .json]
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
            guard choice != .room(url: choice.url ?? "") else {
                throw .badUsage(
                    "--transport \(choice.url ?? "") needs a server that gives tokens: --server",
                    see: invocation.path
                )
            }
            access = nil
        } else {
            access = try ServerAccess(
                typed,
                roomURL: choice.url,
                pinned: invocation.all(.pin),
                settings: settings,
                clock: world.clock
            )
        }
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
        let room = access == nil ? EmbeddedRoom(name: "talk", timeOfDay: startedAt, clock: world.clock) : nil
        let session = makeSession(in: room, recorder: recorder)
        let show = ConversationShow(world: world, form: form, renderer: nil)
        do {
            try await show.run(session, startedAt: startedAt, clock: world.clock) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    if let room { group.addTask { try await room.serve(ScriptedAgent()) } }
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
                        group.cancelAll()
                    }
                }
                if let failure = await session.failure {
                    await session.hangUp()
                    throw CommandError(.unavailable, failure.message)
                }
                await session.hangUp()
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

    /// How a part of the conversation tells that the whole is over.
    private struct Ended: Error {}

    private func makeSession(in room: EmbeddedRoom?, recorder: SessionRecorder?) -> VoiceSession {
        let services: VoiceServices
        if let room {
            let transports: any TransportFactory =
                recorder.map { RecordingTransportFactory(room.hub, recorder: $0) } ?? room.hub
            services = VoiceServices(transports: transports, tokens: room.hub, roomURL: "memory:")
        } else if let access {
            services = access.services(recorder: recorder)
        } else {
            services = VoiceServices(transports: InMemoryHub(clock: world.clock), tokens: CannedTokenProvider([]))
        }
        let roomURL = access?.server.roomURL()
        return VoiceSession(
            services: { [services] _ in
                var services = services
                services.roomURL = services.roomURL ?? roomURL
                return services
            },
            settings: world.settings,
            history: world.transcripts,
            audio: audio,
            wakeLock: RecordingWakeLock(),
            clock: world.clock,
            startedAt: startedAt,
            configuration: VoiceSessionConfiguration(tokenRequest: TokenRequest(room: room?.name)),
            recorder: recorder
        )
    }

    private func act(in session: VoiceSession) async throws {
        let changes = session.changes()
        await session.start()
        var follower = AnswerFollower()
        var iterator = changes.makeAsyncIterator()
        while await session.state != .ready {
            guard let change = await iterator.next() else { throw CancellationError() }
            if case .session(.failed) = change.kind { return }
        }
        guard let texts else { return try await typeLines(into: session) }
        for text in texts {
            await session.send(text)
            follower.sent()
            while !follower.isAnswered {
                guard let change = await iterator.next() else { throw CancellationError() }
                if case .session(.failed) = change.kind { return }
                follower.follow(change)
            }
        }
        // With a length of time the conversation goes on to its end; else to the end of what was asked for.
        while limit != nil || follower.isBusy {
            guard let change = await iterator.next() else { throw CancellationError() }
            if case .session(.failed) = change.kind { return }
            follower.follow(change)
        }
    }

    private func typeLines(into session: VoiceSession) async throws {
        for await line in StandardInput.lines() { await session.send(line) }
        try Task.checkCancellation()
        if limit != nil { try await world.clock.sleep(for: .seconds(86_400)) }
    }
}
