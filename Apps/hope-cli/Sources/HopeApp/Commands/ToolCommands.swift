extension Command {
    /// `hope completions`: a script for a shell.
    static func completions(root: @escaping @Sendable () -> Command) -> Command {
        Command(
            "completions",
            summary: "print a script that completes hope's words in a shell",
            arguments: [CommandArgument("SHELL", summary: Shell.allCases.map(\.rawValue).joined(separator: ", "))],
            examples: [
                CommandExample("source <(hope completions bash)", "for this bash"),
                CommandExample("hope completions fish > ~/.config/fish/completions/hope.fish", "for every fish"),
            ],
            action: { invocation, world in
                let word = invocation.argument(0) ?? ""
                guard let shell = Shell(rawValue: word) else {
                    let known = Shell.allCases.map(\.rawValue)
                    throw CommandError.badUsage(
                        "SHELL is one of \(known.joined(separator: ", ")), not \(quoted(word))",
                        see: invocation.path
                    )
                }
                try world.output.write(Array(root().completions(for: shell).utf8))
            }
        )
    }

    /// `hope man`: the manual page.
    static func manual(root: @escaping @Sendable () -> Command) -> Command {
        Command(
            "man",
            summary: "print the manual page, for man -l -",
            examples: [CommandExample("hope man | man -l -", "read it")],
            action: { _, world in
                try world.output.write(Array(root().manualPage(version: HopeTool.version).utf8))
            }
        )
    }
}
