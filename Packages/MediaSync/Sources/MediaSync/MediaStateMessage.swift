public import TransportCore

/// What is playing here, as the room's `media-state` topic carries it.
public struct MediaStateMessage: Hashable, Sendable {
    /// The track, or nil when nothing is loaded.
    public var trackID: String?
    /// Its title.
    public var title: String?
    /// Whether it is heard.
    public var isPlaying: Bool
    /// Seconds from the beginning, or nil when nothing is loaded.
    public var position: Double?

    /// Makes a message.
    ///
    /// - Parameters:
    ///   - trackID: The track.
    ///   - title: Its title.
    ///   - isPlaying: Whether it is heard.
    ///   - position: Seconds from the beginning.
    public init(trackID: String?, title: String?, isPlaying: Bool, position: Double?) {
        self.trackID = trackID
        self.title = title
        self.isPlaying = isPlaying
        self.position = position
    }

    /// The message as JSON, `type` first.
    public var json: JSONValue {
        [
            "type": "media_state",
            "track_id": .string(trackID),
            "title": .string(title),
            "playing": .bool(isPlaying),
            "position": .number(position),
        ]
    }

    /// The bytes of the data packet.
    public var payload: [UInt8] { json.bytes }
}
