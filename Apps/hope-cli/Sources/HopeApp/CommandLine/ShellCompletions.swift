/// The shells that `hope completions` writes a script for.
public enum Shell: String, CaseIterable, Sendable {
    /// GNU Bash.
    case bash
    /// The Z shell.
    case zsh
    /// The friendly interactive shell.
    case fish
}

extension Command {
    /// A script that teaches a shell this tool's commands, options and choices.
    public func completions(for shell: Shell) -> String {
        let nodes = flattened(path: [name])
        switch shell {
        case .bash: return bash(nodes)
        // Zsh reads Bash's completion functions through its own bridge.
        case .zsh: return "#compdef \(name)\nautoload -U +X bashcompinit && bashcompinit\n" + bash(nodes)
        case .fish: return fish(nodes)
        }
    }

    private func flattened(path: [String]) -> [(path: [String], command: Command)] {
        [(path, self)] + subcommands.flatMap { $0.flattened(path: path + [$0.name]) }
    }

    private func bash(_ nodes: [(path: [String], command: Command)]) -> String {
        let words = nodes.map { node in
            let offered =
                node.command.subcommands.map(\.name) + (node.command.options + [.help]).map { "--\($0.name)" }
            return "        \"\(node.path.joined(separator: " "))\") words=\"\(offered.joined(separator: " "))\" ;;"
        }
        let options = Dictionary(
            nodes.flatMap(\.command.options).filter { $0.value != nil }.map { ($0.name, $0.choices) },
            uniquingKeysWith: { first, _ in first }
        )
        let choices = options.sorted { $0.key < $1.key }.map { option in
            option.value.isEmpty
                ? "        --\(option.key)) COMPREPLY=($(compgen -f -- \"$current\")); return ;;"
                : "        --\(option.key)) COMPREPLY=($(compgen -W \"\(option.value.joined(separator: " "))\""
                    + " -- \"$current\")); return ;;"
        }
        let groups = nodes.filter { $0.path.count > 1 }.map { "\"\($0.path.joined(separator: " "))\"" }
        return """
            _\(name)() {
                local current=${COMP_WORDS[COMP_CWORD]} path=\(name) word words=
                for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
                    case "$path $word" in
                        \(groups.joined(separator: "|"))) path="$path $word" ;;
                    esac
                done
                case "${COMP_WORDS[COMP_CWORD-1]}" in
            \(choices.joined(separator: "\n"))
                esac
                case "$path" in
            \(words.joined(separator: "\n"))
                esac
                COMPREPLY=($(compgen -W "$words" -- "$current"))
                [ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$current"))
            }
            complete -F _\(name) \(name)

            """
    }

    private func fish(_ nodes: [(path: [String], command: Command)]) -> String {
        var lines = ["complete -c \(name) -s h -l help -d 'show help'"]
        for node in nodes {
            let seen = node.path.dropFirst().map { "__fish_seen_subcommand_from \($0)" }
            let unseen =
                node.command.subcommands.isEmpty
                ? []
                : ["not __fish_seen_subcommand_from \(node.command.subcommands.map(\.name).joined(separator: " "))"]
            let here = (seen + unseen).joined(separator: "; and ")
            for sub in node.command.subcommands {
                lines.append("complete -c \(name) -f -n '\(here)' -a \(sub.name) -d '\(escaped(sub.summary))'")
            }
            for option in node.command.options {
                var line = "complete -c \(name) -l \(option.name) -d '\(escaped(option.summary))'"
                if !here.isEmpty { line += " -n '\(seen.joined(separator: "; and "))'" }
                if option.value != nil {
                    line += option.choices.isEmpty ? " -r" : " -x -a '\(option.choices.joined(separator: " "))'"
                }
                lines.append(line)
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
    }
}
