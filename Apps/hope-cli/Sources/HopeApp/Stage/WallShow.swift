internal import LedWall
internal import PresenceKit
internal import TransportCore

/// Voices on the wall as they are heard: sources feed a stage, and the stage is drawn at the pacer's pace.
struct WallShow {
    /// What to call when the conversation changes.
    typealias ChangeHandler = @Sendable (ConversationState.Change) throws -> Void

    var stage: WallStage
    var sources: [any AudioLevelSource]
    var renderer: (any WallRenderer)?
    var framesPerSecond = 30
    var clock: any Clock<Duration>
    /// When to end; nil to end with the last source.
    var limit: Duration?
    /// The words beside the wall at a moment.
    var status: @Sendable (_ conversation: ConversationState) -> String = { $0.phase.rawValue }

    /// Runs to the end: of the sources, of the limit, or of the task.
    ///
    /// - Throws: `CancellationError`, what a source or the renderer throws, or what the handler throws. The terminal is
    ///   given back and the sources are stopped in every case.
    func run(onChange: @escaping ChangeHandler) async throws {
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                let mailbox = LevelMailbox(sources: sources.count)
                for source in sources {
                    group.addTask(executorPreference: ManualClock.runExecutor) {
                        for try await level in try await source.start() { mailbox.post(level) }
                        mailbox.closeOne()
                    }
                }
                group.addTask(executorPreference: ManualClock.runExecutor) {
                    try await draw(from: mailbox, onChange)
                    throw Ended()
                }
                // Unlike waiting for all, this ends with the first error, and then the others are cancelled.
                for try await _ in group {}
            }
        } catch is Ended {
            try await close()
        } catch {
            try? await close()
            throw error
        }
    }

    /// How the drawing tells its group that the show is over.
    private struct Ended: Error {}

    private func close() async throws {
        for source in sources { await source.stop() }
        try renderer?.finish()
    }

    private func draw(from mailbox: LevelMailbox, _ onChange: ChangeHandler) async throws {
        let time = Stopwatch(clock: clock)
        var stage = stage
        var pacer = WallPacer(framesPerSecond: framesPerSecond)
        while true {
            // Looked at before the levels, so that what came before the end is still drawn.
            let isOver = sources.isEmpty ? false : mailbox.isClosed
            let now = time.elapsed
            for change in stage.advance(to: now, hearing: mailbox.take()) {
                try onChange(change)
                pacer.isSettled = false
            }
            if let renderer, pacer.beginFrame(at: now) {
                try renderer.draw(stage.picture(at: now), status: status(stage.conversation))
                pacer.isSettled = stage.isSettled
            }
            if isOver { return }
            if let limit, now >= limit { return }
            let next = pacer.nextFrame(after: now).map { max($0, now + pacer.interval / 8) } ?? now + pacer.interval
            try await clock.sleep(for: limit.map { min($0, next) - now } ?? next - now)
        }
    }
}
