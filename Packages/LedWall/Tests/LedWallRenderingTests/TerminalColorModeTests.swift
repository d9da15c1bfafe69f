import LedWallRendering
import Testing

struct TerminalColorModeTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let flag: TerminalColorFlag
        let isTerminal: Bool
        let environment: [String: String]
        let mode: TerminalColorMode

        init(_ flag: TerminalColorFlag, _ isTerminal: Bool, _ environment: [String: String], _ mode: TerminalColorMode)
        {
            self.flag = flag
            self.isTerminal = isTerminal
            self.environment = environment
            self.mode = mode
        }

        var testDescription: String {
            let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            return (["--color=\(flag.rawValue)", isTerminal ? "terminal" : "pipe"] + variables).joined(separator: " ")
        }
    }

    private static let full = ["TERM": "xterm-256color", "COLORTERM": "truecolor"]

    private static func with(_ more: [String: String]) -> [String: String] { full.merging(more) { $1 } }

    private static let rows: [Row] = [
        // The flag wins over everything.
        Row(.never, true, full, .none),
        Row(.never, true, with(["FORCE_COLOR": "3", "CLICOLOR_FORCE": "1"]), .none),
        Row(.always, false, with(["NO_COLOR": "1"]), .trueColor),
        Row(.always, false, with(["FORCE_COLOR": "0"]), .trueColor),
        Row(.always, false, ["TERM": "xterm-256color"], .ansi256),
        Row(.always, false, ["TERM": "dumb"], .ansi16),
        Row(.always, false, [:], .ansi16),
        // NO_COLOR, unless empty, wins over the other variables.
        Row(.auto, true, with(["NO_COLOR": "1"]), .none),
        Row(.auto, true, with(["NO_COLOR": "0"]), .none),
        Row(.auto, true, with(["NO_COLOR": ""]), .trueColor),
        Row(.auto, true, with(["NO_COLOR": "1", "FORCE_COLOR": "3"]), .none),
        Row(.auto, true, with(["NO_COLOR": "1", "CLICOLOR_FORCE": "1"]), .none),
        Row(.auto, false, with(["NO_COLOR": "", "FORCE_COLOR": "3"]), .trueColor),
        // FORCE_COLOR wins over the terminal.
        Row(.auto, true, with(["FORCE_COLOR": "0"]), .none),
        Row(.auto, true, with(["FORCE_COLOR": "false"]), .none),
        Row(.auto, false, with(["FORCE_COLOR": ""]), .ansi16),
        Row(.auto, false, with(["FORCE_COLOR": "true"]), .ansi16),
        Row(.auto, false, with(["FORCE_COLOR": "1"]), .ansi16),
        Row(.auto, false, ["FORCE_COLOR": "2", "TERM": "dumb"], .ansi256),
        Row(.auto, false, ["FORCE_COLOR": "3"], .trueColor),
        Row(.auto, false, ["FORCE_COLOR": "99999999999999999999"], .ansi16),
        Row(.auto, false, ["FORCE_COLOR": "0", "CLICOLOR_FORCE": "1"], .none),
        // CLICOLOR_FORCE wins over the terminal.
        Row(.auto, false, with(["CLICOLOR_FORCE": "1"]), .trueColor),
        Row(.auto, false, ["CLICOLOR_FORCE": "1", "TERM": "xterm"], .ansi16),
        Row(.auto, false, with(["CLICOLOR_FORCE": "0"]), .none),
        Row(.auto, false, with(["CLICOLOR_FORCE": ""]), .none),
        // No terminal and dumb terminals have no colour.
        Row(.auto, false, full, .none),
        Row(.auto, false, [:], .none),
        Row(.auto, true, ["TERM": "dumb"], .none),
        Row(.auto, true, ["TERM": "dumb", "COLORTERM": "truecolor"], .none),
        // COLORTERM, then TERM, then 16.
        Row(.auto, true, ["TERM": "xterm", "COLORTERM": "truecolor"], .trueColor),
        Row(.auto, true, ["TERM": "xterm", "COLORTERM": "24bit"], .trueColor),
        Row(.auto, true, ["TERM": "xterm", "COLORTERM": "TrueColor"], .trueColor),
        Row(.auto, true, ["TERM": "xterm-256color", "COLORTERM": "yes"], .ansi256),
        Row(.auto, true, ["TERM": "xterm-256color", "COLORTERM": ""], .ansi256),
        Row(.auto, true, ["TERM": "screen-256color"], .ansi256),
        Row(.auto, true, ["TERM": "tmux-256color-italic"], .ansi256),
        Row(.auto, true, ["TERM": "xterm-direct"], .trueColor),
        Row(.auto, true, ["TERM": "xterm"], .ansi16),
        Row(.auto, true, ["TERM": ""], .ansi16),
        Row(.auto, true, [:], .ansi16),
    ]

    @Test("W3: one order decides about colour", arguments: rows)
    func decides(row: Row) {
        let mode = TerminalColorMode.decide(flag: row.flag, environment: row.environment, isTerminal: row.isTerminal)
        #expect(mode == row.mode)
    }

    @Test func theOrderIsInWords() {
        let names = [
            "--color", "NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "TERM=dumb", "COLORTERM", "-256color", "16",
        ]
        var rest = TerminalColorMode.decisionOrder[...]
        for name in names {
            guard let found = rest.firstRange(of: name) else {
                Issue.record("\(name) is missing or comes too early")
                continue
            }
            rest = rest[found.upperBound...]
        }
    }
}
