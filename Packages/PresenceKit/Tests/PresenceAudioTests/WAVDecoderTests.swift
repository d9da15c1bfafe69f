import Foundation
import PresenceAudio
import PresenceKit
import Testing
import TransportCore

@Suite struct WAVDecoderTests {
    static let encodings: [(WAVWriter.Samples, PCMEncoding, Double)] = [
        (.integers(bits: 8), .u8, 0x1p-8), (.integers(bits: 16), .s16le, 0x1p-16),
        (.integers(bits: 24), .s24le, 0x1p-24), (.integers(bits: 32), .s32le, 0x1p-32),
        (.floats(bits: 32), .f32le, 0x1p-24), (.floats(bits: 64), .f64le, 0),
    ]

    @Test(arguments: 0..<6, [1, 2, 6, 8])
    func readsEverySampleFormat(_ index: Int, channels: Int) throws {
        let (samples, encoding, tolerance) = Self.encodings[index]
        let values = tone(50, channels: channels)
        for isExtensible in [false, true] {
            for rate in [8_000, 11_025, 44_100, 48_000, 192_000] {
                let writer = WAVWriter(
                    samples: samples,
                    channelCount: channels,
                    sampleRate: rate,
                    isExtensible: isExtensible
                )
                let wav = try DecodedWAV(writer.file(values))
                #expect(
                    wav.format
                        == (try AudioFormat(sampleRate: rate, channelCount: channels, encoding: encoding))
                )
                #expect(wav.samples.count == values.count)
                #expect(zip(wav.samples, values).allSatisfy { abs($0 - $1) <= tolerance })
                #expect(wav.shortfall == nil)
            }
        }
    }

    @Test func scalesIntegersByHalfTheirRange() throws {
        #expect(
            try DecodedWAV(WAVWriter(samples: .integers(bits: 8)).file(sampleBytes: [0, 64, 128, 255])).samples
                == [-1, -0.5, 0, 127.0 / 128]
        )
        #expect(
            try DecodedWAV(WAVWriter(samples: .integers(bits: 16)).file(sampleBytes: [0, 0x80, 0xFF, 0x7F])).samples
                == [-1, 32_767.0 / 32_768]
        )
        #expect(
            try DecodedWAV(WAVWriter(samples: .integers(bits: 24)).file(sampleBytes: [0, 0, 0x80, 1, 0, 0])).samples
                == [-1, 0x1p-23]
        )
        #expect(
            try DecodedWAV(WAVWriter(samples: .integers(bits: 32)).file(sampleBytes: [0, 0, 0, 0x80, 1, 0, 0, 0]))
                .samples == [-1, 0x1p-31]
        )
    }

    @Test(arguments: [8, 16, 24, 32])
    func readsBigEndianFiles(bits: Int) throws {
        let values = tone(20, channels: 2)
        var writer = WAVWriter(samples: .integers(bits: bits), channelCount: 2)
        let little = try DecodedWAV(writer.file(values))
        writer.magic = "RIFX"
        #expect(try DecodedWAV(writer.file(values)).samples == little.samples)
        writer.isExtensible = true
        #expect(try DecodedWAV(writer.file(values)).samples == little.samples)
    }

    @Test func readsBigEndianSubFormatsOfTwoBytes() throws {
        // As sox writes them: the tag as two bytes, where a GUID begins with four.
        let values = tone(20)
        var writer = WAVWriter(samples: .integers(bits: 24))
        let little = try DecodedWAV(writer.file(values))
        writer.magic = "RIFX"
        writer.isExtensible = true
        writer.formatPatch = [24: [0, 1, 0, 0]]
        #expect(try DecodedWAV(writer.file(values)).samples == little.samples)
    }

    @Test func samplesOfPartOfAByteStandInWholeBytes() throws {
        // 12 bits in two bytes, at the upper end of them, as the format demands.
        var writer = WAVWriter(samples: .integers(bits: 16))
        writer.formatPatch = [14: [12, 0]]
        #expect(try DecodedWAV(writer.file(sampleBytes: [0, 0x40])).samples == [0.5])
    }

    @Test func skipsChunksItDoesNotKnow() throws {
        let values = tone(9)
        let plain = WAVWriter(samples: .integers(bits: 8))
        var writer = plain
        writer.chunksBefore = [
            ("JUNK", [UInt8](repeating: 7, count: 28)), ("bext", [1, 2, 3]), ("fact", [9, 0, 0, 0]), ("odd ", [1]),
            ("none", []),
        ]
        writer.chunksAfter = [("LIST", Array("INFOISFT".utf8) + [1]), ("data", [0, 0, 0, 0]), ("fmt ", [1])]
        #expect(try DecodedWAV(writer.file(values)) == DecodedWAV(plain.file(values)))
    }

    @Test(arguments: [
        (UInt32(0), UInt32(0)), (0xFFFF_FFFF, 0xFFFF_FFFF), (0, 0xFFFF_FFFF), (0xFFFF_FFFF, 0), (36, 0),
        (0x7FFF_F024, 0x7FFF_F000), (0x7FFF_F03E, 0x7FFF_EFF6),
    ])
    func readsToTheEndWhereTheSizeWasNotKnown(riff: UInt32, data: UInt32) throws {
        var writer = WAVWriter(samples: .integers(bits: 16), riffSize: riff, dataSize: data)
        let values = tone(500)
        let wav = try DecodedWAV(writer.file(values))
        #expect(wav.samples.count == 500)
        #expect(wav.shortfall == nil)
        writer.cut = 1
        #expect(try DecodedWAV(writer.file(values)).samples.count == 499)
    }

    @Test func anEmptyDataChunkBeforeOthersIsEmpty() throws {
        var writer = WAVWriter(samples: .integers(bits: 16))
        writer.chunksAfter = [("LIST", [1, 2, 3, 4])]
        let wav = try DecodedWAV(writer.file([]))
        #expect(wav.samples.isEmpty)
        #expect(wav.shortfall == nil)
        #expect(wav.format != nil)
    }

    @Test(arguments: ["RF64", "BW64"])
    func readsSizesOfSixtyFourBits(magic: String) throws {
        var writer = WAVWriter(samples: .integers(bits: 16), magic: magic, riffSize: 0xFFFF_FFFF, dataSize: 0xFFFF_FFFF)
        writer.dataSize64 = 200
        writer.chunksAfter = [("LIST", [1, 2, 3, 4])]
        #expect(try DecodedWAV(writer.file(tone(100))).samples.count == 100)
        // What a program writes to a pipe, where it cannot go back to say more.
        for unknown in [0, UInt64.max] {
            writer.dataSize64 = unknown
            writer.chunksAfter = []
            #expect(try DecodedWAV(writer.file(tone(100))).samples.count == 100)
            #expect(try DecodedWAV(writer.file(tone(100))).shortfall == nil)
        }
        writer.dataSize64 = 1 << 40
        writer.chunksAfter = []
        let wav = try DecodedWAV(writer.file(tone(100)))
        #expect(wav.samples.count == 100)
        #expect(wav.shortfall?.contains("200 of 1099511627776 bytes") == true)
    }

    @Test func usesWhatIsThereOfATruncatedFileAndSaysSo() throws {
        var writer = WAVWriter(samples: .integers(bits: 16), channelCount: 2)
        writer.cut = 401
        let wav = try DecodedWAV(writer.file(tone(250, channels: 2)))
        #expect(wav.samples.count == 298)
        #expect(
            wav.shortfall == "The WAV file ends after 599 of 1000 bytes of samples; the 149 whole frames are used"
        )

        writer.cut = 0
        let odd = try DecodedWAV(writer.file(sampleBytes: [1, 2, 3, 4, 5, 6]))
        #expect(odd.samples.count == 2)
        #expect(odd.shortfall == "The WAV file ends within a frame (2 of 4 bytes); the 1 whole frames are used")
    }

    static let broken: [(String, [UInt8], AudioLevelSourceError.Code)] = {
        let good = WAVWriter(samples: .integers(bits: 16))
        func patched(_ patch: [Int: [UInt8]], extensible: Bool = false) -> [UInt8] {
            WAVWriter(samples: .integers(bits: 16), isExtensible: extensible, formatPatch: patch).file([0, 0])
        }
        let file = good.file([0, 0])
        return [
            ("is empty", [], .badFormat),
            ("is not a WAV file: it begins with \"oops\"", Array("oops, no audio here".utf8), .badFormat),
            ("is not a WAV file: it begins with 00 1b 5b 00", [0, 27, 91, 0, 0, 0, 0, 0, 0, 0, 0, 0], .badFormat),
            ("is a FLAC file", Array("fLaC and so on, and so on".utf8), .badFormat),
            ("is an Ogg file", Array("OggS and so on, and so on".utf8), .badFormat),
            ("is an MP3 file", Array("ID3 and so on, and so on".utf8), .badFormat),
            ("is not a WAV file: it begins with \"hi\"", Array("hi".utf8), .badFormat),
            ("of type \"AVI \", not WAVE", WAVWriter(samples: .integers(bits: 16), form: "AVI ").file([0]), .badFormat),
            ("ends within its header", Array(file.prefix(7)), .badFormat),
            ("ends before it says its format", Array(file.prefix(12)), .badFormat),
            ("ends before it says its format", Array(file.prefix(30)), .badFormat),
            ("ends before its samples", Array(file.prefix(36)), .badFormat),
            ("ends before its samples", Array(file.prefix(43)), .badFormat),
            ("before their format", Array(file.prefix(12)) + Array(file.suffix(12)), .badFormat),
            ("has no channels", patched([2: [0, 0]]), .noChannels),
            ("sample rate of 0 Hz", patched([4: [0, 0, 0, 0]]), .badFormat),
            ("sample rate of 4294967295 Hz", patched([4: [255, 255, 255, 255]]), .badFormat),
            ("says 0 bytes a frame", patched([12: [0, 0]]), .badFormat),
            ("says 65535 bytes a frame, where 1 samples of 16 bits are 2", patched([12: [255, 255]]), .badFormat),
            ("integer samples of 0 bits", patched([14: [0, 0]]), .badFormat),
            ("integer samples of 64 bits", patched([14: [64, 0]]), .badFormat),
            ("floating-point samples of 16 bits", patched([0: [3, 0]]), .badFormat),
            ("µ-law", patched([0: [7, 0]]), .badFormat),
            ("MP3 audio", patched([0: [0x55, 0]]), .badFormat),
            ("samples of format 4660", patched([0: [0x34, 0x12]]), .badFormat),
            ("extensible and does not extend", patched([0: [0xFE, 0xFF]]), .badFormat),
            ("unknown sub-format", patched([32: [0]], extensible: true), .badFormat),
            (
                "a format chunk of 4 bytes",
                WAVWriter(samples: .integers(bits: 16), formatSize: 4).file([0, 0]), .badFormat
            ),
        ]
    }()

    @Test(arguments: 0..<28)
    func saysInOneSentenceWhatIsWrong(_ index: Int) throws {
        let (words, file, code) = Self.broken[index]
        #expect(Self.broken.count == 28)
        do {
            let wav = try DecodedWAV(file)
            Issue.record("read \(wav.samples.count) samples of a file that \(words)")
        } catch let error as AudioLevelSourceError {
            #expect(error.code == code)
            #expect(error.message.hasPrefix("The WAV file "))
            #expect(error.message.contains(words), "\(error.message)")
            #expect(!error.message.contains { $0.isNewline } && !error.message.contains("\u{1b}"))
        }
    }

    @Test func aBrokenFileStaysBroken() {
        var decoder = WAVDecoder(name: "voice.wav")
        for _ in 1...2 {
            #expect(throws: AudioLevelSourceError.self) { try decoder.decode(Array("no wave at all".utf8)) { _ in } }
        }
        #expect(throws: AudioLevelSourceError.self) { _ = try decoder.finish() }
    }

    // MARK: Pieces

    static let smallFiles: [[UInt8]] = [
        {
            var writer = WAVWriter(samples: .integers(bits: 24), channelCount: 2, isExtensible: true)
            writer.chunksBefore = [("odd ", [1, 2, 3])]
            writer.chunksAfter = [("LIST", [1, 2, 3])]
            return writer.file(tone(5, channels: 2))
        }(),
        WAVWriter(samples: .floats(bits: 64), cut: 3).file(tone(4)),
        WAVWriter(samples: .integers(bits: 8), channelCount: 3).file(tone(3, channels: 3)),
    ]

    @Test(arguments: smallFiles.indices)
    func givesTheSameWhereverAFileIsCut(_ index: Int) throws {
        let file = Self.smallFiles[index]
        let whole = try DecodedWAV(file)
        #expect(!whole.samples.isEmpty)
        #expect(try DecodedWAV(file.map { [$0] }) == whole)
        for first in 0...file.count {
            for second in stride(from: first, through: file.count, by: 3) {
                let pieces = [Array(file[..<first]), Array(file[first..<second]), Array(file[second...])]
                #expect(try DecodedWAV(pieces) == whole, "cut at \(first) and \(second)")
            }
        }
    }

    /// Whatever the bytes say, the decoder ends, stays within them, and says the same whatever the pieces.
    @Test(arguments: 0..<300)
    func survivesDamage(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        var file = Self.smallFiles[random.nextInt(below: Self.smallFiles.count)]
        for _ in 0...random.nextInt(below: 6) {
            let place = random.nextInt(below: file.count)
            switch random.nextInt(below: 5) {
            case 0: file[place] = UInt8(truncatingIfNeeded: random.next())
            case 1: file[place] = [0, 1, 0x7F, 0x80, 0xFF][random.nextInt(below: 5)]
            case 2: file.remove(at: place)
            case 3: file.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
            default: file.removeLast(random.nextInt(below: file.count / 2))
            }
        }
        var pieces: [[UInt8]] = []
        var rest = file[...]
        while !rest.isEmpty {
            pieces.append(Array(rest.prefix(random.nextInt(below: 17))))
            rest = rest.dropFirst(pieces.last?.count ?? 0)
        }
        let whole = Result { try DecodedWAV(file) }
        let split = Result { try DecodedWAV(pieces) }
        switch (whole, split) {
        case (.success(let whole), .success(let split)):
            // Damaged floating-point samples may be huge, but what is no number is 0.
            #expect(whole == split, "seed \(seed)")
            #expect(whole.samples.allSatisfy { $0.isFinite }, "seed \(seed)")
        case (.failure(let whole), .failure(let split)):
            #expect("\(whole)" == "\(split)", "seed \(seed)")
        default:
            Issue.record("seed \(seed): whole and split differ: \(whole) \(split)")
        }
    }
}
