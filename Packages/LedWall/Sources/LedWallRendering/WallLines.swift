import LedWall

/// The wall in plain lines, for output that is not a terminal: one line for each change.
struct WallLines {
    private let colorMode: TerminalColorMode
    private var shown: (state: WallState, level: Double, status: String)?

    init(colorMode: TerminalColorMode) { self.colorMode = colorMode }

    /// Forgets what was shown, so that the next picture is a change.
    mutating func forget() { shown = nil }

    /// The line for a picture, or nil if it shows no change: of the state, the words, or the level by 0.1 or to or from 0.
    mutating func line(for picture: WallPicture, status: String) -> [UInt8]? {
        let (state, level) = (picture.input.state, picture.input.signal)
        if let shown, shown.state == state, shown.status == status, (shown.level == 0) == (level == 0),
            (shown.level - level).magnitude < 0.1
        {
            return nil
        }
        shown = (state, level, status)
        var line = Array(TerminalText.fixed(picture.input.seconds, decimals: 2).utf8)
        line += Array(" s  \(state.rawValue)  level \(TerminalText.fixed(level, decimals: 2))  [".utf8)
        let ramp = WallShading.line(of: picture.frame)
        if colorMode == .none {
            line += ramp
        } else {
            var parameters: [UInt8] = []
            let ink =
                colorMode == .ansi16
                ? TerminalInk(hueOf: picture.color, weight: 0.5) : TerminalInk(picture.color, mode: colorMode)
            ink.append(to: &parameters, isForeground: true)
            line += Array("\u{1B}[".utf8) + parameters + Array("m".utf8) + ramp + Array("\u{1B}[0m".utf8)
        }
        let words = TerminalText.line(status, columns: 200).text
        line += Array((words.isEmpty ? "]\n" : "]  \(words)\n").utf8)
        return line
    }
}
