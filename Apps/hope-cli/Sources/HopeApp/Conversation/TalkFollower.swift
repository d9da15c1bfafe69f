internal import PresenceKit
internal import Synchronization
internal import TaskFeed
internal import TransportCore

/// Follows a conversation that is scripted: when it is ready, answered, and at rest.
final class TalkFollower: Sendable {
    /// What is known of the conversation.
    struct State {
        /// Whether the agent is there.
        var isReady = false
        /// Whether it has failed; nothing else will happen then.
        var hasFailed = false
        /// Whether something was typed that has not been answered.
        var awaitsAnswer = false
        /// The agent's tasks.
        var tasks = TaskStore()

        /// Whether an answer or the end of a task is still to come.
        var isBusy: Bool { awaitsAnswer || tasks.activeCount > 0 }
    }

    private let state = Mutex(State())
    private let clock: any Clock<Duration>

    init(clock: any Clock<Duration>) {
        self.clock = clock
    }

    func follow(_ change: SessionChange) {
        state.withLock { state in
            switch change.kind {
            case .session(let session):
                state.isReady = session == .ready
                if case .failed = session { state.hasFailed = true }
            case .row(let row) where row.role == .agent && row.isFinal:
                state.awaitsAnswer = false
            case .packet(let packet):
                // An event that cannot be read is told with the other lines, and changes nothing here.
                _ = try? state.tasks.fold(packet, at: change.time.inSeconds)
            default: break
            }
        }
    }

    /// Takes note that something was typed.
    func sent() {
        state.withLock { $0.awaitsAnswer = true }
    }

    /// Waits until something is so.
    ///
    /// - Returns: False when the conversation has failed first.
    /// - Throws: `CancellationError`.
    @discardableResult
    func wait(until isSo: (State) -> Bool) async throws -> Bool {
        while true {
            let isOver = state.withLock { state -> Bool? in
                if state.hasFailed { return false }
                return isSo(state) ? true : nil
            }
            if let isOver { return isOver }
            try await clock.sleep(for: .milliseconds(20))
        }
    }

    /// Waits until nothing is to come any more: an answer may set off a task a moment later.
    ///
    /// - Throws: `CancellationError`.
    func waitForRest() async throws {
        repeat {
            try await wait { !$0.isBusy }
            try await clock.sleep(for: .milliseconds(1500))
        } while state.withLock { $0.isBusy && !$0.hasFailed }
    }
}
