/// A spatial index of many boxes in flat arrays: an R-tree packed along a Hilbert curve, made once and then only read.
///
/// Boxes are kept as 32-bit numbers, rounded outwards, so that a search may find too much but never too little.
///
/// The packing is that of Kamel and Faloutsos, "On packing R-trees" (1993).
struct PackedSpatialIndex: Sendable {
    /// How many boxes share one of the level above.
    private static let fanOut = 16

    /// The entries' numbers, in the order of the curve.
    private let entries: [Int32]
    /// West, south, east, north of every box: the entries first, then level upon level to the root.
    private let boxes: [SIMD4<Float>]
    /// Where each level begins in `boxes`, the entries' level first, and the end of the last.
    private let levels: [Int]

    /// The number of entries.
    var count: Int { entries.count }

    /// Makes an index.
    ///
    /// - Parameter bounds: West, south, east and north of each entry, the first one's number being 0; a box with a value
    ///   that is not a number is found nowhere.
    init(_ bounds: [SIMD4<Double>]) {
        let order = Self.curveOrder(bounds)
        entries = order.map { Int32($0) }
        var boxes = order.map { Self.roundedOutwards(bounds[$0]) }
        var levels = [0]
        var start = 0
        while boxes.count - start > 1 {
            let end = boxes.count
            levels.append(end)
            for first in stride(from: start, to: end, by: Self.fanOut) {
                var box = boxes[first]
                for child in boxes[first..<min(first + Self.fanOut, end)] {
                    box.lowHalf = pointwiseMin(box.lowHalf, child.lowHalf)
                    box.highHalf = pointwiseMax(box.highHalf, child.highHalf)
                }
                boxes.append(box)
            }
            start = end
        }
        levels.append(boxes.count)
        self.boxes = boxes
        self.levels = levels
    }

    /// Visits entries whose boxes touch a window, those close to a position first.
    ///
    /// - Parameters:
    ///   - position: Where to begin; only the order depends on it.
    ///   - window: What boxes have to touch.
    ///   - body: Called with each entry's number; returns a smaller window for the rest of the search, or nil.
    /// - Throws: What `body` throws.
    func search<Failure: Error>(
        from position: MapPosition,
        within window: MapBounds,
        _ body: (Int) throws(Failure) -> MapBounds?
    ) throws(Failure) {
        guard !boxes.isEmpty else { return }
        var window = Window(window)
        guard window.touches(boxes[boxes.count - 1]) else { return }
        let start = SIMD2(Float(position.longitude), Float(position.latitude))
        var queue = NearestFirstQueue()
        queue.push(boxes.count - 1, level: levels.count - 2, distance: 0)
        while let next = queue.pop() {
            let index = Int(next.index)
            let level = Int(next.level)
            guard window.touches(boxes[index]) else { continue }
            if level == 0 {
                if let smaller = try body(Int(entries[index])) { window = Window(smaller) }
                continue
            }
            let below = level - 1
            let first = levels[below] + (index - levels[level]) * Self.fanOut
            for child in first..<min(first + Self.fanOut, levels[level]) where window.touches(boxes[child]) {
                queue.push(child, level: below, distance: Self.squaredDistance(start, boxes[child]))
            }
        }
    }

    /// A window as 32-bit numbers, rounded outwards.
    private struct Window {
        private let box: SIMD4<Float>

        init(_ bounds: MapBounds) {
            box = roundedOutwards(SIMD4(bounds.west, bounds.south, bounds.east, bounds.north))
        }

        func touches(_ other: SIMD4<Float>) -> Bool {
            all(other.lowHalf .<= box.highHalf) && all(box.lowHalf .<= other.highHalf)
        }
    }

    private static func roundedOutwards(_ bounds: SIMD4<Double>) -> SIMD4<Float> {
        func below(_ value: Double) -> Float {
            let rounded = Float(value)
            return Double(rounded) > value ? rounded.nextDown : rounded
        }
        func above(_ value: Double) -> Float {
            let rounded = Float(value)
            return Double(rounded) < value ? rounded.nextUp : rounded
        }
        return SIMD4(below(bounds.x), below(bounds.y), above(bounds.z), above(bounds.w))
    }

    private static func squaredDistance(_ point: SIMD2<Float>, _ box: SIMD4<Float>) -> Float {
        let gap = pointwiseMax(pointwiseMax(box.lowHalf - point, point - box.highHalf), SIMD2(0, 0))
        return (gap * gap).sum()
    }

    /// Returns the indices of the boxes along a Hilbert curve through their middles, so that neighbours stay together.
    private static func curveOrder(_ bounds: [SIMD4<Double>]) -> [Int] {
        let steps = Double(UInt16.max)
        let places: [UInt64] = bounds.enumerated().map { index, box in
            let middle = (box.lowHalf + box.highHalf) / 2
            // Longitudes of up to a turn beyond ±180 occur beside the antimeridian.
            let x = min(max((middle.x + 540) / 1080 * steps, 0), steps)
            let y = min(max((middle.y + 90) / 180 * steps, 0), steps)
            let place = x.isNaN || y.isNaN ? 0 : hilbert(UInt32(x), UInt32(y))
            return UInt64(place) << 32 | UInt64(index)
        }
        return places.sorted().map { Int($0 & 0xFFFF_FFFF) }
    }

    /// Returns how far along a Hilbert curve of order 16 a cell lies (Skilling, "Programming the Hilbert curve", 2004).
    private static func hilbert(_ column: UInt32, _ row: UInt32) -> UInt32 {
        var x = column
        var y = row
        var place: UInt32 = 0
        var side: UInt32 = 1 << 15
        while side > 0 {
            let right: UInt32 = x & side > 0 ? 1 : 0
            let upper: UInt32 = y & side > 0 ? 1 : 0
            place += side * side * ((3 * right) ^ upper)
            if upper == 0 {
                if right == 1 {
                    x = UInt32(UInt16.max) - x
                    y = UInt32(UInt16.max) - y
                }
                swap(&x, &y)
            }
            side >>= 1
        }
        return place
    }
}

/// The boxes that a search has still to look into, the closest first.
private struct NearestFirstQueue {
    struct Entry {
        var distance: Float
        var index: Int32
        var level: Int32
    }

    private var heap: [Entry] = []

    init() {
        // More than a search usually looks into at once.
        heap.reserveCapacity(96)
    }

    mutating func push(_ index: Int, level: Int, distance: Float) {
        heap.append(Entry(distance: distance, index: Int32(index), level: Int32(level)))
        var child = heap.count - 1
        while child > 0, heap[child].distance < heap[(child - 1) / 2].distance {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func pop() -> Entry? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        guard !heap.isEmpty else { return first }
        heap[0] = last
        var parent = 0
        while true {
            let left = 2 * parent + 1
            guard left < heap.count else { return first }
            let right = left + 1
            let child = right < heap.count && heap[right].distance < heap[left].distance ? right : left
            guard heap[child].distance < heap[parent].distance else { return first }
            heap.swapAt(parent, child)
            parent = child
        }
    }
}
