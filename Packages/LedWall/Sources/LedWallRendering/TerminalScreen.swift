import HopeTokens
import LedWall

/// What is on the terminal, and the bytes that change it into the next picture.
struct TerminalScreen {
    private(set) var size: TerminalSize
    private let colorMode: TerminalColorMode
    private var cells: [TerminalCell] = []
    private var placement: TerminalPlacement?
    private var plate: [ColorValue] = []
    private var side = 0
    private var status = ""
    private var isKnown = false

    init(size: TerminalSize, colorMode: TerminalColorMode) {
        self.size = size
        self.colorMode = colorMode
    }

    /// Forgets what is on the terminal, so that the next picture is drawn whole.
    mutating func forget() { isKnown = false }

    mutating func resize(to size: TerminalSize) {
        self.size = size
        placement = nil
        forget()
    }

    /// The bytes that show a picture: empty where nothing changes or there is no room at all.
    mutating func frame(_ picture: WallPicture, status text: String) -> [UInt8] {
        guard size.columns > 0, size.rows > 0 else { return [] }
        let place = place(side: picture.frame.side)
        let whole = !isKnown
        let next = drawCells(picture, place)
        var writer = TerminalWriter()
        if whole { writer.clear() }
        for row in place.rows {
            for column in place.columns {
                let index = (row - place.rows.lowerBound) * place.columns.count + column - place.columns.lowerBound
                let cell = next[index]
                guard whole ? cell != .blank : cell != cells[index] else { continue }
                writer.move(toRow: row, column: column)
                writer.put(cell)
            }
        }
        if let row = place.statusRow {
            let line = TerminalText.line(text, columns: size.columns)
            if whole ? !line.text.isEmpty : line.text != status {
                writer.putLine(line.text, row: row, column: (size.columns - line.columns) / 2, clears: !whole)
            }
            status = line.text
        }
        cells = next
        isKnown = true
        return writer.finish()
    }

    private mutating func place(side: Int) -> TerminalPlacement {
        if let placement, self.side == side { return placement }
        let place = TerminalPlacement(side: side, size: size)
        self.side = side
        placement = place
        forget()
        let across = place.width
        let down = 2 * place.height
        plate = []
        plate.reserveCapacity(across * down)
        for y in 0..<down {
            let dy = (Double(y) + 0.5) / Double(down) * 2 - 1
            for x in 0..<across {
                let dx = (Double(x) + 0.5) / Double(across) * 2 - 1
                plate.append(WallShading.plate(atDistance: (dx * dx + dy * dy).squareRoot()))
            }
        }
        return place
    }

    private func drawCells(_ picture: WallPicture, _ place: TerminalPlacement) -> [TerminalCell] {
        var result: [TerminalCell] = []
        result.reserveCapacity(place.rows.count * place.columns.count)
        let glow = min(max(picture.glowRadius / 14, 0), 1)
        // The plate's rim stands for the glow around it, which a terminal has no room for.
        let rim = picture.glowColor.withOpacity(picture.glowColor.opacity * glow / 2)
        for row in place.rows {
            let y = 2 * (row - place.top)
            for column in place.columns {
                let x = column - place.left
                result.append(cell(picture, place, rim, x, y))
            }
        }
        return result
    }

    private func cell(
        _ picture: WallPicture,
        _ place: TerminalPlacement,
        _ rim: ColorValue,
        _ x: Int,
        _ y: Int
    ) -> TerminalCell {
        let upper = dot(at: x, y, place)
        let lower = dot(at: x, y + 1, place)
        switch colorMode {
        case .none:
            let weights = [upper, lower].compactMap { $0.map { weight($0, picture) } }
            guard !weights.isEmpty else { return .blank }
            return TerminalCell(character: WallShading.character(for: weights.reduce(0, +) / Double(weights.count)))
        case .ansi16:
            let inks = [upper, lower].map { dot in
                dot.map { TerminalInk(hueOf: picture.color, weight: weight($0, picture)) } ?? .standard
            }
            return TerminalCell(top: inks[0], bottom: inks[1])
        case .ansi256, .trueColor:
            if upper == nil, lower == nil, isCorner(x, y, place) { return .blank }
            return TerminalCell(
                top: ink(upper, x, y, picture, place, rim),
                bottom: ink(lower, x, y + 1, picture, place, rim)
            )
        }
    }

    /// The number of the dot that covers a half cell; nil on the plate.
    private func dot(at x: Int, _ y: Int, _ place: TerminalPlacement) -> Int? {
        let (across, down) = (x - place.margin, y - place.margin)
        guard across >= 0, down >= 0 else { return nil }
        let (column, row) = (across / place.scale, down / place.scale)
        return column < side && row < side ? row * side + column : nil
    }

    private func isCorner(_ x: Int, _ y: Int, _ place: TerminalPlacement) -> Bool {
        place.margin > 0 && (x == 0 || x == place.width - 1) && (y == 0 || y == 2 * (place.height - 1))
    }

    private func weight(_ dot: Int, _ picture: WallPicture) -> Double {
        WallShading.weight(opacity: picture.frame.opacity[dot], size: picture.frame.size[dot])
    }

    private func ink(
        _ dot: Int?,
        _ x: Int,
        _ y: Int,
        _ picture: WallPicture,
        _ place: TerminalPlacement,
        _ rim: ColorValue
    ) -> TerminalInk {
        let behind = plate[y * place.width + x]
        guard let dot else {
            // With no margin the odd half row below the dots is not plate but the terminal's own background.
            guard place.margin > 0 else { return .standard }
            return TerminalInk(rim.composited(over: behind), mode: colorMode)
        }
        let color = picture.color.withOpacity(picture.color.opacity * weight(dot, picture))
        return TerminalInk(color.composited(over: behind), mode: colorMode)
    }
}
