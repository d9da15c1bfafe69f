/// Reads the time since its creation from any clock that counts in seconds, and waits on that clock.
public struct Stopwatch: Sendable {
    private let read: @Sendable () -> Duration
    private let wait: @Sendable (Duration) async throws -> Void

    /// Starts at zero on `clock`.
    public init(clock: any Clock<Duration>) {
        self = Self.counting(on: clock)
    }

    private init(
        read: @escaping @Sendable () -> Duration,
        wait: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.read = read
        self.wait = wait
    }

    private static func counting<C: Clock<Duration>>(on clock: C) -> Self {
        let start = clock.now
        return Self(
            read: { start.duration(to: clock.now) },
            wait: { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
        )
    }

    /// The time since the stopwatch was created.
    public var elapsed: Duration {
        read()
    }

    /// Waits until the stopwatch shows a time; returns at once when it is past.
    ///
    /// - Parameter time: The time since the stopwatch was created.
    /// - Throws: `CancellationError` when the task is cancelled, before it waits or while it does.
    public func sleep(until time: Duration) async throws {
        try Task.checkCancellation()
        if elapsed < time { try await wait(time) }
    }
}

extension Duration {
    /// This duration in seconds, rounded to the nearest `Double`.
    public var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }

    /// This duration in whole milliseconds, rounded to the nearest, halves away from zero; saturates at the bounds.
    public var inMilliseconds: Int {
        let (seconds, attoseconds) = components
        let half: Int64 = attoseconds < 0 ? -500_000_000_000_000 : 500_000_000_000_000
        let (product, overflowed) = seconds.multipliedReportingOverflow(by: 1000)
        let (sum, overflowedAgain) = product.addingReportingOverflow((attoseconds + half) / 1_000_000_000_000_000)
        if overflowed || overflowedAgain { return seconds < 0 ? Int.min : Int.max }
        return Int(clamping: sum)
    }
}
