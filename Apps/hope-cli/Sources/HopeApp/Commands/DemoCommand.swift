internal import Foundation
internal import LedWall
internal import LedWallRendering
internal import TransportCore

extension Command {
    private static func newPicturePath() throws -> String {
        // A folder of its own: a name that others know could be a link to somebody's file.
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hope-demo-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        return folder.appendingPathComponent("harbour.png").path
    }

    /// `hope demo`: a whole conversation and a map, with nothing set up.
    public static func demo(plugins: PluginRegistry) -> Command {
        let fast = CommandOption("fast", summary: "tell the story on virtual time, without drawing it")
        let record = CommandOption("record", value: "FILE", summary: "record the session, for hope replay")
        let story = CommandOption(
            "story",
            value: "NAME",
            summary: "\(DemoStory.allCases.map(\.usage).joined(separator: "; ")) (default: talk)",
            choices: DemoStory.allCases.map(\.rawValue)
        )
        let snapshot = CommandOption(
            "snapshot",
            value: "FILE",
            summary: "where the picture of the map goes, .png or .svg (default: in a new temporary folder)"
        )
        let wall = CommandOption(
            "wall",
            value: "SPEC",
            summary: "where it is drawn: terminal or none (default: terminal)"
        )
        let player = CommandOption(
            "player",
            value: "SPEC",
            summary: "what plays the music: \(plugins.players.usage) "
                + "(default: mpv on a terminal where it is installed, else fake)"
        )
        return Command(
            "demo",
            summary: "watch a whole conversation, with nothing set up",
            discussion: [
                """
                A person with a recorded voice talks to a scripted agent in a room inside this process: joining, waiting for
                the agent, speaking and barging in, a transcript, then a typed request that the agent researches in the
                background, and music that it has played. Then a map project is opened, edited, published, meets a conflict,
                and is drawn. It takes about half a minute; afterwards, or without a terminal, the story stands as lines.
                """
            ],
            options: [fast, record, story, player, snapshot, wall, .color, .json],
            examples: [
                CommandExample("hope demo", "live on the terminal"),
                CommandExample("hope demo --fast", "the same story at once"),
                CommandExample("hope demo --fast --record demo.jsonl", "keep it, for hope replay demo.jsonl"),
            ],
            action: { invocation, world in
                let output = try world.plugins.walls.make(invocation[wall] ?? "terminal", in: world)
                guard output.kind == .live else {
                    throw CommandError.badUsage("the demo is drawn on a terminal or not at all", see: invocation.path)
                }
                let story = invocation[story].flatMap(DemoStory.init) ?? .talk
                let recording = try invocation[record].map { path throws(CommandError) in try RecordingFile(path: path)
                }
                let form: ConversationLog.Form = invocation.has(.json) ? .json : .words
                let style = WallOutput.Style(color: invocation[.color].flatMap(TerminalColorFlag.init) ?? .auto)
                // The wall and the story would be mixed up in one stream of lines.
                let isDrawn = !invocation.has(fast) && form == .words && world.terminal != nil
                let music = try world.player(invocation[player], isHeard: isDrawn)
                guard !invocation.has(fast) || !music.opensAddresses else {
                    throw CommandError.badUsage("--fast goes with --player fake alone", see: invocation.path)
                }
                let show = ConversationShow(
                    world: world,
                    form: form,
                    renderer: isDrawn ? output.makeRenderer(style, world) : nil
                )
                do {
                    if invocation.has(fast) {
                        let clock = ManualClock()
                        try await clock.run {
                            // A time of day of its own: the same story is recorded the same, whenever it is told.
                            let stage = DemoStage(
                                samples: world.samples,
                                clock: clock,
                                startedAt: 1_756_540_000,
                                player: music
                            )
                            try await stage.play(story, on: show, recording: recording)
                        }
                    } else {
                        let stage = DemoStage(
                            samples: world.samples,
                            clock: world.clock,
                            startedAt: world.timeOfDay(),
                            player: music
                        )
                        try await stage.play(story, on: show, recording: recording)
                    }
                } catch {
                    // What was recorded up to here is worth keeping; what ended it is told.
                    try? recording?.save()
                    throw error
                }
                try recording?.save()
                guard story == .talk else { return }
                try world.output.flush()
                let startedAt = invocation.has(fast) ? 1_756_540_000 : world.timeOfDay()
                try await MapStory(
                    picture: OutputFile(path: try invocation[snapshot] ?? newPicturePath()),
                    samples: world.samples,
                    startedAt: startedAt
                ) { event in
                    let object: JSONValue = ["map": ["event": .string(event.name), "words": .string(event.words)]]
                    try world.output.line(form == .json ? object.text : "map    \(terminalLine(event.words))")
                    try world.output.flush()
                }.play(in: world)
            }
        )
    }
}
