/// A clock that counts from the moment it was made.
package struct ElapsedClock: Sendable {
    private let elapsed: @Sendable () -> Duration
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Starts counting on the given clock.
    package init(_ clock: any Clock<Duration>) {
        self = Self.counting(on: clock)
    }

    private init(
        elapsed: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.elapsed = elapsed
        self.sleep = sleep
    }

    private static func counting<C: Clock<Duration>>(on clock: C) -> Self {
        let start = clock.now
        return Self(
            elapsed: { start.duration(to: clock.now) },
            sleep: { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
        )
    }

    /// The time since the clock was made.
    package var now: Duration { elapsed() }

    /// Waits until the given time has come, or returns at once when it has passed.
    package func wait(until time: Duration) async throws(AudioLevelSourceError) {
        do {
            try Task.checkCancellation()
            if elapsed() < time {
                try await sleep(time)
            }
        } catch {
            throw AudioLevelSourceError(.cancelled, thing: "The audio", reason: "is not wanted any more")
        }
    }
}
