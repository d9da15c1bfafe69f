/// Where a row stands: later conversations below earlier ones, then by time, then by arrival.
struct RowPosition: Comparable, Sendable {
    var conversation: Int
    var time: Double
    var arrival: Int

    static func < (left: Self, right: Self) -> Bool {
        if left.conversation != right.conversation { return left.conversation < right.conversation }
        if left.time != right.time { return left.time < right.time }
        return left.arrival < right.arrival
    }
}

/// Positions in order, in pieces of bounded length so that an insertion anywhere moves little.
struct OrderedRowIndex: Sendable {
    private static let pieceLimit = 512

    private var pieces: [[RowPosition]] = []
    private(set) var count = 0

    var first: RowPosition? { pieces.first?.first }

    mutating func insert(_ position: RowPosition) {
        count += 1
        guard !pieces.isEmpty else {
            pieces = [[position]]
            return
        }
        let piece = pieceIndex(for: position)
        pieces[piece].insert(position, at: Self.lowerBound(of: position, in: pieces[piece]))
        if pieces[piece].count > Self.pieceLimit {
            // A full last piece stays full: most rows are appended, and halves would waste the room.
            let middle = piece == pieces.count - 1 ? Self.pieceLimit : Self.pieceLimit / 2
            let upper = Array(pieces[piece][middle...])
            pieces[piece].removeSubrange(middle...)
            pieces.insert(upper, at: piece + 1)
        }
    }

    mutating func remove(_ position: RowPosition) {
        guard !pieces.isEmpty else { return }
        let piece = pieceIndex(for: position)
        let index = Self.lowerBound(of: position, in: pieces[piece])
        guard index < pieces[piece].count, pieces[piece][index] == position else { return }
        count -= 1
        pieces[piece].remove(at: index)
        if pieces[piece].isEmpty { pieces.remove(at: piece) }
    }

    mutating func removeAll() { self = Self() }

    /// All positions, oldest first.
    var ascending: some Sequence<RowPosition> { pieces.lazy.joined() }

    /// All positions, newest first.
    var descending: some Sequence<RowPosition> { pieces.lazy.reversed().lazy.flatMap { $0.reversed() } }

    /// The last piece that begins at or before the position.
    private func pieceIndex(for position: RowPosition) -> Int {
        var low = 0
        var high = pieces.count
        while low < high {
            let middle = (low + high) / 2
            if let first = pieces[middle].first, first <= position { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }

    private static func lowerBound(of position: RowPosition, in piece: [RowPosition]) -> Int {
        var low = 0
        var high = piece.count
        while low < high {
            let middle = (low + high) / 2
            if piece[middle] < position { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
