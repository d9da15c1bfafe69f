import Dispatch
import Foundation
import Synchronization
import TransportHTTP

/// Another program that a test talks to or runs.
final class PeerProgram: Sendable {
    private struct State {
        var output: [UInt8] = []
        var isOver = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let process: Mutex<Process>
    private let input: FileHandle
    private let state = Mutex(State())

    /// Where a program is, `nil` when it is not installed.
    static func path(_ name: String) -> String? {
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "") + ":/usr/sbin"
        let folders: [Substring] = path.split(separator: ":")
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Whether Python can import a module.
    static func hasPythonModule(_ name: String) -> Bool {
        guard let path = path("python3") else { return false }
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = ["-c", "import \(name)"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    /// Starts a program; what it writes to either output is kept.
    init(_ name: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: Self.path(name) ?? name)
        process.arguments = arguments
        let output = Pipe()
        let input = Pipe()
        process.standardOutput = output
        process.standardError = output
        process.standardInput = input
        self.input = input.fileHandleForWriting
        try process.run()
        self.process = Mutex(process)
        let reader = output.fileHandleForReading
        // Not on a global queue, whose few threads are those that Swift's tasks run on.
        DispatchQueue(label: "peer-program").async {
            while true {
                let data = reader.availableData
                let waiters = self.state.withLock { state in
                    state.output += data
                    state.isOver = data.isEmpty
                    defer { state.waiters = [] }
                    return state.waiters
                }
                for waiter in waiters { waiter.resume() }
                if data.isEmpty { return }
            }
        }
    }

    /// Writes to the program's input.
    func write(_ text: String) throws {
        try input.write(contentsOf: Data(text.utf8))
    }

    /// Ends the program's input.
    func endInput() throws {
        try input.close()
    }

    /// What it has written so far.
    var output: String { state.withLock { String(decoding: $0.output, as: UTF8.self) } }

    /// Waits until it has written something, or has ended; returns what it has written.
    ///
    /// Cancelling stops the program.
    @discardableResult
    func wait(for text: String) async -> String {
        await wait { $0.contains(text) }
    }

    /// Waits until what it has written is enough, or it has ended; returns what it has written.
    ///
    /// Cancelling stops the program.
    func wait(until isEnough: @Sendable (String) -> Bool) async -> String {
        await withTaskCancellationHandler {
            await waitUncancelled(until: isEnough)
        } onCancel: {
            stop()
        }
    }

    private func waitUncancelled(until isEnough: @Sendable (String) -> Bool) async -> String {
        while true {
            let (isDone, count) = state.withLock { state in
                (state.isOver || isEnough(String(decoding: state.output, as: UTF8.self)), state.output.count)
            }
            if isDone { return output }
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let isParked = state.withLock { state in
                    if state.isOver || state.output.count != count { return false }
                    state.waiters.append(continuation)
                    return true
                }
                if !isParked { continuation.resume() }
            }
        }
    }

    /// Waits until it has ended by itself; returns what it has written.
    func end() async -> String {
        await wait { _ in false }
    }

    /// Ends it.
    func stop() {
        process.withLock { process in
            // A program may have inherited a mask that keeps milder signals from it.
            if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        }
    }

    /// A port that nothing listens at.
    static func freePort() throws -> Int {
        let listener = try SocketListener(host: "127.0.0.1", port: 0, backlog: 1, group: SocketLoopGroup())
        defer { listener.close() }
        return listener.port
    }
}

/// Gives a test a folder of its own.
func withFolder(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "peers-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(folder)
}
