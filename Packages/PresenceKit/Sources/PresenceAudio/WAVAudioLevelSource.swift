public import PresenceKit

/// The levels of a WAV file or stream at the pace at which it would be heard.
///
/// One level for each 20 ms, given out when the frame has passed on the clock. The stream ends with the audio, or throws
/// `.truncated` after its last level where samples are missing. A file is heard from its beginning at each start;
/// a descriptor goes on where it was.
public final class WAVAudioLevelSource: Sendable {
    private let playback: AudioPlayback

    /// Makes a source for a file, which is opened at each start.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - owner: Whose voice it is.
    ///   - clock: The clock that paces the levels.
    public init(path: String, owner: AudioLevelOwner = .microphone, clock: any Clock<Duration>) {
        playback = AudioPlayback(.path(path), container: .wav, name: path, owner: owner, clock: clock)
    }

    /// Makes a source for the bytes of a file.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - name: What errors call it.
    ///   - owner: Whose voice it is.
    ///   - clock: The clock that paces the levels.
    public init(
        bytes: [UInt8],
        name: String = "The WAV file",
        owner: AudioLevelOwner = .microphone,
        clock: any Clock<Duration>
    ) {
        playback = AudioPlayback(.bytes(bytes), container: .wav, name: name, owner: owner, clock: clock)
    }

    /// Makes a source for an open descriptor, such as 0 for standard input, which it leaves open.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor, read only while the source runs and no faster than the audio plays.
    ///   - name: What errors call it.
    ///   - owner: Whose voice it is.
    ///   - clock: The clock that paces the levels.
    public init(
        descriptor: Int32,
        name: String = "Standard input",
        owner: AudioLevelOwner = .microphone,
        clock: any Clock<Duration>
    ) {
        playback = AudioPlayback(
            .descriptor(descriptor),
            container: .wav,
            name: name,
            owner: owner,
            clock: clock
        )
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension WAVAudioLevelSource: AudioLevelSource {
    public func start() async throws(AudioLevelSourceError) -> AudioLevelStream {
        try playback.start()
    }

    public func stop() async {
        await playback.stop()
    }
}
