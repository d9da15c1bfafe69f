public import Foundation

/// What the reconciler wants done.
public enum PlayerCommand: Hashable, Sendable {
    /// Replace whatever is loaded. `waitsForStart` says that the server wants it to wait for someone to start it;
    /// `hint` is the time stamp of the seek hint that its position fulfils.
    case load(PlayerLoad, waitsForStart: Bool, hint: Double?)
    /// Give the loaded track the bytes that were missing, going on at the position in seconds.
    case wire(URL, position: Double)
    /// Play on.
    case play
    /// Stay where it is.
    case pause
    /// Go to a position in seconds; `hint` is the time stamp of the seek hint that this fulfils.
    case seek(to: Double, hint: Double?)
    /// Stop and unload.
    case stop
    /// Report that a track cannot be played; nothing is asked of the player.
    case reject(UnplayableTrack)
}

/// A track that cannot be played from one source.
public struct UnplayableTrack: Hashable, Sendable {
    /// The track.
    public let trackID: String
    /// The bytes that cannot be decoded.
    public let source: URL?
    /// Their media type, if known.
    public let mimeType: String?
    /// Where playing had come to, in seconds, for another try with other bytes.
    public let position: Double
    /// A sentence for people.
    public let reason: String

    /// Makes an unplayable track.
    ///
    /// - Parameters:
    ///   - trackID: The track.
    ///   - source: The bytes that cannot be decoded.
    ///   - mimeType: Their media type.
    ///   - position: Where playing had come to, in seconds.
    ///   - reason: A sentence for people.
    public init(trackID: String, source: URL?, mimeType: String?, position: Double, reason: String) {
        self.trackID = trackID
        self.source = source
        self.mimeType = mimeType
        self.position = position
        self.reason = reason
    }
}
