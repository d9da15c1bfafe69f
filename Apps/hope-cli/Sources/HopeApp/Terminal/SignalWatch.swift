internal import Dispatch
internal import Glibc
internal import Synchronization

/// Turns the signals that end or stop a program into calls, on a queue of its own; none is lost.
///
/// A handler writes the signal's number to a pipe, which a thread reads. Handlers are process-wide, so there is one watch
/// at a time; a program that is started from here does not inherit them.
public final class SignalWatch: Sendable {
    private static let writeEnd = Atomic<Int32>(-1)

    /// Watches until the process ends; a SIGHUP that was ignored before, as under `nohup`, stays ignored.
    ///
    /// - Parameters:
    ///   - onEnd: Called for each SIGINT, SIGTERM, SIGHUP and SIGQUIT with its number.
    ///   - onStop: Called for SIGTSTP (Ctrl-Z); it should make the process stop itself.
    public init(onEnd: @escaping @Sendable (Int32) -> Void, onStop: @escaping @Sendable () -> Void) {
        var ends: [Int32] = [-1, -1]
        // Without a pipe the signals keep their default actions.
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        Self.writeEnd.store(ends[1], ordering: .sequentiallyConsistent)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP] {
            var earlier = sigaction()
            // What is to outlive its terminal was started with this one ignored.
            if number == SIGHUP, sigaction(number, nil, &earlier) == 0, Self.isIgnored(earlier) { continue }
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { SignalWatch.note($0) }
            action.sa_flags = SA_RESTART
            sigaction(number, &action, nil)
        }
        let readEnd = ends[0]
        DispatchQueue(label: "hope.signals").async {
            while true {
                var number: UInt8 = 0
                let count = read(readEnd, &number, 1)
                if count == 1 {
                    Int32(number) == SIGTSTP ? onStop() : onEnd(Int32(number))
                } else if count == 0 || errno != EINTR {
                    return
                }
            }
        }
    }

    private static func isIgnored(_ action: sigaction) -> Bool {
        // The function pointers of C cannot be compared as such.
        unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Called in a signal handler, where hardly anything but `write` is allowed.
    private static func note(_ signal: Int32) {
        let interrupted = errno
        var number = UInt8(truncatingIfNeeded: signal)
        _ = write(writeEnd.load(ordering: .sequentiallyConsistent), &number, 1)
        errno = interrupted
    }
}
