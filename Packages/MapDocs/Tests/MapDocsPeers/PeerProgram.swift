import Foundation

/// Programs of others that tests compare with, where they are installed.
package enum PeerProgram {
    /// How a program ended, and what it printed.
    package struct Outcome {
        package let status: Int32
        package let output: String
        package let errors: String
    }

    /// Where a program is, or nil when it is not installed.
    package static func path(_ name: String) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Runs a program to its end.
    package static func run(_ name: String, _ arguments: [String]) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path(name) ?? "/nonexistent/\(name)")
        process.arguments = arguments
        let output = Pipe()
        let errorFile = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        _ = FileManager.default.createFile(atPath: errorFile.path, contents: nil)
        defer { try? FileManager.default.removeItem(at: errorFile) }
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errorFile)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let errors = try String(contentsOf: errorFile, encoding: .utf8)
        return Outcome(status: process.terminationStatus, output: text, errors: errors)
    }
}
