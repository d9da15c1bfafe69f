internal import PresenceKit
internal import TransportCore

extension Command {
    /// `hope transcript`: what was said.
    public static func transcript() -> Command {
        let format = CommandOption(
            "format",
            value: "FORMAT",
            summary: "\(TranscriptExport.Format.allCases.map(\.rawValue).joined(separator: ", ")) (default: text)",
            choices: TranscriptExport.Format.allCases.map(\.rawValue)
        )
        return Command(
            "transcript",
            summary: "list, export or clear what was said",
            subcommands: [
                Command(
                    "list",
                    summary: "print the stored rows",
                    options: [.json],
                    examples: [CommandExample("hope transcript list --json", "the rows as one JSON object")],
                    action: { invocation, world in
                        let rows = try storedRows(in: world)
                        if invocation.has(.json) {
                            let values = rows.map { row -> JSONValue in
                                [
                                    "id": .string(row.id), "role": .string(row.role.rawValue),
                                    "text": .string(row.text), "final": .bool(row.isFinal), "time": .number(row.time),
                                ]
                            }
                            try world.output.line(JSONValue.object(["rows": .array(values)]).text)
                        } else if rows.isEmpty {
                            world.output.say("hope: nothing was said yet")
                        } else {
                            try world.output.write(Array(TranscriptExport.write(rows, as: .text).utf8))
                        }
                    }
                ),
                Command(
                    "export",
                    summary: "print the stored rows in a format of other programs",
                    options: [format],
                    examples: [CommandExample("hope transcript export --format vtt > talk.vtt", "as subtitles")],
                    action: { invocation, world in
                        let format = invocation[format].flatMap(TranscriptExport.Format.init) ?? .text
                        try world.output.write(Array(TranscriptExport.write(storedRows(in: world), as: format).utf8))
                    }
                ),
                Command(
                    "clear",
                    summary: "forget what was said",
                    examples: [CommandExample("hope transcript clear", "begin anew")],
                    action: { _, world in
                        do {
                            try world.transcripts.clear()
                        } catch {
                            throw CommandError(.failed, "\(error)")
                        }
                    }
                ),
            ]
        )
    }

    private static func storedRows(in world: HopeWorld) throws(CommandError) -> [TranscriptRow] {
        do {
            let loaded = try world.transcripts.load()
            if let notice = loaded.notice { world.output.say("hope: \(notice)") }
            return loaded.rows
        } catch {
            throw CommandError(.failed, "\(error)")
        }
    }
}
