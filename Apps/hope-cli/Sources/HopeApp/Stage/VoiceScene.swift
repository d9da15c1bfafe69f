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

    var status: String { stage.conversation.phase.rawValue }
    var isSettled: Bool { stage.isSettled }
    var isOver: Bool { levels.isClosed }

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
        _ body: @escaping @Sendable (Mailbox<AudioLevel>) async throws -> Void
    ) async throws {
        let levels = Mailbox<AudioLevel>(senders: 1)
        do {
            try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask {
                    for try await level in try await source.start() { levels.post(level) }
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
