/// Reads the time since its creation from any clock that counts in seconds.
public struct Stopwatch: Sendable {
    private let read: @Sendable () -> Duration

    /// Starts at zero on `clock`.
    public init(clock: any Clock<Duration>) {
        read = Self.reader(of: clock)
    }

    private static func reader<C: Clock<Duration>>(of clock: C) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    /// The time since the stopwatch was created.
    public var elapsed: Duration {
        read()
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
