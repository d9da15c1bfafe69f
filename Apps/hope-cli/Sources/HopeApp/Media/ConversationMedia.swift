internal import MediaSync
internal import PresenceKit
internal import Synchronization
internal import TaskFeed
internal import TransportCore

/// The media of a conversation: while it is on its room is followed, and told what is playing.
///
/// What played before is carried into the room, where it waits, and goes on afterwards.
final class ConversationMedia: Sendable {
    /// What nobody in the room is told: errors, and what there is to choose from, as notices of the session.
    let notices: AsyncStream<SessionChange>
    private let notice: AsyncStream<SessionChange>.Continuation
    private let playback: MediaPlayback
    private let session: VoiceSession
    private let time: Stopwatch
    private let roomName: @Sendable () -> String

    /// Makes the media of a session that is idle.
    ///
    /// - Parameters:
    ///   - session: The conversation.
    ///   - playback: What plays; it tells the session's room.
    ///   - roomName: The room that the session has joined.
    init(_ session: VoiceSession, on playback: MediaPlayback, roomName: @escaping @Sendable () -> String) {
        let time = Stopwatch(clock: playback.clock)
        let (notices, notice) = AsyncStream.makeStream(of: SessionChange.self)
        self.notices = notices
        self.notice = notice
        self.time = time
        self.session = session
        self.roomName = roomName
        var playback = playback
        playback.publish = { message, _ in
            try await session.publish(message.payload, topic: ConversationTopic.mediaState)
        }
        playback.tell = { notice.yield(SessionChange(time: time.elapsed, kind: .notice("Media: \($0)"))) }
        self.playback = playback
    }

    deinit {
        notice.finish()
    }

    /// Tells something about the media.
    func tell(_ words: String) {
        notice.yield(SessionChange(time: time.elapsed, kind: .notice("Media: \(words)")))
    }

    /// Follows the session for as long as a body acts on it.
    ///
    /// - Parameter body: What happens; it begins with an idle session and ends with hanging up.
    /// - Throws: `.unavailable` when there is no player; what the body throws.
    func run(_ body: @escaping @Sendable (MediaController) async throws -> Void) async throws {
        defer { notice.finish() }
        try await playback.run { [self] use in
            let changes = session.changes()
            let events = use.controller.events()
            let snapshots = await use.controller.snapshots()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await event in events {
                        if case .error(let message) = event.kind { self.tell(message) }
                    }
                }
                group.addTask { await self.tellChoices(in: snapshots) }
                // What plays before the conversation is there to be carried into it.
                await use.controller.follow(room: nil)
                do {
                    try await act(changes, use.controller, body)
                } catch {
                    await use.controller.close()
                    throw error
                }
                // Ends the streams, after what they still hold.
                await use.controller.close()
                try await group.waitForAll()
            }
        }
    }

    /// Lets the body act, while the player follows; what the end of the conversation changes for it is done, too.
    private func act(
        _ changes: AsyncStream<SessionChange>,
        _ controller: MediaController,
        _ body: @escaping @Sendable (MediaController) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await self.follow(changes, controller) }
            try await body(controller)
            await session.finishChanges()
            try await group.waitForAll()
        }
    }

    /// Begins and ends the conversation for the player as it does for the person.
    private func follow(_ changes: AsyncStream<SessionChange>, _ controller: MediaController) async {
        for await change in changes {
            switch change.kind {
            case .session(.ready): await controller.beginTalk(in: roomName())
            case .session(.idle), .session(.failed): await controller.endTalk()
            default: break
            }
        }
    }

    private func tellChoices(in snapshots: AsyncStream<MediaSnapshot>) async {
        var told: [MediaChoice] = []
        for await snapshot in snapshots {
            let choices = snapshot.state?.choices ?? []
            guard choices != told else { continue }
            told = choices
            guard !choices.isEmpty else { continue }
            let words = choices.map { "\($0.title) (\(MediaTime.text($0.duration)))" }.joined(separator: ", ")
            tell("choose \(words)")
        }
    }
}
