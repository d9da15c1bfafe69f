import LedWall
import LedWallConformance
import LedWallRendering
import Testing

struct WallRendererConformanceTests {
    @Test(arguments: WallRendererLaw.allCases, TerminalColorMode.allCases)
    func theTerminalObeys(_ law: WallRendererLaw, _ mode: TerminalColorMode) async {
        await law.check {
            let output = OutputRecorder()
            let size = TerminalSize(columns: 80, rows: 24)
            return WallRendererSubject(
                renderer: TerminalWallRenderer(output: .screen(size), colorMode: mode, sink: output.write),
                output: { output.bytes },
                breakOutput: output.setBroken
            )
        }
    }

    @Test(arguments: WallRendererLaw.allCases)
    func plainLinesObey(_ law: WallRendererLaw) async {
        await law.check {
            let output = OutputRecorder()
            return WallRendererSubject(
                renderer: TerminalWallRenderer(output: .lines, colorMode: .none, sink: output.write),
                output: { output.bytes },
                breakOutput: output.setBroken
            )
        }
    }

    @Test(arguments: WallRendererLaw.allCases)
    func picturesObey(_ law: WallRendererLaw) async {
        await law.check {
            let output = OutputRecorder()
            return WallRendererSubject(
                renderer: PNGWallRenderer(side: 48) { file, _ in try output.write(file) },
                output: { output.bytes },
                breakOutput: output.setBroken
            )
        }
    }
}
