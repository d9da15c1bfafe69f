import Foundation
import LedWall
import Testing

struct ReadmeExampleTests {
    @Test func showsWhatTheReadmeSays() throws {
        var motion = WallMotion()
        var pacer = WallPacer()
        let renderer = RecordingWallRenderer()
        for tick in 0..<60 {
            let now = Duration.milliseconds(tick * 20)
            guard pacer.beginFrame(at: now) else { continue }
            let input = WallInput(state: .speaking, level: 0.6, seconds: now / .seconds(1))
            try renderer.draw(motion.picture(for: input), status: "Speaking")
            pacer.isSettled = motion.isSettled
        }
        try renderer.finish()

        #expect(renderer.entries.count == 36)
        #expect(renderer.isFinished)
    }

    @Test func theReadmeHasNoLineThatIsNotTried() throws {
        let here = URL(fileURLWithPath: #filePath)
        let readme = here.deletingLastPathComponent().appendingPathComponent("../../README.md").standardized
        let text = try String(contentsOf: readme, encoding: .utf8)
        let parts = text.components(separatedBy: "<!-- example -->")
        try #require(parts.count == 3)
        let source = try String(contentsOf: here, encoding: .utf8)
        let tried = Set(source.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
        let lines = parts[1].split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        for line in lines where !line.hasPrefix("```") {
            #expect(tried.contains(line), "not in the test: \(line)")
        }
    }
}
