internal import Glibc
internal import TransportCore
internal import TransportTLS

/// Finds out about media files by ffprobe, and takes the pictures out of them by ffmpeg.
struct MediaProber: Sendable {
    /// How long one file may take.
    static let limit = Duration.seconds(20)
    /// The largest picture that is kept.
    static let maximumPictureBytes = 8 * 1024 * 1024
    /// Formats that name no other files: a playlist in a music file's clothes must not have anything fetched.
    static let formats = "mov,mp3,aac,flac,wav,w64,aiff,caf,matroska,webm,ogg"
    /// What a file is read as: its content comes as standard input, which can be sought in, and its name means nothing.
    static let input = "file:/proc/self/fd/0"

    let tools: MediaTools
    /// Where pictures are put; nil for nowhere.
    let pictures: String?
    let clock: any Clock<Duration>

    /// Looks into a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - takesPicture: Whether a picture in it is taken out as well.
    /// - Returns: What is there, without anything for a file that is broken, and whether that will be so the next time as
    ///   well; nil when the task was cancelled.
    func details(of file: MediaFile, takesPicture: Bool = true) async -> (details: MediaDetails, isCertain: Bool)? {
        guard let ffprobe = tools.ffprobe else { return (MediaDetails(), false) }
        let ending = await ChildProgram.run(
            ffprobe,
            [
                "-v", "error", "-protocol_whitelist", "file", "-format_whitelist", Self.formats, "-show_entries",
                "format=duration:format_tags:stream=codec_type,codec_name,duration:stream_tags:stream_disposition=attached_pic",
                "-of", "json", Self.input,
            ],
            input: file,
            limit: Self.limit,
            clock: clock
        )
        if Task.isCancelled { return nil }
        guard let ending, ending.isWell, let found = MediaDetails.read(ending.output) else {
            return (MediaDetails(), ending.map { !$0.isTimedOut && $0.status < 128 } ?? false)
        }
        var details = found.details
        if takesPicture, found.hasPicture { details.picture = await picture(of: file) }
        return Task.isCancelled ? nil : (details, true)
    }

    /// Whether a picture that was taken out is still there.
    func hasPicture(_ name: String) -> Bool { pictures.map { access("\($0)/\(name)", R_OK) == 0 } ?? false }

    private func picture(of file: MediaFile) async -> String? {
        guard let ffmpeg = tools.ffmpeg, let pictures else { return nil }
        let ending = await ChildProgram.run(
            ffmpeg,
            [
                "-nostdin", "-v", "error", "-protocol_whitelist", "file", "-format_whitelist", Self.formats,
                "-i", Self.input, "-map", "0:v:0", "-c", "copy", "-frames:v", "1", "-f", "image2pipe", "pipe:1",
            ],
            input: file,
            limit: Self.limit,
            clock: clock,
            outputLimit: Self.maximumPictureBytes + 1
        )
        guard let ending, ending.isWell, ending.output.count <= Self.maximumPictureBytes,
            PictureType(head: ending.output) != nil
        else { return nil }
        // Songs of an album have the same picture, which is kept once.
        let name = OpenSSLContentDigest().sha256Hex(ending.output)
        guard AtomicFile.makeFolder(pictures) else { return nil }
        let target = AtomicFile(path: "\(pictures)/\(name)")
        if target.read() == ending.output { return name }
        return target.write(ending.output) == nil ? name : nil
    }
}

/// The kinds of pictures that are passed on.
enum PictureType: String {
    case jpeg = "image/jpeg"
    case png = "image/png"

    /// What a picture is by its first bytes; nil for anything else.
    init?(head: [UInt8]) {
        if head.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else {
            return nil
        }
    }
}
