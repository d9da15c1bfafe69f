internal import MediaSync
internal import TaskFeed
internal import TransportCore

// What there is to play.
extension Command {
    /// `hope media library`: the server's tracks.
    static func mediaLibrary() -> Command {
        Command(
            "library",
            summary: "list the tracks of the server",
            options: CommandOption.mediaPlace + [.json],
            examples: [
                CommandExample("hope media library --library ~/Music", "what a folder has, without a server"),
                CommandExample("hope media library --json", "as one JSON object"),
            ],
            action: { invocation, world in
                let access = try MediaServerAccess(invocation, in: world)
                let tracks = try await access.serve { try await access.api.library() }
                if invocation.has(.json) {
                    let list = JSONValue.array(tracks.map(\.jsonValue))
                    return try world.output.line(JSONValue.object(["tracks": list]).text)
                }
                guard !tracks.isEmpty else { return try world.output.line("The library is empty.") }
                var table = TextTable("ID", "LENGTH", "TITLE", "CHANNEL", "TYPE")
                for track in tracks {
                    table.add(
                        TerminalText.singleLine(track.id),
                        MediaTime.text(track.duration, of: track.kind),
                        TerminalText.singleLine(track.title),
                        TerminalText.singleLine(track.channel ?? ""),
                        TerminalText.singleLine(track.mimeType ?? "")
                    )
                }
                for line in table.lines { try world.output.line(line) }
            }
        )
    }

    /// `hope media search`: what fits some words.
    static func mediaSearch() -> Command {
        Command(
            "search",
            summary: "search for something to play",
            arguments: [CommandArgument("QUERY", summary: "words of a title, an artist or a name", repeats: true)],
            options: CommandOption.mediaPlace + [.json],
            examples: [CommandExample("hope media search blue moon", "what fits")],
            action: { invocation, world in
                let access = try MediaServerAccess(invocation, in: world)
                let query = invocation.arguments(from: 0).joined(separator: " ")
                guard query.contains(where: { !$0.isWhitespace }) else {
                    throw CommandError.badUsage("QUERY is empty; write some words", see: invocation.path)
                }
                let results = try await access.serve { try await access.api.search(query) }
                if invocation.has(.json) {
                    let list = JSONValue.array(results.map(\.jsonValue))
                    return try world.output.line(JSONValue.object(["results": list]).text)
                }
                guard !results.isEmpty else { return try world.output.line("Nothing found.") }
                for line in results.table.lines { try world.output.line(line) }
            }
        )
    }

    /// `hope media add-stream`: a live stream for the library.
    static func mediaAddStream() -> Command {
        Command(
            "add-stream",
            summary: "add a live stream to the library",
            arguments: [
                CommandArgument("NAME", summary: "the title to show"),
                CommandArgument("URL", summary: "its address, http or https"),
            ],
            options: CommandOption.mediaPlace + [.json],
            examples: [CommandExample("hope media add-stream \"Jazz Radio\" https://radio.example/jazz", "add it")],
            action: { invocation, world in
                let access = try MediaServerAccess(invocation, in: world)
                let (name, url) = (invocation.argument(0) ?? "", invocation.argument(1) ?? "")
                let track = try await access.serve { try await access.api.addStream(name: name, url: url) }
                if invocation.has(.json) { return try world.output.line(track.jsonValue.text) }
                try world.output.line("Added \(quoted(track.title)): hope media play \(track.id)")
            }
        )
    }

    /// `hope media remove`: takes a track out of the library.
    static func mediaRemove() -> Command {
        let yes = CommandOption("yes", summary: "do not ask, on a terminal")
        return Command(
            "remove",
            summary: "remove a track from the library",
            discussion: [
                """
                A file is moved to the hidden folder .trash of the server's library; a stream is forgotten. On a terminal it is
                asked first.
                """
            ],
            arguments: [CommandArgument("ID", summary: "the track's id, as hope media library prints it")],
            options: [yes] + CommandOption.mediaPlace + [.json],
            examples: [CommandExample("hope media remove 4f1c --yes", "without being asked")],
            action: { invocation, world in
                let access = try MediaServerAccess(invocation, in: world)
                let id = invocation.argument(0) ?? ""
                try await access.serve {
                    let track = try await access.api.library().first { $0.id == id }
                    guard let track else {
                        throw CommandError(
                            .notFound,
                            "there is no track \(quoted(id)) in the library; hope media library lists them"
                        )
                    }
                    if world.terminal != nil, !invocation.has(yes), !invocation.has(.json) {
                        world.output.say("Remove from library? \(quoted(track.title)) [y/N]")
                        var answer: String?
                        for await line in StandardInput.lines() {
                            answer = line
                            break
                        }
                        try Task.checkCancellation()
                        guard ["y", "yes"].contains(answer?.lowercased()) else {
                            return try world.output.line("\(quoted(track.title)) stays.")
                        }
                    }
                    try await access.api.remove(trackID: id)
                    if invocation.has(.json) {
                        try world.output.line(JSONValue.object(["removed": track.jsonValue]).text)
                    } else {
                        try world.output.line("Removed \(quoted(track.title)) from the library.")
                    }
                }
            }
        )
    }
}
