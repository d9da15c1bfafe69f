import Testing
import TransportCore

@Suite struct StopwatchTests {
    @Test("Sleeping lasts until the stopwatch shows the time, and not at all when that is past")
    func sleepsUntil() async throws {
        let clock = ManualClock()
        try await clock.run(until: .seconds(60)) {
            try await clock.sleep(for: .seconds(3))
            let stopwatch = Stopwatch(clock: clock)
            try await stopwatch.sleep(until: .seconds(2))
            #expect(stopwatch.elapsed == .seconds(2))
            try await stopwatch.sleep(until: .seconds(1))
            #expect(stopwatch.elapsed == .seconds(2))
            #expect(clock.now.offset == .seconds(5))
        }
    }

    @Test("A task that is cancelled does not sleep, not even for no time")
    func cancelled() async {
        let stopwatch = Stopwatch(clock: ManualClock())
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await stopwatch.sleep(until: .zero)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
