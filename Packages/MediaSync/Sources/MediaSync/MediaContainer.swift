import Foundation

/// What the bytes of a track are wrapped in; it decides whether a player can open them.
public enum MediaContainer: String, CaseIterable, Hashable, Sendable {
    /// MPEG-4: `.m4a`, `.mp4`.
    case mp4 = "MP4"
    /// MPEG audio: `.mp3`.
    case mp3 = "MP3"
    /// Raw AAC: `.aac`.
    case aac = "AAC"
    /// FLAC: `.flac`.
    case flac = "FLAC"
    /// RIFF WAVE: `.wav`.
    case wav = "WAV"
    /// HTTP Live Streaming: `.m3u8`.
    case hls = "HLS"
    /// WebM: `.webm`, `.weba`.
    case webM = "WebM"
    /// Ogg with Vorbis, Opus or FLAC: `.ogg`, `.oga`, `.opus`, `.ogv`.
    case ogg = "Ogg"
    /// Matroska, of which WebM is a part: `.mkv`, `.mka`.
    case matroska = "Matroska"

    /// Finds the container of a track from its media type, else from the ending of its address.
    ///
    /// - Parameter track: The track.
    public init?(of track: MediaTrack) {
        let type = track.mimeType?.split(separator: ";").first.map {
            $0.trimmingCharacters(in: .whitespaces).lowercased()
        }
        // Servers send types such as text/plain for files they do not know, hence the ending.
        let ending = track.audioURL?.pathExtension.lowercased()
        guard let container = type.flatMap({ Self.types[$0] }) ?? ending.flatMap({ Self.endings[$0] }) else {
            return nil
        }
        self = container
    }

    private static let types: [String: MediaContainer] = [
        "audio/mp4": .mp4, "audio/x-m4a": .mp4, "audio/m4a": .mp4, "video/mp4": .mp4,
        "audio/mpeg": .mp3, "audio/mp3": .mp3,
        "audio/aac": .aac, "audio/aacp": .aac, "audio/x-aac": .aac,
        "audio/flac": .flac, "audio/x-flac": .flac,
        "audio/wav": .wav, "audio/x-wav": .wav, "audio/wave": .wav, "audio/vnd.wave": .wav,
        "application/vnd.apple.mpegurl": .hls, "application/x-mpegurl": .hls, "audio/mpegurl": .hls,
        "audio/webm": .webM, "video/webm": .webM,
        "audio/ogg": .ogg, "video/ogg": .ogg, "application/ogg": .ogg, "audio/opus": .ogg, "audio/vorbis": .ogg,
        "audio/x-matroska": .matroska, "video/x-matroska": .matroska, "audio/matroska": .matroska,
        "video/matroska": .matroska,
    ]

    private static let endings: [String: MediaContainer] = [
        "m4a": .mp4, "m4b": .mp4, "mp4": .mp4, "mp3": .mp3, "aac": .aac, "flac": .flac, "wav": .wav, "m3u8": .hls,
        "webm": .webM, "weba": .webM, "ogg": .ogg, "oga": .ogg, "opus": .ogg, "ogv": .ogg, "mkv": .matroska,
        "mka": .matroska,
    ]
}
