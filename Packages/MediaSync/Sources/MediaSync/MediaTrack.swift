public import Foundation

/// Something that can be played, as the server describes it.
public struct MediaTrack: Hashable, Sendable {
    /// Whether a track has an end.
    public enum Kind: String, Codable, Hashable, Sendable {
        /// A file with a beginning and an end, in which one can seek.
        case file
        /// A live stream, which can only be listened to.
        case stream
    }

    /// The server's name for the track.
    public var id: String
    /// The title to show.
    public var title: String
    /// Who published it.
    public var channel: String?
    /// The length in seconds; it decides over what a player measures.
    public var duration: Double?
    /// A picture; absolute once it has been read through `MediaServer`.
    public var art: URL?
    /// The bytes to play; nil while the server is still preparing them.
    public var audioURL: URL?
    /// The media type of those bytes.
    public var mimeType: String?
    /// File or live stream; a kind that is missing or unknown counts as a file.
    public var kind: Kind

    /// Makes a track.
    ///
    /// - Parameters:
    ///   - id: The server's name for the track.
    ///   - title: The title to show.
    ///   - channel: Who published it.
    ///   - duration: The length in seconds.
    ///   - art: A picture.
    ///   - audioURL: The bytes to play.
    ///   - mimeType: Their media type.
    ///   - kind: File or live stream.
    public init(
        id: String,
        title: String,
        channel: String? = nil,
        duration: Double? = nil,
        art: URL? = nil,
        audioURL: URL? = nil,
        mimeType: String? = nil,
        kind: Kind = .file
    ) {
        self.id = id
        self.title = title
        self.channel = channel
        self.duration = duration
        self.art = art
        self.audioURL = audioURL
        self.mimeType = mimeType
        self.kind = kind
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension MediaTrack: Codable {
    private enum CodingKeys: String, CodingKey {
        case id
        case title
        case channel
        case duration
        case art
        case audioURL = "audio_url"
        case mimeType = "mime"
        case kind
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        title = try container.decode(String.self, forKey: .title)
        channel = try container.decodeIfPresent(String.self, forKey: .channel)
        duration = try container.decodeIfPresent(Double.self, forKey: .duration)
        art = try container.decodePicture(forKey: .art, base: decoder.mediaServerBase)
        audioURL = try container.decodeAudio(forKey: .audioURL, base: decoder.mediaServerBase)
        mimeType = try container.decodeIfPresent(String.self, forKey: .mimeType)
        kind = try container.decodeIfPresent(String.self, forKey: .kind).flatMap(Kind.init) ?? .file
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(title, forKey: .title)
        try container.encode(channel, forKey: .channel)
        try container.encode(duration, forKey: .duration)
        try container.encode(art, forKey: .art)
        try container.encode(audioURL, forKey: .audioURL)
        try container.encode(mimeType, forKey: .mimeType)
        try container.encode(kind, forKey: .kind)
    }
}
