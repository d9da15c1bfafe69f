/// What one frame of the wall is computed from: a state, a level and a time.
public struct WallInput: Hashable, Sendable {
    private static let longestTime = 1e12

    /// The look to show.
    public let state: WallState

    /// The linear level, 0...1: the agent's while speaking, the microphone's while listening.
    public let level: Double

    /// The time in seconds on any steady time line, −10¹²...10¹².
    public let seconds: Double

    /// Creates an input and makes bad numbers harmless.
    ///
    /// - Parameters:
    ///   - state: The look to show.
    ///   - level: The linear level. NaN, an infinity or a negative number counts as 0, more than 1 as 1.
    ///   - seconds: The time in seconds. NaN or an infinity counts as 0; times beyond ±10¹² are held to it.
    public init(state: WallState, level: Double = 0, seconds: Double = 0) {
        self.state = state
        self.level = level.isFinite ? min(1, max(0, level)) : 0
        self.seconds = seconds.isFinite ? min(max(seconds, -Self.longestTime), Self.longestTime) : 0
    }

    /// The level that the dots follow, 0...1: 0 in every state but listening and speaking.
    public var signal: Double { state.followsLevel ? level : 0 }
}
