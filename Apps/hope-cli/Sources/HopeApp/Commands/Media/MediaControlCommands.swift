internal import MediaSync
internal import TaskFeed
internal import TransportCore

// What a room plays: commands that ask the server once, and print the room's state.
extension Command {
    /// `hope media state`: what a room is to play.
    static func mediaState() -> Command {
        control("state", summary: "print what a room is to play, and what its player says", example: "what plays") {
            invocation,
            access,
            room in
            try await access.api.state(room: room)
        }
    }

    /// `hope media play`: plays something, or plays on.
    static func mediaPlay() -> Command {
        let query = CommandOption("query", value: "TEXT", summary: "play what fits these words, if it is one track")
        return control(
            "play",
            summary: "play a track of the library, or what fits some words; without either, play on",
            arguments: [
                CommandArgument("ID", summary: "the track's id, as hope media library prints it", isOptional: true)
            ],
            options: [query],
            example: "play on",
            examples: [CommandExample("hope media play --query \"blue moon\"", "play what fits")]
        ) { invocation, access, room in
            switch (invocation.argument(0), invocation[query]) {
            case (_?, _?):
                throw CommandError.badUsage("ID and --query name two things to play; give one", see: invocation.path)
            case (let id?, nil): return try await access.api.play(.track(id: id), room: room)
            case (nil, let words?): return try await access.api.play(.query(words), room: room)
            case (nil, nil): return try await access.api.control(.play, room: room)
            }
        }
    }

    /// `hope media pause`.
    static func mediaPause() -> Command {
        control("pause", summary: "pause a room's player", example: "pause") { _, access, room in
            try await access.api.control(.pause, room: room)
        }
    }

    /// `hope media resume`.
    static func mediaResume() -> Command {
        control("resume", summary: "let a room's player play on", example: "play on") { _, access, room in
            try await access.api.control(.play, room: room)
        }
    }

    /// `hope media stop`.
    static func mediaStop() -> Command {
        control("stop", summary: "stop a room's player", example: "stop") { _, access, room in
            try await access.api.control(.stop, room: room)
        }
    }

    /// `hope media seek`.
    static func mediaSeek() -> Command {
        let position = CommandArgument(
            "SECONDS",
            summary: "a position as 83, 1:23 or 1:02:03; +10 and -10 count from where the player said it is"
        )
        return control(
            "seek",
            summary: "send a room's player to a position",
            arguments: [position],
            example: nil,
            examples: [
                CommandExample("hope media seek 1:23", "from the beginning"),
                CommandExample("hope media seek -10", "ten seconds back"),
            ]
        ) { invocation, access, room in
            let typed = invocation.argument(0) ?? ""
            guard let position = MediaPosition(typed) else {
                throw CommandError.badUsage(
                    "SECONDS is a position such as 83, 1:23 or +10, not \(quoted(typed))",
                    see: invocation.path
                )
            }
            guard position.isRelative else {
                return try await access.api.control(.seek(to: position.seconds), room: room)
            }
            let state = try await access.api.state(room: room)
            guard let here = access.position(of: state) else {
                throw CommandError(
                    .failed,
                    "no player has said where it is in \(quoted(room)); give a position such as 1:23"
                )
            }
            return try await access.api.control(.seek(to: max(0, here + position.seconds)), room: room)
        }
    }

    /// `hope media volume`.
    static func mediaVolume() -> Command {
        control(
            "volume",
            summary: "set the loudness of a room's player",
            arguments: [CommandArgument("LEVEL", summary: "from 0 to 1, or from 0% to 100%")],
            example: nil,
            examples: [CommandExample("hope media volume 80%", "a little less than full")]
        ) { invocation, access, room in
            let typed = invocation.argument(0) ?? ""
            guard let volume = MediaVolume(typed) else {
                throw CommandError.badUsage(
                    "LEVEL is a number from 0 to 1, or 0% to 100%, not \(quoted(typed))",
                    see: invocation.path
                )
            }
            return try await access.api.control(.volume(volume.value), room: room)
        }
    }

    /// A command that asks once for a room's state, by whatever way.
    private static func control(
        _ name: String,
        summary: String,
        arguments: [CommandArgument] = [],
        options: [CommandOption] = [],
        example: String?,
        examples: [CommandExample] = [],
        _ ask: @escaping @Sendable (Invocation, MediaServerAccess, String) async throws -> MediaState
    ) -> Command {
        Command(
            name,
            summary: summary,
            arguments: arguments,
            options: options + CommandOption.mediaPlace + [.room, .json],
            examples: (example.map { [CommandExample("hope media \(name)", $0)] } ?? []) + examples,
            action: { invocation, world in
                let access = try MediaServerAccess(invocation, in: world)
                let room = invocation[.room] ?? MediaAPI.defaultRoom
                try await access.serve {
                    let state = try await ask(invocation, access, room)
                    if invocation.has(.json) {
                        try world.output.line(state.jsonValue.text)
                    } else {
                        for line in state.lines(of: room, position: access.position(of: state)) {
                            try world.output.line(line)
                        }
                    }
                }
                if access.isEmbedded, name == "play" {
                    world.output.say(
                        "hope: the server inside the process ends with this command; hope media follow --play plays there, "
                            + "and hope serve runs one that stays"
                    )
                }
            }
        )
    }
}

extension MediaState {
    /// The state as lines for people.
    ///
    /// - Parameters:
    ///   - room: The room that it is of.
    ///   - position: Where the player is now, as far as anybody knows.
    /// - Returns: The lines.
    fileprivate func lines(of room: String, position: Double?) -> [String] {
        var lines = ["Room      \(TerminalText.singleLine(room))"]
        if let track {
            let length = MediaTime.text(track.duration, of: track.kind)
            let title = [track.title, track.channel].compactMap(\.self).joined(separator: " – ")
            lines.append("Track     \(TerminalText.singleLine(title)) (\(length))")
            lines.append("Desired   \(desired.rawValue)\(startPaused ? ", waits for its start" : "")")
            if let reported {
                let word = reported.isPlaying ? "playing" : "silent"
                lines.append("Player    \(word) at \(MediaTime.text(position, of: track.kind))")
            } else {
                lines.append("Player    has said nothing")
            }
        } else {
            lines.append("Track     nothing loaded")
        }
        if let volume { lines.append("Volume    \(Int((volume * 100).rounded())) %") }
        for download in pending {
            let progress = download.progress.map { " \(Int(($0 * 100).rounded())) %" } ?? ""
            lines.append("Pending   \(TerminalText.singleLine(download.title)): \(download.status)\(progress)")
        }
        if !choices.isEmpty {
            lines.append("Several fit; hope media play ID plays one:")
            lines += choices.table.lines.map { "  \($0)" }
        }
        return lines
    }
}

extension [MediaChoice] {
    /// The choices as a table.
    var table: TextTable {
        var table = TextTable("ID", "LENGTH", "TITLE", "CHANNEL")
        for choice in self {
            table.add(
                TerminalText.singleLine(choice.id),
                MediaTime.text(choice.duration),
                TerminalText.singleLine(choice.title),
                TerminalText.singleLine(choice.channel ?? "")
            )
        }
        return table
    }
}
