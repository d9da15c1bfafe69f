import MapDocs

/// Reads the boxes of a spatial index straight from the nodes of SQLite's R*Tree.
///
/// A node is two bytes of depth (in the root), two bytes that count its cells, and cells of 24 bytes: a number of 64
/// bits and four floating-point numbers of 32 bits, all big-endian (sqlite.org/rtree.html, section 6).
struct RTreeNodeReader {
    /// One node on the way through the tree.
    struct Node {
        /// Its number.
        let number: Int64
        /// How far above the leaves it is; 0 for a leaf.
        let height: Int
        /// The box that its parent gives it; nil for the root.
        let box: MapBounds?
    }

    private static let cellSize = 24
    private static let maximumDepth = 40

    private let connection: SQLiteConnection
    private let index: String
    private let statement: SQLiteStatement

    init(_ index: String, on connection: SQLiteConnection) throws(MapPackageError) {
        self.connection = connection
        self.index = index
        statement = try connection.prepare("SELECT data FROM \(SQLText.name(index + "_node")) WHERE nodeno = ?1")
    }

    /// Calls a closure for each entry.
    func readAll(_ body: (Int64, MapBounds) -> Void) throws(MapPackageError) {
        try readCells { node, key, box in
            if node.height == 0 { body(key, box) }
        }
    }

    /// Calls a closure for each cell of each node.
    func readCells(_ body: (Node, Int64, MapBounds) -> Void) throws(MapPackageError) {
        defer { statement.reset() }
        // Levels are counted down to the leaves, so a circle of nodes ends by itself; a node that two others claim
        // would still multiply the work.
        var visited: Set<Int64> = []
        var pending: [Node] = []
        var depth = 0
        try read(1) { bytes in depth = Int(bytes[0]) << 8 | Int(bytes[1]) }
        guard depth <= Self.maximumDepth else { throw damaged("its depth of \(depth) cannot be") }
        pending.append(Node(number: 1, height: depth, box: nil))
        while let node = pending.popLast() {
            guard visited.insert(node.number).inserted else {
                throw damaged("two of its nodes claim the node \(node.number)")
            }
            try read(node.number) { bytes in
                Self.forEachCell(bytes) { key, box in
                    body(node, key, box)
                    if node.height > 0 { pending.append(Node(number: key, height: node.height - 1, box: box)) }
                }
            }
        }
    }

    private func read(_ node: Int64, _ body: (UnsafeRawBufferPointer) -> Void) throws(MapPackageError) {
        try statement.bind(.integer(node), at: 1)
        defer { statement.reset() }
        guard try statement.step() else { throw damaged("its node \(node) is missing") }
        let isWhole = statement.withBytes(0) { bytes in
            guard bytes.count >= 4 else { return false }
            let count = Int(bytes[2]) << 8 | Int(bytes[3])
            guard count <= (bytes.count - 4) / Self.cellSize else { return false }
            body(bytes)
            return true
        }
        guard isWhole else { throw damaged("its node \(node) is cut off") }
    }

    private func damaged(_ reason: String) -> MapPackageError {
        .damaged(connection.fileName, "the spatial index “\(index)” contradicts itself, \(reason)")
    }

    private static func forEachCell(_ bytes: UnsafeRawBufferPointer, _ body: (Int64, MapBounds) -> Void) {
        let count = Int(bytes[2]) << 8 | Int(bytes[3])
        for cell in 0..<count {
            let start = 4 + cell * cellSize
            let key = Int64(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: Int64.self))
            func ordinate(_ number: Int) -> Double {
                let raw = bytes.loadUnaligned(fromByteOffset: start + 8 + number * 4, as: UInt32.self)
                return Double(Float(bitPattern: UInt32(bigEndian: raw)))
            }
            body(key, MapBounds(west: ordinate(0), south: ordinate(2), east: ordinate(1), north: ordinate(3)))
        }
    }
}
