public import Foundation

/// One loading of a track into a player; everything a player says carries the number of the load it belongs to.
public struct PlayerLoad: Hashable, Sendable {
    /// The number of this load, growing from 1, so that a late word about an earlier one is recognised.
    public let number: Int
    /// The track.
    public let trackID: String
    /// The bytes to play, or nil when they are wired later.
    public let source: URL?
    /// The media type of those bytes, if known.
    public let mimeType: String?
    /// Where to begin, in seconds from the track's beginning.
    public let position: Double
    /// Whether the player waits there instead of playing.
    public let isPaused: Bool

    /// Makes a load.
    ///
    /// - Parameters:
    ///   - number: The number of this load.
    ///   - trackID: The track.
    ///   - source: The bytes to play.
    ///   - mimeType: Their media type.
    ///   - position: Where to begin, in seconds.
    ///   - isPaused: Whether the player waits there.
    public init(number: Int, trackID: String, source: URL?, mimeType: String?, position: Double, isPaused: Bool) {
        self.number = number
        self.trackID = trackID
        self.source = source
        self.mimeType = mimeType
        self.position = position
        self.isPaused = isPaused
    }
}
