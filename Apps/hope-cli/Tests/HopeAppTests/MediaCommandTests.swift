import Foundation
import HopeApp
import Testing

/// The media commands that ask once, against the server inside the process.
@Suite struct MediaCommandTests {
    private func object(_ run: ToolRun) throws -> [String: Any] {
        try #require(try run.objects().first)
    }

    private func trackID(_ title: String) async throws -> String {
        let tracks = try object(try await ToolRun("media", "library", "--json"))["tracks"] as? [[String: Any]]
        return try #require(tracks?.first { $0["title"] as? String == title }?["id"] as? String)
    }

    @Test func theLibraryIsATableOrOneObject() async throws {
        let table = try await ToolRun("media", "library")
        #expect(table.lines.count == 4)
        #expect(table.lines.first?.hasPrefix("ID ") == true)
        #expect(
            table.lines.contains { $0.contains("  0:24    Jazz Walk    Hope Samples  audio/wav") },
            "\(table.output)"
        )
        let tracks = try #require(
            try object(try await ToolRun("media", "library", "--json"))["tracks"] as? [[String: Any]]
        )
        #expect(
            tracks.allSatisfy {
                Set($0.keys) == ["id", "title", "channel", "duration", "art", "audio_url", "mime", "kind"]
            }
        )
    }

    @Test func theStateHasEveryFieldWithNullForNothing() async throws {
        let state = try object(try await ToolRun("media", "state", "--json"))
        #expect(
            Set(state.keys) == [
                "track", "desired", "seek_hint", "start_paused", "pending", "choices", "reported", "volume",
            ]
        )
        #expect(state["track"] is NSNull)
        #expect(state["desired"] as? String == "stopped")
    }

    @Test func playingByIdAndByWordsGivesTheState() async throws {
        let id = try await trackID("River Blues")
        for words in [["media", "play", id], ["media", "play", "--query", "river"]] {
            let run = try await ToolRun(words + ["--json"])
            #expect(run.status == 0, "\(run.messages)")
            let state = try object(run)
            #expect((state["track"] as? [String: Any])?["id"] as? String == id)
            #expect(state["desired"] as? String == "playing")
        }
    }

    @Test func severalThatFitAreOffered() async throws {
        let run = try await ToolRun("media", "play", "--query", "jazz", "--json")
        let choices = try #require(try object(run)["choices"] as? [[String: Any]])
        #expect(choices.map { $0["title"] as? String } == ["Jazz Walk", "Slow Jazz"])
        #expect(try await ToolRun("media", "play", "--query", "jazz").output.contains("hope media play ID plays one"))
    }

    @Test func searchFindsWordsInAnyCase() async throws {
        let run = try await ToolRun("media", "search", "BLUES", "river", "--json")
        let results = try #require(try object(run)["results"] as? [[String: Any]])
        #expect(results.map { $0["title"] as? String } == ["River Blues"])
        #expect(Set(results[0].keys) == ["id", "title", "channel", "duration", "art", "in_library"])
        #expect(try await ToolRun("media", "search", "tuba").output == "Nothing found.\n")
    }

    @Test(
        arguments: [
            (["media"], 2), (["media", "play", "nosuch"], 4), (["media", "play", "a", "--query", "b"], 2),
            (["media", "pause"], 1), (["media", "seek", "soon"], 2), (["media", "seek", "1:75"], 2),
            (["media", "seek", "+10"], 1), (["media", "volume", "1.5"], 2), (["media", "search", " "], 2),
            (["media", "remove", "nosuch"], 4), (["media", "add-stream", "Radio", "ftp://radio.example"], 2),
            (["media", "library", "--library", "/nowhere"], 4),
            (["media", "library", "--library", "/nowhere", "--server", "http://127.0.0.1:1"], 2),
            (["media", "follow", "--player", "gramophone"], 2), (["media", "follow", "--player", "fake:x"], 2),
            (["media", "follow", "--player", "fake", "--script", "/nowhere"], 4),
            (["media", "proxy", "nosuch"], 4), (["demo", "--fast", "--player", "mpv"], 2),
        ] as [([String], Int32)]
    )
    func whatCannotBeHasAnExitStatus(words: [String], status: Int32) async throws {
        let run = try await ToolRun(words)
        #expect(run.status == status, "\(run.messages)")
        #expect(status == 0 || run.messages.hasPrefix("hope: "))
    }

    @Test func anErrorNamesTheActionFirst() async throws {
        let run = try await ToolRun("media", "add-stream", "Radio", "ftp://radio.example", "--json")
        let error = try #require(try object(run)["error"] as? [String: String])
        #expect(error["message"] == "Could not add stream: url must be http(s)")
        #expect(error["code"] == "usage")
    }

    @Test func aTrackIsRemovedByItsId() async throws {
        let id = try await trackID("Slow Jazz")
        #expect(try await ToolRun("media", "remove", id).output == "Removed “Slow Jazz” from the library.\n")
    }

    @Test func theVolumeIsANumberOrAPercentage() async throws {
        for words in ["80%", "0.8"] {
            let run = try await ToolRun("media", "volume", words, "--json")
            #expect(try object(run)["volume"] as? Double == 0.8)
        }
    }

    @Test func pluginsListThePlayers() async throws {
        let run = try await ToolRun("plugins", "--json")
        let plugins = try #require(try object(run)["plugins"] as? [[String: Any]])
        let players = plugins.filter { $0["seam"] as? String == "MediaPlayer" }
        #expect(players.map { $0["name"] as? String } == ["fake", "mpv"])
        #expect(players[0]["available"] as? Bool == true)
        #expect(players[1]["needs"] as? String == "mpv")
    }

    // MARK: In a conversation

    @Test func aTalkPlaysWhatIsAskedForAndTellsTheRoom() async throws {
        let run = try await ToolRun("talk", "--say", "Play Jazz Walk", "--for", "9s", "--player", "fake", "--json")
        #expect(run.status == 0, "\(run.messages)")
        let media = try run.objects().compactMap { $0["media"] as? [String: Any] }
        #expect(media.map { $0["title"] as? String } == ["Jazz Walk", "Jazz Walk"])
        #expect(media.map { $0["playing"] as? Bool } == [false, true])
        #expect(media.allSatisfy { Set($0.keys) == ["track_id", "title", "playing", "position"] })
        #expect(run.output.contains("Playing Jazz Walk."))
    }

    @Test func aTalkOffersWhatSeveralTracksFit() async throws {
        let run = try await ToolRun("talk", "--say", "Play jazz", "--for", "6s", "--player", "fake")
        #expect(run.status == 0, "\(run.messages)")
        #expect(run.output.contains("Hope: I found Jazz Walk, Slow Jazz. Which one?"), "\(run.output)")
        #expect(run.output.contains("Media: choose Jazz Walk (0:24), Slow Jazz (0:24)"), "\(run.output)")
        #expect(!run.output.contains("playing at"))
    }

    @Test func aRecordedTalkWithMusicReplaysTheSame() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("talk.jsonl").path
            let talk = try await ToolRun(
                ["talk", "--say", "Play River Blues", "--for", "8s", "--player", "fake", "--json", "--record", file]
            )
            let replay = try await ToolRun("replay", file, "--json")
            func media(_ run: ToolRun) -> [String] { run.lines.filter { $0.contains(#""media":"#) } }
            #expect(media(talk).count == 2)
            #expect(media(talk) == media(replay))
            let summary = try #require(try replay.objects().last?["summary"] as? [String: Any])
            #expect((summary["differences"] as? [String])?.isEmpty == true)
        }
    }
}
