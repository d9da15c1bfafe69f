/// What somebody asked for with `--color`.
public enum TerminalColorFlag: String, CaseIterable, Hashable, Sendable {
    /// Colour, whatever the environment says.
    case always
    /// No colour, whatever the environment says.
    case never
    /// The environment decides.
    case auto
}

/// How many colours a terminal shows.
public enum TerminalColorMode: String, CaseIterable, Hashable, Sendable {
    /// No colour at all: brightness is drawn with characters.
    case none
    /// The 16 colours of ANSI, whose looks the user's theme decides.
    case ansi16
    /// The 256 colours of xterm.
    case ansi256
    /// 24 bits a colour.
    case trueColor

    /// The order in which `decide(flag:environment:isTerminal:)` goes, as a sentence for a command's help.
    public static let decisionOrder = """
        --color=always|never|auto, then NO_COLOR (non-empty: off), FORCE_COLOR (0 off, 1 16, 2 256, 3 24-bit), \
        CLICOLOR_FORCE (not 0: on), then off without a terminal or with TERM=dumb, then COLORTERM (truecolor, 24bit) \
        and TERM (-direct, -256color), else 16 colours.
        """

    /// Decides how many colours to use; the first rule that applies wins.
    ///
    /// 1. The flag: `never` is none; `always` is what COLORTERM and TERM promise, at least 16 colours.
    /// 2. `NO_COLOR`, unless empty: none.
    /// 3. `FORCE_COLOR`: `0` or `false` none; empty, `true` or `1` 16; `2` 256; `3` and more 24-bit; other text as `true`.
    /// 4. `CLICOLOR_FORCE`, unless empty or `0`: as `always`.
    /// 5. Not a terminal, or `TERM=dumb`: none.
    /// 6. `COLORTERM` of `truecolor` or `24bit`: 24-bit.
    /// 7. `TERM` that ends in `-direct` (terminfo's name for direct colour): 24-bit.
    /// 8. `TERM` with `-256color`: 256.
    /// 9. Else 16.
    ///
    /// The sources are no-color.org, force-color.org and bixense.com/clicolors; where they conflict, the user's "no" wins.
    ///
    /// - Parameters:
    ///   - flag: What was asked for on the command line.
    ///   - environment: The environment variables of the process.
    ///   - isTerminal: Whether the output goes to a terminal.
    /// - Returns: How many colours to use.
    public static func decide(
        flag: TerminalColorFlag,
        environment: [String: String],
        isTerminal: Bool
    ) -> TerminalColorMode {
        switch flag {
        case .never: return .none
        case .always: return promised(by: environment)
        case .auto: break
        }
        if let value = environment["NO_COLOR"], !value.isEmpty {
            return .none
        }
        if let value = environment["FORCE_COLOR"] {
            return forced(value)
        }
        if let value = environment["CLICOLOR_FORCE"], !value.isEmpty, value != "0" {
            return promised(by: environment)
        }
        guard isTerminal, environment["TERM"] != "dumb" else {
            return .none
        }
        return promised(by: environment)
    }

    private static func forced(_ value: String) -> TerminalColorMode {
        switch value.lowercased() {
        case "0", "false": .none
        case "2": .ansi256
        case let digits where (Int(digits) ?? 0) >= 3: .trueColor
        default: .ansi16
        }
    }

    private static func promised(by environment: [String: String]) -> TerminalColorMode {
        let colorTerm = environment["COLORTERM"]?.lowercased()
        if colorTerm == "truecolor" || colorTerm == "24bit" {
            return .trueColor
        }
        let term = environment["TERM"] ?? ""
        if term.hasSuffix("-direct") {
            return .trueColor
        }
        return term.contains("-256color") ? .ansi256 : .ansi16
    }
}
