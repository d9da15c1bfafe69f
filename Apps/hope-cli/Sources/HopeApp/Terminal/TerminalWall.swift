internal import LedWall
internal import LedWallRendering

/// The wall on the process's own terminal: follows its size, comes back after Ctrl-Z, and gives it back at the end.
final class TerminalWall: WallRenderer {
    private let terminal: Terminal
    private let renderer: TerminalWallRenderer

    init(on terminal: Terminal, colorMode: TerminalColorMode) {
        self.terminal = terminal
        renderer = TerminalWallRenderer(output: .screen(terminal.size), colorMode: colorMode) { bytes in
            try terminal.write(bytes)
        }
        terminal.take(returningWith: TerminalWallRenderer.restoreSequence)
    }

    func draw(_ picture: WallPicture, status: String) throws(WallRendererError) {
        if terminal.takeStop() {
            renderer.forgetScreen()
        }
        try renderer.resize(to: terminal.size)
        try renderer.draw(picture, status: status)
    }

    func finish() throws(WallRendererError) {
        // First the terminal: its returning sequence is then the last thing it gets.
        terminal.giveBack()
        try renderer.finish()
    }
}
