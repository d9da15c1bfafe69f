import Foundation
import PresenceAudio
import PresenceKit
import Testing

@Suite struct AudioFileReaderTests {
    @Test func readsWindowsOfAFile() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/voice.wav"
            let writer = WAVWriter(samples: .integers(bits: 16), channelCount: 2, sampleRate: 8_000)
            try Data(writer.file([Double](repeating: 0.5, count: 2 * 2_050))).write(to: URL(fileURLWithPath: path))
            let reader = try AudioFileReader(path: path)
            var readings: [LevelReading] = []
            while let windows = try reader.nextWindows() { readings += windows }
            #expect(readings.map(\.level) == [0.5, 0.5, 0.5])
            #expect(readings.map(\.frameCount) == [800, 800, 450])
            #expect(reader.format == (try AudioFormat(sampleRate: 8_000, channelCount: 2)))
            #expect(reader.frameCount == 2_050)
            #expect(reader.shortfall == nil)
            #expect(try reader.nextWindows() == nil)
        }
    }

    @Test func readsAPipeAndSaysWhatIsMissing() throws {
        let pipe = Pipe()
        let file = WAVWriter(samples: .integers(bits: 16), cut: 100).file(tone(1_000))
        try pipe.fileHandleForWriting.write(contentsOf: Data(file))
        try pipe.fileHandleForWriting.close()
        let reader = AudioFileReader(descriptor: pipe.fileHandleForReading.fileDescriptor, name: "The pipe")
        var count = 0
        while try reader.readFrames({ count += $0.count }) {}
        #expect(count == 950)
        #expect(
            reader.shortfall?.message
                == "The pipe ends after 1900 of 2000 bytes of samples; the 950 whole frames are used"
        )
    }

    @Test func readsRawSamples() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/voice.pcm"
            try Data([UInt8](repeating: 0x40, count: 2_401)).write(to: URL(fileURLWithPath: path))
            let format = try AudioFormat(sampleRate: 8_000, channelCount: 1, encoding: .s24le)
            let reader = try AudioFileReader(path: path, container: .pcm(format))
            #expect(try reader.nextWindows()?.count == 1)
            #expect(try reader.nextWindows() == nil)
            #expect(reader.shortfall?.code == .truncated)
        }
    }

    @Test func namesWhatCannotBeOpened() throws {
        let missing = #expect(throws: AudioLevelSourceError.self) { try AudioFileReader(path: "/no/such/voice.wav") }
        #expect(missing?.code == .deviceMissing)
        #expect(missing?.message == "/no/such/voice.wav does not exist; check its path")
        let folder = try AudioFileReader(path: "/")
        let error = #expect(throws: AudioLevelSourceError.self) { try folder.nextWindows() }
        #expect(error?.message == "/ is a folder; name a file in it")
    }
}

/// Lends a folder that is removed afterwards.
func withTemporaryFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("presence-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder.path)
}

/// Lends a folder that is removed afterwards, to a body that waits.
func withTemporaryFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("presence-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder.path)
}
