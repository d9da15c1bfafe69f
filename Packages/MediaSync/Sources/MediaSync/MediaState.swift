/// What the server wants to be playing in a room.
public struct MediaState: Hashable, Sendable {
    /// The state that a player is to be in.
    public enum Desired: String, Codable, Hashable, Sendable {
        /// Play.
        case playing
        /// Stay where it is.
        case paused
        /// Stop and let go of the track.
        case stopped
    }

    /// What is to be played, or nil for nothing.
    public var track: MediaTrack?
    /// The state that a player is to be in.
    public var desired: Desired
    /// A position to go to once.
    public var seekHint: SeekHint?
    /// Whether a track that is loaded now waits for someone to start it.
    public var startPaused: Bool
    /// Downloads on their way to the library.
    public var pending: [PendingDownload]
    /// Tracks that somebody is asked to choose from.
    public var choices: [MediaChoice]
    /// What a player last told the server.
    public var reported: ReportedPlayback?
    /// The loudness in 0...1.
    public var volume: Double?

    /// Makes a state.
    ///
    /// - Parameters:
    ///   - track: What is to be played.
    ///   - desired: The state that a player is to be in.
    ///   - seekHint: A position to go to once.
    ///   - startPaused: Whether a track that is loaded now waits for someone to start it.
    ///   - pending: Downloads on their way to the library.
    ///   - choices: Tracks that somebody is asked to choose from.
    ///   - reported: What a player last told the server.
    ///   - volume: The loudness in 0...1.
    public init(
        track: MediaTrack?,
        desired: Desired,
        seekHint: SeekHint? = nil,
        startPaused: Bool = false,
        pending: [PendingDownload] = [],
        choices: [MediaChoice] = [],
        reported: ReportedPlayback? = nil,
        volume: Double? = nil
    ) {
        self.track = track
        self.desired = desired
        self.seekHint = seekHint
        self.startPaused = startPaused
        self.pending = pending
        self.choices = choices
        self.reported = reported
        self.volume = volume
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension MediaState: Codable {
    private enum CodingKeys: String, CodingKey {
        case track
        case desired
        case seekHint = "seek_hint"
        case startPaused = "start_paused"
        case pending
        case choices
        case reported
        case volume
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        track = try container.decodeIfPresent(MediaTrack.self, forKey: .track)
        let wish = try container.decode(String.self, forKey: .desired)
        guard let desired = Desired(rawValue: wish) else {
            throw DecodingError.dataCorruptedError(
                forKey: .desired,
                in: container,
                debugDescription: "desires “\(wish)” instead of playing, paused or stopped"
            )
        }
        self.desired = desired
        seekHint = try container.decodeIfPresent(SeekHint.self, forKey: .seekHint)
        startPaused = try container.decodeIfPresent(Bool.self, forKey: .startPaused) ?? false
        pending = try container.decodeIfPresent([PendingDownload].self, forKey: .pending) ?? []
        choices = try container.decodeIfPresent([MediaChoice].self, forKey: .choices) ?? []
        reported = try container.decodeIfPresent(ReportedPlayback.self, forKey: .reported)
        volume = try container.decodeIfPresent(Double.self, forKey: .volume)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(track, forKey: .track)
        try container.encode(desired, forKey: .desired)
        try container.encode(seekHint, forKey: .seekHint)
        try container.encode(startPaused, forKey: .startPaused)
        try container.encode(pending, forKey: .pending)
        try container.encode(choices, forKey: .choices)
        try container.encode(reported, forKey: .reported)
        try container.encode(volume, forKey: .volume)
    }
}
