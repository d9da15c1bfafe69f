/// A position together with the time at which it was true, so that whoever shows it can go on from there.
public struct PlaybackPosition: Hashable, Sendable {
    /// Seconds from the track's beginning at `time`.
    public var seconds: Double
    /// When the position was taken, since the session's start.
    public var time: Duration
    /// Whether it moves on with time: false while paused, buffering, seeking or ended.
    public var isAdvancing: Bool

    /// Makes a position.
    ///
    /// - Parameters:
    ///   - seconds: Seconds from the track's beginning.
    ///   - time: When it was taken, since the session's start.
    ///   - isAdvancing: Whether it moves on with time.
    public init(seconds: Double, time: Duration, isAdvancing: Bool) {
        self.seconds = seconds
        self.time = time
        self.isAdvancing = isAdvancing
    }

    /// Returns the seconds at another time, at normal speed.
    ///
    /// - Parameter now: The time since the session's start; one before `time` counts as `time`.
    /// - Returns: Seconds from the track's beginning, not below zero.
    public func seconds(at now: Duration) -> Double {
        let passed = isAdvancing && now > time ? (now - time) / .seconds(1) : 0
        return max(0, seconds + passed)
    }
}
