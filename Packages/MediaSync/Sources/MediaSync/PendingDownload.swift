/// A download on its way to the server's library.
public struct PendingDownload: Hashable, Sendable {
    /// The server's name for it.
    public var id: String
    /// The title to show.
    public var title: String
    /// The server's word for what is going on, such as `downloading`.
    public var status: String
    /// The part that is done in 0...1, or nil when the server cannot tell.
    public var progress: Double?

    /// Makes a pending download.
    ///
    /// - Parameters:
    ///   - id: The server's name for it.
    ///   - title: The title to show.
    ///   - status: The server's word for what is going on.
    ///   - progress: The part that is done in 0...1.
    public init(id: String, title: String, status: String, progress: Double? = nil) {
        self.id = id
        self.title = title
        self.status = status
        self.progress = progress
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension PendingDownload: Codable {
    private enum CodingKeys: String, CodingKey {
        case id
        case title
        case status
        case progress
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(title, forKey: .title)
        try container.encode(status, forKey: .status)
        try container.encode(progress, forKey: .progress)
    }
}
