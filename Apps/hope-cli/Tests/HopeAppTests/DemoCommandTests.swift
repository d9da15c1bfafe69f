import HopeApp
import Testing

@Suite struct DemoCommandTests {
    @Test func tellsTheStoryOnVirtualTime() async throws {
        let run = try await ToolRun("demo", "--fast")
        #expect(run.status == 0, "\(run.messages)")
        let words = ["Listening", "Speaking", "Thinking", "barges in"]
        for word in words {
            #expect(run.output.contains(word))
        }
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
}
