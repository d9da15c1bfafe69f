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
    ///   - notices: What is to be told beside the session's own changes; ends before the body does.
    ///   - body: What happens to the session; it ends with hanging up.
    /// - Throws: What the body, the renderer or the output throws; the session is hung up then.
    func run(
        _ session: VoiceSession,
        startedAt: Double,
        clock: any Clock<Duration>,
        notices: AsyncStream<SessionChange>? = nil,
        while body: @escaping @Sendable () async throws -> Void
    ) async throws {
        let changes = Mailbox<SessionChange>(senders: notices == nil ? 1 : 2)
        let stream = session.changes(includingLevels: renderer != nil)
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                let teller = ConversationTeller(form, startedAt: startedAt, output: world.output)
                if let renderer {
                    group.addTask {
                        for await change in stream { changes.post(change) }
                    }
                    if let notices {
                        group.addTask {
                            for await notice in notices { changes.post(notice) }
                            changes.closeOne()
                        }
                    }
                    group.addTask {
                        try await WallLoop(renderer: renderer, clock: clock).run(
                            ConversationScene(changes) { try teller.tell($0) }
                        )
                    }
                } else {
                    group.addTask {
                        for await change in stream {
                            try teller.tell(change)
                            try world.output.flush()
                        }
                    }
                    if let notices {
                        group.addTask {
                            for await notice in notices {
                                try teller.tell(notice)
                                try world.output.flush()
                            }
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
}

/// Prints changes as lines, whoever brings them.
private final class ConversationTeller: Sendable {
    private let output: CommandOutput
    private let log: Mutex<ConversationLog>

    init(_ form: ConversationLog.Form, startedAt: Double, output: CommandOutput) {
        self.output = output
        log = Mutex(ConversationLog(form, startedAt: startedAt))
    }

    func tell(_ change: SessionChange) throws {
        try log.withLock { log in
            for line in log.lines(for: change) { try output.line(line) }
        }
    }
}
