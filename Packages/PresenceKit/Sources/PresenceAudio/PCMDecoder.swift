public import PresenceKit

/// Makes frames of raw samples that come in any pieces.
public struct PCMDecoder: Sendable {
    private let name: String
    private var assembler: FrameAssembler

    /// Makes a decoder at the beginning of some audio.
    ///
    /// - Parameters:
    ///   - format: The format, which raw audio does not say itself.
    ///   - name: What errors call the audio.
    public init(format: AudioFormat, name: String = "The audio") {
        self.name = name
        assembler = FrameAssembler(format: format)
    }

    /// The format of the frames.
    public var format: AudioFormat { assembler.format }

    /// The number of frames so far.
    public var frameCount: Int { assembler.frameCount }

    /// Takes the next bytes and hands out the frames that are now whole, in as few pieces as possible.
    public mutating func decode(_ bytes: UnsafeRawBufferPointer, _ body: (PCMFrames) -> Void) {
        assembler.add(bytes, body)
    }

    /// Takes the next bytes and hands out the frames that are now whole, in as few pieces as possible.
    public mutating func decode(_ bytes: [UInt8], _ body: (PCMFrames) -> Void) {
        bytes.withUnsafeBytes { decode($0, body) }
    }

    /// What is missing at the end: `.truncated` when the audio ends within a frame, nil when it does not.
    public func finish() -> AudioLevelSourceError? {
        guard assembler.unfinishedByteCount > 0 else { return nil }
        return AudioLevelSourceError(
            .truncated,
            thing: name,
            reason: "ends within a frame (\(assembler.unfinishedByteCount) of \(format.bytesPerFrame) bytes)",
            remedy: "the \(frameCount) whole frames are used"
        )
    }
}
