internal import Glibc
internal import Synchronization
internal import TaskFeed

/// Where a command's words go: data to standard output, everything said to a person to standard error.
public final class CommandOutput: Sendable {
    /// What takes the bytes; it throws when they cannot be taken.
    public typealias Sink = @Sendable (_ bytes: [UInt8]) throws -> Void

    private let data: Sink
    private let messages: Sink
    private let pending = Mutex<[UInt8]>([])
    private let isClosedByReader = Mutex(false)

    /// Whether a write has found that nobody reads the data any more.
    var isClosed: Bool { isClosedByReader.withLock { $0 } }

    /// Makes an output of two sinks.
    public init(data: @escaping Sink, messages: @escaping Sink) {
        self.data = data
        self.messages = messages
    }

    /// The process's own standard output and standard error.
    public static func standard() -> CommandOutput {
        CommandOutput(
            data: { try writeAll($0, to: STDOUT_FILENO) },
            messages: { try writeAll($0, to: STDERR_FILENO) }
        )
    }

    /// Prints one line of data.
    ///
    /// Lines are gathered; they go out when there are many, and with ``flush()``.
    ///
    /// - Throws: `.outputClosed` when nobody reads any more, `.failed` when the bytes cannot be written.
    public func line(_ text: String) throws {
        try write(Array("\(text)\n".utf8))
    }

    /// Writes bytes of data; like lines, they are gathered.
    ///
    /// - Throws: As ``line(_:)``.
    public func write(_ bytes: [UInt8]) throws {
        let full = pending.withLock { pending -> [UInt8]? in
            pending.append(contentsOf: bytes)
            guard pending.count >= 32_768 else { return nil }
            defer { pending.removeAll(keepingCapacity: true) }
            return pending
        }
        if let full { try send(full) }
    }

    /// Sends out what has been gathered.
    ///
    /// - Throws: As ``line(_:)``.
    public func flush() throws {
        let rest = pending.withLock { pending -> [UInt8] in
            defer { pending.removeAll(keepingCapacity: true) }
            return pending
        }
        if !rest.isEmpty { try send(rest) }
    }

    private func send(_ bytes: [UInt8]) throws {
        do {
            try data(bytes)
        } catch let error as CommandError where error.code == .outputClosed {
            isClosedByReader.withLock { $0 = true }
            throw error
        }
    }

    /// Says one line to the person; where that cannot be done there is nobody to tell.
    ///
    /// Whatever the line quotes from files or other machines is made harmless for a terminal, and bounded.
    public func say(_ text: String) {
        let bounded = text.count > 4000 ? "\(text.prefix(3900))…" : text
        try? messages(Array("\(TerminalText.singleLine(bounded))\n".utf8))
    }

    static func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(CommandError) {
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                start += count
            } else if errno == EAGAIN {
                // Somebody else made the shared descriptor non-blocking: wait until it takes bytes again.
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&waiting, 1, -1)
            } else if errno == EPIPE {
                throw CommandError(.outputClosed, "nobody reads the output any more")
            } else if errno != EINTR {
                throw CommandError(
                    .failed,
                    "cannot write the output: \(String(cString: strerror(errno))); send it elsewhere"
                )
            }
        }
    }
}
