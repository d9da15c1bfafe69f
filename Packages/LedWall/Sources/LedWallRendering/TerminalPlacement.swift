/// Where the wall stands on a terminal, in cells counted from 0, and how much of it can be seen.
struct TerminalPlacement: Hashable {
    /// Half cells along one side of a dot: 1 gives 21 columns × 11 rows, 2 gives 42 × 21.
    let scale: Int
    /// Cells of plate left and right of the dots; half as many rows above and below.
    let margin: Int
    /// The block of plate and dots; it may begin before 0 and end after the terminal.
    let left: Int
    let top: Int
    let width: Int
    let height: Int
    /// The part of the block that is on the terminal.
    let columns: Range<Int>
    let rows: Range<Int>
    /// The row for the status line; nil where there is none.
    let statusRow: Int?

    /// The wall is as large and its plate as wide as fits, in the middle; what does not fit is cut off evenly.
    init(side: Int, size: TerminalSize) {
        // A terminal of one or two rows shows dots rather than words.
        let free = size.rows >= 3 ? size.rows - 1 : size.rows
        func fits(_ width: Int, _ height: Int) -> Bool { width <= size.columns && height <= free }

        scale = fits(2 * side, side) ? 2 : 1
        let dotRows = scale == 2 ? side : (side + 1) / 2
        margin = fits(scale * side + 4, dotRows + 2) ? 2 : 0
        width = scale * side + 2 * margin
        height = dotRows + margin
        left = Self.half(size.columns - width)
        top = Self.half(free - height)
        columns = Self.overlap(left, width, size.columns)
        rows = Self.overlap(top, height, free)
        if size.rows >= 3 {
            // A free row between the plate and the words where there is one.
            let end = max(0, min(top + height, free))
            statusRow = end < free ? end + 1 : end
        } else {
            statusRow = nil
        }
    }

    private static func half(_ space: Int) -> Int { space >= 0 ? space / 2 : -((-space + 1) / 2) }

    private static func overlap(_ start: Int, _ length: Int, _ limit: Int) -> Range<Int> {
        let lower = min(max(0, start), limit)
        return lower..<max(lower, min(start + length, limit))
    }
}
