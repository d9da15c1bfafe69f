/// Decides what a screen reader says of a conversation, and when.
///
/// Entering listening, speaking and failed is said, and each new final of the agent; partials never. Announcements are
/// at least two seconds apart; of those that wait the newest wins, but a failure is never lost. A pure value: tell it
/// what happens, and ask it at every tick what to say.
public struct Announcer: Hashable, Sendable {
    /// The least time between two announcements.
    public static let spacing: Duration = .seconds(2)

    private var lastSaid: Duration?
    private var failures: [String] = []
    private var newest: String?
    private var phase = ConversationState.Phase.idle

    /// Makes an announcer of a conversation that has not begun.
    public init() {}

    /// Whether something waits to be said.
    public var isWaiting: Bool { !failures.isEmpty || newest != nil }

    /// When the next announcement is due, or nil when nothing waits.
    public var nextTime: Duration? {
        guard isWaiting else { return nil }
        return lastSaid.map { $0 + Self.spacing } ?? .zero
    }

    /// Takes the phase; saying the same phase again announces nothing.
    ///
    /// - Parameters:
    ///   - phase: The phase that the conversation is in now.
    ///   - failureReason: Why it failed, a sentence; used on entering failed.
    public mutating func enter(_ phase: ConversationState.Phase, failureReason: String? = nil) {
        guard phase != self.phase else { return }
        self.phase = phase
        switch phase {
        case .listening: newest = "Listening"
        case .speaking: newest = "Speaking"
        case .failed:
            newest = nil
            failures.append(failureReason.map { "Connection failed: \($0)" } ?? "Connection failed")
        case .idle:
            // What waited is about a conversation that is over.
            newest = nil
        case .connecting, .thinking: break
        }
    }

    /// Takes what changed in the transcript; a new final of the agent is announced.
    ///
    /// - Parameter change: A change, as the transcript returned it.
    public mutating func take(_ change: TranscriptChange) {
        guard case .row(let row, _, isNewFinal: true) = change, row.role == .agent else { return }
        newest = "\(row.role.spokenName): \(row.text)"
    }

    /// What to say now, if anything.
    ///
    /// - Parameter now: Time since the session's start, never earlier than at the call before.
    /// - Returns: The announcement, or nil.
    public mutating func next(at now: Duration) -> String? {
        if let lastSaid, now - lastSaid < Self.spacing { return nil }
        let said: String
        if !failures.isEmpty {
            said = failures.removeFirst()
        } else if let newest {
            said = newest
            self.newest = nil
        } else {
            return nil
        }
        lastSaid = now
        return said
    }
}
