import Synchronization
import Testing
import TransportCore

/// Collects lines from several tasks.
final class Journal: Sendable {
    private let storage = Mutex<[String]>([])

    var lines: [String] { storage.withLock { $0 } }

    func write(_ line: String) {
        storage.withLock { $0.append(line) }
    }
}

private actor Counter {
    var value = 0

    func increment() {
        value += 1
    }
}

@Suite struct ManualClockTests {
    @Test("Sleepers wake by deadline, and by arrival where deadlines are equal")
    func wakeOrder() async throws {
        let clock = ManualClock()
        let journal = Journal()
        try await clock.run {
            await withTaskGroup(of: Void.self) { group in
                for (name, delay) in [("late", 300), ("first", 100), ("second", 100), ("middle", 200)] {
                    group.addTask {
                        try? await clock.sleep(for: .milliseconds(delay))
                        journal.write("\(name)@\(clock.now.offset.inMilliseconds)")
                    }
                }
            }
        }
        #expect(journal.lines == ["first@100", "second@100", "middle@200", "late@300"])
    }

    @Test("Advancing wakes a sleeper that goes back to sleep as often as it falls due, each time at its own time")
    func advanceThroughLoop() async throws {
        let clock = ManualClock()
        let journal = Journal()
        try await clock.run {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    while !Task.isCancelled {
                        try? await clock.sleep(for: .milliseconds(100))
                        journal.write("\(clock.now.offset.inMilliseconds)")
                    }
                }
                await clock.advance(by: .milliseconds(350))
                #expect(clock.now.offset == .milliseconds(350))
                #expect(journal.lines == ["100", "200", "300"])
                group.cancelAll()
            }
        }
    }

    @Test("Outside of a run, waiting for the sleepers makes an advance exact")
    func waitForSleepers() async {
        let clock = ManualClock()
        async let woken: Void = { try? await clock.sleep(for: .seconds(5)) }()
        await clock.waitForSleepers(1)
        #expect(clock.sleeperCount == 1)
        #expect(clock.nextDeadline == .seconds(5))
        await clock.advance(to: .seconds(5))
        await woken
        #expect(clock.sleeperCount == 0)
        #expect(clock.now.offset == .seconds(5))
    }

    @Test("Cancelling a sleeper throws at once and leaves no sleeper behind")
    func cancelledSleep() async {
        let clock = ManualClock()
        let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.waitForSleepers(1)
        sleeper.cancel()
        let result = await sleeper.result
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(clock.sleeperCount == 0)
    }

    @Test(
        "A task that is cancelled already does not sleep, whether the deadline has passed or not",
        arguments: [1, 99]
    )
    func cancelledBeforeSleep(_ seconds: Int) async {
        let clock = ManualClock(start: .seconds(10))
        let sleeper = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(until: ManualClock.Instant(offset: .seconds(seconds)))
        }
        let result = await sleeper.result
        #expect(throws: CancellationError.self) { try result.get() }
    }

    @Test("A deadline that has passed returns at once")
    func pastDeadline() async throws {
        let clock = ManualClock(start: .seconds(10))
        try await clock.sleep(until: ManualClock.Instant(offset: .seconds(10)))
        try await clock.sleep(for: .seconds(-1))
        #expect(clock.now.offset == .seconds(10))
    }

    @Test("A cancelled wait for sleepers returns")
    func cancelledWait() async {
        let clock = ManualClock()
        let waiter = Task { await clock.waitForSleepers(1) }
        waiter.cancel()
        await waiter.value
        #expect(clock.sleeperCount == 0)
    }

    @Test("It serves as any clock that counts in seconds")
    func existential() async throws {
        let clock = ManualClock()
        let any: any Clock<Duration> = clock
        let watch = Stopwatch(clock: any)
        try await clock.run {
            try await any.sleep(for: .seconds(90))
        }
        #expect(watch.elapsed == .seconds(90))
    }

    @Test("A run of an hour with many sleepers and an actor takes the same course every time")
    func runIsDeterministic() async throws {
        func course() async throws -> [String] {
            let clock = ManualClock()
            let journal = Journal()
            let counter = Counter()
            try await clock.run {
                await withTaskGroup(of: Void.self) { group in
                    for number in 1...5 {
                        group.addTask {
                            var random = SeededRandom(seed: UInt64(number))
                            for _ in 0..<20 {
                                try? await clock.sleep(for: .milliseconds(random.nextInt(below: 10) * 1000))
                                await counter.increment()
                                let count = await counter.value
                                journal.write("\(number) \(count) \(clock.now.offset.inMilliseconds)")
                            }
                        }
                    }
                }
            }
            return journal.lines
        }
        let first = try await course()
        #expect(first.count == 100)
        for _ in 0..<5 {
            #expect(try await course() == first)
        }
    }

    @Test("A run hands on what its body returns and throws")
    func runResult() async throws {
        struct Failure: Error {}
        let clock = ManualClock()
        #expect(try await clock.run { 7 } == 7)
        await #expect(throws: Failure.self) {
            try await clock.run { throw Failure() }
        }
        #expect(try await clock.run { try await clock.run { 8 } } == 8)
    }

    @Test("A run that still waits at its limit is cancelled and says so")
    func runLimit() async throws {
        let clock = ManualClock()
        await #expect(throws: ManualClock.RunError.limitReached(.seconds(60))) {
            try await clock.run(until: .seconds(60)) {
                while true { try await clock.sleep(for: .seconds(1)) }
            }
        }
        #expect(clock.now.offset == .seconds(60))
    }

    @Test("A task of its own takes part in a run when it asks for the run's executor")
    func unstructuredTask() async throws {
        let clock = ManualClock()
        let journal = Journal()
        try await clock.run {
            let task = Task(executorPreference: ManualClock.runExecutor) {
                try await clock.sleep(for: .seconds(1))
                journal.write("task@\(clock.now.offset.inMilliseconds)")
            }
            await clock.advance(by: .seconds(2))
            journal.write("body@\(clock.now.offset.inMilliseconds)")
            try await task.value
        }
        #expect(journal.lines == ["task@1000", "body@2000"])
    }

    @Test("Work on the main actor is waited for before time moves on")
    func mainActor() async throws {
        let clock = ManualClock()
        let journal = Journal()
        try await clock.run(until: .seconds(100)) {
            try await clock.sleep(for: .seconds(1))
            await MainActor.run { journal.write("main@\(clock.now.offset.inMilliseconds)") }
            journal.write("body@\(clock.now.offset.inMilliseconds)")
        }
        #expect(journal.lines == ["main@1000", "body@1000"])
    }
}

@Suite struct DurationTests {
    @Test(
        "Milliseconds are rounded to the nearest",
        arguments: [
            (Duration.microseconds(1_499), 1), (.microseconds(1_500), 2), (.microseconds(-1_500), -2),
            (.seconds(3), 3000), (.nanoseconds(999_999_999), 1000),
            (.seconds(Int64.max), Int.max), (.seconds(Int64.min), Int.min),
        ]
    )
    func milliseconds(_ duration: Duration, _ expected: Int) {
        #expect(duration.inMilliseconds == expected)
    }

    @Test("Seconds come as the nearest number")
    func seconds() {
        #expect(Duration.milliseconds(1_250).inSeconds == 1.25)
        #expect(Duration.milliseconds(-250).inSeconds == -0.25)
    }
}
