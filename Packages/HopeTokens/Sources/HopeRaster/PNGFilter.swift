/// The five reversible filters of PNG's filter method 0 (PNG Specification, section 9).
enum PNGFilter: UInt8, CaseIterable {
    case none, sub, up, average, paeth

    /// Filters a scanline and returns the sum of the results' magnitudes as signed bytes.
    func apply(to line: [UInt8], above: [UInt8], channels: Int, into result: inout [UInt8]) -> Int {
        line.withUnsafeBufferPointer { line in
            above.withUnsafeBufferPointer { above in
                result.withUnsafeMutableBufferPointer { result in
                    switch self {
                    case .none: Self.run(line, above, channels, result) { _, _, _ in 0 }
                    case .sub: Self.run(line, above, channels, result) { left, _, _ in left }
                    case .up: Self.run(line, above, channels, result) { _, up, _ in up }
                    case .average:
                        Self.run(line, above, channels, result) { left, up, _ in
                            UInt8(truncatingIfNeeded: (UInt16(left) + UInt16(up)) / 2)
                        }
                    case .paeth: Self.run(line, above, channels, result, Self.paeth)
                    }
                }
            }
        }
    }

    @inline(__always)
    private static func run(
        _ line: UnsafeBufferPointer<UInt8>,
        _ above: UnsafeBufferPointer<UInt8>,
        _ channels: Int,
        _ result: UnsafeMutableBufferPointer<UInt8>,
        _ predict: (UInt8, UInt8, UInt8) -> UInt8
    ) -> Int {
        var cost = 0
        for index in line.indices {
            let first = index < channels
            let left = first ? 0 : line[index - channels]
            let corner = first ? 0 : above[index - channels]
            let value = line[index] &- predict(left, above[index], corner)
            result[index] = value
            cost += Int(Int8(bitPattern: value).magnitude)
        }
        return cost
    }

    private static func paeth(_ left: UInt8, _ up: UInt8, _ corner: UInt8) -> UInt8 {
        let estimate = Int16(left) + Int16(up) - Int16(corner)
        let toLeft = (estimate - Int16(left)).magnitude
        let toUp = (estimate - Int16(up)).magnitude
        let toCorner = (estimate - Int16(corner)).magnitude
        if toLeft <= toUp && toLeft <= toCorner { return left }
        return toUp <= toCorner ? up : corner
    }
}
