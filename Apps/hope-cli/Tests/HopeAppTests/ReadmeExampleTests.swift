import Foundation
import HopeApp
import HopeTokens
import LedWall
import Testing

/// A tool of one command, with the wall's plugins and nothing else.
let paint = Command(
    "paint",
    summary: "print the colour of each look of the wall",
    action: { _, world in
        for state in WallState.allCases {
            try world.output.line("\(state.rawValue) #\(state.color.hex)")
        }
    }
)
let tool = HopeTool(root: Command("mine", summary: "a tool of my own", subcommands: [paint]))

@Suite struct ReadmeExampleTests {
    @Test func theExampleRuns() async throws {
        let run = try await ToolRun(["paint"], tool: tool)
        #expect(run.status == 0)
        #expect(run.lines.contains("speaking #9DC2FF"))
    }

    @Test func theReadmeShowsThisCode() throws {
        let readme = try String(contentsOf: ToolRun.package.appendingPathComponent("README.md"), encoding: .utf8)
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let example = try #require(
            readme.components(separatedBy: "```swift\n").last?.components(separatedBy: "```").first
        )
        #expect(example.split(separator: "\n").count > 8)
        for line in example.split(separator: "\n") {
            #expect(source.contains(line), "\(line)")
        }
    }
}
