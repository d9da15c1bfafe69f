/// What one command line says: the command it names, and the values it gives.
public struct Invocation: Sendable {
    /// The words of the command, as `["hope", "wall"]`.
    public let path: [String]
    /// The command that the words name.
    public let command: Command
    /// Whether help is asked for; nothing else counts then.
    public let wantsHelp: Bool
    private let values: [String: [String]]
    private let positionals: [String]

    /// Reads a command line.
    ///
    /// `--name value`, `--name=value` and `-h` are understood; after `--` everything is a positional value. An option
    /// given twice has its last value, unless all of them are asked for.
    ///
    /// - Parameters:
    ///   - words: What stands behind the tool's own name.
    ///   - root: The tool.
    /// - Throws: `.badUsage` that names the word and suggests the nearest one that exists.
    public init(_ words: [String], of root: Command) throws(CommandError) {
        var command = root
        var path = [root.name]
        var values: [String: [String]] = [:]
        var positionals: [String] = []
        var wantsHelp = false
        var optionsEnded = false
        var rest = words[...]

        while let word = rest.popFirst() {
            if !optionsEnded, word == "--" {
                optionsEnded = true
            } else if !optionsEnded, word == "--help" || word == "-h" {
                wantsHelp = true
            } else if !optionsEnded, word.hasPrefix("-"), word.count > 1, Double(word) == nil {
                let option = try Self.option(word, of: command, path: path)
                let inline = word.firstIndex(of: "=").map { String(word[word.index(after: $0)...]) }
                if option.value == nil {
                    guard inline == nil else {
                        throw .badUsage("--\(option.name) takes no value", see: path)
                    }
                    values[option.name, default: []].append("")
                } else if let value = inline ?? rest.popFirst() {
                    values[option.name, default: []].append(try Self.checked(value, for: option, path: path))
                } else {
                    throw .badUsage("--\(option.name) needs a value (\(option.value ?? "VALUE"))", see: path)
                }
            } else if !command.subcommands.isEmpty {
                guard let next = command.subcommands.first(where: { $0.name == word }) else {
                    let known = command.subcommands.map(\.name)
                    throw .badUsage(
                        "there is no command \(quoted(word))\(Self.suggestion(for: word, among: known))",
                        see: path
                    )
                }
                command = next
                path.append(word)
            } else if positionals.count < command.arguments.count || command.arguments.last?.repeats == true {
                positionals.append(word)
            } else {
                throw .badUsage("\(quoted(word)) is one value too many", see: path)
            }
        }
        if !wantsHelp, command.action != nil, positionals.count < command.arguments.count(where: { !$0.isOptional }) {
            let missing = command.arguments[positionals.count]
            throw .badUsage("\(missing.name) is missing: \(missing.summary)", see: path)
        }
        self.command = command
        self.path = path
        self.values = values
        self.positionals = positionals
        self.wantsHelp = wantsHelp
    }

    private static func option(
        _ word: String,
        of command: Command,
        path: [String]
    ) throws(CommandError) -> CommandOption {
        let name = word.drop { $0 == "-" }.prefix { $0 != "=" }
        if word.hasPrefix("--"), let found = command.options.first(where: { $0.name == name }) {
            return found
        }
        let known = command.options.map { "--\($0.name)" } + ["--help"]
        let shown = String(word.prefix { $0 != "=" })
        throw .badUsage("there is no option \(quoted(shown))\(suggestion(for: shown, among: known))", see: path)
    }

    private static func checked(
        _ value: String,
        for option: CommandOption,
        path: [String]
    ) throws(CommandError) -> String {
        guard !option.choices.isEmpty, !option.choices.contains(value) else { return value }
        let near = suggestion(for: value, among: option.choices)
        throw .badUsage(
            "--\(option.name) is one of \(option.choices.joined(separator: ", ")), not \(quoted(value))\(near)",
            see: path
        )
    }

    private static func suggestion(for word: String, among known: [String]) -> String {
        nearestWord(to: word, among: known).map { "; did you mean \($0)?" } ?? ""
    }
}

extension Invocation {
    /// Whether a flag stands on the line.
    public func has(_ option: CommandOption) -> Bool {
        values[option.name] != nil
    }

    /// The text that an option was given; nil when it does not stand on the line.
    public subscript(_ option: CommandOption) -> String? {
        values[option.name]?.last
    }

    /// Every text that an option was given, in order.
    public func all(_ option: CommandOption) -> [String] {
        values[option.name] ?? []
    }

    /// The positional value at an index, nil when it was left out.
    public func argument(_ index: Int) -> String? {
        positionals.indices.contains(index) ? positionals[index] : nil
    }

    /// The positional values from an index on, of an argument that may stand more than once.
    public func arguments(from index: Int) -> [String] {
        Array(positionals.dropFirst(index))
    }

    /// The finite number that an option was given, nil when it does not stand on the line.
    ///
    /// - Throws: `.badUsage` for text that is no number, and for one outside the range.
    public func number(_ option: CommandOption, in range: ClosedRange<Double>) throws(CommandError) -> Double? {
        guard let text = self[option] else { return nil }
        guard let number = Double(text), number.isFinite, range.contains(number) else {
            throw .badUsage("--\(option.name) is a number \(Self.words(for: range)), not \(quoted(text))", see: path)
        }
        return number
    }

    /// The whole number that an option was given, nil when it does not stand on the line.
    ///
    /// - Throws: `.badUsage` for text that is no whole number, and for one outside the range.
    public func integer(_ option: CommandOption, in range: ClosedRange<Int>) throws(CommandError) -> Int? {
        guard let text = self[option] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw .badUsage(
                "--\(option.name) is a whole number from \(range.lowerBound) to \(range.upperBound), not \(quoted(text))",
                see: path
            )
        }
        return number
    }

    /// The length of time that an option was given, as `30s`, `500ms`, `2m` or seconds without a unit.
    ///
    /// - Throws: `.badUsage` for anything else, and for a length that is not above zero.
    public func duration(_ option: CommandOption) throws(CommandError) -> Duration? {
        guard let text = self[option] else { return nil }
        let units: [(suffix: String, seconds: Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("", 1)]
        for unit in units where text.hasSuffix(unit.suffix) {
            // A day is far beyond any session and far below where seconds stop fitting.
            if let number = Double(text.dropLast(unit.suffix.count)), number > 0, number * unit.seconds <= 86_400 {
                return .seconds(number * unit.seconds)
            }
        }
        throw .badUsage(
            "--\(option.name) is a length of time such as 30s, 500ms or 2m, up to 24h, not \(quoted(text))",
            see: path
        )
    }

    private static func words(for range: ClosedRange<Double>) -> String {
        switch (range.lowerBound.magnitude < 1e15, range.upperBound.magnitude < 1e15) {
        case (true, true): "from \(shortText(range.lowerBound)) to \(shortText(range.upperBound))"
        case (true, false): "of at least \(shortText(range.lowerBound))"
        default: "that is finite"
        }
    }

    private static func shortText(_ number: Double) -> String {
        number == number.rounded() ? String(Int(number)) : String(number)
    }
}
