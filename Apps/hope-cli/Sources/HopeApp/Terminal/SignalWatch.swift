@preconcurrency internal import Dispatch
internal import Glibc

/// Turns the signals that end or stop a program into calls, on a queue of its own.
public final class SignalWatch: Sendable {
    private let sources: [any DispatchSourceSignal]

    /// Watches until the value goes away.
    ///
    /// - Parameters:
    ///   - onEnd: Called for each SIGINT, SIGTERM, SIGHUP and SIGQUIT with its number.
    ///   - onStop: Called for SIGTSTP (Ctrl-Z); it should make the process stop itself.
    public init(onEnd: @escaping @Sendable (Int32) -> Void, onStop: @escaping @Sendable () -> Void) {
        let queue = DispatchQueue(label: "hope.signals")
        sources = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP].map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { number == SIGTSTP ? onStop() : onEnd(number) }
            source.activate()
            // The default action would come before the source sees the signal. Ignoring it only now loses none: one that
            // comes before ends the process, which has not begun anything yet.
            signal(number, SIG_IGN)
            return source
        }
    }

    deinit {
        for source in sources { source.cancel() }
    }
}
