import Foundation
import HopeApp
import Testing

@Suite struct DemoCommandTests {
    @Test func tellsAWholeConversation() async throws {
        let run = try await ToolRun("demo", "--fast")
        #expect(run.status == 0, "\(run.messages)")
        let expected = [
            "Waiting for Hope…", "Hope is there", "Listening", "Speaking", "Thinking", "barges in",
            "You: Please tell me where jazz comes from.", "Hope: Louis Armstrong, on the cornet.",
            "You: Research the history of jazz", "running", "completed", "Hope: Playing Jazz Walk.",
            "Media: Jazz Walk, playing at 0:00", "Hung up",
        ]
        for words in expected {
            #expect(run.output.contains(words), "\(words)")
        }
        #expect(run.lines.count { $0.contains("You: Research") } == 1)
    }

    @Test func tellsTheSameStoryEveryTime() async throws {
        let once = try await ToolRun("demo", "--fast", "--json")
        let again = try await ToolRun("demo", "--fast", "--json")
        #expect(once.output == again.output)
    }

    @Test func tellsTheSameStoryWhenTimePasses() async throws {
        // The clock of this run is moved by hand, so the live path is taken without waiting.
        let live = try await ToolRun("demo")
        let fast = try await ToolRun("demo", "--fast")
        #expect(live.output == fast.output)
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
