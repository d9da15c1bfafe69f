internal import MediaSync

/// What the bytes of a media file are wrapped in, found from the bytes themselves where they tell.
enum MediaFileType: String, CaseIterable, Hashable, Sendable {
    case mp4
    case mp3
    case aac
    case flac
    case wav
    case aiff
    case caf
    case webM = "webm"
    case ogg
    case matroska

    /// The endings of names that are looked at; everything else in a folder is left out unopened.
    ///
    /// Playlists are missing on purpose: they name other addresses.
    private static let endings: [String: MediaFileType] = [
        "m4a": .mp4, "m4b": .mp4, "mp4": .mp4, "m4v": .mp4, "mov": .mp4, "mp3": .mp3, "aac": .aac, "flac": .flac,
        "wav": .wav, "wave": .wav, "aif": .aiff, "aiff": .aiff, "aifc": .aiff, "caf": .caf, "webm": .webM,
        "weba": .webM, "ogg": .ogg, "oga": .ogg, "opus": .ogg, "ogv": .ogg, "mkv": .matroska, "mka": .matroska,
    ]

    /// How many bytes of a file tell its type.
    static let headBytes = 256

    /// What a name suggests; nil for a name that is no media file's.
    init?(name: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex,
            let type = Self.endings[name[name.index(after: dot)...].lowercased()]
        else { return nil }
        self = type
    }

    /// What a file is; nil for bytes that are no media.
    ///
    /// - Parameters:
    ///   - head: Its first ``headBytes`` bytes, or all of a shorter file.
    ///   - suggestion: What its name suggests.
    init?(head: [UInt8], suggestion: MediaFileType) {
        func holds(_ text: String, at offset: Int = 0) -> Bool {
            head.dropFirst(offset).starts(with: text.utf8)
        }
        if holds("ftyp", at: 4) {
            self = .mp4
        } else if holds("fLaC") {
            self = .flac
        } else if holds("RIFF"), holds("WAVE", at: 8) {
            self = .wav
        } else if holds("FORM"), holds("AIF", at: 8) {
            self = .aiff
        } else if holds("caff") {
            self = .caf
        } else if holds("OggS") {
            self = .ogg
        } else if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
            // The kind stands in the element DocType (0x4282) of the header (RFC 8794, section 11.2.4).
            self = Self.documentType(head) == "webm" ? .webM : .matroska
        } else if holds("ID3") {
            // A tag of this kind may stand before other things than MPEG audio.
            self = suggestion == .aac || suggestion == .flac ? suggestion : .mp3
        } else if head.count > 1, head[0] == 0xFF, head[1] & 0xF6 == 0xF0 {
            self = .aac
        } else if head.count > 1, head[0] == 0xFF, head[1] & 0xE0 == 0xE0, head[1] & 0x06 != 0 {
            self = .mp3
        } else if suggestion == .mp3 || suggestion == .mp4, !head.isEmpty, !Self.isText(head) {
            // Both may begin with something else, which players skip.
            self = suggestion
        } else {
            return nil
        }
    }

    /// The media type to send; from the container, since names lie and servers' tables differ.
    var mimeType: String {
        switch self {
        case .mp4: "audio/mp4"
        case .mp3: "audio/mpeg"
        case .aac: "audio/aac"
        case .flac: "audio/flac"
        case .wav: "audio/wav"
        case .aiff: "audio/aiff"
        case .caf: "audio/x-caf"
        case .webM: "audio/webm"
        case .ogg: "audio/ogg"
        case .matroska: "audio/x-matroska"
        }
    }

    /// The ending of an address, by which Apple's players recognise what they get.
    var pathExtension: String {
        switch self {
        case .mp4: "m4a"
        case .matroska: "mka"
        default: rawValue
        }
    }

    /// Whether Apple's players open it.
    var isForApple: Bool {
        let track = MediaTrack(id: "", title: "", mimeType: mimeType)
        return MediaContainer(of: track).map { !PlayableFormats.avPlayer.refused.contains($0) } ?? true
    }

    private static func documentType(_ head: [UInt8]) -> String? {
        guard let place = head.indices.dropLast(2).first(where: { head[$0] == 0x42 && head[$0 + 1] == 0x82 }) else {
            return nil
        }
        let length = Int(head[place + 2] & 0x7F)
        return String(decoding: head.dropFirst(place + 3).prefix(length).prefix { $0 != 0 }, as: UTF8.self)
    }

    private static func isText(_ head: [UInt8]) -> Bool {
        head.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    }
}
