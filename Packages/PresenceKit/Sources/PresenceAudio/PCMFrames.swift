/// Whole frames of interleaved audio, lent for the time of one call.
public struct PCMFrames {
    /// The format of ``bytes``.
    public let format: AudioFormat

    /// The samples as they were written, a whole number of frames; valid only during the call that was given them.
    public let bytes: UnsafeRawBufferPointer

    /// Lends frames; bytes after the last whole frame are left out.
    public init(format: AudioFormat, bytes: UnsafeRawBufferPointer) {
        self.format = format
        self.bytes = UnsafeRawBufferPointer(
            rebasing: bytes.prefix(bytes.count / format.bytesPerFrame * format.bytesPerFrame)
        )
    }

    /// The number of frames.
    public var count: Int { bytes.count / format.bytesPerFrame }

    /// Copies the samples, scaled to −1...1, channel by channel within each frame.
    ///
    /// Integers are divided by 2^(bits − 1); what is not a finite number is 0; floating-point samples may exceed 1.
    public func samples() -> [Double] {
        let scale = format.encoding.fullScale
        return (0..<bytes.count / format.encoding.byteCount).map { index in
            format.encoding.sample(at: index, in: bytes) / scale
        }
    }

    /// The part that begins after `start` frames and has `count` frames.
    func slice(from start: Int, count: Int) -> PCMFrames {
        let first = start * format.bytesPerFrame
        let slice = bytes[first..<first + count * format.bytesPerFrame]
        return PCMFrames(format: format, bytes: UnsafeRawBufferPointer(rebasing: slice))
    }
}

extension PCMEncoding {
    /// The unscaled value of a sample, 0 where it is not a finite number.
    @inline(__always)
    func sample(at index: Int, in bytes: UnsafeRawBufferPointer) -> Double {
        let offset = index * byteCount
        func load<T: BitwiseCopyable>(_ type: T.Type) -> T { bytes.loadUnaligned(fromByteOffset: offset, as: type) }
        switch self {
        case .u8: return Double(bytes[offset]) - 128
        case .s8: return Double(load(Int8.self))
        case .s16le: return Double(Int16(littleEndian: load(Int16.self)))
        case .s16be: return Double(Int16(bigEndian: load(Int16.self)))
        case .s24le: return Double(Int24.joined(high: bytes[offset + 2], bytes[offset + 1], low: bytes[offset]))
        case .s24be: return Double(Int24.joined(high: bytes[offset], bytes[offset + 1], low: bytes[offset + 2]))
        case .s32le: return Double(Int32(littleEndian: load(Int32.self)))
        case .s32be: return Double(Int32(bigEndian: load(Int32.self)))
        case .f32le: return finite(Double(Float(bitPattern: UInt32(littleEndian: load(UInt32.self)))))
        case .f32be: return finite(Double(Float(bitPattern: UInt32(bigEndian: load(UInt32.self)))))
        case .f64le: return finite(Double(bitPattern: UInt64(littleEndian: load(UInt64.self))))
        case .f64be: return finite(Double(bitPattern: UInt64(bigEndian: load(UInt64.self))))
        }
    }
}

enum Int24 {
    @inline(__always)
    static func joined(high: UInt8, _ middle: UInt8, low: UInt8) -> Int32 {
        Int32(bitPattern: UInt32(high) << 24 | UInt32(middle) << 16 | UInt32(low) << 8) >> 8
    }
}

@inline(__always)
func finite(_ value: Double) -> Double {
    value.magnitude <= .greatestFiniteMagnitude ? value : 0
}
