import LedWall
import LedWallRendering
import Testing

struct WallLinesTests {
    private let output = OutputRecorder()

    private func renderer(_ colorMode: TerminalColorMode = .none) -> TerminalWallRenderer {
        TerminalWallRenderer(output: .lines, colorMode: colorMode) { [output] in try output.write($0) }
    }

    private func draw(
        _ renderer: TerminalWallRenderer,
        _ state: WallState,
        _ level: Double = 0,
        at seconds: Double,
        _ status: String = ""
    ) throws {
        try renderer.draw(WallPicture(settled: WallInput(state: state, level: level, seconds: seconds)), status: status)
    }

    @Test func writesALineForEachChange() throws {
        let renderer = renderer()
        try draw(renderer, .idle, at: 0)
        try draw(renderer, .idle, at: 1)
        try draw(renderer, .speaking, 0.5, at: 1.5, "Speaking")
        try draw(renderer, .speaking, 0.55, at: 1.6, "Speaking")
        try draw(renderer, .speaking, 0.61, at: 1.7, "Speaking")
        try draw(renderer, .speaking, 0.0, at: 1.8, "Speaking")
        try draw(renderer, .speaking, 0.01, at: 1.9, "Speaking")
        try draw(renderer, .speaking, 0.01, at: 2, "Muted")
        try renderer.finish()
        let lines = output.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines.count == 7)
        #expect(lines.last == "")
        #expect(output.writes.count == 6)
        #expect(lines[0].hasPrefix("0.00 s  idle  level 0.00  ["))
        #expect(lines[1].hasPrefix("1.50 s  speaking  level 0.50  ["))
        #expect(lines[1].hasSuffix("]  Speaking"))
        #expect(lines[2].hasPrefix("1.70 s  speaking  level 0.61  ["))
        #expect(lines[5].hasSuffix("]  Muted"))
    }

    @Test func drawsTheMiddleRow() throws {
        try draw(renderer(), .idle, at: 0)
        // Opacity falls from 0.16 to 0.08; its root times nine, rounded, picks one of " .:-=+*#%@".
        #expect(output.text == "0.00 s  idle  level 0.00  [---------===---------]\n")
    }

    @Test func hasNoControlCharactersWithoutColour() throws {
        let renderer = renderer()
        try draw(renderer, .speaking, 0.5, at: 0, "a\u{1B}[31mb\nc")
        #expect(output.bytes.filter { $0 < 0x20 || $0 == 0x7F } == [0x0A])
    }

    @Test func coloursTheRowWhereColourIsForced() throws {
        try draw(renderer(.trueColor), .speaking, 0.5, at: 0)
        #expect(output.text.contains("[\u{1B}[38;2;157;194;255m"))
        #expect(output.text.contains("\u{1B}[0m]"))
    }

    @Test func aSizeChangesNothing() throws {
        let renderer = renderer()
        try draw(renderer, .idle, at: 0)
        try renderer.resize(to: TerminalSize(columns: 4, rows: 4))
        #expect(output.writes.count == 1)
    }

    @Test func aLineThatFailedIsWrittenAgain() throws {
        let renderer = renderer()
        output.setBroken(true)
        #expect(throws: WallRendererError.self) { try draw(renderer, .idle, at: 0) }
        output.setBroken(false)
        try draw(renderer, .idle, at: 1)
        #expect(output.writes.count == 1)
    }
}
