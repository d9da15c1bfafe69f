/// The sum of the squares of samples, the same however they are cut into calls.
///
/// Integers are summed exactly, so their order does not matter. Floating-point samples are dealt to four sums by their
/// place since the last reset, which keeps four additions in flight and still adds in one fixed order.
struct PowerSum: Sendable {
    private var exact: UInt128 = 0
    private var lanes = SIMD4<Double>.zero
    private var lane = 0
    private var scale = 1.0
    private(set) var sampleCount = 0

    /// The root mean square, limited to 0...1; 0 when there are no samples.
    var level: Double {
        guard sampleCount > 0 else { return 0 }
        let sum = Double(exact) + (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
        return min((sum / Double(sampleCount)).squareRoot() / scale, 1)
    }

    mutating func add(_ frames: PCMFrames) {
        let encoding = frames.format.encoding
        let bytes = frames.bytes
        let count = bytes.count / encoding.byteCount
        scale = encoding.fullScale
        sampleCount += count
        guard let start = bytes.baseAddress else { return }
        switch encoding {
        case .u8: addSmall(count) { Int32(start.load(fromByteOffset: $0, as: UInt8.self)) &- 128 }
        case .s8: addSmall(count) { Int32(start.load(fromByteOffset: $0, as: Int8.self)) }
        case .s16le:
            addSmall(count) { Int32(Int16(littleEndian: start.loadUnaligned(fromByteOffset: $0 &* 2, as: Int16.self))) }
        case .s16be:
            addSmall(count) { Int32(Int16(bigEndian: start.loadUnaligned(fromByteOffset: $0 &* 2, as: Int16.self))) }
        case .s24le: addLittleEndian24(count, start)
        case .s24be:
            addLarge(count) {
                let offset = $0 &* 3
                return Int24.joined(high: bytes[offset], bytes[offset &+ 1], low: bytes[offset &+ 2])
            }
        case .s32le:
            addLarge(count) { Int32(littleEndian: start.loadUnaligned(fromByteOffset: $0 &* 4, as: Int32.self)) }
        case .s32be:
            addLarge(count) { Int32(bigEndian: start.loadUnaligned(fromByteOffset: $0 &* 4, as: Int32.self)) }
        case .f32le:
            addReal(count) {
                Double(
                    Float(
                        bitPattern: UInt32(littleEndian: start.loadUnaligned(fromByteOffset: $0 &* 4, as: UInt32.self))
                    )
                )
            }
        case .f32be:
            addReal(count) {
                Double(
                    Float(bitPattern: UInt32(bigEndian: start.loadUnaligned(fromByteOffset: $0 &* 4, as: UInt32.self)))
                )
            }
        case .f64le:
            addReal(count) {
                Double(bitPattern: UInt64(littleEndian: start.loadUnaligned(fromByteOffset: $0 &* 8, as: UInt64.self)))
            }
        case .f64be:
            addReal(count) {
                Double(bitPattern: UInt64(bigEndian: start.loadUnaligned(fromByteOffset: $0 &* 8, as: UInt64.self)))
            }
        }
    }

    /// Up to 16 bits: a square has 30, so 64 bits hold the sum of any buffer.
    @inline(__always)
    private mutating func addSmall(_ count: Int, _ sample: (Int) -> Int32) {
        var sum: UInt64 = 0
        for index in 0..<count {
            let value = sample(index)
            sum &+= UInt64(UInt32(bitPattern: value &* value))
        }
        exact &+= UInt128(sum)
    }

    /// Up to 32 bits: the halves of a square are summed apart, since a few squares would fill 64 bits.
    @inline(__always)
    private mutating func addLarge(_ count: Int, _ sample: (Int) -> Int32) {
        var low: UInt64 = 0
        var high: UInt64 = 0
        for index in 0..<count {
            let magnitude = UInt64(sample(index).magnitude)
            let square = magnitude &* magnitude
            low &+= square & 0xFFFF_FFFF
            high &+= square >> 32
        }
        exact &+= UInt128(low) &+ UInt128(high) << 32
    }

    /// One load of four bytes a sample, beginning one byte early, instead of three loads.
    private mutating func addLittleEndian24(_ count: Int, _ start: UnsafeRawPointer) {
        guard count > 0 else { return }
        let first = Int24.joined(
            high: start.load(fromByteOffset: 2, as: UInt8.self),
            start.load(fromByteOffset: 1, as: UInt8.self),
            low: start.load(fromByteOffset: 0, as: UInt8.self)
        )
        addLarge(1) { _ in first }
        addLarge(count - 1) {
            Int32(littleEndian: start.loadUnaligned(fromByteOffset: $0 &* 3 &+ 2, as: Int32.self)) >> 8
        }
    }

    @inline(__always)
    private mutating func addReal(_ count: Int, _ sample: (Int) -> Double) {
        var index = 0
        while lane != 0, index < count {
            let value = finite(sample(index))
            lanes[lane] += value * value
            lane = (lane + 1) & 3
            index += 1
        }
        var (first, second, third, fourth) = (lanes[0], lanes[1], lanes[2], lanes[3])
        while index &+ 4 <= count {
            let a = finite(sample(index))
            let b = finite(sample(index &+ 1))
            let c = finite(sample(index &+ 2))
            let d = finite(sample(index &+ 3))
            first += a * a
            second += b * b
            third += c * c
            fourth += d * d
            index &+= 4
        }
        lanes = SIMD4(first, second, third, fourth)
        while index < count {
            let value = finite(sample(index))
            lanes[lane] += value * value
            lane = (lane + 1) & 3
            index += 1
        }
    }
}
