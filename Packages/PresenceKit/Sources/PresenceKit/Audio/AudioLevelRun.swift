import Synchronization
import TransportCore

/// One capture of a source: the task that measures, and the stream that it feeds.
///
/// What every source of this package has in common stands here: at most one capture at a time, a stop that waits
/// until the device is closed, and an end with the source itself.
package final class AudioLevelRun: Sendable {
    private struct State {
        var generation = 0
        var task: Task<Void, Never>?
        var continuation: AudioLevelStream.Continuation?
    }

    private let name: String
    private let state = Mutex(State())

    /// Makes a run that nothing has started yet; `name` is what errors call the source.
    package init(name: String) {
        self.name = name
    }

    deinit {
        state.withLock { $0.task }?.cancel()
    }

    /// Starts measuring in a task of its own; `measure` must not hold the source that owns this run.
    package func start(
        _ measure: @escaping @Sendable (AudioLevelStream.Continuation) async throws(AudioLevelSourceError) -> Void
    ) throws(AudioLevelSourceError) -> AudioLevelStream {
        let (stream, continuation) = AudioLevelStream.makeStream()
        let started = state.withLock { state -> Bool in
            guard state.task == nil else { return false }
            state.generation += 1
            let generation = state.generation
            state.continuation = continuation
            state.task = Task(executorPreference: ManualClock.runExecutor) { [weak self] in
                do throws(AudioLevelSourceError) {
                    try await measure(continuation)
                    self?.ended(generation)
                    continuation.finish()
                } catch {
                    self?.ended(generation)
                    continuation.finish(throwing: error.code == .cancelled ? nil : error)
                }
            }
            return true
        }
        guard started else {
            throw AudioLevelSourceError(.alreadyStarted, thing: name, reason: "is being heard already")
        }
        return stream
    }

    /// Cancels the measuring, ends the stream, and returns when the task is over.
    package func stop() async {
        let (task, continuation) = state.withLock { state in
            defer { state.continuation = nil }
            return (state.task, state.continuation)
        }
        task?.cancel()
        continuation?.finish()
        await task?.value
    }

    private func ended(_ generation: Int) {
        state.withLock { state in
            guard state.generation == generation else { return }
            state.task = nil
            state.continuation = nil
        }
    }
}
