import Dispatch
import Foundation
import Glibc
import MediaSync
import Synchronization

/// A running mpv and the connection to it, for the one thread that attends to it.
final class MPVProcess {
    /// What there is to attend to.
    struct Events {
        var hasAnswers = false
        var isOver = false
        var isIdle = false
    }

    private static let chunk = 1 << 16
    private static let errorTail = 2_000
    /// How long mpv may take, in tries 5 ms apart: loading its libraries takes seconds on a cold disk.
    private static let connectTries = 4_000
    /// How long mpv may take to end, in waits of 10 ms.
    private static let endTries = 150

    private let process = Process()
    private let wake: MPVWake
    private let ending = MPVEnding()
    private let input = Pipe()
    private let errors = Pipe()
    private let folder: String
    private var socket: Int32 = -1
    private var isErrorOutputOpen = true
    private var errorBytes: [UInt8] = []
    private var unsent: ArraySlice<UInt8> = []
    private var buffer = [UInt8](repeating: 0, count: chunk)

    /// Starts the program.
    init(_ program: MPVProgram, wake: MPVWake) throws(MediaPlayerError) {
        guard let path = program.path else {
            throw MediaPlayerError(
                code: .playerGone,
                message: "\(program.name) is not installed, and without it nothing is heard; "
                    + "get it with `apt install mpv` or `brew install mpv`."
            )
        }
        self.wake = wake
        folder = try Self.makeFolder()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = program.arguments(socket: folder + "/mpv")
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        process.terminationHandler = { [ending, wake] process in
            let isSignal = process.terminationReason == .uncaughtSignal
            ending.note("\(isSignal ? "signal" : "status") \(process.terminationStatus)")
            wake.ring()
        }
        do {
            try process.run()
        } catch {
            rmdir(folder)
            throw MediaPlayerError(
                code: .playerGone,
                message: "\(path) could not be started: \(error.localizedDescription)"
            )
        }
    }

    /// The process's number.
    var number: Int32 { process.processIdentifier }

    /// How it ended, once it has and was reaped: `signal 9`.
    var howItEnded: String? { ending.words }

    /// The end of what it wrote to its error output.
    var lastWords: String? { MPVWords.last(of: errorBytes) }

    /// Connects as soon as mpv listens; afterwards nobody else can, and nothing is left on the disk.
    ///
    /// - Parameter mayGoOn: Asked between the tries.
    /// - Returns: Whether it is connected.
    func connect(while mayGoOn: () -> Bool) -> Bool {
        defer { removeFolder() }
        for _ in 0..<Self.connectTries {
            guard mayGoOn(), howItEnded == nil else { return false }
            let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else { return false }
            if Self.connect(descriptor, to: folder + "/mpv") {
                socket = descriptor
                return true
            }
            close(descriptor)
            _ = wait(milliseconds: 5)
        }
        return false
    }

    /// Adds to what is written to mpv as soon as it reads.
    func write(_ bytes: [UInt8]) {
        unsent += bytes
    }

    /// Waits until there is something to attend to, or the time is over.
    func wait(milliseconds: Int32) -> Events {
        var polled = [
            pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(
                fd: isErrorOutputOpen ? errors.fileHandleForReading.fileDescriptor : -1,
                events: Int16(POLLIN),
                revents: 0
            ),
            pollfd(fd: socket, events: Int16(unsent.isEmpty ? POLLIN : POLLIN | POLLOUT), revents: 0),
        ]
        let count = poll(&polled, nfds_t(polled.count), milliseconds)
        var events = Events()
        events.isIdle = count == 0
        guard count > 0 else { return events }
        if polled[0].revents != 0 { wake.quieten() }
        if polled[1].revents != 0 { readErrors() }
        if polled[2].revents & Int16(POLLOUT) != 0 { writeUnsent() }
        if polled[2].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 { events.hasAnswers = true }
        return events
    }

    /// Returns what mpv has written, empty when that is nothing, and nil when it has hung up.
    func read() -> [UInt8]? {
        let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        if count > 0 { return Array(buffer[..<count]) }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil
    }

    /// Waits until mpv has ended and was reaped; ends it when that takes too long.
    func reap() {
        hangUp()
        try? input.fileHandleForWriting.close()
        var tries = 0
        while howItEnded == nil {
            if wait(milliseconds: 10).isIdle { tries += 1 }
            if tries >= Self.endTries { kill() }
        }
        readErrors()
    }

    /// Ends mpv at once.
    func kill() {
        guard howItEnded == nil, process.isRunning else { return }
        _ = Glibc.kill(number, SIGKILL)
    }

    private func hangUp() {
        guard socket >= 0 else { return }
        close(socket)
        socket = -1
        unsent = []
    }

    deinit {
        hangUp()
        removeFolder()
    }

    private func removeFolder() {
        unlink(folder + "/mpv")
        rmdir(folder)
    }

    private func readErrors() {
        guard isErrorOutputOpen else { return }
        var polled = pollfd(fd: errors.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        while poll(&polled, 1, 0) > 0 {
            let count = Glibc.read(polled.fd, &buffer, buffer.count)
            guard count > 0 else {
                isErrorOutputOpen = false
                return
            }
            errorBytes = Array((errorBytes + buffer[..<count]).suffix(Self.errorTail))
        }
    }

    private func writeUnsent() {
        let count = unsent.withUnsafeBytes { bytes in
            // Not a signal, should mpv have gone.
            send(socket, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
        }
        if count > 0 { unsent = unsent.dropFirst(count) }
        if unsent.isEmpty { unsent = [] }
    }

    /// Makes a folder that only this user can enter: whoever can write to mpv's socket can run programs.
    private static func makeFolder() throws(MediaPlayerError) -> String {
        let environment = ProcessInfo.processInfo.environment
        for parent in [environment["XDG_RUNTIME_DIR"], environment["TMPDIR"], "/tmp"].compactMap(\.self) {
            // A socket's path has room for 107 bytes.
            guard parent.utf8.count < 80 else { continue }
            var template = Array("\(parent)/hope-mpv-XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else { continue }
            return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        throw MediaPlayerError(
            code: .playerGone,
            message: "There is no place for mpv's socket; set TMPDIR to a folder that can be written to."
        )
    }

    private static func connect(_ descriptor: Int32, to path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { room in
            room.copyBytes(from: path.utf8.prefix(room.count - 1))
        }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                Glibc.connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }
}

/// How a process ended, noted from whatever thread learns of it.
private final class MPVEnding: Sendable {
    private let state = Mutex<String?>(nil)

    var words: String? { state.withLock { $0 } }

    func note(_ words: String) {
        state.withLock { $0 = words }
    }
}

/// Wakes the thread that attends to mpv.
final class MPVWake: Sendable {
    /// What becomes readable.
    let descriptor: Int32
    private let bell: Int32

    init() throws(MediaPlayerError) {
        var pair: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else {
            throw MediaPlayerError(
                code: .playerGone,
                message: "The system has no more descriptors for a player; close some files and try again."
            )
        }
        (descriptor, bell) = (pair[0], pair[1])
    }

    deinit {
        close(descriptor)
        close(bell)
    }

    func ring() {
        var byte: UInt8 = 1
        send(bell, &byte, 1, Int32(MSG_NOSIGNAL))
    }

    func quieten() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while recv(descriptor, &bytes, bytes.count, 0) > 0 {}
    }
}
