import HopeApp
import Testing

@Suite struct HopeToolTests {
    @Test func printsItsVersion() async throws {
        let run = try await ToolRun("--version")
        #expect(run.output == "hope \(HopeTool.version)\n")
    }

    @Test(arguments: [["--help"], ["wall", "--help"], ["demo", "-h"], ["completions", "--help"], []])
    func helpHasExamples(words: [String]) async throws {
        let run = try await ToolRun(words)
        #expect(run.status == 0)
        #expect(run.output.contains("Usage: hope"))
        #expect(run.output.contains("Examples:"))
        #expect(run.lines.allSatisfy { $0.count <= 120 })
    }

    @Test(arguments: Shell.allCases)
    func completionsNameEveryCommandAndOption(shell: Shell) async throws {
        let run = try await ToolRun("completions", shell.rawValue)
        #expect(run.status == 0)
        for word in ["demo", "wall", "audio", "speaking"] {
            #expect(run.output.contains(word))
        }
    }

    @Test func theManualPageHasEveryCommand() async throws {
        let run = try await ToolRun("man")
        #expect(run.output.hasPrefix(".TH HOPE 1"))
        for word in [".SS demo", ".SS wall", ".SH EXIT STATUS"] {
            #expect(run.output.contains(word))
        }
    }

    @Test func aFailureWithJSONIsOneObjectOnStandardOutput() async throws {
        let run = try await ToolRun("wall", "--level", "--json")
        #expect(run.status == 2)
        #expect(run.lines.count == 1)
        let error = try #require(run.objects().first?["error"] as? [String: String])
        #expect(error["code"] == "usage")
        #expect(run.messages == "hope: \(error["message"] ?? "")\n")
    }
}
