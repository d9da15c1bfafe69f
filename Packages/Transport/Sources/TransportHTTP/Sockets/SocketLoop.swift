import CTransportLinux
import Dispatch
import Glibc
import Synchronization
import TransportCore

/// What a loop tells about a descriptor.
struct SocketEvents: OptionSet {
    let rawValue: UInt32
    static let input = SocketEvents(rawValue: HOPE_EVENT_IN)
    static let output = SocketEvents(rawValue: HOPE_EVENT_OUT)
    static let hangup = SocketEvents(rawValue: HOPE_EVENT_HANGUP)
}

/// Something that a loop tells about its descriptor.
protocol SocketEventTarget: AnyObject, Sendable {
    /// Called on the loop's thread; must not block.
    func socketDidChange(_ events: SocketEvents)
}

/// A thread that waits for sockets, and runs the tasks that prefer it.
///
/// A task that runs on the loop of its connection goes on right where the bytes arrived, without waking another thread.
/// Such a task must not block, or everything else on the loop waits with it. The thread ends when nobody holds the loop.
final class SocketLoop: Sendable {
    private let core: SocketLoopCore

    init(name: String) throws(TransportError) {
        core = try SocketLoopCore()
        try core.start(name: name)
    }

    deinit {
        core.stop()
    }

    /// Runs tasks on the loop's thread.
    var executor: any TaskExecutor { core }

    /// Begins to watch a descriptor, until it is closed.
    ///
    /// - Returns: What to give to ``remove(_:)``, or `nil` when the system refuses.
    func add(_ descriptor: Int32, for target: any SocketEventTarget) -> UInt64? {
        core.add(descriptor, for: target)
    }

    /// Forgets a target.
    func remove(_ identifier: UInt64) {
        core.remove(identifier)
    }
}

private final class SocketLoopCore: TaskExecutor {
    private struct WeakTarget {
        weak var target: (any SocketEventTarget)?
    }

    private struct State {
        var jobs: [UnownedJob] = []
        var isAsleep = false
        var isStopping = false
        var isFinished = false
        var targets: [UInt64: WeakTarget] = [:]
        var nextIdentifier: UInt64 = 1

        mutating func takeJobs() -> [UnownedJob] {
            guard !jobs.isEmpty else { return [] }
            let taken = jobs
            jobs = []
            jobs.reserveCapacity(taken.count)
            return taken
        }
    }

    private let epoll: Int32
    private let wake: Int32
    private let state = Mutex(State())

    init() throws(TransportError) {
        epoll = hope_epoll_create()
        wake = hope_eventfd_create()
        guard epoll >= 0, wake >= 0, hope_epoll_add(epoll, wake, 0) == 0 else {
            let reason = String(cString: strerror(errno))
            throw TransportError(
                .unavailable,
                "The system gives no socket loop (\(reason)); close some files or programs."
            )
        }
    }

    deinit {
        if epoll >= 0 { close(epoll) }
        if wake >= 0 { close(wake) }
    }

    func start(name: String) throws(TransportError) {
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(StartArgument(core: self, name: name))
        let result = pthread_create(
            &thread,
            nil,
            { raw in
                guard let raw else { return nil }
                let argument = Unmanaged<StartArgument>.fromOpaque(raw).takeRetainedValue()
                hope_thread_prepare(argument.name)
                argument.core.run()
                return nil
            },
            argument.toOpaque()
        )
        guard result == 0 else {
            argument.release()
            throw TransportError(.unavailable, "The system gives no thread (\(String(cString: strerror(result)))).")
        }
        pthread_detach(thread)
    }

    private final class StartArgument {
        let core: SocketLoopCore
        let name: String

        init(core: SocketLoopCore, name: String) {
            self.core = core
            self.name = name
        }
    }

    func stop() {
        let mustWake = state.withLock { state in
            state.isStopping = true
            defer { state.isAsleep = false }
            return state.isAsleep
        }
        if mustWake { hope_eventfd_signal(wake) }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let (isTaken, mustWake) = state.withLock { state in
            if state.isFinished { return (false, false) }
            state.jobs.append(job)
            defer { state.isAsleep = false }
            return (true, state.isAsleep)
        }
        if mustWake { hope_eventfd_signal(wake) }
        // A task may outlive the loop it preferred, and still has to end somewhere.
        if !isTaken { DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) } }
    }

    func add(_ descriptor: Int32, for target: any SocketEventTarget) -> UInt64? {
        let identifier = state.withLock { state in
            let identifier = state.nextIdentifier
            state.nextIdentifier += 1
            state.targets[identifier] = WeakTarget(target: target)
            return identifier
        }
        if hope_epoll_add(epoll, descriptor, identifier) == 0 { return identifier }
        remove(identifier)
        return nil
    }

    func remove(_ identifier: UInt64) {
        _ = state.withLock { $0.targets.removeValue(forKey: identifier) }
    }

    private func run() {
        let capacity = 128
        var identifiers = [UInt64](repeating: 0, count: capacity)
        var flags = [UInt32](repeating: 0, count: capacity)
        while true {
            let waits = state.withLock { state -> Bool? in
                if state.isStopping, state.jobs.isEmpty {
                    state.isFinished = true
                    return nil
                }
                state.isAsleep = state.jobs.isEmpty
                return state.isAsleep
            }
            guard let waits else { return }
            let count = hope_epoll_wait(epoll, &identifiers, &flags, Int32(capacity), waits ? -1 : 0)
            let jobs = state.withLock { state in
                state.isAsleep = false
                return state.takeJobs()
            }
            for index in 0..<max(0, Int(count)) {
                if identifiers[index] == 0 {
                    hope_eventfd_clear(wake)
                    continue
                }
                let target = state.withLock { $0.targets[identifiers[index]]?.target }
                target?.socketDidChange(SocketEvents(rawValue: flags[index]))
            }
            run(jobs)
            // What became ready through the events runs before the next look at the sockets, but only once, so that
            // tasks which keep each other busy cannot keep the sockets waiting.
            run(state.withLock { $0.takeJobs() })
        }
    }

    private func run(_ jobs: [UnownedJob]) {
        for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
