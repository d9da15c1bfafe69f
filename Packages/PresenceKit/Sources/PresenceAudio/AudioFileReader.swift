import Foundation
public import PresenceKit

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What the bytes of a file or a pipe are.
public enum AudioContainer: Hashable, Sendable {
    /// A WAV file.
    case wav
    /// Raw samples.
    case pcm(AudioFormat)
}

/// Reads audio from a file or a pipe piece by piece, for programs that measure it as fast as it comes.
///
/// It blocks while it reads, and keeps one piece of 256 KiB in memory, whatever the length of the audio. For levels at
/// the pace of the audio, use ``WAVAudioLevelSource`` or ``PCMAudioLevelSource``.
public final class AudioFileReader {
    private let descriptor: Descriptor
    private var decoder: AudioDecoder
    private var windows = LevelWindows()
    private var buffer = [UInt8](repeating: 0, count: 256 * 1024)
    private var isAtEnd = false

    /// What is missing at the end of the audio, once the end was reached; nil when nothing is.
    public private(set) var shortfall: AudioLevelSourceError?

    /// Opens a file.
    ///
    /// - Throws: `.deviceMissing` when there is no such file, `.accessDenied` when it may not be read, `.readFailed`.
    public init(path: String, container: AudioContainer = .wav) throws(AudioLevelSourceError) {
        descriptor = try Descriptor(path: path)
        decoder = AudioDecoder(container, name: path)
    }

    /// Reads from a descriptor that is open already, such as 0 for standard input, and leaves it open.
    public init(descriptor: Int32, container: AudioContainer = .wav, name: String = "Standard input") {
        self.descriptor = Descriptor(borrowing: descriptor, name: name)
        decoder = AudioDecoder(container, name: name)
    }

    /// The format of the audio, once it is known.
    public var format: AudioFormat? { decoder.format }

    /// The number of frames so far.
    public var frameCount: Int { decoder.frameCount }

    /// Reads the next piece and hands out its frames.
    ///
    /// - Returns: False when the audio has ended; ``shortfall`` then says what is missing of it.
    /// - Throws: `.badFormat`, `.noChannels`, `.readFailed`.
    public func readFrames(_ body: (PCMFrames) -> Void) throws(AudioLevelSourceError) -> Bool {
        guard !isAtEnd else { return false }
        let count = try descriptor.read(into: &buffer)
        guard count > 0 else {
            isAtEnd = true
            shortfall = try decoder.finish()
            return false
        }
        try decoder.decode(buffer, count: count, body)
        return true
    }

    /// Reads on until windows of 100 ms are complete.
    ///
    /// - Returns: The next windows, at least one; nil when the audio has ended.
    /// - Throws: `.badFormat`, `.noChannels`, `.readFailed`.
    public func nextWindows() throws(AudioLevelSourceError) -> [LevelReading]? {
        var readings: [LevelReading] = []
        var windows = windows
        defer { self.windows = windows }
        while readings.isEmpty {
            guard try readFrames({ frames in windows.push(frames) { readings.append($0) } }) else {
                return windows.finish().map { [$0] }
            }
        }
        return readings
    }
}

/// A WAV or a PCM decoder.
enum AudioDecoder: Sendable {
    case wav(WAVDecoder)
    case pcm(PCMDecoder)

    init(_ container: AudioContainer, name: String) {
        switch container {
        case .wav: self = .wav(WAVDecoder(name: name))
        case .pcm(let format): self = .pcm(PCMDecoder(format: format, name: name))
        }
    }

    var format: AudioFormat? {
        switch self {
        case .wav(let decoder): decoder.format
        case .pcm(let decoder): decoder.format
        }
    }

    var frameCount: Int {
        switch self {
        case .wav(let decoder): decoder.frameCount
        case .pcm(let decoder): decoder.frameCount
        }
    }

    /// Decodes the first `count` bytes of a buffer.
    mutating func decode(_ buffer: [UInt8], count: Int, _ body: (PCMFrames) -> Void) throws(AudioLevelSourceError) {
        let result = buffer.withUnsafeBytes { bytes -> Result<Void, AudioLevelSourceError> in
            let bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(count))
            do throws(AudioLevelSourceError) {
                switch self {
                case .wav(var decoder):
                    defer { self = .wav(decoder) }
                    try decoder.decode(bytes, body)
                case .pcm(var decoder):
                    decoder.decode(bytes, body)
                    self = .pcm(decoder)
                }
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    func finish() throws(AudioLevelSourceError) -> AudioLevelSourceError? {
        switch self {
        case .wav(let decoder): try decoder.finish()
        case .pcm(let decoder): decoder.finish()
        }
    }
}

/// An open file, closed with this object when it was opened by it.
final class Descriptor: Sendable {
    let number: Int32
    private let name: String
    private let isOwned: Bool

    init(path: String) throws(AudioLevelSourceError) {
        let opened = open(path, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { throw Self.failure(errno, path) }
        number = opened
        name = path
        isOwned = true
    }

    init(borrowing number: Int32, name: String) {
        self.number = number
        self.name = name
        isOwned = false
    }

    deinit {
        if isOwned {
            close(number)
        }
    }

    /// Whether somebody else decides when bytes come: a pipe, a socket or a terminal.
    ///
    /// Files and devices such as /dev/null are always ready, and cannot be waited for on every system.
    var canBeWaitedFor: Bool {
        var status = stat()
        guard fstat(number, &status) == 0 else { return false }
        switch status.st_mode & S_IFMT {
        case S_IFIFO, S_IFSOCK: return true
        case S_IFCHR: return isatty(number) == 1
        default: return false
        }
    }

    /// Reads what is there, waiting for the first byte; returns 0 at the end.
    func read(into buffer: inout [UInt8]) throws(AudioLevelSourceError) -> Int {
        while true {
            let count = buffer.withUnsafeMutableBytes { systemRead(number, $0) }
            if count >= 0 { return count }
            switch errno {
            case EINTR:
                continue
            case EAGAIN, EWOULDBLOCK:
                var request = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
                _ = poll(&request, 1, -1)
            case let code:
                throw Self.failure(code, name)
            }
        }
    }

    private static func failure(_ code: Int32, _ name: String) -> AudioLevelSourceError {
        switch code {
        case ENOENT, ENOTDIR:
            AudioLevelSourceError(.deviceMissing, thing: name, reason: "does not exist", remedy: "check its path")
        case EACCES, EPERM:
            AudioLevelSourceError(
                .accessDenied,
                thing: name,
                reason: "may not be read",
                remedy: "give yourself the right to read it"
            )
        case EISDIR:
            AudioLevelSourceError(.badFormat, thing: name, reason: "is a folder", remedy: "name a file in it")
        default:
            AudioLevelSourceError(
                .readFailed,
                thing: name,
                reason: "could not be read: \(String(cString: strerror(code)))"
            )
        }
    }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
}
