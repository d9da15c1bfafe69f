internal import Glibc
internal import LedWallRendering
internal import Synchronization

/// The terminal that a drawing command writes to, and the promise to give it back as it was.
///
/// Once ``take(returningWith:)`` has been called, ``giveBack()`` writes the returning sequence exactly once, as the
/// last bytes: whatever is still being drawn then is dropped. A crash writes it too.
public final class Terminal: Sendable {
    private struct State {
        var returning: [UInt8]?
        var isGivenBack = false
        var wasStopped = false
    }

    private let descriptor: Int32
    private let state = Mutex(State())

    /// Wraps the descriptor of a terminal; nil when it is something else.
    public init?(descriptor: Int32) {
        guard isatty(descriptor) == 1 else { return nil }
        self.descriptor = descriptor
    }

    /// The size in character cells, read anew each time; 0 × 0 when the terminal has none or is gone.
    var size: TerminalSize {
        var window = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0 else { return TerminalSize(columns: 0, rows: 0) }
        return TerminalSize(columns: Int(window.ws_col), rows: Int(window.ws_row))
    }

    /// Takes the terminal for drawing.
    ///
    /// - Parameter sequence: What brings it back: show the cursor, reset colours, leave modes and the second screen.
    public func take(returningWith sequence: [UInt8]) {
        state.withLock { state in
            state.returning = sequence
            state.isGivenBack = false
        }
        CrashGuard.arm(descriptor: descriptor, sequence: sequence)
    }

    /// Writes bytes in one piece; drops them when the terminal has been given back.
    ///
    /// - Throws: `.outputClosed` or `.failed` when they cannot be written.
    public func write(_ bytes: [UInt8]) throws(CommandError) {
        try state.withLock { state throws(CommandError) in
            guard !state.isGivenBack else { return }
            try CommandOutput.writeAll(bytes, to: descriptor)
        }
    }

    /// Gives the terminal back; does nothing when it was not taken.
    ///
    /// Later writes are dropped until it is taken again.
    public func giveBack() {
        state.withLock { state in
            guard let sequence = state.returning else { return }
            state.returning = nil
            state.isGivenBack = true
            // A terminal that is gone needs no restoring.
            try? CommandOutput.writeAll(sequence, to: descriptor)
        }
        CrashGuard.disarm()
    }

    /// Gives the terminal back without waiting for a write that hangs, because the process is about to end.
    ///
    /// A terminal that takes nothing more is left as it is: nothing can be done for it.
    public func giveBackAtOnce() {
        _ = state.withLockIfAvailable { state in
            guard let sequence = state.returning else { return }
            state.returning = nil
            state.isGivenBack = true
            Self.offer(sequence, to: descriptor)
        }
    }

    private static func offer(_ sequence: [UInt8], to descriptor: Int32) {
        var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&room, 1, 100) > 0, room.revents & Int16(POLLOUT) != 0 else { return }
        _ = sequence.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }

    /// Stops the process as Ctrl-Z does, with the terminal given back for as long; returns when it is continued.
    func stopProcess() {
        state.withLock { state in
            if let sequence = state.returning {
                try? CommandOutput.writeAll(sequence, to: descriptor)
            }
            // Under the lock, so that nothing is drawn between the restoring and the stop.
            kill(getpid(), SIGSTOP)
            state.wasStopped = true
        }
    }

    /// Whether the process was stopped since the last call, so that everything must be drawn anew.
    func takeStop() -> Bool {
        state.withLock { state in
            defer { state.wasStopped = false }
            return state.wasStopped
        }
    }
}
