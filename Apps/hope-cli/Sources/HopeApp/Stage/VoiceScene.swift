internal import LedWall
internal import PresenceKit
internal import TransportCore

/// A voice on the wall as it is heard.
struct VoiceScene: WallScene {
    private var stage: WallStage
    private let levels: Mailbox<AudioLevel>
    private let onChange: (ConversationState.Change) throws -> Void

    /// Makes a scene of what a mailbox brings.
    init(
        _ stage: WallStage,
        levels: Mailbox<AudioLevel>,
        onChange: @escaping (ConversationState.Change) throws -> Void
    ) {
        self.stage = stage
        self.levels = levels
        self.onChange = onChange
    }

    var status: String { stage.state.rawValue }
    var isSettled: Bool { stage.isSettled }
    var isOver: Bool { levels.isDrained }

    mutating func advance(to now: Duration) throws -> Bool {
        let changes = stage.advance(to: now, hearing: levels.take())
        try changes.forEach(onChange)
        return !changes.isEmpty
    }

    mutating func picture(at now: Duration) -> WallPicture {
        stage.picture(at: now)
    }

    /// Runs a body beside a source whose levels go to a mailbox; the source is stopped when the body ends.
    ///
    /// - Throws: What the source or the body throws; the other is cancelled.
    static func hearing(
        _ source: any AudioLevelSource,
        on clock: any Clock<Duration>,
        _ body: @escaping @Sendable (Mailbox<AudioLevel>) async throws -> Void
    ) async throws {
        let levels = Mailbox<AudioLevel>(senders: 1)
        do {
            try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask {
                    let time = Stopwatch(clock: clock)
                    let stream = try await source.start()
                    // A source counts from its own start, which a pipe without a writer may hold up.
                    let delay = time.elapsed
                    for try await level in stream {
                        levels.post(AudioLevel(source: level.source, level: level.level, time: level.time + delay))
                    }
                    levels.closeOne()
                    return false
                }
                group.addTask {
                    try await body(levels)
                    return true
                }
                while try await group.next() == false {}
                group.cancelAll()
            }
        } catch {
            await source.stop()
            throw error
        }
        await source.stop()
    }
}
