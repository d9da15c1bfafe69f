import Foundation
import HopeRaster
import HopeTokens
import Testing

struct ReadmeExampleTests {
    @Test func `the example of the README runs`() throws {
        let iris = DesignTokenRegistry.hope["color.iris"]
        print(iris?.value ?? .color(.black), iris?.summary ?? "")

        let halfway = MotionToken.wallColor.value(at: 0.11).progress
        let color = ColorToken.wallIdle.value.mixed(with: ColorToken.wallSpeaking.value, by: halfway)

        let report = try ContrastReport()
        for failure in report.failures { print(failure) }

        var canvas = RasterCanvas(width: 64, height: 64, background: ColorToken.canvas.value)
        canvas.fill(.circle(center: RasterPoint(x: 32, y: 32), radius: 12), with: .solid(color))
        let file = try PNGEncoder.encode(canvas.image())

        #expect(try PNGReader(file).width == 64)
    }

    @Test func `the README shows the example that runs`() throws {
        let here = URL(filePath: #filePath)
        let readme = here.deletingLastPathComponent().appending(path: "../../README.md").standardizedFileURL
        let parts = try String(contentsOf: readme, encoding: .utf8).components(separatedBy: "<!-- example -->")
        let test = try String(contentsOf: here, encoding: .utf8)
        let source = Set(test.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
        try #require(parts.count == 3)
        let example = parts[1].split(separator: "\n").filter { !$0.hasPrefix("```") }
        #expect(!example.isEmpty)
        for line in example {
            #expect(source.contains(line.trimmingCharacters(in: .whitespaces)), "\(line)")
        }
    }
}
