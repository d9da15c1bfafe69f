import Foundation
import HopeApp
import PresenceKit
import Synchronization
import TransportCore

/// One command line run inside the test's process, on virtual time, with everything it printed.
struct ToolRun {
    let status: Int32
    let output: String
    let messages: String

    /// The lines of standard output.
    var lines: [String] { output.split(separator: "\n").map(String.init) }

    /// The lines of standard output as JSON objects.
    func objects() throws -> [[String: Any]] {
        try lines.map { try Self.object($0) }
    }

    static func object(_ line: String) throws -> [String: Any] {
        let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
        guard let object = value as? [String: Any] else { throw CocoaError(.propertyListReadCorrupt) }
        return object
    }

    init(_ arguments: String..., environment: [String: String] = [:]) async throws {
        try await self.init(arguments, environment: environment)
    }

    init(
        _ arguments: [String],
        tool: HopeTool = .hope(),
        environment: [String: String] = [:],
        samples: URL = Self.samples,
        settings: any SettingsStorage = InMemorySettingsStorage(),
        transcripts: any TranscriptStorage = InMemoryTranscriptStorage(),
        maps: MapBackends = .inMemory
    ) async throws {
        let data = Capture()
        let messages = Capture()
        let clock = ManualClock()
        let world = HopeWorld(
            environment: environment,
            output: CommandOutput(data: { data.append($0) }, messages: { messages.append($0) }),
            terminal: nil,
            clock: clock,
            plugins: .standard,
            samples: samples,
            timeOfDay: { 1_756_540_000 },
            settings: settings,
            transcripts: transcripts,
            maps: maps
        )
        status = try await clock.run { await tool.run(arguments, in: world) }
        output = data.text
        self.messages = messages.text
    }

    /// The package's own folder.
    static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    static let samples = package.appendingPathComponent("Sources/HopeApp/Samples")

    private final class Capture: Sendable {
        private let bytes = Mutex<[UInt8]>([])

        func append(_ more: [UInt8]) {
            bytes.withLock { $0 += more }
        }

        var text: String {
            String(decoding: bytes.withLock { $0 }, as: UTF8.self)
        }
    }
}

/// A folder that lasts as long as the body.
func withTemporaryFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hope-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}
