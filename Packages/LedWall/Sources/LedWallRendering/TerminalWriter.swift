/// Gathers the bytes of one frame: moves the cursor and sets colours only where they change.
struct TerminalWriter {
    private var bytes: [UInt8] = []
    private var foreground = TerminalInk.standard
    private var background = TerminalInk.standard
    private var cursor: (row: Int, column: Int)?

    mutating func clear() {
        // The background must be the terminal's own before clearing: some fill with the current one.
        append("\u{1B}[0m\u{1B}[2J")
    }

    mutating func move(toRow row: Int, column: Int) {
        if let cursor, cursor == (row, column) { return }
        append("\u{1B}[")
        bytes.appendDecimals(row + 1, column + 1)
        append("H")
        cursor = (row, column)
    }

    mutating func put(_ cell: TerminalCell) {
        if let character = cell.character {
            set(cell.top, .standard)
            bytes.append(character)
        } else {
            let drawing = cell.drawing
            set(drawing.foreground, drawing.background)
            append(drawing.glyph)
        }
        cursor?.column += 1
    }

    mutating func putLine(_ text: String, row: Int, column: Int, clears: Bool) {
        move(toRow: row, column: column)
        set(.standard, .standard)
        if clears { append("\u{1B}[2K") }
        bytes.append(contentsOf: text.utf8)
        // How far the words moved the cursor is the terminal's opinion.
        cursor = nil
    }

    /// The whole frame in synchronised mode with the colours reset; nothing if nothing was put.
    consuming func finish() -> [UInt8] {
        guard !bytes.isEmpty else { return [] }
        set(.standard, .standard)
        return TerminalCode.beginFrame + bytes + TerminalCode.endFrame
    }

    private mutating func set(_ newForeground: TerminalInk?, _ newBackground: TerminalInk) {
        var parameters: [UInt8] = []
        if let newForeground, newForeground != foreground {
            newForeground.append(to: &parameters, isForeground: true)
            foreground = newForeground
        }
        if newBackground != background {
            newBackground.append(to: &parameters, isForeground: false)
            background = newBackground
        }
        guard !parameters.isEmpty else { return }
        append("\u{1B}[")
        bytes += parameters
        append("m")
    }

    private mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }
}

/// The control sequences that frames are wrapped in.
enum TerminalCode {
    /// Synchronised output: the terminal shows what follows at once at its end.
    ///
    /// Terminals ignore modes that they do not know.
    static let beginFrame = Array("\u{1B}[?2026h".utf8)
    static let endFrame = Array("\u{1B}[?2026l".utf8)
    /// Alternate screen, hidden cursor, no wrapping at the right edge (which could scroll).
    static let enter = Array("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l".utf8)
    /// Ends a frame cut off in the middle, then undoes `enter`.
    ///
    /// The cursor comes last, as leaving the alternate screen does not show it on every terminal.
    static let restore = Array("\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?1049l\u{1B}[?25h".utf8)
}
