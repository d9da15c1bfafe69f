import TransportCore

/// The ways in which the same bytes can arrive; whoever reads them has to see the same in all of them.
enum Splits {
    /// Whole, byte by byte, in two pieces at each place, and in random pieces.
    static func all(of bytes: [UInt8]) -> [[[UInt8]]] {
        var ways = few(of: bytes)
        for cut in bytes.indices.dropFirst() {
            ways.append([Array(bytes[..<cut]), Array(bytes[cut...])])
        }
        return ways
    }

    /// Whole, byte by byte, and in random pieces, for what is too long to be cut everywhere.
    static func few(of bytes: [UInt8], seed: UInt64 = 1) -> [[[UInt8]]] {
        var ways = [[bytes], bytes.map { [$0] }]
        var random = SeededRandom(seed: seed)
        for largest in [3, 17, 1000] {
            ways.append(pieces(of: bytes, largest: largest, using: &random))
        }
        return ways
    }

    static func pieces(of bytes: [UInt8], largest: Int, using random: inout SeededRandom) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(1 + random.nextInt(below: largest))
            pieces.append(Array(piece))
            rest = rest.dropFirst(piece.count)
        }
        return pieces
    }
}
