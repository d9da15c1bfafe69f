internal import TransportCore

/// The tool as a value: commands, and the one function that runs a command line to its exit status.
public struct HopeTool: Sendable {
    /// The tool's version.
    public static let version = "0.1.0"

    /// The root command.
    public var root: Command

    /// Makes a tool of a root command.
    ///
    /// ``hope(plugins:)`` is the one that ships.
    public init(root: Command) {
        self.root = root
    }

    /// Runs one command line.
    ///
    /// - Parameters:
    ///   - arguments: What stands behind the tool's own name.
    ///   - world: Every outside thing that a command may touch.
    /// - Returns: The exit status: 0 done, 1 failed, 2 bad usage, 3 conflict, 4 not there, 5 unavailable,
    ///   130 interrupted.
    public func run(_ arguments: [String], in world: HopeWorld) async -> Int32 {
        do {
            try await dispatch(arguments, in: world)
            try world.output.flush()
            return 0
        } catch {
            // However deep in a renderer it came to light: when nobody reads any more there is nothing to say.
            let error = world.output.isClosed ? CommandError(told: .outputClosed) : CommandError(wrapping: error)
            return report(error, asJSON: arguments.contains("--json"), in: world)
        }
    }

    private func dispatch(_ arguments: [String], in world: HopeWorld) async throws {
        if arguments == ["--version"] {
            return try world.output.line("\(root.name) \(Self.version)")
        }
        // `hope help wall` is what some people try first.
        let isHelp = arguments.first == "help"
        let invocation = try Invocation(isHelp ? arguments.dropFirst() + ["--help"] : arguments, of: root)
        guard let action = invocation.command.action, !invocation.wantsHelp else {
            try world.output.line(String(invocation.command.help(path: invocation.path).dropLast()))
            if !invocation.wantsHelp, invocation.path.count > 1 {
                throw CommandError.badUsage(
                    "\(invocation.path.joined(separator: " ")) needs a command",
                    see: invocation.path
                )
            }
            return
        }
        try await action(invocation, world)
    }

    private func report(_ error: CommandError, asJSON: Bool, in world: HopeWorld) -> Int32 {
        if error.code != .outputClosed, !error.isTold {
            // What was printed before the failure still counts; if it cannot go out, the failure is already being told.
            try? world.output.flush()
            world.output.say("\(root.name): \(error.message)")
            if asJSON {
                let object = JSONValue.object([
                    "error": ["code": .string(error.code.rawValue), "message": .string(error.message)]
                ])
                try? world.output.line(object.text)
                try? world.output.flush()
            }
        }
        if error.isTold { try? world.output.flush() }
        return error.code.exitStatus
    }
}
