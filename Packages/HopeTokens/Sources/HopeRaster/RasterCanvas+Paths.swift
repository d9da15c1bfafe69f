extension RasterCanvas {
    /// Fills the inside of rings by the even-odd rule: a ring within another is a hole.
    ///
    /// Coverage is exact along a row and sampled at sixteen heights within it.
    ///
    /// - Parameters:
    ///   - rings: Corners in pixels, each ring closed by itself; a ring with a corner that is not finite is left out.
    ///   - paint: What to fill with; a glow fills like its colour.
    public mutating func fill(rings: [[RasterPoint]], with paint: RasterPaint) {
        guard let source = PaintSource(paint) else { return }
        var edges = RingEdges(rings, width: width, height: height)
        var coverage = [Float](repeating: 0, count: width)
        while let row = edges.nextRow(&coverage) {
            lay(source, coverage, from: 0, row: row.index, columns: row.columns)
            for column in row.columns { coverage[column] = 0 }
        }
    }

    /// Draws lines with round ends and corners; where parts of one call overlap they count once.
    ///
    /// - Parameters:
    ///   - lines: Points in pixels; a line of one point is a dot. Parts with a point that is not finite are left out.
    ///   - lineWidth: The lines' width in pixels; nothing is drawn when it is not above zero.
    ///   - paint: What to draw with; a glow draws like its colour.
    public mutating func stroke(_ lines: [[RasterPoint]], width lineWidth: Double, with paint: RasterPaint) {
        guard let source = PaintSource(paint), lineWidth > 0, lineWidth.isFinite, width > 0, height > 0 else { return }
        var mask = StrokeMask(over: lines, width: width, height: height, lineWidth: lineWidth)
        for line in lines {
            if line.count == 1 { mask.add(from: line[0], to: line[0]) }
            for (start, end) in zip(line, line.dropFirst()) { mask.add(from: start, to: end) }
        }
        for row in mask.rows {
            let columns = mask.columns(ofRow: row)
            lay(source, mask.coverage(ofRow: row), from: mask.area.lowerBound, row: row, columns: columns)
        }
    }

    private mutating func lay(
        _ source: PaintSource,
        _ coverage: some RandomAccessCollection<Float>,
        from first: Int,
        row: Int,
        columns: Range<Int>
    ) {
        let y = Float(row) + 0.5
        for column in columns {
            let share = coverage[coverage.index(coverage.startIndex, offsetBy: column - first)]
            guard share > 0 else { continue }
            blend(source.color(Float(column) + 0.5, y) * min(share, 1), at: row * width + column)
        }
    }
}

/// The edges of rings, walked through row by row.
private struct RingEdges {
    private struct Edge {
        var top: Double
        var bottom: Double
        var x: Double
        var slope: Double
    }

    private static let samples = 16

    private let edges: [Edge]
    private let width: Int
    private let lastRow: Int
    private var row: Int
    private var waiting = 0
    private var active: [Edge] = []

    init(_ rings: [[RasterPoint]], width: Int, height: Int) {
        var edges: [Edge] = []
        for ring in rings where ring.count > 2 && ring.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) {
            var previous = ring[ring.count - 1]
            for point in ring {
                let (upper, lower) = previous.y < point.y ? (previous, point) : (point, previous)
                previous = point
                guard lower.y > upper.y, lower.y > 0, upper.y < Double(height) else { continue }
                let slope = (lower.x - upper.x) / (lower.y - upper.y)
                edges.append(Edge(top: upper.y, bottom: lower.y, x: upper.x, slope: slope))
            }
        }
        self.edges = edges.sorted { $0.top < $1.top }
        self.width = width
        row = edges.isEmpty ? height : max(0, Int(max(0, self.edges[0].top).rounded(.down)))
        lastRow = min(height, Int((edges.map(\.bottom).max() ?? 0).rounded(.up).clamped(to: 0...Double(height))))
    }

    /// Adds the next row's coverage to a row of zeros and tells which columns may have got some.
    mutating func nextRow(_ coverage: inout [Float]) -> (index: Int, columns: Range<Int>)? {
        guard row < lastRow, width > 0 else { return nil }
        let index = row
        row += 1
        while waiting < edges.count, edges[waiting].top < Double(row) {
            active.append(edges[waiting])
            waiting += 1
        }
        active.removeAll { $0.bottom <= Double(index) }
        var low = width
        var high = 0
        var crossings: [Double] = []
        for sample in 0..<Self.samples {
            let y = Double(index) + (Double(sample) + 0.5) / Double(Self.samples)
            crossings.removeAll(keepingCapacity: true)
            for edge in active where edge.top <= y && y < edge.bottom {
                crossings.append((edge.x + (y - edge.top) * edge.slope).clamped(to: 0...Double(width)))
            }
            crossings.sort()
            for pair in stride(from: 0, to: crossings.count - 1, by: 2) where crossings[pair + 1] > crossings[pair] {
                let columns = Self.addSpan(from: crossings[pair], to: crossings[pair + 1], to: &coverage)
                low = min(low, columns.lowerBound)
                high = max(high, columns.upperBound)
            }
        }
        return (index, low..<max(low, high))
    }

    private static func addSpan(from start: Double, to end: Double, to coverage: inout [Float]) -> Range<Int> {
        let share = 1 / Float(samples)
        let first = Int(start.rounded(.down))
        let last = min(Int(end.rounded(.up)), coverage.count)
        for column in first..<max(first, last) {
            let left = max(start, Double(column))
            let right = min(end, Double(column + 1))
            coverage[column] += Float(right - left) * share
        }
        return first..<max(first, last)
    }
}

/// How much of each pixel is under the lines of one call, as far as they reach: most lines are short, and a picture can
/// have a million of them.
private struct StrokeMask {
    private let width: Int
    private let height: Int
    private let lineWidth: Double
    /// The rows that the lines can reach.
    let rows: Range<Int>
    /// The columns that the lines can reach.
    let area: Range<Int>
    private var coverage: [Float]
    /// The columns of each row that may have some.
    private var columns: [Range<Int>]

    init(over lines: [[RasterPoint]], width: Int, height: Int, lineWidth: Double) {
        self.width = width
        self.height = height
        self.lineWidth = lineWidth
        var low = RasterPoint(x: .infinity, y: .infinity)
        var high = RasterPoint(x: -.infinity, y: -.infinity)
        for line in lines {
            for point in line where point.x.isFinite && point.y.isFinite {
                low = RasterPoint(x: min(low.x, point.x), y: min(low.y, point.y))
                high = RasterPoint(x: max(high.x, point.x), y: max(high.y, point.y))
            }
        }
        let reach = lineWidth / 2 + 2
        let isDrawn = low.x <= high.x
        rows = isDrawn ? Self.range(low.y - reach, high.y + reach, limit: height) : 0..<0
        area = isDrawn ? Self.range(low.x - reach, high.x + reach, limit: width) : 0..<0
        coverage = Array(repeating: 0, count: rows.count * area.count)
        columns = Array(repeating: 0..<0, count: rows.count)
    }

    func coverage(ofRow row: Int) -> ArraySlice<Float> {
        let start = (row - rows.lowerBound) * area.count
        return coverage[start..<start + area.count]
    }

    func columns(ofRow row: Int) -> Range<Int> { columns[row - rows.lowerBound] }

    mutating func add(from start: RasterPoint, to end: RasterPoint) {
        guard start.x.isFinite, start.y.isFinite, end.x.isFinite, end.y.isFinite else { return }
        let reach = lineWidth / 2 + 1
        guard let (start, end) = Self.cut(start, end, to: -reach...(Double(max(width, height)) + reach)),
            let field = DistanceField(.line(from: start, to: end, width: lineWidth))
        else { return }
        let reached = Self.range(min(start.y, end.y) - reach, max(start.y, end.y) + reach, limit: height)
        for row in reached.clamped(to: rows) {
            let y = Double(row) + 0.5
            // Only the part of the line that comes near this row matters.
            var (from, to) = (start.x, end.x)
            if abs(end.y - start.y) > 1e-9 {
                let one = ((y - reach - start.y) / (end.y - start.y)).clamped(to: 0...1)
                let other = ((y + reach - start.y) / (end.y - start.y)).clamped(to: 0...1)
                from = start.x + (end.x - start.x) * one
                to = start.x + (end.x - start.x) * other
            }
            let span = Self.range(min(from, to) - reach, max(from, to) + reach, limit: width).clamped(to: area)
            let first = (row - rows.lowerBound) * area.count - area.lowerBound
            for column in span {
                let inside = min(1, 0.5 - field.distance(Float(column) + 0.5, Float(y)))
                guard inside > 0 else { continue }
                coverage[first + column] = max(coverage[first + column], inside * field.strength)
            }
            guard !span.isEmpty else { continue }
            let before = columns[row - rows.lowerBound]
            columns[row - rows.lowerBound] =
                before.isEmpty
                ? span : min(before.lowerBound, span.lowerBound)..<max(before.upperBound, span.upperBound)
        }
    }

    /// Cuts a line to a square, because 32-bit distances are worthless far outside the canvas (Liang and Barsky).
    private static func cut(
        _ start: RasterPoint,
        _ end: RasterPoint,
        to limits: ClosedRange<Double>
    ) -> (RasterPoint, RasterPoint)? {
        var first = 0.0
        var last = 1.0
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        let sides = [
            (-dx, start.x - limits.lowerBound), (dx, limits.upperBound - start.x),
            (-dy, start.y - limits.lowerBound), (dy, limits.upperBound - start.y),
        ]
        for (step, room) in sides {
            if step == 0 {
                if room < 0 { return nil }
            } else if step < 0 {
                first = max(first, room / step)
            } else {
                last = min(last, room / step)
            }
        }
        guard first <= last else { return nil }
        return (
            RasterPoint(x: start.x + dx * first, y: start.y + dy * first),
            RasterPoint(x: start.x + dx * last, y: start.y + dy * last)
        )
    }

    private static func range(_ low: Double, _ high: Double, limit: Int) -> Range<Int> {
        let first = Int(low.rounded(.down).clamped(to: 0...Double(limit)))
        return first..<max(first, Int(high.rounded(.up).clamped(to: 0...Double(limit))))
    }
}

extension Double {
    fileprivate func clamped(to limits: ClosedRange<Double>) -> Double {
        Swift.min(Swift.max(self, limits.lowerBound), limits.upperBound)
    }
}
