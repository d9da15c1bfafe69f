/// What a player tells the server: the body of `POST /media/api/report`.
public struct PlaybackReport: Hashable, Sendable {
    /// The room that is listening, or `default`.
    public var room: String
    /// The track that the report is about.
    public var trackID: String
    /// Seconds from the track's beginning at `timestamp`.
    public var position: Double
    /// The track's length in seconds, nil when nobody knows or it has none.
    public var duration: Double?
    /// Whether it is playing.
    public var isPlaying: Bool
    /// Whether it has come to its end.
    public var hasEnded: Bool
    /// When the position was taken, in seconds since 1970.
    public var timestamp: Double

    /// Makes a report.
    ///
    /// - Parameters:
    ///   - room: The room that is listening.
    ///   - trackID: The track that the report is about.
    ///   - position: Seconds from the track's beginning.
    ///   - duration: The track's length in seconds.
    ///   - isPlaying: Whether it is playing.
    ///   - hasEnded: Whether it has come to its end.
    ///   - timestamp: Seconds since 1970.
    public init(
        room: String,
        trackID: String,
        position: Double,
        duration: Double?,
        isPlaying: Bool,
        hasEnded: Bool,
        timestamp: Double
    ) {
        self.room = room
        self.trackID = trackID
        self.position = position
        self.duration = duration
        self.isPlaying = isPlaying
        self.hasEnded = hasEnded
        self.timestamp = timestamp
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension PlaybackReport: Codable {
    private enum CodingKeys: String, CodingKey {
        case room
        case trackID = "track_id"
        case position
        case duration
        case isPlaying = "playing"
        case hasEnded = "ended"
        case timestamp = "ts"
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(room, forKey: .room)
        try container.encode(trackID, forKey: .trackID)
        try container.encode(position, forKey: .position)
        // An unknown length is said, not left out.
        try container.encode(duration, forKey: .duration)
        try container.encode(isPlaying, forKey: .isPlaying)
        try container.encode(hasEnded, forKey: .hasEnded)
        try container.encode(timestamp, forKey: .timestamp)
    }
}
