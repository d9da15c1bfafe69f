import HopeTokens
import LedWall
import LedWallRendering
import Testing

struct TerminalWallRendererTests {
    private let output = OutputRecorder()

    private func renderer(
        _ columns: Int,
        _ rows: Int,
        _ colorMode: TerminalColorMode = .trueColor
    ) -> TerminalWallRenderer {
        let size = TerminalSize(columns: columns, rows: rows)
        return TerminalWallRenderer(output: .screen(size), colorMode: colorMode) { [output] in try output.write($0) }
    }

    private func picture(_ state: WallState, _ level: Double = 0, at seconds: Double = 0, side: Int = 21) -> WallPicture
    {
        WallPicture(
            settled: WallInput(state: state, level: level, seconds: seconds),
            grid: WallGrid(side: side)
        )
    }

    /// A frame of one opacity and size all over, on the plate of a wall.
    private func even(_ opacity: Float, size: Float = 1, side: Int = 21, color: UInt32 = 0xFFFFFF) -> WallPicture {
        WallPicture(
            input: WallInput(state: .speaking, level: 0.5),
            frame: WallFrame(side: side, opacity: opacity, size: size),
            color: ColorValue(rgb: color)
        )
    }

    private func screen(_ columns: Int, _ rows: Int) -> TerminalEmulator {
        var screen = TerminalEmulator(columns: columns, rows: rows)
        screen.feed(output.bytes)
        return screen
    }

    /// The first cell of the wall on a screen, and its last one.
    private func block(_ screen: TerminalEmulator) -> (rows: ClosedRange<Int>, columns: ClosedRange<Int>)? {
        let cells = (0..<screen.rows).flatMap { row in (0..<screen.columns).map { (row, $0) } }
            .filter { screen[$0.0, $0.1].background != "default" || screen[$0.0, $0.1].text == "▀" }
        guard let top = cells.map(\.0).min(), let bottom = cells.map(\.0).max(), let left = cells.map(\.1).min(),
            let right = cells.map(\.1).max()
        else { return nil }
        return (top...bottom, left...right)
    }

    @Test(
        arguments: [
            (21, 12, 21, 11), (22, 13, 21, 11), (25, 14, 25, 13), (42, 22, 42, 21), (46, 24, 46, 23), (80, 24, 46, 23),
            (200, 60, 46, 23), (80, 12, 21, 11),
        ]
    )
    func takesTheRoomThereIs(columns: Int, rows: Int, width: Int, height: Int) throws {
        try renderer(columns, rows).draw(even(1))
        let screen = screen(columns, rows)
        #expect(screen.faults == [])
        let block = try #require(self.block(screen))
        #expect(block.columns.count == width)
        #expect(block.rows.count == height)
        #expect(abs(block.columns.lowerBound + block.columns.upperBound + 1 - columns) <= 1)
    }

    @Test func twoDotsShareACell() throws {
        var picture = even(0)
        picture.frame = WallFrameGenerator().frame(for: WallInput(state: .speaking, level: 1, seconds: 2))
        try renderer(21, 12).draw(picture)
        let screen = screen(21, 12)
        // The dots of an odd number of rows leave half a cell, which stays the terminal's own.
        #expect((0..<21).allSatisfy { screen[10, $0].text == "▀" && screen[10, $0].background == "default" })
        #expect(screen[4, 10].text == "▀")
        #expect(screen[4, 10].foreground != screen[4, 10].background)
    }

    @Test func blendsDotsOverThePlateByTheirOpacity() throws {
        // Canvas 08111F under 060C18 at 0.4 is 7.2, 15, 28.2; the glass shines little in a corner. White at a half over it.
        try renderer(21, 12).draw(even(0.5))
        let parts = screen(21, 12)[0, 0].background.split(separator: ",").compactMap { Int($0) }
        #expect(parts.count == 3)
        #expect(zip(parts, [131, 135, 142]).allSatisfy { abs($0 - $1) <= 1 }, "\(parts)")
    }

    @Test func anInvisibleDotShowsThePlateAlone() throws {
        try renderer(21, 12).draw(even(0))
        let screen = screen(21, 12)
        #expect(screen[0, 0].background == "7,15,28")
        // At the centre the glass's 6F8FF7 at 0.10 lies over the fill: 17.6, 27.8, 50.1, a little less beside it.
        let middle = screen[5, 10].background.split(separator: ",").compactMap { Int($0) }
        #expect(middle.count == 3)
        #expect(zip(middle, [17, 28, 50]).allSatisfy { abs($0 - $1) <= 1 }, "\(middle)")
    }

    @Test func largerDotsAreBrighter() throws {
        let brightness = try [Float(0.42), 1, 2.4].map { size in
            let output = OutputRecorder()
            let terminal = TerminalSize(columns: 21, rows: 12)
            let renderer = TerminalWallRenderer(output: .screen(terminal), colorMode: .trueColor, sink: output.write)
            try renderer.draw(even(0.5, size: size))
            var screen = TerminalEmulator(columns: 21, rows: 12)
            screen.feed(output.bytes)
            return try #require(screen[3, 3].background.split(separator: ",").compactMap { Int($0) }.first)
        }
        #expect(brightness == brightness.sorted())
        #expect(Set(brightness).count == 3)
    }

    @Test(arguments: TerminalColorMode.allCases)
    func usesOnlyTheColoursThatThereAre(mode: TerminalColorMode) throws {
        let renderer = renderer(80, 24, mode)
        for (index, state) in WallState.allCases.enumerated() {
            try renderer.draw(picture(state, 0.7, at: Double(index)), status: state.rawValue)
        }
        let screen = screen(80, 24)
        #expect(screen.faults == [])
        #expect(output.text.contains("8;2;") == (mode == .trueColor))
        #expect(output.text.contains("8;5;") == (mode == .ansi256))
        #expect(
            output.text.contains("▀") == (mode != .none) || mode == .ansi16 || mode == .ansi256 || mode == .trueColor
        )
        if mode == .none {
            #expect(output.bytes.allSatisfy { $0 < 0x80 })
            #expect(screen.cells.allSatisfy { $0.foreground == "default" && $0.background == "default" })
        }
        if mode == .ansi256 {
            let colors = screen.cells.flatMap { [$0.foreground, $0.background] }.filter { $0 != "default" }
            #expect(colors.allSatisfy { (16...255).contains(Int($0) ?? 0) })
        }
    }

    @Test func withoutColourBrightDotsAreDenseCharacters() throws {
        try renderer(42, 22, .none).draw(even(1))
        #expect(screen(42, 22).text(ofRow: 0) == String(repeating: "@", count: 42))
    }

    @Test func aWallAtRestCanBeSeenInEveryMode() throws {
        for mode in TerminalColorMode.allCases {
            let output = OutputRecorder()
            let size = TerminalSize(columns: 80, rows: 24)
            let renderer = TerminalWallRenderer(output: .screen(size), colorMode: mode, sink: output.write)
            try renderer.draw(picture(.idle))
            var screen = TerminalEmulator(columns: 80, rows: 24)
            screen.feed(output.bytes)
            #expect(screen[11, 40] != screen[0, 0], "\(mode)")
            #expect(screen[11, 40] != TerminalEmulator.Cell(), "\(mode)")
        }
    }

    @Test(arguments: TerminalColorMode.allCases)
    func changesGiveTheSameScreenAsDrawingItWhole(mode: TerminalColorMode) throws {
        let renderer = renderer(60, 24, mode)
        var motion = WallMotion()
        var screen = TerminalEmulator(columns: 60, rows: 24)
        let states: [WallState] = [.idle, .connecting, .listening, .speaking, .thinking, .failed]
        for index in 0..<12 {
            let seconds = Double(index) / 15
            let input = WallInput(state: states[index / 2], level: Double(index % 5) / 4, seconds: seconds)
            let (shown, status) = (motion.picture(for: input), index % 3 == 0 ? "" : "state \(index / 4)")
            let written = output.writes.count
            try renderer.draw(shown, status: status)
            for bytes in output.writes[written...] { screen.feed(bytes) }
            let whole = OutputRecorder()
            let size = TerminalSize(columns: 60, rows: 24)
            try TerminalWallRenderer(output: .screen(size), colorMode: mode, sink: whole.write).draw(
                shown,
                status: status
            )
            var fresh = TerminalEmulator(columns: 60, rows: 24)
            fresh.feed(whole.bytes)
            #expect(screen.faults == [])
            // A blank has no foreground that could be seen.
            func seen(_ cell: TerminalEmulator.Cell) -> TerminalEmulator.Cell {
                cell.text == " " ? TerminalEmulator.Cell(background: cell.background) : cell
            }
            #expect(screen.cells.map(seen) == fresh.cells.map(seen), "frame \(index)")
        }
    }

    @Test func writesOnlyWhatChanged() throws {
        let renderer = renderer(80, 24)
        var shown = even(0.5)
        try renderer.draw(shown, status: "words")
        try renderer.draw(shown, status: "words")
        #expect(output.writes.count == 1)
        shown.frame = WallFrame(side: 21, opacity: 0.5)
        shown.color = ColorValue(rgb: 0xFEFFFF)
        try renderer.draw(shown, status: "other")
        let before = output.writes[0].count
        try renderer.draw(shown, status: "words")
        #expect(output.writes.count == 3)
        #expect(output.writes[2].count < 60)
        #expect(before > 1000)
    }

    @Test func eachFrameIsOneWriteInSynchronisedMode() throws {
        let renderer = renderer(80, 24)
        for index in 0..<5 {
            try renderer.draw(picture(.speaking, 0.6, at: Double(index) / 10), status: "words")
            #expect(output.writes.count == index + 1)
            let text = String(decoding: output.writes[index], as: UTF8.self)
            #expect(text.hasSuffix("\u{1B}[0m\u{1B}[?2026l") || text.hasSuffix("\u{1B}[?2026l"))
            #expect(text.ranges(of: "\u{1B}[?2026h").count == 1)
            #expect(screen(80, 24).hasPlainPen)
        }
        #expect(!output.text.contains("\n"))
    }

    @Test func takesTheScreenWithTheFirstPictureAndGivesItBack() throws {
        let renderer = renderer(80, 24)
        #expect(output.writes.isEmpty)
        try renderer.draw(picture(.idle))
        var screen = screen(80, 24)
        #expect(screen.isAlternate)
        #expect(!screen.isCursorShown)
        #expect(!screen.wraps)
        try renderer.finish()
        screen = self.screen(80, 24)
        #expect(!screen.isAlternate)
        #expect(screen.isCursorShown)
        #expect(screen.wraps)
        #expect(screen.hasPlainPen)
        #expect(!screen.isSynchronised)
        #expect(
            output.bytes.suffix(TerminalWallRenderer.restoreSequence.count) == TerminalWallRenderer.restoreSequence[...]
        )
    }

    @Test func finishingWithoutAPictureWritesNothing() throws {
        try renderer(80, 24).finish()
        #expect(output.writes.isEmpty)
    }

    @Test("W1: a frame cut off anywhere is undone by the restore sequence")
    func restoresAfterACutOffFrame() throws {
        try renderer(40, 14).draw(picture(.speaking, 0.8, at: 1), status: "Sprechen über Wände")
        let bytes = output.bytes
        for cut in stride(from: 0, through: bytes.count, by: 7) {
            var screen = CutOffTerminal()
            screen.feed(bytes.prefix(cut) + TerminalWallRenderer.restoreSequence)
            #expect(screen.modes == ["?7": true, "?25": true, "?1049": false, "?2026": false], "cut at \(cut)")
            #expect(screen.hasPlainPen, "cut at \(cut)")
        }
    }

    @Test func givesTheScreenBackWhileSuspended() throws {
        let renderer = renderer(80, 24)
        try renderer.draw(picture(.idle))
        let whole = output.writes[0]
        try renderer.suspend()
        try renderer.suspend()
        #expect(output.writes.count == 2)
        #expect(output.writes[1] == TerminalWallRenderer.restoreSequence)
        try renderer.resize(to: TerminalSize(columns: 60, rows: 24))
        try renderer.resize(to: TerminalSize(columns: 80, rows: 24))
        #expect(output.writes.count == 2)
        try renderer.draw(picture(.idle))
        #expect(output.writes.last == whole)
    }

    @Test("W2: a terminal of any size is drawn on without harm", arguments: TerminalColorMode.allCases)
    func survivesAnySize(mode: TerminalColorMode) throws {
        let sizes = [(1, 1), (1, 2), (2, 1), (3, 3), (20, 5), (5, 20), (21, 11), (200, 3), (65535, 1), (1, 65535)]
        for (columns, rows) in sizes {
            let output = OutputRecorder()
            let size = TerminalSize(columns: columns, rows: rows)
            let renderer = TerminalWallRenderer(output: .screen(size), colorMode: mode, sink: output.write)
            try renderer.draw(picture(.speaking, 0.9, at: 1), status: "a rather long line of words")
            try renderer.draw(picture(.thinking, 0, at: 2), status: "other words")
            var screen = TerminalEmulator(columns: columns, rows: rows)
            screen.feed(output.bytes)
            #expect(screen.faults == [], "\(columns) × \(rows)")
            #expect(output.bytes.count < 60_000, "\(columns) × \(rows)")
            #expect(screen.cells.contains { $0 != TerminalEmulator.Cell() }, "\(columns) × \(rows)")
        }
    }

    @Test("W2: a terminal that is gone is not written to", arguments: [(0, 0), (0, 24), (80, 0), (-1, -7)])
    func writesNothingWithoutRoom(columns: Int, rows: Int) throws {
        let renderer = renderer(columns, rows)
        try renderer.draw(picture(.speaking, 0.5), status: "words")
        try renderer.finish()
        #expect(output.writes.isEmpty)
    }

    @Test("W2: a new size clears and draws in one write")
    func followsANewSize() throws {
        let renderer = renderer(80, 24)
        try renderer.draw(picture(.speaking, 0.5, at: 1), status: "words")
        for (columns, rows) in [(30, 14), (1, 1), (0, 0), (120, 40)] {
            let before = output.writes.count
            try renderer.resize(to: TerminalSize(columns: columns, rows: rows))
            guard columns > 0 else {
                #expect(output.writes.count == before)
                continue
            }
            #expect(output.writes.count == before + 1)
            var screen = TerminalEmulator(columns: columns, rows: rows)
            screen.feed(output.writes[before])
            #expect(screen.faults == [])
            #expect(String(decoding: output.writes[before], as: UTF8.self).hasPrefix("\u{1B}[?2026h\u{1B}[0m\u{1B}[2J"))
            #expect(rows < 3 || (0..<rows).contains { screen.text(ofRow: $0) == "words" })
        }
    }

    @Test("W2: a terminal that gets room at last shows the picture that waited")
    func drawsOnceThereIsRoom() throws {
        let renderer = renderer(0, 0)
        try renderer.draw(picture(.idle))
        try renderer.resize(to: TerminalSize(columns: 80, rows: 24))
        #expect(output.writes.count == 1)
        #expect(screen(80, 24).isAlternate)
        try renderer.finish()
        try renderer.resize(to: TerminalSize(columns: 60, rows: 24))
        #expect(output.writes.count == 2)
    }

    @Test func theSameSizeAgainDrawsNothing() throws {
        let renderer = renderer(80, 24)
        try renderer.draw(picture(.idle))
        try renderer.resize(to: TerminalSize(columns: 80, rows: 24))
        #expect(output.writes.count == 1)
    }

    @Test func anotherGridIsDrawnWhole() throws {
        let renderer = renderer(80, 24)
        try renderer.draw(picture(.speaking, 1, at: 0))
        try renderer.draw(picture(.speaking, 1, at: 1, side: 17))
        let screen = screen(80, 24)
        #expect(screen.faults == [])
        #expect(block(screen)?.columns.count == 38)
    }

    @Test(
        arguments: [
            ("Speaking", "Speaking"), ("a\u{1B}[2Jb", "a[2Jb"), ("a\nb\tc", "a b c"), ("a\u{9B}31mb", "a31mb"),
            ("left\u{202E}right", "leftright"), ("\u{7}\u{0}\u{7F}", ""), ("e\u{301}", "e\u{301}"), ("\u{301}x", "x"),
        ]
    )
    func putsHarmlessWordsUnderTheWall(given: String, shown: String) throws {
        try renderer(80, 24).draw(picture(.idle), status: given)
        let screen = screen(80, 24)
        #expect(screen.faults == [])
        #expect(screen.text(ofRow: 23).unicodeScalars.elementsEqual(shown.unicodeScalars))
    }

    @Test func cutsWordsAtTheEdgeByTheirWidth() throws {
        try renderer(9, 5).draw(picture(.idle), status: "漢字漢字漢字")
        // Four characters of two columns fit in nine.
        #expect(output.text.contains("漢字漢字"))
        #expect(!output.text.contains("漢字漢字漢"))
    }

    @Test func reportsABrokenOutputAndDrawsWholeAfterwards() throws {
        let renderer = renderer(80, 24)
        try renderer.draw(picture(.idle))
        output.setBroken(true)
        #expect(throws: WallRendererError.output("the output is gone")) {
            try renderer.draw(picture(.thinking, 0, at: 1))
        }
        output.setBroken(false)
        try renderer.draw(picture(.thinking, 0, at: 2))
        #expect(String(decoding: output.writes[1], as: UTF8.self).contains("\u{1B}[2J"))
    }
}

/// A terminal that, like a real one, lets an escape end whatever was going on, and knows only modes and the pen.
private struct CutOffTerminal {
    private(set) var modes: [String: Bool] = ["?7": true, "?25": true, "?1049": false, "?2026": false]
    private(set) var hasPlainPen = true

    mutating func feed(_ bytes: [UInt8]) {
        for sequence in bytes.split(separator: 0x1B).dropFirst(bytes.first == 0x1B ? 0 : 1) {
            let text = String(decoding: sequence, as: UTF8.self)
            guard let end = text.dropFirst().firstIndex(where: { $0.isLetter }), text.hasPrefix("[") else { continue }
            let parameters = String(text[text.index(after: text.startIndex)..<end])
            switch text[end] {
            case "h": modes[parameters] = true
            case "l": modes[parameters] = false
            case "m": hasPlainPen = parameters == "0"
            default: break
            }
        }
    }
}
