internal import LedWall
internal import LedWallRendering
internal import PresenceKit
internal import Synchronization
internal import TaskFeed
internal import TransportCore

extension Command {
    /// `hope replay`: a recorded session again.
    public static func replay() -> Command {
        let policy = CommandOption(
            "policy",
            value: "POLICY",
            summary: "how phases follow levels: steady or web (default: steady)",
            choices: InferencePolicy.allCases.map(\.rawValue)
        )
        let levels = CommandOption("levels", summary: "with --json: print the smoothed levels too")
        let speed = CommandOption(
            "speed",
            value: "FACTOR",
            summary: "on a terminal: how much faster than it was (default: 1)"
        )
        let wall = CommandOption(
            "wall",
            value: "SPEC",
            summary: "where it is drawn: terminal or none (default: terminal)"
        )
        return Command(
            "replay",
            summary: "play a recorded session again",
            discussion: [
                """
                The recording goes through the real session, on virtual time: the same file gives the same lines every time.
                On a terminal it is drawn at the pace at which it happened; without one, and with --json, it is told at once.
                """
            ],
            arguments: [CommandArgument("FILE", summary: "a recording, or - for standard input")],
            options: [policy, levels, speed, wall, .color, .json],
            examples: [
                CommandExample("hope replay demo.jsonl", "watch it again"),
                CommandExample("hope replay demo.jsonl --speed 4", "four times as fast"),
                CommandExample("hope replay demo.jsonl --json", "what happened, as JSON Lines"),
            ],
            action: { invocation, world in
                let output = try world.plugins.walls.make(invocation[wall] ?? "terminal", in: world)
                guard output.kind == .live else {
                    throw CommandError.badUsage(
                        "a session is drawn on a terminal or not at all",
                        see: invocation.path
                    )
                }
                let style = WallOutput.Style(color: invocation[.color].flatMap(TerminalColorFlag.init) ?? .auto)
                let form: ConversationLog.Form = invocation.has(.json) ? .json : .words
                let factor = try invocation.number(speed, in: 0.01...1000) ?? 1
                let path = invocation.argument(0) ?? "-"
                let recording = try Self.recording(at: path)
                let isDrawn = form == .words && world.terminal != nil
                let replay = ConversationReplay(
                    recording,
                    policy: invocation[policy].flatMap(InferencePolicy.init) ?? .steady,
                    includesLevels: isDrawn || invocation.has(levels)
                )

                let teller = ReplayTeller(form, startedAt: recording.header.startedAt, output: world.output)
                let changes = Mailbox<SessionChange>(senders: 1)
                let summary: ConversationReplay.Summary
                do {
                    summary = try await replay.run { change in
                        // What is drawn is told afterwards; else nothing is kept, however long the recording is.
                        if isDrawn { changes.post(change) } else { teller.tell(change) }
                    }
                } catch let error as ConversationReplayError {
                    throw CommandError(.failed, "\(quoted(path)): \(error)")
                }
                changes.closeOne()
                if isDrawn, let renderer = output.makeRenderer(style, world) {
                    try await WallLoop(renderer: renderer, clock: world.clock).run(
                        ConversationScene(changes, speed: factor) { teller.keep($0) }
                    )
                }
                let taskCount = try teller.finish()
                if form == .json {
                    try world.output.line(
                        JSONValue.object(["summary": Self.json(of: summary, tasks: taskCount)]).text
                    )
                } else {
                    for difference in summary.differences { world.output.say("hope: \(difference)") }
                }
            }
        )
    }

    private static func recording(at path: String) throws(CommandError) -> Recording {
        let bytes = try InputFile(path: path).read()
        do {
            return try Recording(parsing: bytes)
        } catch {
            throw CommandError(.failed, "\(quoted(path)): \(error)")
        }
    }

    private static func json(of summary: ConversationReplay.Summary, tasks: Int) -> JSONValue {
        [
            "lines": .integer(summary.lines), "duration": .number(Double(summary.duration.inMilliseconds) / 1000),
            "phases": .integer(summary.phases), "sessions": .integer(summary.sessions), "rows": .integer(summary.rows),
            "finals": .integer(summary.finals), "announcements": .integer(summary.announcements),
            "tasks": .integer(tasks), "packets": .integer(summary.packets), "sent": .integer(summary.sent),
            "differences": .array(summary.differences.map { .string($0) }),
            "ignored_packets": .integer(summary.statistics.ignoredPackets),
            "ignored_streams": .integer(summary.statistics.ignoredStreams),
            "ignored_control_messages": .integer(summary.statistics.ignoredControlMessages),
        ]
    }
}

/// Tells the changes of a replay as lines, at once or when it is over.
private final class ReplayTeller: Sendable {
    private struct State {
        var log: ConversationLog
        var kept: [SessionChange] = []
        var failure: (any Error)?
    }

    private let output: CommandOutput
    private let state: Mutex<State>

    init(_ form: ConversationLog.Form, startedAt: Double, output: CommandOutput) {
        self.output = output
        state = Mutex(State(log: ConversationLog(form, startedAt: startedAt)))
    }

    func tell(_ change: SessionChange) {
        state.withLock { state in
            guard state.failure == nil else { return }
            do {
                for line in state.log.lines(for: change) { try output.line(line) }
            } catch {
                state.failure = error
            }
        }
    }

    /// Keeps a change until the terminal has been given back.
    func keep(_ change: SessionChange) {
        state.withLock { $0.kept.append(change) }
    }

    /// Tells what was kept, and returns how many tasks there were.
    ///
    /// - Throws: Why a line could not be written.
    func finish() throws -> Int {
        let kept = state.withLock { $0.kept }
        kept.forEach(tell)
        return try state.withLock { state in
            if let failure = state.failure { throw failure }
            return state.log.tasks.count
        }
    }
}
