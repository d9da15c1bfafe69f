public import TransportCore

extension PlaybackReport {
    /// The report as the server reads it, its keys in the order of the documentation.
    public var json: JSONValue {
        [
            "room": .string(room),
            "track_id": .string(trackID),
            "position": .number(position),
            "duration": .number(duration),
            "playing": .bool(isPlaying),
            "ended": .bool(hasEnded),
            "ts": .number(timestamp),
        ]
    }
}
