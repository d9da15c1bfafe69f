import Foundation
import PresenceKit
import PresenceStorage
import Testing

struct JSONLinesTranscriptStorageTests {
    private static let rows = [
        TranscriptRow(id: "a", role: .user, text: "Hi \"you\"\n", isFinal: true, time: 1_756_540_000.25),
        TranscriptRow(id: "b", role: .agent, text: "Hello", isFinal: true, time: 1_756_540_001),
    ]

    @Test func readsBackWhatItSaved() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/state/history.jsonl"
            #expect(try JSONLinesTranscriptStorage(path: path).load() == LoadedTranscript(rows: []))
            try JSONLinesTranscriptStorage(path: path).save(Self.rows)
            #expect(try JSONLinesTranscriptStorage(path: path).load() == LoadedTranscript(rows: Self.rows))
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test func clearRemovesTheFile() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/history.jsonl"
            let storage = JSONLinesTranscriptStorage(path: path)
            try storage.save(Self.rows)
            try storage.clear()
            #expect(!FileManager.default.fileExists(atPath: path))
            try storage.clear()
            #expect(try storage.load().rows.isEmpty)
        }
    }

    @Test func aFolderInTheFilesPlaceIsNotRemoved() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/history.jsonl"
            let kept = path + "/precious"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try Data().write(to: URL(fileURLWithPath: kept))
            #expect(throws: PresenceStorageError.self) { try JSONLinesTranscriptStorage(path: path).clear() }
            #expect(FileManager.default.fileExists(atPath: kept))
        }
    }

    @Test func anUnreadableFileIsPutAsideAndSaid() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/history.jsonl"
            try Data("{\"id\":\"a\"\n".utf8).write(to: URL(fileURLWithPath: path))
            let storage = JSONLinesTranscriptStorage(path: path)
            let loaded = try storage.load()
            #expect(loaded.rows.isEmpty)
            #expect(loaded.notice?.contains(path + ".unreadable") == true)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".unreadable")) == Data("{\"id\":\"a\"\n".utf8))
            try storage.save(Self.rows)
            #expect(try storage.load().notice == nil)
        }
    }
}
