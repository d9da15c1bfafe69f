public import PresenceKit

/// Makes frames of a WAV file that comes in any pieces.
///
/// Reads RIFF, RIFX (big-endian) and RF64 or BW64 files with integer samples of 1 to 32 bits or floating-point samples
/// of 32 or 64 bits, also as WAVE_FORMAT_EXTENSIBLE, with any number of channels and any rate. Chunks it does not know
/// are skipped; odd chunks are padded to an even size. Sizes that a program writes when it does not know them yet (0,
/// 0xFFFFFFFF, and what sox writes to a pipe) mean "until the end". It keeps no more than one frame in memory.
///
/// After IBM and Microsoft, "Multimedia Programming Interface and Data Specifications 1.0" (1991), Microsoft's
/// "Multiple Channel Audio Data and WAVE Files" (2007), and EBU Tech 3306 (RF64).
public struct WAVDecoder: Sendable {
    private enum Place: Sendable {
        case fileHeader
        case chunkHeader
        case format(size: UInt64)
        case sizes64(size: UInt64)
        case skipping(UInt64)
        case samples(missing: UInt64?)
        case trailer
        case failed(AudioLevelSourceError)
    }

    /// Larger than any audio, and what sox says of a pipe: 0x7FFFF000 less the header and what the frame size rounds off.
    private static let openEndedSizes: ClosedRange<UInt64> = 0x7FFF_0000...0x7FFF_FFFF

    private let name: String
    private var place = Place.fileHeader
    private var header: [UInt8] = []
    private var isBigEndian = false
    private var position: UInt64 = 0
    private var riffSize: UInt64 = 0
    private var dataSize64: UInt64?
    private var declaredByteCount: UInt64?
    private var encoding: (format: AudioFormat, assembler: FrameAssembler)?

    /// Makes a decoder at the beginning of a file.
    ///
    /// - Parameter name: What errors call the file.
    public init(name: String = "The WAV file") {
        self.name = name
    }

    /// The format of the samples, once the header has come.
    public var format: AudioFormat? { encoding?.format }

    /// The number of frames so far.
    public var frameCount: Int { encoding?.assembler.frameCount ?? 0 }

    /// Takes the next bytes and hands out the frames that are now whole, in as few pieces as possible.
    ///
    /// - Throws: `.badFormat` or `.noChannels` as soon as the header shows it, and again at each later call.
    public mutating func decode(
        _ bytes: UnsafeRawBufferPointer,
        _ body: (PCMFrames) -> Void
    ) throws(AudioLevelSourceError) {
        var rest = bytes[...]
        do throws(AudioLevelSourceError) {
            while try step(&rest, body) {}
        } catch {
            place = .failed(error)
            throw error
        }
    }

    /// Takes the next bytes and hands out the frames that are now whole, in as few pieces as possible.
    ///
    /// - Throws: `.badFormat` or `.noChannels` as soon as the header shows it, and again at each later call.
    public mutating func decode(_ bytes: [UInt8], _ body: (PCMFrames) -> Void) throws(AudioLevelSourceError) {
        let result = bytes.withUnsafeBytes { bytes -> Result<Void, AudioLevelSourceError> in
            do throws(AudioLevelSourceError) {
                return .success(try decode(bytes, body))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    /// Says that the file has ended.
    ///
    /// - Returns: `.truncated` when samples are missing at the end, so that it can be said; nil when nothing is.
    /// - Throws: `.badFormat` when there was no audio to find.
    public func finish() throws(AudioLevelSourceError) -> AudioLevelSourceError? {
        switch place {
        case .failed(let error):
            throw error
        case .fileHeader where header.isEmpty:
            throw bad("is empty", "choose a file with audio in it")
        case .fileHeader where !"RIFF".utf8.starts(with: header.prefix(4)) && !header.starts(with: "RIFF".utf8):
            throw notWAV(header)
        case .fileHeader:
            throw bad("ends within its header", "it was not written to its end; record or copy it again")
        case .chunkHeader, .format, .sizes64, .skipping:
            throw bad(
                encoding == nil ? "ends before it says its format" : "ends before its samples",
                "it was not written to its end; record or copy it again"
            )
        case .samples, .trailer:
            return missingAtEnd()
        }
    }

    private func missingAtEnd() -> AudioLevelSourceError? {
        guard let encoding else { return nil }
        if case .samples(let missing?) = place, missing > 0, let declared = declaredByteCount {
            return AudioLevelSourceError(
                .truncated,
                thing: name,
                reason: "ends after \(declared - missing) of \(declared) bytes of samples",
                remedy: "the \(frameCount) whole frames are used"
            )
        }
        let unfinished = encoding.assembler.unfinishedByteCount
        guard unfinished > 0 else { return nil }
        return AudioLevelSourceError(
            .truncated,
            thing: name,
            reason: "ends within a frame (\(unfinished) of \(encoding.format.bytesPerFrame) bytes)",
            remedy: "the \(frameCount) whole frames are used"
        )
    }

    // MARK: Steps

    /// Goes one step on; returns false when it needs more bytes.
    private mutating func step(
        _ rest: inout Slice<UnsafeRawBufferPointer>,
        _ body: (PCMFrames) -> Void
    ) throws(AudioLevelSourceError) -> Bool {
        switch place {
        case .failed(let error):
            throw error
        case .fileHeader:
            guard collect(12, &rest) else { return false }
            try readFileHeader()
            header.removeAll(keepingCapacity: true)
            place = .chunkHeader
        case .chunkHeader:
            guard collect(8, &rest) else { return false }
            try readChunkHeader()
            header.removeAll(keepingCapacity: true)
        case .format(let size):
            let wanted = Int(min(size, 40))
            guard collect(wanted, &rest) else { return false }
            let format = try readFormat()
            encoding = (format, FrameAssembler(format: format))
            header.removeAll(keepingCapacity: true)
            place = .skipping(padded(size) - UInt64(wanted))
        case .sizes64(let size):
            let wanted = Int(min(size, 16))
            guard collect(wanted, &rest) else { return false }
            if wanted == 16 {
                dataSize64 = UInt64(number(at: 8)) | UInt64(number(at: 12)) << 32
            }
            header.removeAll(keepingCapacity: true)
            place = .skipping(padded(size) - UInt64(wanted))
        case .skipping(let count):
            let skipped = rest.prefix(Int(clamping: count)).count
            consume(skipped, &rest)
            place = count == UInt64(skipped) ? .chunkHeader : .skipping(count - UInt64(skipped))
            return count == UInt64(skipped)
        case .samples(let missing):
            let piece = rest.prefix(missing.map { Int(clamping: $0) } ?? rest.count)
            encoding?.assembler.add(UnsafeRawBufferPointer(rebasing: piece), body)
            let count = piece.count
            consume(count, &rest)
            guard let missing else { return false }
            place = missing == UInt64(count) ? .trailer : .samples(missing: missing - UInt64(count))
            return missing == UInt64(count)
        case .trailer:
            consume(rest.count, &rest)
            return false
        }
        return true
    }

    /// Fills the header up to `count` bytes; returns whether it is full.
    private mutating func collect(_ count: Int, _ rest: inout Slice<UnsafeRawBufferPointer>) -> Bool {
        let part = rest.prefix(count - header.count)
        header.append(contentsOf: part)
        consume(part.count, &rest)
        return header.count == count
    }

    private mutating func consume(_ count: Int, _ rest: inout Slice<UnsafeRawBufferPointer>) {
        rest = rest.dropFirst(count)
        position &+= UInt64(count)
    }

    private func padded(_ size: UInt64) -> UInt64 {
        size + size % 2
    }

    // MARK: Headers

    private func number(at offset: Int) -> UInt32 {
        let bytes = header[offset..<offset + 4].map(UInt32.init)
        return isBigEndian
            ? bytes[0] << 24 | bytes[1] << 16 | bytes[2] << 8 | bytes[3]
            : bytes[3] << 24 | bytes[2] << 16 | bytes[1] << 8 | bytes[0]
    }

    private func shortNumber(at offset: Int) -> Int {
        let (first, second) = (Int(header[offset]), Int(header[offset + 1]))
        return isBigEndian ? first << 8 | second : second << 8 | first
    }

    private mutating func readFileHeader() throws(AudioLevelSourceError) {
        switch String(decoding: header[0..<4], as: UTF8.self) {
        case "RIFF", "RF64", "BW64": isBigEndian = false
        case "RIFX": isBigEndian = true
        default: throw notWAV(header)
        }
        guard header[8..<12].elementsEqual("WAVE".utf8) else {
            throw bad(
                "is a RIFF file of type \(printable(header[8..<12])), not WAVE",
                "convert it with: ffmpeg -i FILE out.wav"
            )
        }
        riffSize = UInt64(number(at: 4))
    }

    private mutating func readChunkHeader() throws(AudioLevelSourceError) {
        let size = UInt64(number(at: 4))
        switch String(decoding: header[0..<4], as: UTF8.self) {
        case "fmt " where encoding == nil:
            guard size >= 16 else {
                throw bad("has a format chunk of \(size) bytes, which is too short", "write it again as plain PCM")
            }
            place = .format(size: size)
        case "ds64":
            place = .sizes64(size: size)
        case "data":
            guard encoding != nil else {
                throw bad("has its samples before their format", "write it again as plain PCM")
            }
            declaredByteCount = sampleByteCount(said: size)
            place = .samples(missing: declaredByteCount)
        default:
            place = .skipping(padded(size))
        }
    }

    /// The bytes of samples that a size field promises; nil when it only says that the writer did not know.
    private func sampleByteCount(said size: UInt64) -> UInt64? {
        let isRIFFSizeUnknown = riffSize == 0 || riffSize == 0xFFFF_FFFF || riffSize + 8 <= position
        switch size {
        case 0xFFFF_FFFF: return dataSize64.flatMap { $0 == 0 || $0 == .max ? nil : $0 }
        case 0 where isRIFFSizeUnknown: return nil
        case Self.openEndedSizes: return nil
        default: return size
        }
    }

    private func readFormat() throws(AudioLevelSourceError) -> AudioFormat {
        var tag = shortNumber(at: 0)
        let channelCount = shortNumber(at: 2)
        let sampleRate = Int(number(at: 4))
        let frameSize = shortNumber(at: 12)
        let bits = shortNumber(at: 14)
        if tag == 0xFFFE {
            guard header.count >= 40 else {
                throw bad("says its format is extensible and does not extend it", "write it again as plain PCM")
            }
            // A sub-format is a GUID whose first number is the tag; the rest is the same for all that had one before.
            let registered: [UInt8] = [0x80, 0x00, 0x00, 0xAA, 0x00, 0x38, 0x9B, 0x71]
            guard header[32..<40].elementsEqual(registered) else {
                throw bad(
                    "has samples of an unknown sub-format",
                    "convert it with: ffmpeg -i FILE -c:a pcm_s16le out.wav"
                )
            }
            // In big-endian files some programs write it as two bytes, others as the four that a GUID begins with.
            let short = shortNumber(at: 24)
            tag = short != 0 ? short : Int(clamping: number(at: 24))
        }
        let byteCount = (bits + 7) / 8
        let encoding = try sampleEncoding(tag: tag, bits: bits, byteCount: byteCount)
        let format = try AudioFormat(
            sampleRate: sampleRate,
            channelCount: channelCount,
            encoding: encoding,
            name: name
        )
        guard frameSize == format.bytesPerFrame else {
            throw bad(
                "says \(frameSize) bytes a frame, where \(channelCount) samples of \(bits) bits are "
                    + "\(format.bytesPerFrame)",
                "its header is damaged; write it again"
            )
        }
        return format
    }

    private func sampleEncoding(tag: Int, bits: Int, byteCount: Int) throws(AudioLevelSourceError) -> PCMEncoding {
        switch (tag, byteCount) {
        case (1, 1): return .u8
        case (1, 2): return isBigEndian ? .s16be : .s16le
        case (1, 3): return isBigEndian ? .s24be : .s24le
        case (1, 4): return isBigEndian ? .s32be : .s32le
        case (3, _) where bits == 32: return isBigEndian ? .f32be : .f32le
        case (3, _) where bits == 64: return isBigEndian ? .f64be : .f64le
        case (1, _), (3, _):
            throw bad(
                "has \(tag == 1 ? "integer" : "floating-point") samples of \(bits) bits",
                "1 to 32 bit integers and 32 or 64 bit floating point can be read"
            )
        default:
            throw bad(
                "has \(Self.codecNames[tag] ?? "samples of format \(tag)"), which is not PCM",
                "convert it with: ffmpeg -i FILE -c:a pcm_s16le out.wav"
            )
        }
    }

    private static let codecNames = [
        0x02: "Microsoft ADPCM", 0x06: "A-law samples", 0x07: "µ-law samples", 0x11: "IMA ADPCM", 0x31: "GSM 6.10",
        0x50: "MPEG audio", 0x55: "MP3 audio", 0xFF: "AAC audio", 0xF1AC: "FLAC audio",
    ]

    // MARK: Errors

    private func bad(_ reason: String, _ remedy: String) -> AudioLevelSourceError {
        AudioLevelSourceError(.badFormat, thing: name, reason: reason, remedy: remedy)
    }

    private func notWAV(_ start: [UInt8]) -> AudioLevelSourceError {
        let known: [(String, String)] = [
            ("fLaC", "a FLAC file"), ("OggS", "an Ogg file"), ("ID3", "an MP3 file"), (".snd", "an AU file"),
            ("FORM", "an AIFF file"), ("caff", "a CAF file"),
        ]
        let kind = known.first { start.starts(with: $0.0.utf8) }?.1
        return bad(
            kind.map { "is \($0), not a WAV file" }
                ?? "is not a WAV file: it begins with \(printable(start.prefix(4)))",
            "convert it with: ffmpeg -i FILE out.wav"
        )
    }

    /// Text that is safe in a terminal, whatever the file holds.
    private func printable(_ bytes: ArraySlice<UInt8>) -> String {
        let isText = bytes.allSatisfy { (0x20...0x7E).contains($0) }
        return isText
            ? "\"" + String(decoding: bytes, as: UTF8.self) + "\""
            : bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
    }
}
