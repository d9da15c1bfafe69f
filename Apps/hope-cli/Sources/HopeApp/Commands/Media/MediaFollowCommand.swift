internal import MediaSync
internal import PresenceKit
internal import Synchronization
internal import TransportCore

extension Command {
    /// `hope media follow`: a player that follows a room.
    static func mediaFollow(plugins: PluginRegistry) -> Command {
        let options = MediaFollowOptions(plugins: plugins)
        return Command(
            "follow",
            summary: "be a room's player: play what the server says, and tell it what is played",
            discussion: [
                """
                Prints what the player is told (→), what it does, and what the server is told (←), until Ctrl-C, --for or the
                end of --script. Where the server speaks TLS, or is inside the process, the player gets its bytes through a
                proxy on this machine.
                """,
                """
                A line of a script is [TIME] [server] WORD [VALUE], with TIME counted from the start:

                  2s server play River Blues    somebody else tells the server
                  9s pause                      the person pauses here
                  12s talk voice-1              a conversation begins, and pauses what plays
                  15s hang-up                   it ends, and what played goes on
                """,
                "Words: \(MediaScript.words.joined(separator: ", ")). With --script - they are read as they are typed.",
            ],
            options: options.all,
            examples: [
                CommandExample("hope media follow --play \"Jazz Walk\" --for 10s", "a sample, with no server"),
                CommandExample("hope media follow --script - --json", "what you type, as JSON Lines"),
                CommandExample(
                    "hope media follow --server https://127.0.0.1:7443 --player mpv:null",
                    "mpv without sound, over TLS"
                ),
            ],
            action: { invocation, world in
                try await MediaFollowing(invocation, options: options, world: world).run()
            }
        )
    }
}

private struct MediaFollowOptions: Sendable {
    let player: CommandOption
    let play = CommandOption("play", value: "TEXT", summary: "first let the server play this: an id, or words")
    let script = CommandOption("script", value: "FILE", summary: "what happens, line by line; - reads what is typed")
    let length = CommandOption("for", value: "TIME", summary: "end after a time, as 20s")

    init(plugins: PluginRegistry) {
        player = CommandOption(
            "player",
            value: "SPEC",
            summary: "what plays: \(plugins.players.usage) (default: mpv where it is installed, else fake)"
        )
    }

    var all: [CommandOption] {
        CommandOption.mediaPlace + [.room, player, play, script, length, .json]
    }
}

/// One run of `hope media follow`.
private struct MediaFollowing: Sendable {
    private enum Script: Sendable {
        case steps([MediaScript.Step])
        case typed
    }

    private let world: HopeWorld
    private let access: MediaServerAccess
    private let output: PlayerOutput
    private let room: String
    private let form: ConversationLog.Form
    private let wish: String?
    private let script: Script?
    private let limit: Duration?
    private let volume: Double

    init(_ invocation: Invocation, options: MediaFollowOptions, world: HopeWorld) throws(CommandError) {
        self.world = world
        form = invocation.has(.json) ? .json : .words
        room = invocation[.room] ?? MediaAPI.defaultRoom
        limit = try invocation.duration(options.length)
        wish = invocation[options.play]
        output = try world.player(invocation[options.player], isHeard: true)
        switch invocation[options.script] {
        case nil: script = nil
        case "-": script = .typed
        case let path?:
            let text = String(decoding: try InputFile(path: path).read(), as: UTF8.self)
            do throws(MediaScript.Problem) {
                script = .steps(try MediaScript(parsing: text).steps)
            } catch {
                throw CommandError(.failed, "\(quoted(path)), \(error.message)")
            }
        }
        access = try MediaServerAccess(invocation, in: world)
        volume = try world.loadSettings().volume
    }

    func run() async throws {
        // Of the player itself, and of what the script met: told among the events.
        let (notes, note) = AsyncStream.makeStream(of: String.self)
        let playback = MediaPlayback(
            access: access,
            output: output,
            clock: world.clock,
            startedAt: world.timeOfDay(),
            volume: volume,
            tell: { note.yield($0) }
        )
        if !access.isEmbedded {
            // A server that is not there at all is no reason to start a player.
            _ = try await access.api.state(room: room)
        }
        if form == .words {
            world.output.say("hope: \(output.name) follows \(quoted(room)); Ctrl-C ends it")
        }
        try await playback.run { use in
            let events = use.controller.events()
            try await withThrowingTaskGroup(of: Void.self) { group in
                let teller = MediaTeller(form, tracks: use.tracks, output: world.output)
                group.addTask {
                    for await event in events { try teller.tell(event) }
                }
                group.addTask {
                    for await words in notes {
                        try teller.tell(MediaEvent(time: use.stopwatch.elapsed, kind: .error(words)))
                    }
                }
                group.addTask {
                    do {
                        try await act(on: use) { note.yield($0) }
                    } catch {
                        await use.controller.close()
                        throw error
                    }
                    // Ends the streams, after what they still hold.
                    await use.controller.close()
                    note.finish()
                }
                // One after the other, since whatever fails ends the rest: nothing is played to a pipe that nobody reads.
                while try await group.next() != nil {}
            }
        }
    }

    private func act(on use: MediaPlayback.Use, tell: @escaping @Sendable (String) -> Void) async throws {
        let player = MediaScriptPlayer(access.api, on: use, room: room, tell: tell)
        if let wish {
            try await player.play(MediaScript.Step(time: nil, isServer: true, deed: .play(wish)))
        }
        if room == MediaAPI.defaultRoom {
            await use.controller.openPanel()
        } else {
            await use.controller.follow(room: room)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                switch script {
                case .steps(let steps):
                    for step in steps { try await player.play(step) }
                case .typed:
                    for await line in StandardInput.lines() {
                        let step: MediaScript.Step?
                        do throws(MediaScript.Problem) {
                            step = try MediaScript.step(line)
                        } catch {
                            tell(error.message)
                            continue
                        }
                        if let step { try await player.play(step) }
                    }
                    try Task.checkCancellation()
                case nil: try await sleepOn()
                }
                if limit != nil { try await sleepOn() }
            }
            if let limit {
                group.addTask { try await world.clock.sleep(for: limit) }
            }
            // Whatever is over first: the script, or the time.
            try await group.next()
            group.cancelAll()
        }
    }

    /// Sleeps until the task is cancelled.
    private func sleepOn() async throws {
        while true { try await world.clock.sleep(for: .seconds(3600)) }
    }
}

/// Prints events as lines, whoever brings them.
private final class MediaTeller: Sendable {
    private let output: CommandOutput
    private let trace: Mutex<MediaTrace>

    init(_ form: ConversationLog.Form, tracks: KnownTracks, output: CommandOutput) {
        self.output = output
        trace = Mutex(MediaTrace(form, tracks: tracks))
    }

    func tell(_ event: MediaEvent) throws {
        try trace.withLock { trace in
            guard let line = trace.line(for: event) else { return }
            try output.line(line)
            try output.flush()
        }
    }
}
