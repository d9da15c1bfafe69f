internal import Glibc
internal import Synchronization

/// The terminal that a drawing command writes to, and the promise to give it back as it was.
///
/// Once ``take(returningWith:)`` has been called, ``giveBack()`` writes the returning sequence exactly once, as the
/// last bytes: whatever is still being drawn then is dropped. A crash writes it too.
public final class Terminal: Sendable {
    private enum Hold {
        case free
        case taken(returning: [UInt8])
        case givenBack
    }

    private let descriptor: Int32
    private let hold = Mutex(Hold.free)

    /// Wraps the descriptor of a terminal; nil when it is something else.
    public init?(descriptor: Int32) {
        guard isatty(descriptor) == 1 else { return nil }
        self.descriptor = descriptor
    }

    /// The size in character cells, read anew each time; 0 × 0 when the terminal has none or is gone.
    public var size: (columns: Int, rows: Int) {
        var window = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0 else { return (0, 0) }
        return (Int(window.ws_col), Int(window.ws_row))
    }

    /// Takes the terminal for drawing.
    ///
    /// - Parameter sequence: What brings it back: show the cursor, reset colours, leave modes and the second screen.
    public func take(returningWith sequence: [UInt8]) {
        hold.withLock { $0 = .taken(returning: sequence) }
        CrashGuard.arm(descriptor: descriptor, sequence: sequence)
    }

    /// Writes bytes in one piece; drops them when the terminal has been given back.
    ///
    /// - Throws: `.outputClosed` or `.failed` when they cannot be written.
    public func write(_ bytes: [UInt8]) throws {
        try hold.withLock { hold in
            if case .givenBack = hold { return }
            try CommandOutput.writeAll(bytes, to: descriptor)
        }
    }

    /// Gives the terminal back. Later calls and later writes do nothing.
    public func giveBack() {
        hold.withLock { hold in
            guard case .taken(let sequence) = hold else { return }
            hold = .givenBack
            // A terminal that is gone needs no restoring.
            try? CommandOutput.writeAll(sequence, to: descriptor)
        }
        CrashGuard.disarm()
    }

    /// Gives the terminal back for as long as the process is stopped, as Ctrl-Z does, then takes it again.
    ///
    /// - Parameter entering: What prepares the terminal for drawing again.
    func lend(entering: [UInt8], while stopped: () -> Void) {
        hold.withLock { hold in
            guard case .taken(let sequence) = hold else { return stopped() }
            try? CommandOutput.writeAll(sequence, to: descriptor)
            stopped()
            try? CommandOutput.writeAll(entering, to: descriptor)
        }
    }
}
