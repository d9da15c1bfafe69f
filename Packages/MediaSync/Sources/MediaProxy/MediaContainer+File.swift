import MediaSync

/// What players are told about a container.
extension MediaContainer {
    /// The type to send.
    var mediaType: String {
        switch self {
        case .mp4: "audio/mp4"
        case .mp3: "audio/mpeg"
        case .aac: "audio/aac"
        case .flac: "audio/flac"
        case .wav: "audio/wav"
        case .hls: "application/vnd.apple.mpegurl"
        case .webM: "audio/webm"
        case .ogg: "audio/ogg"
        case .matroska: "audio/x-matroska"
        }
    }

    /// The ending of a file's name, without the dot.
    var fileExtension: String {
        switch self {
        case .mp4: "m4a"
        case .mp3: "mp3"
        case .aac: "aac"
        case .flac: "flac"
        case .wav: "wav"
        case .hls: "m3u8"
        case .webM: "webm"
        case .ogg: "ogg"
        case .matroska: "mka"
        }
    }

    /// Finds the container from a Content-Type field; `nil` for types such as `text/plain` that say nothing.
    init?(mediaType: String?) {
        guard let mediaType else { return nil }
        self.init(of: MediaTrack(id: "", title: "", mimeType: mediaType))
    }

    /// How many bytes of a file its container shows in.
    static let signatureBytes = 64

    /// Finds the container from the first bytes of a file.
    init?(signature: [UInt8]) {
        func has(_ text: String, at start: Int) -> Bool { signature.dropFirst(start).starts(with: text.utf8) }
        if has("ftyp", at: 4) {
            self = .mp4
        } else if has("fLaC", at: 0) {
            self = .flac
        } else if has("OggS", at: 0) {
            self = .ogg
        } else if has("RIFF", at: 0), has("WAVE", at: 8) {
            self = .wav
        } else if has("#EXTM3U", at: 0) {
            self = .hls
        } else if signature.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
            // The document type stands in the header, which is shorter than what is looked at.
            self = (0..<signature.count).contains { has("webm", at: $0) } ? .webM : .matroska
        } else if has("ID3", at: 0) {
            self = .mp3
        } else if signature.count >= 2, signature[0] == 0xFF, signature[1] & 0xE0 == 0xE0 {
            // Both begin with a run of ones; AAC's frames have 0 as their layer.
            self = signature[1] & 0x06 == 0 ? .aac : .mp3
        } else {
            return nil
        }
    }
}
