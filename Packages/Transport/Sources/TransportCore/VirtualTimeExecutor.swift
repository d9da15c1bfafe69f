import Dispatch
import Synchronization

/// Keeps the jobs of a virtual-time run and runs them one after the other, in the order they came.
final class VirtualTimeExecutor: TaskExecutor {
    /// The executor of the run that the current task belongs to.
    @TaskLocal static var current: VirtualTimeExecutor?

    private struct State {
        var jobs: [UnownedJob] = []
        var isFinished = false
        var wasPoked = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())
    // Jobs run on a thread that belongs to no task, since a job may not be run inside another one.
    private let queue = DispatchQueue(label: "hope.virtual-time")

    var isFinished: Bool { state.withLock { $0.isFinished } }
    var hasJobs: Bool { state.withLock { !$0.jobs.isEmpty } }

    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        state.withLock { $0.jobs.append(unowned) }
        poke()
    }

    /// Marks the body as done: the run ends once the jobs that are left have run.
    func finish() {
        state.withLock { $0.isFinished = true }
    }

    /// Ends a wait for work: something has changed that the run should look at.
    func poke() {
        let waiter = state.withLock { state in
            state.wasPoked = true
            let waiter = state.waiter
            state.waiter = nil
            return waiter
        }
        waiter?.resume()
    }

    /// Runs jobs until none is left.
    func drain() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            queue.async { [self] in
                while true {
                    let jobs = state.withLock { state in
                        let jobs = state.jobs
                        state.jobs = []
                        state.wasPoked = false
                        return jobs
                    }
                    if jobs.isEmpty { break }
                    for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
                }
                continuation.resume()
            }
        }
    }

    /// Returns when a job or a poke has come since the last drain.
    func waitForWork() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isParked = state.withLock { state in
                if !state.jobs.isEmpty || state.wasPoked { return false }
                state.waiter = continuation
                return true
            }
            if !isParked { continuation.resume() }
        }
    }
}
