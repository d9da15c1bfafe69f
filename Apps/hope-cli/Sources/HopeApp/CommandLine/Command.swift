/// One command of the tool: the words people type, what they mean, and what happens then.
///
/// Help, completions, the manual page and the parser all read this one description, so they cannot disagree.
public struct Command: Sendable {
    /// What carries a command out.
    ///
    /// - Throws: A ``CommandError`` with the sentence to show, or `CancellationError` when interrupted.
    public typealias Action = @Sendable (_ invocation: Invocation, _ world: HopeWorld) async throws -> Void

    /// The word that names the command.
    public var name: String
    /// One sentence without a full stop, for lists of commands.
    public var summary: String
    /// Paragraphs that stand below the usage line in help.
    public var discussion: [String]
    /// The values that stand without an option's name, in order.
    public var arguments: [CommandArgument]
    /// The options it takes, besides `--help`.
    public var options: [CommandOption]
    /// Whole command lines to copy, each with what it does.
    public var examples: [CommandExample]
    /// Commands that stand behind this one's name.
    public var subcommands: [Command]
    /// What it does; nil for a command that only groups others.
    public var action: Action?

    /// Describes a command.
    public init(
        _ name: String,
        summary: String,
        discussion: [String] = [],
        arguments: [CommandArgument] = [],
        options: [CommandOption] = [],
        examples: [CommandExample] = [],
        subcommands: [Command] = [],
        action: Action? = nil
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.arguments = arguments
        self.options = options
        self.examples = examples
        self.subcommands = subcommands
        self.action = action
    }
}

/// A value that stands without an option's name, as `FILE` in `hope replay FILE`.
public struct CommandArgument: Sendable, Hashable {
    /// The placeholder, in capitals.
    public var name: String
    /// What it is, in a few words.
    public var summary: String
    /// Whether it may be left out.
    public var isOptional: Bool
    /// Whether it may stand more than once; only the last argument may.
    public var repeats: Bool

    /// Describes a positional value.
    public init(_ name: String, summary: String, isOptional: Bool = false, repeats: Bool = false) {
        self.name = name
        self.summary = summary
        self.isOptional = isOptional
        self.repeats = repeats
    }
}

/// An option, as `--audio SPEC`, or a flag without a value.
public struct CommandOption: Sendable, Hashable {
    /// The name without its dashes.
    public var name: String
    /// The placeholder of its value; nil for a flag.
    public var value: String?
    /// What it does, in a few words.
    public var summary: String
    /// The only values it takes; empty when any text may be one.
    public var choices: [String]

    /// Describes an option.
    public init(_ name: String, value: String? = nil, summary: String, choices: [String] = []) {
        self.name = name
        self.value = value
        self.summary = summary
        self.choices = choices
    }
}

/// A command line to copy and what it does.
public struct CommandExample: Sendable, Hashable {
    /// The line as typed.
    public var line: String
    /// What it does, in a few words.
    public var summary: String

    /// Describes an example.
    public init(_ line: String, _ summary: String) {
        self.line = line
        self.summary = summary
    }
}

extension CommandOption {
    /// Prints the data as JSON in place of text.
    public static let json = CommandOption("json", summary: "print JSON in place of text")
    /// Chooses whether output is coloured.
    public static let color = CommandOption(
        "color",
        value: "WHEN",
        summary: "colours: always, never, or auto (default: as the terminal says)",
        choices: ["always", "never", "auto"]
    )
    /// Shows help.
    public static let help = CommandOption("help", summary: "show this help")
}
