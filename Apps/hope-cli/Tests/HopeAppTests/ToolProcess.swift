import Foundation
import Synchronization

/// The tool as a process of its own, with folders of its own for what it keeps.
final class ToolProcess: Sendable {
    private let process: Process
    private let output = Pipe()

    /// Starts the tool that was built beside this test.
    ///
    /// - Parameters:
    ///   - arguments: What stands behind the tool's name.
    ///   - home: Where it keeps settings and keys.
    ///   - path: Where it finds other programs; none by default.
    ///   - outlivesTerminal: Whether it is started as `nohup` starts programs.
    /// - Throws: What starting a process throws.
    init(_ arguments: [String], home: URL, path: String? = nil, outlivesTerminal: Bool = false) throws {
        process = Process()
        process.executableURL = URL(fileURLWithPath: outlivesTerminal ? "/bin/sh" : PseudoTerminal.toolPath)
        let shell = ["-c", "trap '' HUP; exec \"$0\" \"$@\"", PseudoTerminal.toolPath]
        process.arguments = outlivesTerminal ? shell + arguments : arguments
        process.environment = [
            "HOME": home.path, "XDG_CONFIG_HOME": home.path + "/config", "XDG_DATA_HOME": home.path + "/data",
        ]
        if let path { process.environment?["PATH"] = path }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// Its first line of output; empty when it ended without one.
    func firstLine() -> String {
        var line = Data()
        while let byte = try? output.fileHandleForReading.read(upToCount: 1), let value = byte.first, value != 0x0A {
            line.append(value)
        }
        return String(decoding: line, as: UTF8.self)
    }

    /// Reads to its end.
    ///
    /// - Returns: The lines that it printed, and its exit status.
    func finish() -> (lines: [String], status: Int32) {
        let data = (try? output.fileHandleForReading.readToEnd()) ?? Data()
        process.waitUntilExit()
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
        return (lines, process.terminationStatus)
    }

    func send(_ signal: Int32) {
        kill(process.processIdentifier, signal)
    }
}
