import Foundation
import HopeApp
import Testing

@Suite struct DemoCommandTests {
    /// Runs the demo with its picture in a folder that is gone afterwards.
    private func demo(_ words: String..., body: (ToolRun, URL) throws -> Void = { _, _ in }) async throws -> ToolRun {
        try await withTemporaryFolder { folder in
            let picture = folder.appendingPathComponent("harbour.png")
            let run = try await ToolRun(["demo"] + words + ["--snapshot", picture.path])
            try body(run, picture)
            return run
        }
    }

    /// What was printed, without the name of the picture's folder.
    private func story(_ run: ToolRun) -> [String] { run.lines.filter { !$0.contains("A picture of it") } }

    @Test func tellsAWholeConversation() async throws {
        let run = try await demo("--fast") { _, picture in
            let bytes = try Data(contentsOf: picture)
            #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        }
        #expect(run.status == 0, "\(run.messages)")
        let expected = [
            "Waiting for Hope…", "Hope is there", "Listening", "Speaking", "Thinking", "barges in",
            "You: Please tell me where jazz comes from.", "Hope: Louis Armstrong, on the cornet.",
            "You: Research the history of jazz", "running", "completed", "Hope: Playing Jazz Walk.",
            "Media: Jazz Walk, playing at 0:00", "Hung up", "Phone: Saved to iCloud, revision 1",
            "Tablet: The iCloud copy changed since you started editing.", "Tablet keeps both: Harbour (conflict copy, ",
            "Phone: iCloud · synced",
        ]
        for words in expected {
            #expect(run.output.contains(words), "\(words)")
        }
        #expect(run.lines.count { $0.contains("You: Research") } == 1)
    }

    @Test func tellsTheSameStoryEveryTime() async throws {
        let once = try await demo("--fast", "--json")
        let again = try await demo("--fast", "--json")
        #expect(story(once) == story(again))
    }

    @Test func tellsTheSameStoryWhenTimePasses() async throws {
        // The clock of this run is moved by hand, so the live path is taken without waiting.
        let live = try await demo()
        let fast = try await demo("--fast")
        #expect(story(live) == story(fast))
    }

    @Test func aRecordingThatHasNoPlaceIsFoundOutFirst() async throws {
        let run = try await ToolRun("demo", "--fast", "--record", "/nowhere/demo.jsonl")
        #expect(run.status == 4)
        #expect(run.output.isEmpty)
    }

    @Test func missingVoicesAreNamed() async throws {
        let run = try await ToolRun(["demo", "--fast"], samples: URL(fileURLWithPath: "/nowhere"))
        #expect(run.status == 4)
        #expect(run.messages.contains("/nowhere/conversation-agent.wav"))
    }
}
