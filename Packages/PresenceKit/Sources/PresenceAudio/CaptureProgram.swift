import Foundation

/// A program that records the default microphone and writes raw samples to its standard output.
public struct CaptureProgram: Hashable, Sendable {
    /// The name of its file.
    public let name: String
    /// What it is started with.
    public let arguments: [String]
    /// The format of what it writes; an AU header in front of the samples overrides it.
    public let format: AudioFormat

    /// Describes a program.
    public init(name: String, arguments: [String], format: AudioFormat = .speech) {
        self.name = name
        self.arguments = arguments
        self.format = format
    }

    /// PipeWire's recorder.
    ///
    /// Older versions write raw samples to `-`; since 1.4 they write an AU file unless told `--raw`, which the older
    /// ones refuse. Both outputs are understood, so nothing is said about it.
    public static let pipeWire = CaptureProgram(
        name: "pw-record",
        arguments: ["--rate", "48000", "--channels", "1", "--format", "s16", "--latency", "20ms", "-"]
    )

    /// PulseAudio's recorder, which PipeWire serves too.
    public static let pulseAudio = CaptureProgram(
        name: "parec",
        arguments: ["--raw", "--format=s16le", "--rate=48000", "--channels=1", "--latency-msec=20"]
    )

    /// ALSA's recorder.
    public static let alsa = CaptureProgram(
        name: "arecord",
        arguments: ["-q", "-t", "raw", "-f", "S16_LE", "-r", "48000", "-c", "1"]
    )

    /// ffmpeg, on the audio system that is usual on the platform.
    public static let ffmpeg = CaptureProgram(
        name: "ffmpeg",
        arguments: ["-nostdin", "-loglevel", "error"] + ffmpegInput + ["-ac", "1", "-ar", "48000"]
            + ["-f", "s16le", "-flush_packets", "1", "-"]
    )

    #if os(macOS)
        private static let ffmpegInput = ["-f", "avfoundation", "-i", ":default"]
    #else
        private static let ffmpegInput = ["-f", "alsa", "-i", "default"]
    #endif

    /// The programs that are tried, in this order.
    public static let all: [CaptureProgram] = [.pipeWire, .pulseAudio, .alsa, .ffmpeg]

    /// Where the program stands.
    ///
    /// - Parameter searchPath: Folders separated by colons, as in the variable PATH; empty entries are left out.
    /// - Returns: The path of the first executable file of its name, nil when there is none.
    public func path(in searchPath: String) -> String? {
        searchPath.split(separator: ":").lazy
            .map { "\($0)/\(name)" }
            .first { path in
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
                    && FileManager.default.isExecutableFile(atPath: path)
            }
    }
}
