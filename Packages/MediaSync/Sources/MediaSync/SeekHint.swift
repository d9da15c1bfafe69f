/// A position that the server wants a player to go to, once for each time stamp.
public struct SeekHint: Hashable, Sendable, Codable {
    /// When the hint was given, in seconds since 1970 by the server's clock; tells hints apart and orders them.
    public var timestamp: Double
    /// The position in seconds from the track's beginning.
    public var position: Double

    /// Makes a hint.
    ///
    /// - Parameters:
    ///   - timestamp: When it was given.
    ///   - position: Seconds from the track's beginning.
    public init(timestamp: Double, position: Double) {
        self.timestamp = timestamp
        self.position = position
    }

    private enum CodingKeys: String, CodingKey {
        case timestamp = "ts"
        case position
    }
}
