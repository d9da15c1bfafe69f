import Synchronization

/// A clock that stands still until somebody moves it.
///
/// Sleepers wake in the order of their deadlines, and of their arrival where deadlines are equal. What a hub or a
/// decorator has set a timer for happens before the tasks that wake at the same time, so a program that ticks sees all
/// that is due. There are two ways to use it:
///
/// - ``run(until:_:)`` runs a whole program in virtual time, on one thread: the clock moves on to the next sleeper only
///   when everything that can run has run. The same program takes the same course every time.
/// - Outside of it, ``advance(by:)`` wakes what is due and gives the woken tasks a chance to run. Where a test depends
///   on a task having got somewhere, ``waitForSleepers(_:)`` waits until it is parked, before time is moved.
public final class ManualClock: Clock {
    /// A point on a manual clock, as the time since its creation.
    public struct Instant: InstantProtocol {
        /// The time since the clock's zero.
        public let offset: Duration

        /// Creates the instant that lies `offset` after the clock's zero.
        public init(offset: Duration) {
            self.offset = offset
        }

        /// Returns this instant moved by `duration`.
        public func advanced(by duration: Duration) -> Instant {
            Instant(offset: offset + duration)
        }

        /// Returns the time from this instant to `other`, negative when `other` is earlier.
        public func duration(to other: Instant) -> Duration {
            other.offset - offset
        }

        /// Whether the left instant is the earlier one.
        public static func < (left: Instant, right: Instant) -> Bool {
            left.offset < right.offset
        }
    }

    /// Why ``ManualClock/run(until:_:)`` gave up.
    public enum RunError: Error, Hashable, CustomStringConvertible {
        /// The body was still waiting when virtual time reached the limit.
        case limitReached(Duration)

        /// A sentence for people.
        public var description: String {
            switch self {
            case .limitReached(let limit):
                "The run was still waiting at its limit of \(limit) virtual time; raise the limit or end what it waits for."
            }
        }
    }

    private enum Wake {
        case task(CheckedContinuation<Void, any Error>)
        case callback(@Sendable () -> Void)
    }

    private struct Sleeper {
        let id: UInt64
        let deadline: Duration
        let wake: Wake

        var isTask: Bool {
            if case .task = wake { true } else { false }
        }

        /// Whether this one, which came earlier, also wakes earlier.
        func goesBefore(_ newcomer: Sleeper) -> Bool {
            if deadline != newcomer.deadline { return deadline < newcomer.deadline }
            return !isTask || newcomer.isTask
        }
    }

    private struct CountWaiter {
        let id: UInt64
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now: Duration
        var nextID: UInt64 = 0
        /// Sorted by deadline, timers before tasks, then by id.
        var sleepers: [Sleeper] = []
        var taskCount = 0
        var countWaiters: [CountWaiter] = []
        var idleWaiters: [CheckedContinuation<Void, Never>] = []
        var executor: VirtualTimeExecutor?

        mutating func makeID() -> UInt64 {
            nextID += 1
            return nextID
        }

        mutating func insert(_ sleeper: Sleeper) -> [CheckedContinuation<Void, Never>] {
            var low = 0
            var high = sleepers.count
            while low < high {
                let middle = (low + high) / 2
                if sleepers[middle].goesBefore(sleeper) { low = middle + 1 } else { high = middle }
            }
            sleepers.insert(sleeper, at: low)
            guard sleeper.isTask else { return [] }
            taskCount += 1
            let reached = countWaiters.filter { $0.count <= taskCount }
            countWaiters.removeAll { $0.count <= taskCount }
            return reached.map(\.continuation)
        }

        mutating func remove(_ id: UInt64) -> Sleeper? {
            guard let index = sleepers.firstIndex(where: { $0.id == id }) else { return nil }
            return takeSleeper(at: index)
        }

        mutating func takeSleeper(at index: Int) -> Sleeper {
            let sleeper = sleepers.remove(at: index)
            if sleeper.isTask { taskCount -= 1 }
            return sleeper
        }
    }

    private let state: Mutex<State>

    /// Creates a clock that shows `start`.
    ///
    /// - Parameter start: The time since the clock's zero.
    public init(start: Duration = .zero) {
        state = Mutex(State(now: start))
    }

    /// The time the clock shows.
    public var now: Instant {
        Instant(offset: state.withLock { $0.now })
    }

    /// The smallest step: this clock keeps any time it is given.
    public var minimumResolution: Duration {
        .nanoseconds(1)
    }

    /// How many tasks are asleep on this clock.
    public var sleeperCount: Int {
        state.withLock { $0.taskCount }
    }

    /// When the next sleeper or timer is due, or `nil` when none waits.
    public var nextDeadline: Duration? {
        state.withLock { $0.sleepers.first?.deadline }
    }

    /// Parks the calling task until the clock has been moved to `deadline`.
    ///
    /// - Parameters:
    ///   - deadline: The time to wake at; one that has passed returns at once.
    ///   - tolerance: Ignored: this clock is exact.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let id = state.withLock { $0.makeID() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                park(id, until: deadline.offset, continuation)
            }
        } onCancel: {
            let sleeper = state.withLock { $0.remove(id) }
            if case .task(let continuation) = sleeper?.wake {
                continuation.resume(throwing: CancellationError())
            }
        }
    }

    private func park(_ id: UInt64, until deadline: Duration, _ continuation: CheckedContinuation<Void, any Error>) {
        var reached: [CheckedContinuation<Void, Never>] = []
        // A task is marked as cancelled before its handler runs, so one look under the lock sees every cancellation
        // that came too early for the handler to find the sleeper.
        let isParked = state.withLock { state in
            if Task.isCancelled || deadline <= state.now { return false }
            reached = state.insert(Sleeper(id: id, deadline: deadline, wake: .task(continuation)))
            return true
        }
        if !isParked {
            if Task.isCancelled {
                continuation.resume(throwing: CancellationError())
            } else {
                continuation.resume()
            }
            return
        }
        for waiter in reached { waiter.resume() }
        state.withLock { $0.executor }?.poke()
    }

    /// Moves the clock forward by `duration`, waking everything that falls due on the way.
    ///
    /// - Parameter duration: How far; negative counts as zero.
    public func advance(by duration: Duration) async {
        await advance(to: state.withLock { $0.now } + max(.zero, duration))
    }

    /// Moves the clock forward to `target`, waking everything that falls due on the way, each at its own time.
    ///
    /// A sleeper that goes back to sleep within the span is woken again. Inside ``run(until:_:)`` everything that was
    /// woken has run when this returns; outside, the woken tasks are given a chance by yielding, which is no promise.
    ///
    /// - Parameter target: The time since the clock's zero; an earlier one than now only wakes what is due.
    public func advance(to target: Duration) async {
        await settle()
        while wakeNext(notAfter: target) {
            await settle()
        }
        let moved = state.withLock { state in
            guard state.now < target else { return false }
            state.now = target
            return true
        }
        if moved { await settle() }
    }

    /// Waits until at least `count` tasks are asleep on this clock; returns early when the caller is cancelled.
    public func waitForSleepers(_ count: Int) async {
        let id = state.withLock { $0.makeID() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let isParked = state.withLock { state in
                    if Task.isCancelled || state.taskCount >= count { return false }
                    state.countWaiters.append(CountWaiter(id: id, count: count, continuation: continuation))
                    return true
                }
                if !isParked { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state -> CountWaiter? in
                guard let index = state.countWaiters.firstIndex(where: { $0.id == id }) else { return nil }
                return state.countWaiters.remove(at: index)
            }
            waiter?.continuation.resume()
        }
    }

    /// Runs `body` in virtual time, on one thread, and returns its result.
    ///
    /// The body, its child tasks, and the actors they call run one after the other in a fixed order. Whenever none of
    /// them can go on, the clock moves to the next sleeper, so a program that takes minutes finishes at once. A body
    /// that calls ``advance(by:)`` stays in charge of the time while it does.
    ///
    /// An unstructured task takes part when it is started with
    /// `Task(executorPreference: ManualClock.runExecutor)`; any other one runs beside, and so do the main actor and
    /// real input and output: their order is not fixed.
    ///
    /// - Parameters:
    ///   - limit: The time since the clock's zero at which a body that still waits is cancelled; `nil` for no limit.
    ///   - body: The program.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws, or ``RunError/limitReached(_:)``.
    public func run<Success: Sendable>(
        until limit: Duration? = nil,
        _ body: @escaping @Sendable () async throws -> Success
    ) async throws -> Success {
        let executor = VirtualTimeExecutor()
        let isFree = state.withLock { state in
            guard state.executor == nil else { return false }
            state.executor = executor
            return true
        }
        // A run inside a run of the same clock is already driven.
        guard isFree else { return try await body() }
        defer {
            let idle = state.withLock { state in
                state.executor = nil
                let idle = state.idleWaiters
                state.idleWaiters = []
                return idle
            }
            for waiter in idle { waiter.resume() }
        }
        return try await VirtualTimeExecutor.$current.withValue(executor) {
            try await withThrowingTaskGroup(of: Success.self) { group in
                group.addTask(executorPreference: executor) {
                    defer { executor.finish() }
                    return try await body()
                }
                if await drive(executor, until: limit) == .limitReached, let limit {
                    group.cancelAll()
                    _ = await drive(executor, until: nil)
                    throw RunError.limitReached(limit)
                }
                guard let result = try await group.next() else { throw CancellationError() }
                return result
            }
        }
    }

    /// The executor of the virtual-time run that the current task belongs to, or `nil` outside of one.
    ///
    /// Meant for `Task(executorPreference:)`, which takes `nil` for the usual executor.
    public static var runExecutor: (any TaskExecutor)? {
        VirtualTimeExecutor.current
    }

    private enum DriveEnd {
        case finished
        case limitReached
    }

    private func drive(_ executor: VirtualTimeExecutor, until limit: Duration?) async -> DriveEnd {
        while true {
            await executor.drain()
            if executor.isFinished { return .finished }
            // Work that left the executor, for the main actor say, gets a chance to come back before time moves.
            await Self.yieldToOthers { executor.hasJobs }
            if executor.hasJobs { continue }
            let waiter = state.withLock { state in
                state.idleWaiters.isEmpty ? nil : state.idleWaiters.removeFirst()
            }
            if let waiter {
                waiter.resume()
                continue
            }
            if let limit, let next = nextDeadline, next > limit { return .limitReached }
            if !wakeNext(notAfter: nil) { await executor.waitForWork() }
        }
    }

    /// Wakes the first sleeper if it is due by `target`, moving the clock to its deadline.
    private func wakeNext(notAfter target: Duration?) -> Bool {
        let sleeper = state.withLock { state -> Sleeper? in
            guard let first = state.sleepers.first else { return nil }
            if let target, first.deadline > target { return nil }
            state.now = max(state.now, first.deadline)
            return state.takeSleeper(at: 0)
        }
        switch sleeper?.wake {
        case .task(let continuation): continuation.resume()
        case .callback(let action): action()
        case nil: return false
        }
        return true
    }

    /// Returns when everything that can run has run: exactly inside a run, by yielding outside.
    private func settle() async {
        let executor = state.withLock { $0.executor }
        guard let executor, VirtualTimeExecutor.current === executor else {
            await Self.yieldToOthers { false }
            return
        }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            state.withLock { $0.idleWaiters.append(continuation) }
            executor.poke()
        }
    }

    private static func yieldToOthers(unless isEnough: () -> Bool) async {
        for _ in 0..<16 where !isEnough() {
            await Task.yield()
        }
    }

    // MARK: Timers without a task

    /// Calls `action` when the clock reaches `deadline`, on the thread that moves it; returns a number to cancel with.
    package func schedule(at deadline: Duration, _ action: @escaping @Sendable () -> Void) -> UInt64 {
        let (id, executor) = state.withLock { state in
            let id = state.makeID()
            _ = state.insert(Sleeper(id: id, deadline: deadline, wake: .callback(action)))
            return (id, state.executor)
        }
        executor?.poke()
        return id
    }

    /// Forgets a scheduled call; one that was made already is not undone.
    package func cancelScheduled(_ id: UInt64) {
        _ = state.withLock { $0.remove(id) }
    }
}
