internal import LedWall
internal import LedWallRendering
internal import PresenceKit
internal import TransportCore

extension Command {
    /// `hope wall`: draws the wall from a voice, or one moment of it.
    public static func wall(plugins: PluginRegistry) -> Command {
        let options = WallOptions(plugins: plugins)
        return Command(
            "wall",
            summary: "draw the LED wall from a voice, or one moment of it",
            discussion: [
                """
                With --audio the wall follows what is heard: as the agent's voice it speaks and falls to thinking, as the
                microphone's (--who) it listens. With --state it shows that look. --json prints numbers in place of
                pictures: the 441 dots of a moment, or with --audio the level of each 100 ms, as fast as they can be read.

                On a terminal it goes on until the audio ends, or Ctrl-C. A made-up voice and the microphone never end by
                themselves; as numbers or as a picture they are heard for 10 s unless --for says otherwise.
                """,
                "Audio:\n" + plugins.audio.plugins.map { "  \($0.usage)\n      \($0.summary)" }.joined(separator: "\n"),
                "Wall:\n" + plugins.walls.plugins.map { "  \($0.usage)\n      \($0.summary)" }.joined(separator: "\n"),
                "Colours, the first rule that applies: \(TerminalColorMode.decisionOrder)",
            ],
            options: options.all,
            examples: [
                CommandExample("hope wall", "a made-up voice, live, until Ctrl-C"),
                CommandExample("hope wall --audio wav:voice.wav", "a recording, live"),
                CommandExample(
                    "sox voice.mp3 -t wav - | hope wall --audio wav:- --json",
                    "the level of each tenth of a second"
                ),
                CommandExample(
                    "hope wall --state speaking --level 0.8 --time 1.5 --wall png:wall.png --size 400",
                    "one moment"
                ),
                CommandExample("hope wall --state listening --level 0.3 --time 2 --json", "its 441 dots as numbers"),
            ],
            action: { invocation, world in
                try await WallRun(invocation, options: options, world: world).run()
            }
        )
    }
}

/// The options of `hope wall`.
private struct WallOptions: Sendable {
    let audio: CommandOption
    let wall: CommandOption
    let state = CommandOption(
        "state",
        value: "STATE",
        summary: "the look: \(WallState.allCases.map(\.rawValue).joined(separator: ", "))",
        choices: WallState.allCases.map(\.rawValue)
    )
    let level = CommandOption("level", value: "L", summary: "the level with --state, 0 to 1 (default: 0)")
    let time = CommandOption(
        "time",
        value: "T",
        summary: "the moment in seconds (default: 0; of a voice its loudest, when it is one picture)"
    )
    let who = CommandOption(
        "who",
        value: "WHO",
        summary: "whose voice it is: agent or microphone (default: agent)",
        choices: AudioLevelOwner.allCases.map(\.rawValue)
    )
    let policy = CommandOption(
        "policy",
        value: "POLICY",
        summary: "how phases follow levels: steady or web (default: steady)",
        choices: InferencePolicy.allCases.map(\.rawValue)
    )
    let length = CommandOption(
        "for",
        value: "TIME",
        summary: "end after a time, as 10s (default: at the end of the audio, or Ctrl-C)"
    )
    let size = CommandOption("size", value: "PIXELS", summary: "the side of a picture (default: 400)")
    let grid = CommandOption("grid", value: "N", summary: "dots along one side (default: 21)")
    let rate = CommandOption("fps", value: "N", summary: "the most frames a second (default: 30)")
    let reducedMotion = CommandOption("reduced-motion", summary: "show the states without movement")

    init(plugins: PluginRegistry) {
        audio = CommandOption("audio", value: "SPEC", summary: "what is heard: \(plugins.audio.usage)")
        wall = CommandOption(
            "wall",
            value: "SPEC",
            summary: "where it is drawn: \(plugins.walls.usage) (default: terminal)"
        )
    }

    var all: [CommandOption] {
        [audio, wall, state, level, time, who, policy, length, size, grid, rate, reducedMotion, .color, .json]
    }
}

/// One run of `hope wall`.
private struct WallRun {
    let world: HopeWorld
    let audio: AudioInput?
    let output: WallOutput
    let style: WallOutput.Style
    let state: WallState?
    let level: Double
    let time: Double?
    let owner: AudioLevelOwner
    let policy: InferencePolicy
    let limit: Duration?
    let grid: WallGrid
    let framesPerSecond: Int
    let reducesMotion: Bool
    let printsJSON: Bool

    init(_ invocation: Invocation, options: WallOptions, world: HopeWorld) throws(CommandError) {
        self.world = world
        state = invocation[options.state].flatMap(WallState.init)
        level = try invocation.number(options.level, in: 0...1) ?? 0
        time = try invocation.number(options.time, in: 0...1e9)
        owner = invocation[options.who].flatMap(AudioLevelOwner.init) ?? .agent
        policy = invocation[options.policy].flatMap(InferencePolicy.init) ?? .steady
        limit = try invocation.duration(options.length)
        grid = WallGrid(side: try invocation.integer(options.grid, in: 1...101) ?? 21)
        framesPerSecond = try invocation.integer(options.rate, in: 1...60) ?? 30
        reducesMotion = invocation.has(options.reducedMotion)
        printsJSON = invocation.has(.json)
        style = WallOutput.Style(
            side: try invocation.integer(options.size, in: 1...WallPicturePainter.maximumSide) ?? 400,
            color: invocation[.color].flatMap(TerminalColorFlag.init) ?? .auto
        )
        output = try world.plugins.walls.make(invocation[options.wall] ?? "terminal", in: world)
        if let spec = invocation[options.audio] {
            audio = try world.plugins.audio.make(spec, in: world)
        } else {
            audio = state == nil ? try world.plugins.audio.make("synthetic", in: world) : nil
        }
        if printsJSON, invocation[options.wall] != nil {
            throw .badUsage("--json prints numbers and --wall draws: choose one", see: invocation.path)
        }
        if audio != nil, let time, time > 3600 {
            throw .badUsage("--time of a voice is at most 3600: it is heard from its beginning", see: invocation.path)
        }
        if audio != nil, invocation[options.level] != nil {
            throw .badUsage("--level goes with --state alone: the audio brings its own levels", see: invocation.path)
        }
    }

    func run() async throws {
        switch (audio, output.kind) {
        case (let audio?, _) where printsJSON:
            try await printLevels(of: audio)
        case (nil, _) where printsJSON:
            try printDots()
        case (let audio?, .live):
            try await show(audio.makeSource(owner, world.clock))
        case (let audio?, .still):
            try await drawMoment(of: audio)
        case (nil, .live):
            try await showState()
        case (nil, .still):
            try draw(WallPicture(settled: input, grid: grid))
        }
    }

    private var input: WallInput {
        WallInput(state: state ?? .idle, level: level, seconds: time ?? 0)
    }

    private func printDots() throws {
        let frame = WallFrameGenerator(grid: grid).frame(for: input)
        let dots = (0..<grid.dotCount).map { dot -> JSONValue in
            [
                "row": .integer(dot / grid.side), "column": .integer(dot % grid.side),
                "opacity": .number(frame.opacity[dot]), "size": .number(frame.size[dot]),
            ]
        }
        let object: JSONValue = [
            "state": .string(input.state.rawValue), "level": .number(level), "time": .number(input.seconds),
            "dots": .array(dots),
        ]
        try world.output.line(object.text)
    }

    private func printLevels(of audio: AudioInput) async throws {
        let output = world.output
        // What never ends would fill a file for ever; ten seconds show what there is to see.
        let limit = limit ?? (audio.isEndless ? .seconds(10) : nil)
        try await audio.readWindows(limit) { start, level in
            let line: JSONValue = ["t": .number(Double(start.inMilliseconds) / 1000), "level": .number(level)]
            try output.line(line.text)
            // Somebody may read along while the voice still speaks.
            try output.flush()
        }
    }

    private func show(_ source: any AudioLevelSource) async throws {
        let loop = WallLoop(
            renderer: output.makeRenderer(style, world),
            framesPerSecond: framesPerSecond,
            clock: world.clock,
            limit: limit
        )
        let stage = stage
        let lines = loop.renderer == nil ? world.output : nil
        try await VoiceScene.hearing(source, on: world.clock) { levels in
            try await loop.run(
                VoiceScene(stage, levels: levels) { change in
                    if let lines, case .phase(let phase) = change.kind {
                        try lines.line(storyLine(at: change.time, phase.rawValue))
                        try lines.flush()
                    }
                }
            )
        }
    }

    private var stage: WallStage {
        WallStage(policy: policy, grid: grid, reducesMotion: reducesMotion, heldState: state)
    }

    private func showState() async throws {
        guard let renderer = output.makeRenderer(style, world) else { return }
        guard world.terminal != nil else {
            // Nobody watches it move: one moment says all there is.
            return try draw(WallPicture(settled: input, grid: grid), with: renderer)
        }
        let motion = WallMotion(grid: grid, reducesMotion: reducesMotion)
        try await WallLoop(renderer: renderer, framesPerSecond: framesPerSecond, clock: world.clock, limit: limit)
            .run(StateScene(input.state, level: level, from: input.seconds, motion: motion))
    }

    private func drawMoment(of audio: AudioInput) async throws {
        let track = LevelTrack(owner: owner)
        let limit = limit ?? (audio.isEndless ? .seconds(10) : nil)
        try await audio.readWindows(limit) { start, level in track.append(level, from: start) }
        let moment = time.map { Duration.seconds($0) } ?? track.loudest
        var stage = stage
        var picture = stage.picture(at: .zero)
        var now = Duration.zero
        // Frame by frame, since motion starts anew at each; the last one falls on the moment itself.
        for frame in 1...max(1, Int(moment / .seconds(1) * Double(framesPerSecond))) {
            now = min(moment, .seconds(1) * frame / framesPerSecond)
            _ = stage.advance(to: now, hearing: track.levels(through: now))
            picture = stage.picture(at: now)
        }
        try draw(picture)
    }

    private func draw(_ picture: WallPicture) throws {
        guard let renderer = output.makeRenderer(style, world) else { return }
        try draw(picture, with: renderer)
    }

    private func draw(_ picture: WallPicture, with renderer: any WallRenderer) throws {
        try renderer.draw(picture, status: picture.input.state.rawValue)
        try renderer.finish()
    }
}

/// A line of a story that is told by time, as `  4.62 s  listening`.
func storyLine(at time: Duration, _ words: String) -> String {
    let hundredths = Int((time / .milliseconds(10)).rounded())
    let number = "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    return String(repeating: " ", count: max(0, 6 - number.count)) + "\(number) s  \(words)"
}
