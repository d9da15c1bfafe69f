internal import Foundation
internal import LedWall
internal import LedWallRendering
internal import PresenceAudio
internal import PresenceKit
internal import TransportCore

extension Command {
    /// `hope demo`: the sample conversation on the wall.
    public static func demo(plugins: PluginRegistry) -> Command {
        let fast = CommandOption("fast", summary: "tell the story on virtual time, without drawing it")
        let wall = CommandOption(
            "wall",
            value: "SPEC",
            summary: "where it is drawn: terminal or none (default: terminal)"
        )
        return Command(
            "demo",
            summary: "watch two voices talk, with nothing set up",
            discussion: [
                """
                Two recorded voices, the agent's and a person's, go through the level meters and the conversation's state
                to the wall. It takes 21 seconds; afterwards, or without a terminal, the phases stand as lines.
                """
            ],
            options: [fast, wall, .color, .json],
            examples: [
                CommandExample("hope demo", "live on the terminal"),
                CommandExample("hope demo --fast", "the same story at once"),
                CommandExample("hope demo --fast --json", "the same story as JSON Lines"),
            ],
            action: { invocation, world in
                let output = try world.plugins.walls.make(invocation[wall] ?? "terminal", in: world)
                guard output.kind == .live else {
                    throw CommandError.badUsage("the demo is drawn on a terminal or not at all", see: invocation.path)
                }
                let style = WallOutput.Style(color: invocation[.color].flatMap(TerminalColorFlag.init) ?? .auto)
                let printsJSON = invocation.has(.json)
                // The wall and the story would be mixed up in one stream of lines.
                let renderer =
                    invocation.has(fast) || printsJSON || world.terminal == nil
                    ? nil : output.makeRenderer(style, world)
                let story = DemoStory(output: world.output, printsJSON: printsJSON, holdsLines: renderer != nil)
                if invocation.has(fast) {
                    let clock = ManualClock()
                    try await clock.run { try await story.run(samples: world.samples, renderer: nil, clock: clock) }
                } else {
                    try await story.run(samples: world.samples, renderer: renderer, clock: world.clock)
                }
            }
        )
    }
}

/// The sample conversation: what is heard, and how it is told.
private struct DemoStory: Sendable {
    let output: CommandOutput
    let printsJSON: Bool
    /// Whether lines wait until the terminal has been given back.
    let holdsLines: Bool

    func run(samples: URL, renderer: (any WallRenderer)?, clock: any Clock<Duration>) async throws {
        let sources = try AudioLevelOwner.allCases.map { owner in
            let name = owner == .agent ? "conversation-agent.wav" : "conversation-user.wav"
            let path = samples.appendingPathComponent(name).path
            guard FileManager.default.isReadableFile(atPath: path) else {
                throw CommandError(
                    .notFound,
                    "the demo's voice \(quoted(path)) is not there; build again, or keep it beside hope"
                )
            }
            return WAVAudioLevelSource(path: path, owner: owner, clock: clock)
        }
        try tell(.zero, ["state": .string("ready")], "Two voices: Hope, the agent, and a person.")
        let output = output
        let holdsLines = holdsLines
        try await WallShow(
            stage: WallStage(),
            sources: sources,
            renderer: renderer,
            clock: clock,
            status: { conversation in
                let words = Self.words(for: conversation.phase)
                return conversation.showsThinkingChip ? "\(words) …" : words
            }
        ).run { change in
            try tell(change)
            if !holdsLines { try output.flush() }
        }
    }

    private func tell(_ change: ConversationState.Change) throws {
        switch change.kind {
        case .phase(let phase):
            try tell(change.time, ["phase": .string(phase.rawValue)], Self.words(for: phase))
        case .thinkingChip(let isShown):
            try tell(
                change.time,
                ["thinking_chip": .bool(isShown)],
                isShown ? "Thinking takes a while: the chip shows" : nil
            )
        case .bargeIn(let isBargeIn):
            try tell(
                change.time,
                ["barge_in": .bool(isBargeIn)],
                isBargeIn ? "Both are heard: the person barges in" : nil
            )
        }
    }

    private func tell(_ time: Duration, _ members: JSONText, _ words: String?) throws {
        if printsJSON {
            guard case .members(let members) = members else { return }
            try output.line(JSONText.members([("t", .number(time / .seconds(1)))] + members).text)
        } else if let words {
            try output.line(storyLine(at: time, words))
        }
    }

    private static func words(for phase: ConversationState.Phase) -> String {
        switch phase {
        case .idle: "Ready"
        case .connecting: "Connecting…"
        case .listening: "Listening"
        case .thinking: "Thinking"
        case .speaking: "Speaking"
        case .failed: "Failed"
        }
    }
}
