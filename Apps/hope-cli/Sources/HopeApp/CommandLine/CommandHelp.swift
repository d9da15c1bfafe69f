extension Command {
    /// Writes the help text of this command.
    ///
    /// - Parameter path: The words that lead here, this command's name last.
    /// - Returns: Lines of at most 100 columns where they can be broken.
    public func help(path: [String]) -> String {
        var sections = ["\(summary.capitalizedFirst).\n\nUsage: \(usage(path: path))"]
        sections += discussion.map(Self.flowing)
        if !subcommands.isEmpty {
            sections.append(Self.table("Commands", subcommands.map { ($0.name, $0.summary) }))
        }
        if !arguments.isEmpty {
            sections.append(Self.table("Values", arguments.map { ($0.name, $0.summary) }))
        }
        sections.append(Self.table("Options", (options + [.help]).map { ($0.usage, $0.summary) }))
        if !examples.isEmpty {
            sections.append(
                "Examples:\n" + examples.map { "  \($0.line)\n      \($0.summary)" }.joined(separator: "\n")
            )
        }
        if !subcommands.isEmpty {
            sections.append("\(path.joined(separator: " ")) COMMAND --help tells more about each.")
        }
        return sections.joined(separator: "\n\n") + "\n"
    }

    /// A paragraph whose lines flow, unless it is a list with indented lines.
    private static func flowing(_ paragraph: String) -> String {
        let isList = paragraph.contains("\n  ")
        return wrapped(isList ? paragraph : paragraph.replacing("\n", with: " "))
    }

    /// The paragraph with its lines broken between words where they are longer than a width.
    private static func wrapped(_ paragraph: String, width: Int = 100, indent: Int = 0) -> String {
        paragraph.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard line.count > width else { return String(line) }
            var lines = [""]
            for word in line.split(separator: " ") {
                let last = lines[lines.count - 1]
                if last.isEmpty {
                    lines[lines.count - 1] = String(word)
                } else if last.count + 1 + word.count <= width {
                    lines[lines.count - 1] += " \(word)"
                } else {
                    lines.append(String(word))
                }
            }
            return lines.joined(separator: "\n" + String(repeating: " ", count: indent))
        }.joined(separator: "\n")
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
            return "  \(row.name)\(gap)\(wrapped(row.summary, width: 96 - width, indent: width + 4))"
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
