internal import Glibc
public import PresenceAudio
public import PresenceKit
internal import TransportCore

/// Something to hear, as `--audio` chooses it.
public struct AudioInput: Sendable {
    /// Takes the level of each window of 100 ms, in order.
    public typealias WindowBody = @Sendable (_ start: Duration, _ level: Double) throws -> Void

    /// Whether it goes on for ever unless somebody ends it.
    public var isEndless: Bool
    /// Measures the input as fast as it comes, up to a limit if there is one.
    public var readWindows: @Sendable (_ limit: Duration?, _ body: @escaping WindowBody) async throws -> Void
    /// Makes a source that hears it at its own pace.
    public var makeSource: @Sendable (_ owner: AudioLevelOwner, _ clock: any Clock<Duration>) -> any AudioLevelSource

    /// Makes an input that a file or pipe is read for.
    ///
    /// - Parameters:
    ///   - open: Opens it for reading at full speed.
    ///   - makeSource: Makes a source that hears it at its own pace.
    public init(
        reading open: @escaping @Sendable () throws(AudioLevelSourceError) -> AudioFileReader,
        makeSource: @escaping @Sendable (_ owner: AudioLevelOwner, _ clock: any Clock<Duration>) -> any AudioLevelSource
    ) {
        isEndless = false
        self.makeSource = makeSource
        readWindows = { limit, body in
            let reader = try open()
            while let windows = try reader.nextWindows() {
                for window in windows {
                    if let limit, window.start >= limit { return }
                    try body(window.start, window.level)
                }
                try Task.checkCancellation()
            }
            if let shortfall = reader.shortfall { throw shortfall }
        }
    }

    /// Makes an input that never ends by itself.
    ///
    /// - Parameters:
    ///   - clock: The clock that its levels are waited for on; nil for virtual time, where nothing is waited for.
    ///   - makeSource: Makes a source that hears it.
    public init(
        endlessOn clock: (any Clock<Duration>)?,
        makeSource: @escaping @Sendable (_ owner: AudioLevelOwner, _ clock: any Clock<Duration>) -> any AudioLevelSource
    ) {
        isEndless = true
        self.makeSource = makeSource
        readWindows = { limit, body in
            guard let clock else {
                let clock = ManualClock()
                return try await clock.run {
                    try await Self.window(makeSource(.microphone, clock), limit: limit, body)
                }
            }
            try await Self.window(makeSource(.microphone, clock), limit: limit, body)
        }
    }

    /// Gathers the 20 ms levels of a source into windows of 100 ms: the mean square of a window is that of its frames.
    private static func window(_ source: any AudioLevelSource, limit: Duration?, _ body: WindowBody) async throws {
        let length: Duration = .milliseconds(100)
        var start = Duration.zero
        var squares: [Double] = []
        func close() throws {
            guard !squares.isEmpty else { return }
            try body(start, (squares.reduce(0, +) / Double(squares.count)).squareRoot())
            squares = []
        }
        do {
            for try await level in try await source.start() {
                // A level is stamped with the end of its frame.
                while level.time > start + length {
                    try close()
                    start += length
                }
                if let limit, start >= limit { break }
                squares.append(level.level * level.level)
            }
            try close()
        } catch {
            await source.stop()
            throw error
        }
        await source.stop()
    }
}

extension PluginList<AudioInput> {
    /// The inputs that ship with hope.
    public static let standardAudio = PluginList(
        seam: "AudioLevelSource",
        option: "audio",
        plugins: [.synthetic, .wav, .pcm, .microphone]
    )
}

extension Plugin<AudioInput> {
    /// A made-up voice, the same for the same seed.
    public static let synthetic = Plugin(
        scheme: "synthetic",
        usage: "synthetic[:SEED]",
        summary: "a made-up voice, the same for the same seed",
        make: { rest, _ throws(CommandError) in
            guard let seed = rest.isEmpty ? 1 : UInt64(rest) else {
                throw CommandError(
                    .usage,
                    "--audio synthetic takes a whole number as seed, as synthetic:7, not \(quoted(rest))"
                )
            }
            return AudioInput(endlessOn: nil) { SyntheticAudioLevelSource(seed: seed, owner: $0, clock: $1) }
        }
    )

    /// A WAV file, or one on standard input.
    public static let wav = Plugin(
        scheme: "wav",
        usage: "wav:FILE",
        summary: "a WAV file, or one on standard input with wav:-",
        make: { path, _ throws(CommandError) in
            guard !path.isEmpty else {
                throw CommandError(
                    .usage,
                    "--audio wav needs a file's name, as wav:voice.wav, or wav:- for standard input"
                )
            }
            guard path == "-" else {
                return AudioInput(
                    reading: { () throws(AudioLevelSourceError) in try AudioFileReader(path: path) },
                    makeSource: { WAVAudioLevelSource(path: path, owner: $0, clock: $1) }
                )
            }
            return AudioInput(
                reading: { AudioFileReader(descriptor: STDIN_FILENO) },
                makeSource: { WAVAudioLevelSource(descriptor: STDIN_FILENO, owner: $0, clock: $1) }
            )
        }
    )

    /// Raw samples from standard input or a file.
    public static let pcm = Plugin(
        scheme: "pcm",
        usage: "pcm:-[,RATE[,CHANNELS[,ENCODING]]]",
        summary: "raw samples on standard input or in a file; 48000 Hz, 1 channel, s16le unless told",
        make: { rest, _ throws(CommandError) in
            let (path, format) = try parsePCM(rest)
            guard path == "-" else {
                return AudioInput(
                    reading: { () throws(AudioLevelSourceError) in
                        try AudioFileReader(path: path, container: .pcm(format))
                    },
                    makeSource: { PCMAudioLevelSource(path: path, format: format, owner: $0, clock: $1) }
                )
            }
            return AudioInput(
                reading: { AudioFileReader(descriptor: STDIN_FILENO, container: .pcm(format)) },
                makeSource: { PCMAudioLevelSource(descriptor: STDIN_FILENO, format: format, owner: $0, clock: $1) }
            )
        }
    )

    private static func parsePCM(_ rest: String) throws(CommandError) -> (path: String, format: AudioFormat) {
        let parts = rest.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard let path = parts.first, !path.isEmpty, parts.count <= 4 else {
            throw CommandError(
                .usage,
                "--audio pcm is pcm:-[,RATE[,CHANNELS[,ENCODING]]], not \(quoted("pcm:\(rest)"))"
            )
        }
        guard let rate = parts.count > 1 ? Int(parts[1]) : 48_000 else {
            throw CommandError(.usage, "--audio pcm: \(quoted(parts[1])) is no sample rate; give Hz, as pcm:-,16000")
        }
        guard let channels = parts.count > 2 ? Int(parts[2]) : 1 else {
            throw CommandError(.usage, "--audio pcm: \(quoted(parts[2])) is no number of channels, as pcm:-,16000,2")
        }
        guard let encoding = parts.count > 3 ? PCMEncoding(rawValue: parts[3]) : .s16le else {
            let known = PCMEncoding.allCases.map(\.rawValue)
            let near = nearestWord(to: parts[3], among: known).map { "; did you mean \($0)?" } ?? ""
            throw CommandError(
                .usage,
                "--audio pcm: the encoding is one of \(known.joined(separator: ", ")), not \(quoted(parts[3]))\(near)"
            )
        }
        do {
            return (path, try AudioFormat(sampleRate: rate, channelCount: channels, encoding: encoding))
        } catch {
            throw CommandError(.usage, "--audio pcm: \(error.message)")
        }
    }

    /// The microphone, through whatever capture program is installed.
    public static let microphone = Plugin(
        scheme: "mic",
        usage: "mic",
        summary: "the microphone",
        needs: "one of \(captureProgramNames)",
        isAvailable: { world in CaptureProgram.all.contains { $0.path(in: searchPath(of: world)) != nil } },
        make: { rest, world throws(CommandError) in
            guard rest.isEmpty else { throw CommandError(.usage, "--audio mic takes nothing after the colon") }
            let path = searchPath(of: world)
            guard CaptureProgram.all.contains(where: { $0.path(in: path) != nil }) else {
                throw CommandError(
                    .unavailable,
                    "no capture program is installed; install one of \(captureProgramNames)"
                )
            }
            return AudioInput(endlessOn: world.clock) {
                CaptureProgramAudioLevelSource(searchPath: path, owner: $0, clock: $1)
            }
        }
    )

    private static let captureProgramNames = CaptureProgram.all.map(\.name).joined(separator: ", ")

    private static func searchPath(of world: HopeWorld) -> String {
        world.environment["PATH"] ?? ""
    }
}
