extension Command {
    /// The help text of this command.
    ///
    /// - Parameter path: The words that lead here, this command's name last.
    public func help(path: [String]) -> String {
        var sections = ["\(summary.capitalizedFirst).\n\nUsage: \(usage(path: path))"]
        sections += discussion
        if !subcommands.isEmpty {
            sections.append(Self.table("Commands", subcommands.map { ($0.name, $0.summary) }))
        }
        if !arguments.isEmpty {
            sections.append(Self.table("Values", arguments.map { ($0.name, $0.summary) }))
        }
        sections.append(Self.table("Options", (options + [.help]).map { ($0.usage, $0.summary) }))
        if !examples.isEmpty {
            sections.append(
                "Examples:\n" + examples.map { "  \($0.line)\n      \($0.summary)" }.joined(separator: "\n"))
        }
        if !subcommands.isEmpty {
            sections.append("\(path.joined(separator: " ")) COMMAND --help tells more about each.")
        }
        return sections.joined(separator: "\n\n") + "\n"
    }

    private func usage(path: [String]) -> String {
        var words = path
        words += subcommands.isEmpty ? [] : ["COMMAND"]
        words += arguments.map { $0.isOptional ? "[\($0.name)]" : $0.name }
        words += options.isEmpty ? [] : ["[OPTIONS]"]
        return words.joined(separator: " ")
    }

    private static func table(_ title: String, _ rows: [(name: String, summary: String)]) -> String {
        let width = min(28, rows.map(\.name.count).max() ?? 0)
        let lines = rows.map { row in
            let gap =
                row.name.count > width
                ? "\n" + String(repeating: " ", count: width + 4)
                : String(repeating: " ", count: width - row.name.count + 2)
            return "  \(row.name)\(gap)\(row.summary)"
        }
        return "\(title):\n" + lines.joined(separator: "\n")
    }
}

extension CommandOption {
    /// The option as typed, with the placeholder of its value.
    var usage: String {
        value.map { "--\(name) \($0)" } ?? "--\(name)"
    }
}

extension String {
    fileprivate var capitalizedFirst: String {
        prefix(1).uppercased() + dropFirst()
    }
}
