/// One character cell: what is seen in its upper and lower half, or a character of the density ramp.
struct TerminalCell: Hashable {
    static let blank = TerminalCell(top: .standard, bottom: .standard)

    var top: TerminalInk
    var bottom: TerminalInk
    /// An ASCII character drawn in place of the two halves.
    var character: UInt8?

    init(top: TerminalInk, bottom: TerminalInk) {
        self.top = top
        self.bottom = bottom
    }

    init(character: UInt8, ink: TerminalInk = .standard) {
        top = ink
        bottom = .standard
        self.character = character
    }

    /// The glyph with its foreground and background; a nil foreground may be anything.
    var drawing: (glyph: StaticString, foreground: TerminalInk?, background: TerminalInk) {
        if top == bottom { return (" ", nil, top) }
        // A half in the terminal's own background can only be the background.
        if top == .standard { return ("▄", bottom, .standard) }
        return ("▀", top, bottom)
    }
}
