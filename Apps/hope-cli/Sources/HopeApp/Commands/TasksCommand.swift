internal import TaskFeed

extension Command {
    /// `hope tasks`: the agent's background tasks.
    public static func tasks() -> Command {
        Command(
            "tasks",
            summary: "look at the agent's background tasks",
            subcommands: [
                Command(
                    "show",
                    summary: "fold a journal, or a recorded session, into its tasks",
                    discussion: [
                        """
                        A journal holds task events as they came, one JSON object a line. Lines that cannot be read are named
                        on standard error and left out.
                        """
                    ],
                    arguments: [CommandArgument("FILE", summary: "a journal or a recording, or - for standard input")],
                    options: [.json],
                    examples: [
                        CommandExample("hope tasks show tasks.jsonl", "the tasks as cards"),
                        CommandExample("hope tasks show demo.jsonl --json", "the tasks of a recorded session as JSON"),
                    ],
                    action: { invocation, world in
                        let path = invocation.argument(0) ?? "-"
                        var store = TaskStore()
                        let problems = store.replay(try InputFile(path: path).read())
                        if let first = problems.first, store.count == 0 {
                            throw CommandError(.failed, "\(quoted(path)) is no journal of tasks: \(first)")
                        }
                        for problem in problems { world.output.say("hope: \(quoted(path)): \(problem)") }
                        if invocation.has(.json) {
                            try world.output.line(String(decoding: store.json, as: UTF8.self))
                        } else {
                            // As they were when the journal ended, which is when its last news came.
                            let end = store.sortedTasks.compactMap(\.updatedAt).max() ?? world.timeOfDay()
                            for line in TaskPanel(store, now: end).lines { try world.output.line(line) }
                        }
                    }
                )
            ]
        )
    }
}
