import Dispatch
import Foundation
import Synchronization

/// Another program that plays what the proxy serves.
enum PeerProgram {
    struct Outcome: Sendable {
        let status: Int32
        /// What it wrote to both outputs.
        let output: [UInt8]

        var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// Where a program is, `nil` when it is not installed.
    static func path(_ name: String) -> String? {
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "") + ":/usr/sbin"
        let folders: [Substring] = path.split(separator: ":")
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Runs a program to its end, or until the task is cancelled.
    static func run(_ name: String, _ arguments: [String]) async throws -> Outcome {
        let process = Process()
        process.executableURL = URL(filePath: path(name) ?? name)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let identifier = process.processIdentifier
        let reader = pipe.fileHandleForReading
        let running = Mutex(process)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Not on a thread of the tasks, of which there are few.
                DispatchQueue(label: "peer-program").async {
                    let output = (try? reader.readToEnd()) ?? Data()
                    let status = running.withLock { process in
                        process.waitUntilExit()
                        return process.terminationStatus
                    }
                    continuation.resume(returning: Outcome(status: status, output: Array(output)))
                }
            }
        } onCancel: {
            kill(identifier, SIGKILL)
        }
    }
}

/// Gives a test a folder of its own.
func withFolder(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "media-proxy-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(folder)
}
