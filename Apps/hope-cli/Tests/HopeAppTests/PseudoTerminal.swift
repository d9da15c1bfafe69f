import Foundation
import Glibc

/// A pseudo-terminal with the tool running on it, watched byte by byte.
final class PseudoTerminal {
    let process: pid_t
    private let controller: Int32
    private(set) var seen: [UInt8] = []

    /// Starts the tool that was built beside this test.
    ///
    /// - Parameters:
    ///   - arguments: What stands behind the tool's name.
    ///   - columns: The terminal's width in cells.
    ///   - rows: The terminal's height in cells.
    /// - Throws: `POSIXError` when there is no pseudo-terminal or no tool.
    init(_ arguments: [String], columns: UInt16 = 80, rows: UInt16 = 24) throws {
        controller = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        // What unlockpt and ptsname do on Linux; the C library's module does not show them. <asm-generic/ioctls.h>.
        let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
        var lock: Int32 = 0
        var number: UInt32 = 0
        guard controller >= 0, ioctl(controller, setLock, &lock) == 0, ioctl(controller, getNumber, &number) == 0 else {
            throw POSIXError(.ENODEV)
        }
        let device = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard device >= 0 else { throw POSIXError(.ENODEV) }
        defer { close(device) }
        var window = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(controller, UInt(TIOCSWINSZ), &window)

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, device, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)

        let tool = Self.toolPath
        var words = Self.cStrings([tool] + arguments)
        var variables = Self.cStrings(["TERM=xterm-256color", "COLORTERM=truecolor"])
        defer { (words + variables).forEach { free($0) } }
        var started = pid_t()
        let failure = posix_spawn(&started, tool, &actions, nil, &words, &variables)
        guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .ENOENT) }
        process = started
    }

    deinit {
        close(controller)
    }

    /// Copies that end with nil, as a new process wants its words; the caller frees them.
    private static func cStrings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup($0) } + [nil]
    }

    static var toolPath: String {
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent("hope").path
    }

    /// Reads until a number of bytes has been seen, or the tool has ended.
    func read(until count: Int) {
        while seen.count < count, readSome() {}
    }

    /// Reads to the end and returns how the tool ended: its exit status, or 256 plus the signal that killed it.
    func readToEnd() -> Int32 {
        while readSome() {}
        var status: Int32 = 0
        waitpid(process, &status, 0)
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 256 + signal
    }

    /// Reads until the tool is stopped, as by Ctrl-Z, and returns whether it was; a tool that writes must be read from.
    func readUntilStopped() -> Bool {
        var status: Int32 = 0
        while waitpid(process, &status, WUNTRACED | WNOHANG) == 0 {
            if isReadable(within: 20), !readSome() { return false }
        }
        return status & 0xFF == 0x7F
    }

    /// A tool that says nothing for so long, in milliseconds, hangs, and is killed.
    private static let patience: Int32 = 60_000

    private func readSome() -> Bool {
        if !isReadable(within: Self.patience) { kill(process, SIGKILL) }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(controller, &buffer, buffer.count)
        guard count > 0 else { return false }
        seen += buffer[..<count]
        return true
    }

    private func isReadable(within milliseconds: Int32) -> Bool {
        var controller = pollfd(fd: controller, events: Int16(POLLIN), revents: 0)
        return poll(&controller, 1, milliseconds) > 0
    }
}
