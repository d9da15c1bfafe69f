import Synchronization
import TransportCore

/// Something that has time limits.
package protocol DeadlineTarget: AnyObject, Sendable {
    /// Called when the time that was asked for has come; asks again if something is due later.
    func deadlineReached(now: Duration)
}

/// Tells many targets when their time has come, with one timer for all of them.
///
/// A target asks once and looks, when it is called, whether anything is due by then: moving a limit further away costs
/// nothing, and that is what a busy connection does all the time.
package final class DeadlineQueue: Sendable {
    private struct Entry {
        let due: Duration
        let number: UInt64
        weak var target: (any DeadlineTarget)?

        func goesBefore(_ other: Entry) -> Bool {
            due != other.due ? due < other.due : number < other.number
        }
    }

    private struct State {
        /// A binary heap, the earliest first.
        var heap: [Entry] = []
        var nextNumber: UInt64 = 0
        var timer: ClockTimer?
        var timerDue: Duration?
        var sweepAt = 256

        mutating func insert(_ entry: Entry) {
            // Those that are gone are thrown out when the heap has doubled since the last time.
            if heap.count >= sweepAt {
                heap = heap.filter { $0.target != nil }.sorted { $0.goesBefore($1) }
                sweepAt = max(256, heap.count * 2)
            }
            heap.append(entry)
            var index = heap.count - 1
            while index > 0, heap[index].goesBefore(heap[(index - 1) / 2]) {
                heap.swapAt(index, (index - 1) / 2)
                index = (index - 1) / 2
            }
        }

        mutating func removeFirst() {
            heap.swapAt(0, heap.count - 1)
            heap.removeLast()
            var index = 0
            while true {
                var least = index
                for child in [index * 2 + 1, index * 2 + 2]
                where child < heap.count && heap[child].goesBefore(heap[least]) {
                    least = child
                }
                if least == index { return }
                heap.swapAt(index, least)
                index = least
            }
        }
    }

    private let clock: any Clock<Duration>
    private let stopwatch: Stopwatch
    private let state = Mutex(State())

    package init(clock: any Clock<Duration>) {
        self.clock = clock
        stopwatch = Stopwatch(clock: clock)
    }

    /// The time since the queue was made.
    package var now: Duration { stopwatch.elapsed }

    /// Calls `target` at `due`, unless it is gone by then.
    package func schedule(_ target: any DeadlineTarget, at due: Duration) {
        let mustArm = state.withLock { state in
            state.nextNumber += 1
            state.insert(Entry(due: due, number: state.nextNumber, target: target))
            return state.timerDue.map { due < $0 } ?? true
        }
        if mustArm { arm() }
    }

    private func arm() {
        let now = now
        state.withLock { state in
            guard let first = state.heap.first else { return }
            if let timerDue = state.timerDue, timerDue <= first.due { return }
            state.timer?.cancel()
            state.timerDue = first.due
            state.timer = ClockTimer(on: clock, after: max(.zero, first.due - now)) { [weak self] in self?.fire() }
        }
    }

    private func fire() {
        let now = now
        let targets = state.withLock { state in
            state.timer = nil
            state.timerDue = nil
            var targets: [any DeadlineTarget] = []
            while let first = state.heap.first, first.due <= now {
                state.removeFirst()
                if let target = first.target { targets.append(target) }
            }
            return targets
        }
        for target in targets { target.deadlineReached(now: now) }
        arm()
    }
}
