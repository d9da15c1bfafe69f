internal import Glibc

/// The programs that tell a media library more about its files, each where it is installed.
public struct MediaTools: Hashable, Sendable {
    /// No program at all: titles are file names, and nothing is converted.
    public static let none = MediaTools()

    /// The path of ffmpeg, which converts what Apple's players cannot open and takes pictures out of files.
    public var ffmpeg: String?
    /// The path of ffprobe, which finds titles, artists and lengths.
    public var ffprobe: String?

    /// Names the programs.
    ///
    /// - Parameters:
    ///   - ffmpeg: The path of ffmpeg, nil where there is none.
    ///   - ffprobe: The path of ffprobe, nil where there is none.
    public init(ffmpeg: String? = nil, ffprobe: String? = nil) {
        self.ffmpeg = ffmpeg
        self.ffprobe = ffprobe
    }

    /// Looks for the programs.
    ///
    /// - Parameter environment: The process's environment variables, of which `PATH` says where to look.
    public init(searching environment: [String: String]) {
        let folders = (environment["PATH"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        func find(_ name: String) -> String? {
            folders.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
        }
        self.init(ffmpeg: find("ffmpeg"), ffprobe: find("ffprobe"))
    }
}
