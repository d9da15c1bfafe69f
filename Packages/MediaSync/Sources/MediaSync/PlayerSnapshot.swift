/// What a player is doing with one load.
public struct PlayerSnapshot: Hashable, Sendable {
    /// What the player is doing.
    public enum Phase: Hashable, Sendable {
        /// The load is not ready to play yet.
        case loading
        /// Stands still because it was told to.
        case paused
        /// Is heard.
        case playing
        /// Would play but waits for bytes; nothing is heard.
        case buffering
        /// Has come to its end.
        case ended
        /// Cannot be played.
        case failed(MediaPlayerError)
    }

    /// The number of the load that this is about.
    public var load: Int
    /// What the player is doing.
    public var phase: Phase
    /// Where it is, or nil when the player does not know at the moment, which is never the same as 0.
    public var position: PlaybackPosition?
    /// The length in seconds as the player measured it, or nil.
    public var duration: Double?

    /// Makes a snapshot.
    ///
    /// - Parameters:
    ///   - load: The number of the load.
    ///   - phase: What the player is doing.
    ///   - position: Where it is.
    ///   - duration: The length in seconds.
    public init(load: Int, phase: Phase, position: PlaybackPosition? = nil, duration: Double? = nil) {
        self.load = load
        self.phase = phase
        self.position = position
        self.duration = duration
    }
}
