import Foundation
import HopeApp
import Testing

@Suite struct ReplayCommandTests {
    static let recordings = ToolRun.package.appendingPathComponent("Recordings")
    static let stories = ["talk", "rough", "tasks"]

    /// A recording of a joined and ready agent, and what else happens.
    private func recording(_ lines: [String]) -> String {
        ([
            #"{"hope_recording":1,"room":"voice-demo","local":"me","started_at":1756540000.0}"#,
            #"{"t":0.000,"event":"connection","state":"connected"}"#,
            #"{"t":0.120,"event":"joined","identity":"agent-1","kind":"agent"}"#,
            #"{"t":0.200,"event":"data","topic":"conversation-control","from":"agent-1","reliable":true,"#
                + #""payload":"{\"type\":\"agent_ready\"}"}"#,
        ] + lines).joined(separator: "\n") + "\n"
    }

    private func replay(_ text: String, _ options: String...) async throws -> ToolRun {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("session.jsonl")
            try Data(text.utf8).write(to: file)
            return try await ToolRun(["replay", file.path] + options)
        }
    }

    @Test func theWorkedExampleSpeaksAt1ThinksAt2AndAHalfAndShowsTheChipAt4AndAHalf() async throws {
        let lines = (10...45).map { tenth in
            #"{"t":\#(Double(tenth) / 10),"event":"speakers","levels":{\#(tenth < 20 ? #""agent-1":0.31"# : "")}}"#
        }
        let run = try await replay(recording(lines), "--json", "--policy", "web")
        #expect(run.status == 0, "\(run.messages)")
        let told = run.lines.filter { $0.contains("phase") || $0.contains("chip") }.dropLast()
        #expect(
            Array(told) == [
                #"{"t":0,"phase":"connecting"}"#, #"{"t":1,"phase":"speaking"}"#, #"{"t":2.5,"phase":"thinking"}"#,
                #"{"t":4.5,"thinking_chip":true}"#,
            ]
        )
    }

    @Test(arguments: stories)
    func aRecordingReplaysTheSameEveryTime(story: String) async throws {
        let path = Self.recordings.appendingPathComponent("\(story).jsonl").path
        let once = try await ToolRun("replay", path, "--json", "--levels")
        let again = try await ToolRun("replay", path, "--json", "--levels")
        #expect(once.status == 0, "\(once.messages)")
        #expect(once.output == again.output)
        #expect(once.lines.count > 30)
        #expect(once.lines.last?.hasPrefix(#"{"summary":{"#) == true)
    }

    @Test(arguments: stories)
    func theRecordingsAreWhatTheDemoMakes(story: String) async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("made.jsonl")
            let run = try await ToolRun("demo", "--fast", "--story", story, "--record", file.path)
            #expect(run.status == 0, "\(run.messages)")
            let kept = try Data(contentsOf: Self.recordings.appendingPathComponent("\(story).jsonl"))
            #expect(try Data(contentsOf: file) == kept, "run Scripts/recordings")
        }
    }

    @Test(arguments: stories)
    func whatIsReplayedIsWhatHappened(story: String) async throws {
        // Grid ticks and ticks after events fall alike, so phases, rows and tasks come at the same times.
        let path = Self.recordings.appendingPathComponent("\(story).jsonl").path
        let live = try await ToolRun("demo", "--fast", "--story", story, "--json")
        let replayed = try await ToolRun("replay", path, "--json")
        func sessions(_ run: ToolRun) -> [String] {
            run.lines.filter { $0.contains(#""session":"#) || $0.contains(#""badge":"#) || $0.contains(#""media":"#) }
        }
        #expect(sessions(live) == sessions(replayed))
        let summary = try #require(replayed.objects().last?["summary"] as? [String: Any])
        #expect((summary["differences"] as? [String])?.isEmpty == true)
    }

    @Test func theMusicOfARecordingIsToldAgain() async throws {
        let path = Self.recordings.appendingPathComponent("talk.jsonl").path
        let run = try await ToolRun("replay", path)
        let media = run.lines.filter { $0.contains("Media: ") }.map { $0.drop { $0 != "M" } }
        #expect(
            media == [
                "Media: Jazz Walk, silent at 0:00", "Media: Jazz Walk, playing at 0:00",
                "Media: Jazz Walk, silent at 0:04",
            ]
        )
    }

    @Test func aRoughSessionFailsWhenItsAgentDoesNotComeBack() async throws {
        let path = Self.recordings.appendingPathComponent("rough.jsonl").path
        let run = try await ToolRun("replay", path, "--json")
        #expect(run.lines.contains { $0.contains(#""reconnecting":true"#) })
        #expect(run.lines.contains { $0.hasPrefix(#"{"t":16.5,"session":"waiting_agent"}"#) })
        #expect(run.lines.contains { $0.hasPrefix(#"{"t":46.5,"session":"failed"}"#) })
    }

    @Test func typedTextAndTasksCountTheirBadge() async throws {
        let path = Self.recordings.appendingPathComponent("talk.jsonl").path
        let run = try await ToolRun("replay", path, "--json")
        let badges = run.lines.filter { $0.contains("badge") }
        #expect(badges.map { $0.hasSuffix(#""badge":1}"#) } == [true, false])
        #expect(run.lines.count { $0.contains(#""text":"Research the history of jazz""#) } == 1)
    }

    @Test(arguments: [
        ("{bad\n", "Line 1"), ("", "header"),
        (#"{"hope_recording":2,"room":"r","local":"me","started_at":0}"# + "\n", "2"),
    ])
    func aFileThatIsNoRecordingIsNamedWithItsLine(text: String, part: String) async throws {
        let run = try await replay(text, "--json")
        #expect(run.status == 1)
        #expect(run.messages.contains(part), "\(run.messages)")
        #expect(run.lines.count == 1)
    }

    @Test func aMissingRecordingIsNotThere() async throws {
        #expect(try await ToolRun("replay", "/nowhere/talk.jsonl").status == 4)
    }

    @Test func whatARecordingSaysNeverReachesTheTerminalRawInAnErrorEither() async throws {
        let run = try await replay(recording([#"{"t":1,"event":"\u001b[31mX\u0007\u009b2J\n"}"#]))
        #expect(run.status == 1)
        #expect(run.messages.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
        #expect(run.messages.split(separator: "\n").count == 1)
    }

    @Test func wordsNeverReachTheTerminalRaw() async throws {
        let path = Self.recordings.appendingPathComponent("tasks.jsonl").path
        for words in [["replay", path], ["tasks", "show", path], ["demo", "--fast", "--story", "tasks"]] {
            let run = try await ToolRun(words)
            #expect(!(run.output + run.messages).contains("\u{1B}"), "\(words)")
        }
    }
}
