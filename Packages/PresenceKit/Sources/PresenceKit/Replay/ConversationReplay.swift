public import TransportCore

/// A recorded conversation again: through the real session, on virtual time, with the same outcome each time.
///
/// What came from the room and what the person did is fed at its time; all lines of one time are applied, then the
/// phase is found once. It is also found on a grid of 100 ms. A recording in which nobody starts is started at 0, and
/// the replay stops at the time of the last line.
public struct ConversationReplay: Sendable {
    /// The longest recording that is replayed.
    public static let longestDuration: Duration = .seconds(86_400)

    /// What a replay counted.
    public struct Summary: Hashable, Sendable {
        /// Lines of the recording, the header not counted.
        public var lines = 0
        /// The time of the last line.
        public var duration = Duration.zero
        /// Changes of the phase.
        public var phases = 0
        /// Changes of the session's state.
        public var sessions = 0
        /// Rows of the transcript at the end.
        public var rows = 0
        /// Final rows of the transcript at the end.
        public var finals = 0
        /// Announcements.
        public var announcements = 0
        /// Packets that were passed on as they came, such as the tasks.
        public var packets = 0
        /// What the session sent.
        public var sent = 0
        /// How that differs from what was sent when the recording was made, one sentence each.
        public var differences: [String] = []
        /// What the session met and left alone.
        public var statistics = SessionStatistics()

        /// Starts at zero.
        public init() {}
    }

    /// What is replayed.
    public let recording: Recording
    /// How eagerly the phase follows the levels.
    public let policy: InferencePolicy
    /// Whether the smoothed levels are told as well.
    public let includesLevels: Bool

    /// Prepares a replay.
    ///
    /// - Parameters:
    ///   - recording: What is replayed.
    ///   - policy: How eagerly the phase follows the levels.
    ///   - includesLevels: Whether the smoothed levels are told as well, after each tick that changes them.
    public init(_ recording: Recording, policy: InferencePolicy = .steady, includesLevels: Bool = false) {
        self.recording = recording
        self.policy = policy
        self.includesLevels = includesLevels
    }

    /// Replays the recording from its beginning.
    ///
    /// - Parameter take: Takes each change, in order; their times are those of the recording.
    /// - Returns: What there was.
    /// - Throws: ``ConversationReplayError``, or `CancellationError` when the task is cancelled.
    public func run(_ take: @escaping @Sendable (SessionChange) -> Void) async throws -> Summary {
        guard recording.duration <= Self.longestDuration else {
            throw ConversationReplayError.tooLong(recording.duration, limit: Self.longestDuration)
        }
        let clock = ManualClock()
        return try await clock.run {
            let player = ReplayPlayer(self, clock: clock)
            return try await player.play(take)
        }
    }
}
