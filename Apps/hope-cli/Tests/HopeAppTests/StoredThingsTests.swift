import Foundation
import HopeApp
import PresenceKit
import Testing

@Suite struct StoredThingsTests {
    @Test func settingsAreListedAndSet() async throws {
        let settings = InMemorySettingsStorage()
        let set = try await ToolRun(["settings", "set", "text_mode", "on"], settings: settings)
        #expect(set.status == 0, "\(set.messages)")
        let list = try await ToolRun(["settings", "list", "--json"], settings: settings)
        let values = try #require(list.objects().first?["settings"] as? [String: Any])
        #expect(values["text_mode"] as? Bool == true)
        #expect(values["voice"] as? String == "en-US-Ava:DragonHDOmniLatestNeural")
        #expect(values["server_url"] is NSNull)
        let get = try await ToolRun(["settings", "get", "voice"], settings: settings)
        #expect(get.output == "en-US-Ava:DragonHDOmniLatestNeural\n")
    }

    @Test(
        arguments: [
            (["settings", "set", "voice", "nobody"], 2), (["settings", "set", "volume", "2"], 2),
            (["settings", "set", "server_url", "ftp://x"], 2), (["settings", "get", "voise"], 4), (["settings"], 2),
        ] as [([String], Int32)]
    )
    func settingsThatCannotBeAreRefused(words: [String], status: Int32) async throws {
        #expect(try await ToolRun(words).status == status)
    }

    @Test func transcriptsAreListedExportedAndCleared() async throws {
        let transcripts = InMemoryTranscriptStorage()
        transcripts.save([
            TranscriptRow(id: "a", role: .user, text: "Where does jazz come from?", isFinal: true, time: 1_756_540_001),
            TranscriptRow(id: "b", role: .agent, text: "From New Orleans.", isFinal: true, time: 1_756_540_004),
        ])
        let list = try await ToolRun(["transcript", "list", "--json"], transcripts: transcripts)
        let rows = try #require(list.objects().first?["rows"] as? [[String: Any]])
        #expect(rows.map { $0["text"] as? String } == ["Where does jazz come from?", "From New Orleans."])
        let subtitles = try await ToolRun(["transcript", "export", "--format", "vtt"], transcripts: transcripts)
        #expect(subtitles.output.hasPrefix("WEBVTT\n\n1\n00:00:00.000 --> "))
        #expect(try await ToolRun(["transcript", "clear"], transcripts: transcripts).status == 0)
        let empty = try await ToolRun(["transcript", "list", "--json"], transcripts: transcripts)
        #expect(empty.lines == [#"{"rows":[]}"#])
    }

    @Test func tasksAreShownAsOneObject() async throws {
        let path = ReplayCommandTests.recordings.appendingPathComponent("tasks.jsonl").path
        let run = try await ToolRun("tasks", "show", path, "--json")
        #expect(run.status == 0)
        let object = try #require(run.objects().first)
        #expect(object["badge"] as? Int == 1)
        let tasks = try #require(object["tasks"] as? [[String: Any]])
        #expect(Set(tasks.compactMap { $0["status"] as? String }) == ["completed", "failed", "canceled", "running"])
        #expect(run.messages.contains("Line"))
    }

    @Test(arguments: [("/dev/null", Int32(0)), ("/nowhere/tasks.jsonl", 4), ("/", 1)])
    func aJournalThatIsNoneHasAnExitStatus(path: String, status: Int32) async throws {
        #expect(try await ToolRun("tasks", "show", path, "--json").status == status)
    }

    @Test func pluginsSayWhatTheyNeed() async throws {
        let run = try await ToolRun("plugins", "--json")
        let plugins = try #require(run.objects().first?["plugins"] as? [[String: Any]])
        let microphone = try #require(plugins.first { $0["name"] as? String == "mic" })
        #expect(microphone["available"] as? Bool == false, "there is no PATH in this world")
        #expect((microphone["needs"] as? String)?.contains("arecord") == true)
        #expect(plugins.allSatisfy { Set($0.keys) == ["seam", "name", "scheme", "needs", "available"] })
    }
}
