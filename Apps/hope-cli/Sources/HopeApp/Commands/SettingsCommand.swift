internal import PresenceKit
internal import TaskFeed
internal import TransportCore

extension Command {
    /// `hope settings`: what is remembered between conversations.
    public static func settings() -> Command {
        let key = CommandArgument("KEY", summary: Settings.keys.joined(separator: ", "))
        return Command(
            "settings",
            summary: "get, set or list what is remembered between conversations",
            subcommands: [
                Command(
                    "list",
                    summary: "print every setting",
                    options: [.json],
                    examples: [CommandExample("hope settings list --json", "the settings as one JSON object")],
                    action: { invocation, world in
                        let settings = try world.loadSettings()
                        if invocation.has(.json) {
                            return try world.output.line(JSONValue.object(["settings": settings.value]).text)
                        }
                        for key in Settings.keys {
                            try world.output.line("\(key) = \(settings.value(named: key)?.text ?? "null")")
                        }
                    }
                ),
                Command(
                    "get",
                    summary: "print one setting",
                    arguments: [key],
                    options: [.json],
                    examples: [CommandExample("hope settings get voice", "the chosen voice")],
                    action: { invocation, world in
                        let name = invocation.argument(0) ?? ""
                        let settings = try world.loadSettings()
                        guard let value = settings.value(named: name) else {
                            let near = nearestWord(to: name, among: Settings.keys).map { "; did you mean \($0)?" } ?? ""
                            throw CommandError(.notFound, "there is no setting \(quoted(name))\(near)")
                        }
                        if invocation.has(.json) {
                            try world.output.line(JSONValue.object([name: value]).text)
                        } else if case .string(let text) = value {
                            try world.output.line(TerminalText.singleLine(text))
                        } else {
                            try world.output.line(value.text)
                        }
                    }
                ),
                Command(
                    "set",
                    summary: "change one setting",
                    arguments: [
                        key, CommandArgument("VALUE", summary: "the new value"),
                    ],
                    examples: [
                        CommandExample("hope settings set server_url https://hope.example:7443", "choose a server"),
                        CommandExample("hope settings set text_mode on", "type instead of speaking"),
                    ],
                    action: { invocation, world in
                        var settings = try world.loadSettings()
                        do throws(SettingsError) {
                            try settings.set(invocation.argument(0) ?? "", to: invocation.argument(1) ?? "")
                        } catch {
                            if case .unknownName = error.reason { throw CommandError(.notFound, "\(error)") }
                            throw CommandError.badUsage("\(error)", see: invocation.path)
                        }
                        do {
                            try world.settings.save(settings)
                        } catch {
                            throw CommandError(.failed, "\(error)")
                        }
                    }
                ),
            ]
        )
    }
}

extension HopeWorld {
    /// The stored settings; what could not be read of them is said.
    ///
    /// - Throws: `.failed` when they cannot be read at all.
    func loadSettings() throws(CommandError) -> Settings {
        do {
            let loaded = try settings.load()
            for notice in loaded.notices { output.say("hope: \(notice)") }
            return loaded.settings
        } catch {
            throw CommandError(.failed, "\(error)")
        }
    }
}
