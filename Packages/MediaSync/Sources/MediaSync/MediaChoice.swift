public import Foundation

/// A track that can be chosen: a search result, or one of several that a wish could mean.
public struct MediaChoice: Hashable, Sendable {
    /// The server's name for it.
    public var id: String
    /// The title to show.
    public var title: String
    /// Who published it.
    public var channel: String?
    /// The length in seconds.
    public var duration: Double?
    /// A picture; absolute once it has been read through `MediaServer`.
    public var art: URL?
    /// Whether the library already has it.
    public var isInLibrary: Bool

    /// Makes a choice.
    ///
    /// - Parameters:
    ///   - id: The server's name for it.
    ///   - title: The title to show.
    ///   - channel: Who published it.
    ///   - duration: The length in seconds.
    ///   - art: A picture.
    ///   - isInLibrary: Whether the library already has it.
    public init(
        id: String,
        title: String,
        channel: String? = nil,
        duration: Double? = nil,
        art: URL? = nil,
        isInLibrary: Bool = false
    ) {
        self.id = id
        self.title = title
        self.channel = channel
        self.duration = duration
        self.art = art
        self.isInLibrary = isInLibrary
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension MediaChoice: Codable {
    private enum CodingKeys: String, CodingKey {
        case id
        case title
        case channel
        case duration
        case art
        case isInLibrary = "in_library"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        title = try container.decode(String.self, forKey: .title)
        channel = try container.decodeIfPresent(String.self, forKey: .channel)
        duration = try container.decodeIfPresent(Double.self, forKey: .duration)
        art = try container.decodePicture(forKey: .art, base: decoder.mediaServerBase)
        isInLibrary = try container.decodeIfPresent(Bool.self, forKey: .isInLibrary) ?? false
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(title, forKey: .title)
        try container.encode(channel, forKey: .channel)
        try container.encode(duration, forKey: .duration)
        try container.encode(art, forKey: .art)
        try container.encode(isInLibrary, forKey: .isInLibrary)
    }
}
