@preconcurrency internal import Dispatch
internal import Glibc

/// Turns the signals that end or stop a program into calls, on a queue of its own.
public final class SignalWatch: Sendable {
    private let sources: [any DispatchSourceSignal]

    /// Watches until the value goes away.
    ///
    /// - Parameters:
    ///   - onEnd: Called for each SIGINT, SIGTERM and SIGHUP with its number.
    ///   - onStop: Called for SIGTSTP (Ctrl-Z); it should make the process stop itself.
    public init(onEnd: @escaping @Sendable (Int32) -> Void, onStop: @escaping @Sendable () -> Void) {
        let queue = DispatchQueue(label: "hope.signals")
        sources = [SIGINT, SIGTERM, SIGHUP, SIGTSTP].map { number in
            // The default action would come before the source sees the signal.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { number == SIGTSTP ? onStop() : onEnd(number) }
            source.activate()
            return source
        }
    }

    deinit {
        for source in sources { source.cancel() }
    }
}
