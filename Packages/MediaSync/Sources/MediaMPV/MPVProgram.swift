import Foundation

/// Which mpv is run, and how.
public struct MPVProgram: Hashable, Sendable {
    /// The program's name, which is looked up in `PATH`, or a path with a slash in it.
    public var name: String
    /// What mpv plays through, such as `pipewire`, or `null` for a silent player in real time; nil leaves it to mpv.
    public var audioOutput: String?
    /// Further options of mpv's command line, behind those that every player has.
    public var options: [String]

    /// Describes a program.
    ///
    /// - Parameters:
    ///   - name: The program's name or path.
    ///   - audioOutput: What mpv plays through.
    ///   - options: Further options of mpv's command line.
    public init(name: String = "mpv", audioOutput: String? = nil, options: [String] = []) {
        self.name = name
        self.audioOutput = audioOutput
        self.options = options
    }

    /// Where the program is, or nil when it is not installed.
    public var path: String? {
        let files = FileManager.default
        if name.contains("/") { return files.isExecutableFile(atPath: name) ? name : nil }
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { "\($0)/\(name)" }.first { files.isExecutableFile(atPath: $0) }
    }

    /// The arguments with which a player runs it.
    ///
    /// mpv ends when its standard input does: however this process ends, mpv does not play on.
    func arguments(socket: String) -> [String] {
        var arguments = ["--idle=yes", "--no-config", "--no-terminal", "--no-video", "--no-ytdl"]
        arguments += ["--input-ipc-server=\(socket)", "--input-ipc-client=fd://0"]
        // Without it a seek in an MP3 reads everything up to there.
        arguments.append("--demuxer-lavf-o=fflags=+fastseek")
        if let audioOutput { arguments.append("--ao=\(audioOutput)") }
        return arguments + options
    }
}
