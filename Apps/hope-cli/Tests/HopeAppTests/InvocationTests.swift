import HopeApp
import Testing

@Suite struct InvocationTests {
    private let level = CommandOption("level", value: "L", summary: "a level")
    private let state = CommandOption("state", value: "S", summary: "a state", choices: ["idle", "speaking"])
    private let length = CommandOption("for", value: "TIME", summary: "how long")
    private let count = CommandOption("size", value: "N", summary: "a size")

    private var tool: Command {
        Command(
            "hope",
            summary: "a tool",
            subcommands: [
                Command(
                    "wall",
                    summary: "draw",
                    options: [level, state, length, count, .json],
                    action: { _, _ in }
                ),
                Command(
                    "replay",
                    summary: "again",
                    arguments: [CommandArgument("FILE", summary: "a recording")],
                    options: [.json],
                    action: { _, _ in }
                ),
            ]
        )
    }

    private func message(_ words: String...) -> String {
        do {
            _ = try Invocation(words, of: tool)
            return "no error"
        } catch {
            return error.message
        }
    }

    @Test func readsValuesInBothForms() throws {
        let invocation = try Invocation(["wall", "--level", "0.5", "--state=idle", "--json"], of: tool)
        #expect(invocation.path == ["hope", "wall"])
        #expect(invocation[level] == "0.5")
        #expect(invocation[state] == "idle")
        #expect(invocation.has(.json))
    }

    @Test func theLastValueOfAnOptionCounts() throws {
        let invocation = try Invocation(["wall", "--level", "1", "--level", "0"], of: tool)
        #expect(invocation[level] == "0")
        #expect(invocation.all(level) == ["1", "0"])
    }

    @Test func everythingAfterTwoDashesIsAValue() throws {
        #expect(try Invocation(["replay", "--", "--json"], of: tool).argument(0) == "--json")
    }

    @Test func aSingleDashIsAValue() throws {
        #expect(try Invocation(["replay", "-"], of: tool).argument(0) == "-")
    }

    @Test func aNegativeNumberIsAValueOfItsOption() throws {
        let invocation = try Invocation(["wall", "--level", "-1"], of: tool)
        #expect(throws: CommandError.self) { try invocation.number(level, in: 0...1) }
    }

    @Test(arguments: [
        (["wal"], "there is no command “wal”; did you mean wall?; see hope --help"),
        (["wall", "--levle", "1"], "there is no option “--levle”; did you mean --level?; see hope wall --help"),
        (["wall", "--state", "speeking"], "--state is one of idle, speaking, not “speeking”; did you mean speaking?"),
        (["wall", "--level"], "--level needs a value (L); see hope wall --help"),
        (["wall", "--json=1"], "--json takes no value; see hope wall --help"),
        (["wall", "x"], "“x” is one value too many; see hope wall --help"),
        (["replay"], "FILE is missing: a recording; see hope replay --help"),
        (["zzzzzz"], "there is no command “zzzzzz”; see hope --help"),
    ])
    func saysWhatIsWrongAndWhatToDo(words: [String], expected: String) {
        do {
            _ = try Invocation(words, of: tool)
            Issue.record("\(words) was taken")
        } catch {
            #expect(error.message.hasPrefix(expected), "\(error.message)")
            #expect(error.code == .usage)
        }
    }

    @Test func controlBytesNeverReachTheTerminal() {
        #expect(!message("\u{1B}[2Jwall").contains("\u{1B}"))
    }

    @Test func aVeryLongWordIsCutInTheSentence() {
        #expect(message(String(repeating: "x", count: 1_000_000)).count < 300)
    }

    @Test(arguments: ["nan", "inf", "-0.1", "1.1", "", "half", "0x1p99"])
    func refusesNumbersOutsideTheirRange(text: String) throws {
        let invocation = try Invocation(["wall", "--level=\(text)"], of: tool)
        #expect(throws: CommandError.self) { try invocation.number(level, in: 0...1) }
    }

    @Test(arguments: ["9999999999999999999999", "1.5", "0", "8193"])
    func refusesWholeNumbersOutsideTheirRange(text: String) throws {
        let invocation = try Invocation(["wall", "--size=\(text)"], of: tool)
        #expect(throws: CommandError.self) { try invocation.integer(count, in: 1...8192) }
    }

    @Test(arguments: [
        ("30s", Duration.seconds(30)), ("500ms", .milliseconds(500)), ("2m", .seconds(120)), ("1.5", .seconds(1.5)),
    ])
    func readsLengthsOfTime(text: String, expected: Duration) throws {
        #expect(try Invocation(["wall", "--for", text], of: tool).duration(length) == expected)
    }

    @Test(arguments: ["0", "-3s", "nan", "infs", "soon", "99999999h", "s"])
    func refusesLengthsThatAreNone(text: String) throws {
        let invocation = try Invocation(["wall", "--for=\(text)"], of: tool)
        #expect(throws: CommandError.self) { try invocation.duration(length) }
    }
}
