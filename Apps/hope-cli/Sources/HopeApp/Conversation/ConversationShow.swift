internal import LedWall
internal import PresenceKit
internal import Synchronization
internal import TransportCore

/// Follows a conversation: tells it as lines, and draws it where there is something to draw on.
struct ConversationShow: Sendable {
    let world: HopeWorld
    let form: ConversationLog.Form
    /// Where the wall is drawn; nil to tell the lines only.
    let renderer: (any WallRenderer)?

    /// Follows a session for as long as a body acts on it.
    ///
    /// - Parameters:
    ///   - session: The session, of which nothing has been told yet.
    ///   - startedAt: The time of day at the session's creation, in seconds since 1970.
    ///   - clock: The clock that the session lives on.
    ///   - body: What happens to the session; it ends with hanging up.
    /// - Throws: What the body, the renderer or the output throws; the session is hung up then.
    func run(
        _ session: VoiceSession,
        startedAt: Double,
        clock: any Clock<Duration>,
        while body: @escaping @Sendable () async throws -> Void
    ) async throws {
        let changes = Mailbox<SessionChange>(senders: 1)
        let stream = session.changes(includingLevels: renderer != nil)
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                let log = Mutex(ConversationLog(form, startedAt: startedAt))
                if let renderer {
                    group.addTask {
                        for await change in stream { changes.post(change) }
                    }
                    group.addTask {
                        try await WallLoop(renderer: renderer, clock: clock).run(
                            ConversationScene(changes) { try tell($0, in: log) }
                        )
                    }
                } else {
                    group.addTask {
                        for await change in stream {
                            try tell(change, in: log)
                            try world.output.flush()
                        }
                    }
                }
                group.addTask {
                    try await body()
                    // Ends the streams, after what they still hold.
                    await session.finishChanges()
                    changes.closeOne()
                }
                for try await _ in group {}
            }
        } catch {
            await session.hangUp()
            throw error
        }
    }

    private func tell(_ change: SessionChange, in log: borrowing Mutex<ConversationLog>) throws {
        for line in log.withLock({ $0.lines(for: change) }) {
            try world.output.line(line)
        }
    }
}
