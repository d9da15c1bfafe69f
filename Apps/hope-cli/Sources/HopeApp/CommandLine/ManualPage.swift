extension Command {
    /// Writes the manual page of the tool.
    ///
    /// - Parameter version: The tool's version, for the page's foot.
    /// - Returns: The page as roff with the man macros.
    public func manualPage(version: String) -> String {
        var lines = [
            ".TH \(name.uppercased()) 1 \"\" \"\(name) \(version)\" \"User Commands\"",
            ".SH NAME", "\(name) \\- \(roff(summary))",
            ".SH SYNOPSIS", ".B \(name)", ".I COMMAND", "[OPTIONS]",
            ".SH DESCRIPTION", roff(summary) + ".",
        ]
        lines.append(".SH COMMANDS")
        for command in subcommands {
            lines += command.manualSection(path: [command.name])
        }
        lines += [
            ".SH FILES",
            ".TP", ".I $XDG_CONFIG_HOME/hope/settings.json",
            "What is remembered between conversations (else in ~/.config).",
            ".TP", ".I $XDG_DATA_HOME/hope/transcript.jsonl", "The last 50 rows of hope talk (else in ~/.local/share).",
            ".TP", ".I $XDG_DATA_HOME/hope/server",
            "The keys that hope serve made for itself; in media, streams that were added and what it knows of its library.",
            ".TP", ".I $XDG_DATA_HOME/hope/maps",
            "Working copies of map projects; in projects, the store that is used first.",
            ".TP", ".I $XDG_CONFIG_HOME/hope/secrets", "Keys of map providers, readable by their owner only.",
            ".SH ENVIRONMENT",
            "NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, COLORTERM and TERM choose colours. HOPE_TOKEN_KEY, HOPE_SERVER_KEY and "
                + "HOPE_LLM_KEY are keys of hope serve. HOME, XDG_CONFIG_HOME and XDG_DATA_HOME say where files are kept, TMPDIR "
                + "where temporary ones are.",
            ".SH EXIT STATUS",
            "0 done; 1 there but unusable, or failed; 2 bad option or value; 3 conflict; 4 the named thing is not there; "
                + "5 a server, store or tool is missing or does not answer; 130 interrupted.",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    private func manualSection(path: [String]) -> [String] {
        var lines = [".SS \(roff(path.joined(separator: " ")))", "\(roff(summary))."]
        for paragraph in discussion {
            // Lists keep their lines; everything else flows to the reader's width.
            lines += paragraph.contains("\n  ") ? [".PP", ".nf", roff(paragraph), ".fi"] : [".PP", roff(paragraph)]
        }
        for argument in arguments {
            lines += [".TP", ".I \(roff(argument.name))", roff(argument.summary)]
        }
        for option in options {
            lines += [".TP", ".B \(roff(option.usage))", roff(option.summary)]
        }
        if !examples.isEmpty { lines += [".PP", "Examples:"] }
        for example in examples {
            lines += [".TP", ".B \(roff(example.line))", roff(example.summary)]
        }
        return lines + subcommands.flatMap { $0.manualSection(path: path + [$0.name]) }
    }

    private func roff(_ text: String) -> String {
        text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
            // A quotation mark would group a macro's words and be gone.
            .replacing("\"", with: "\\(dq")
            .split(separator: "\n", omittingEmptySubsequences: false)
            // A line that begins with a dot or an apostrophe would be read as a request.
            .map { $0.hasPrefix(".") || $0.hasPrefix("'") ? "\\&\($0)" : String($0) }
            .joined(separator: "\n")
    }
}
