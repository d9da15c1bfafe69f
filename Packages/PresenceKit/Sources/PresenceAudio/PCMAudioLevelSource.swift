public import PresenceKit

/// The levels of raw samples at the pace at which they would be heard: of a pipe, or of bytes.
///
/// One level for each 20 ms, given out when the frame has passed on the clock, or when it came where it came later. The
/// stream ends with the audio, or throws `.truncated` after its last level where it ends within a frame.
public final class PCMAudioLevelSource: Sendable {
    private let playback: AudioPlayback

    /// Makes a source for an open descriptor, such as 0 for standard input, which it leaves open.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor, read only while the source runs. After a stop it goes on where it was.
    ///   - format: The format, which raw audio does not say itself.
    ///   - name: What errors call it.
    ///   - owner: Whose voice it is.
    ///   - clock: The clock that paces the levels.
    public init(
        descriptor: Int32,
        format: AudioFormat,
        name: String = "Standard input",
        owner: AudioLevelOwner = .microphone,
        clock: any Clock<Duration>
    ) {
        playback = AudioPlayback(
            .descriptor(descriptor),
            container: .pcm(format),
            name: name,
            owner: owner,
            clock: clock
        )
    }

    /// Makes a source for a file of samples, which is opened and heard from its beginning at each start.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - format: The format of its samples.
    ///   - owner: Whose voice it is.
    ///   - clock: The clock that paces the levels.
    public init(
        path: String,
        format: AudioFormat,
        owner: AudioLevelOwner = .microphone,
        clock: any Clock<Duration>
    ) {
        playback = AudioPlayback(.path(path), container: .pcm(format), name: path, owner: owner, clock: clock)
    }

    /// Makes a source for samples in memory, which are heard from their beginning at each start.
    ///
    /// - Parameters:
    ///   - bytes: The samples.
    ///   - format: Their format.
    ///   - owner: Whose voice it is.
    ///   - clock: The clock that paces the levels.
    public init(
        bytes: [UInt8],
        format: AudioFormat,
        owner: AudioLevelOwner = .microphone,
        clock: any Clock<Duration>
    ) {
        playback = AudioPlayback(
            .bytes(bytes),
            container: .pcm(format),
            name: "The audio",
            owner: owner,
            clock: clock
        )
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension PCMAudioLevelSource: AudioLevelSource {
    public func start() async throws(AudioLevelSourceError) -> AudioLevelStream {
        try playback.start()
    }

    public func stop() async {
        await playback.stop()
    }
}
