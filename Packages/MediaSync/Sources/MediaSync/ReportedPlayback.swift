/// What a player last told the server, as the server gives it back.
public struct ReportedPlayback: Hashable, Sendable, Codable {
    /// The track that was played.
    public var trackID: String
    /// Seconds from the track's beginning at `timestamp`.
    public var position: Double
    /// Whether it was playing.
    public var isPlaying: Bool
    /// When the report was made, in seconds since 1970.
    public var timestamp: Double

    /// Makes a reported playback.
    ///
    /// - Parameters:
    ///   - trackID: The track that was played.
    ///   - position: Seconds from the track's beginning.
    ///   - isPlaying: Whether it was playing.
    ///   - timestamp: Seconds since 1970.
    public init(trackID: String, position: Double, isPlaying: Bool, timestamp: Double) {
        self.trackID = trackID
        self.position = position
        self.isPlaying = isPlaying
        self.timestamp = timestamp
    }

    private enum CodingKeys: String, CodingKey {
        case trackID = "track_id"
        case position
        case isPlaying = "playing"
        case timestamp = "ts"
    }
}
