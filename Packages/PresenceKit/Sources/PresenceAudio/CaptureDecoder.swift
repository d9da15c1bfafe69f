import PresenceKit

/// Raw samples, or an AU file that says their format itself.
///
/// The AU header is six big-endian numbers: ".snd", the offset of the samples, their size, encoding, rate, channels
/// (Sun Microsystems, audio.h).
struct CaptureDecoder: Sendable {
    private enum Place {
        case magic
        case header
        case skipping(Int)
        case samples
    }

    private static let encodings: [UInt32: PCMEncoding] = [
        2: .s8, 3: .s16be, 4: .s24be, 5: .s32be, 6: .f32be, 7: .f64be,
    ]

    private let name: String
    private var place = Place.magic
    private var header: [UInt8] = []
    private var decoder: PCMDecoder

    init(format: AudioFormat, name: String) {
        self.name = name
        decoder = PCMDecoder(format: format, name: name)
    }

    mutating func decode(_ bytes: [UInt8], _ body: (PCMFrames) -> Void) throws(AudioLevelSourceError) {
        var rest = bytes[...]
        while true {
            switch place {
            case .magic:
                guard collect(4, &rest) else { return }
                if header.elementsEqual(".snd".utf8) {
                    place = .header
                } else {
                    place = .samples
                    decoder.decode(header, body)
                }
            case .header:
                guard collect(24, &rest) else { return }
                try readHeader()
            case .skipping(let count):
                let skipped = min(count, rest.count)
                rest = rest.dropFirst(skipped)
                guard skipped == count else {
                    place = .skipping(count - skipped)
                    return
                }
                place = .samples
            case .samples:
                decoder.decode(Array(rest), body)
                return
            }
        }
    }

    private mutating func collect(_ count: Int, _ rest: inout ArraySlice<UInt8>) -> Bool {
        let part = rest.prefix(count - header.count)
        header.append(contentsOf: part)
        rest = rest.dropFirst(part.count)
        return header.count == count
    }

    private mutating func readHeader() throws(AudioLevelSourceError) {
        let numbers = stride(from: 0, to: 24, by: 4).map { offset in
            header[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        guard let encoding = Self.encodings[numbers[3]] else {
            throw AudioLevelSourceError(
                .badFormat,
                thing: name,
                reason: "writes AU audio of encoding \(numbers[3])",
                remedy: "only PCM can be read"
            )
        }
        let format = try AudioFormat(
            sampleRate: Int(numbers[4]),
            channelCount: Int(numbers[5]),
            encoding: encoding,
            name: name
        )
        decoder = PCMDecoder(format: format, name: name)
        place = .skipping(max(0, Int(numbers[1]) - 24))
    }
}
