import Foundation
import PresenceAudio
import PresenceKit

/// Writes WAV files field by field, knowing nothing of the decoder that reads them.
struct WAVWriter {
    enum Samples {
        case integers(bits: Int)
        case floats(bits: Int)
    }

    var samples: Samples
    var channelCount = 1
    var sampleRate = 8_000
    var isExtensible = false
    var magic = "RIFF"
    var form = "WAVE"
    var chunksBefore: [(id: String, body: [UInt8])] = []
    var chunksAfter: [(id: String, body: [UInt8])] = []
    var riffSize: UInt32?
    var dataSize: UInt32?
    var dataSize64: UInt64?
    /// Bytes cut off the end.
    var cut = 0
    /// Overrides of header fields, by their offset in the format chunk's body.
    var formatPatch: [Int: [UInt8]] = [:]
    var formatSize: Int?

    var isBigEndian: Bool { magic == "RIFX" }

    /// Values in −1...1, interleaved.
    func file(_ values: [Double]) -> [UInt8] {
        file(sampleBytes: values.flatMap { encoded($0) })
    }

    func file(sampleBytes: [UInt8]) -> [UInt8] {
        var body = Array(form.utf8)
        if let dataSize64 {
            body += chunk("ds64", wide(UInt64(sampleBytes.count) + 100) + wide(dataSize64) + wide(0) + number(0))
        }
        for (id, bytes) in chunksBefore { body += chunk(id, bytes) }
        body += chunk("fmt ", format())
        body += Array("data".utf8) + number(dataSize ?? UInt32(sampleBytes.count)) + sampleBytes
        if dataSize == nil, sampleBytes.count % 2 == 1 { body.append(0) }
        for (id, bytes) in chunksAfter { body += chunk(id, bytes) }
        let file = Array(magic.utf8) + number(riffSize ?? UInt32(body.count)) + body
        return file.dropLast(cut)
    }

    func encoded(_ value: Double) -> [UInt8] {
        switch samples {
        case .integers(let bits):
            let scaled = (value * pow(2, Double(bits - 1))).rounded()
            let limit = pow(2, Double(bits - 1)) - 1
            let integer = Int64(max(min(scaled, limit), -limit - 1))
            if bits == 8 { return [UInt8(integer + 128)] }
            let bytes = (0..<bits / 8).map { UInt8(truncatingIfNeeded: integer >> Int64(8 * $0)) }
            return isBigEndian ? bytes.reversed() : bytes
        case .floats(32):
            return number(Float(value).bitPattern)
        case .floats:
            return wide(value.bitPattern)
        }
    }

    private func format() -> [UInt8] {
        let (tag, bits): (UInt16, Int) =
            switch samples {
            case .integers(let bits): (1, bits)
            case .floats(let bits): (3, bits)
            }
        let frameSize = channelCount * bits / 8
        var bytes = short(isExtensible ? 0xFFFE : tag) + short(UInt16(channelCount)) + number(UInt32(sampleRate))
        bytes +=
            number(UInt32(truncatingIfNeeded: sampleRate * frameSize)) + short(UInt16(truncatingIfNeeded: frameSize))
        bytes += short(UInt16(bits))
        if isExtensible {
            bytes += short(22) + short(UInt16(bits)) + number(0)
            bytes += number(UInt32(tag)) + short(0) + short(0x10) + [0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
        }
        for (offset, patch) in formatPatch {
            for (index, byte) in patch.enumerated() { bytes[offset + index] = byte }
        }
        return formatSize.map { Array(bytes.prefix($0)) } ?? bytes
    }

    private func chunk(_ id: String, _ body: [UInt8]) -> [UInt8] {
        Array(id.utf8) + number(UInt32(body.count)) + body + (body.count % 2 == 1 ? [0] : [])
    }

    private func short(_ value: UInt16) -> [UInt8] { ordered([UInt8(value & 0xFF), UInt8(value >> 8)]) }

    private func number(_ value: UInt32) -> [UInt8] {
        ordered((0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) })
    }

    private func wide(_ value: UInt64) -> [UInt8] {
        ordered((0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) })
    }

    private func ordered(_ littleEndian: [UInt8]) -> [UInt8] {
        isBigEndian ? littleEndian.reversed() : littleEndian
    }
}

/// A tone, the same in all channels but for its phase.
func tone(_ frameCount: Int, channels: Int = 1, amplitude: Double = 0.5, period: Double = 37) -> [Double] {
    (0..<frameCount * channels).map { index in
        amplitude * sin(2 * .pi * (Double(index / channels) / period + Double(index % channels) / 7))
    }
}

/// Everything a decoder says of a file that comes in the given pieces.
struct DecodedWAV: Equatable {
    var samples: [Double] = []
    var format: AudioFormat?
    var shortfall: String?

    init(_ pieces: [[UInt8]]) throws {
        var decoder = WAVDecoder()
        for piece in pieces {
            try decoder.decode(piece) { samples += $0.samples() }
        }
        shortfall = try decoder.finish()?.message
        format = decoder.format
    }

    init(_ file: [UInt8]) throws {
        try self.init([file])
    }
}
