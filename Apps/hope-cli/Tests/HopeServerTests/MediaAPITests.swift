import Foundation
import HopeServer
import MediaSync
import Testing
import TransportCore
import TransportHTTP

/// What rooms play, and what people change, over the network.
@Suite(.timeLimit(.minutes(2))) struct MediaAPITests {
    /// A library of three songs, and their ids by title.
    private func withSongs(_ body: (MediaCaller, [String: String]) async throws -> Void) async throws {
        try await MediaBench.with { bench in
            for name in ["Blue Moon", "Moonlight", "Été"] { try bench.write("\(name).wav") }
            try await bench.serve { api in
                let ids = try await api.tracks().map { ($0.title, $0.id) }
                try await body(api, Dictionary(uniqueKeysWithValues: ids))
            }
        }
    }

    private func report(_ id: String, at position: Double, ended: Bool = false, ts: Double = 1) -> JSONValue {
        [
            "track_id": .string(id), "position": .number(position), "duration": 60, "playing": .bool(!ended),
            "ended": .bool(ended), "ts": .number(ts),
        ]
    }

    private func expectRefusal(
        _ answer: HTTPResponse,
        _ status: Int,
        _ message: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(answer.status == status, sourceLocation: sourceLocation)
        let error = try JSONValue(parsing: answer.body)["error"]?.stringValue
        #expect(error == message, sourceLocation: sourceLocation)
    }

    // MARK: State and play

    @Test func aRoomBeginsWithNothing() async throws {
        try await withSongs { api, _ in
            let text = try await api.get("state?room=new").text
            #expect(
                text == """
                    {"choices":[],"desired":"stopped","pending":[],"reported":null,"seek_hint":null,\
                    "start_paused":false,"track":null,"volume":null}
                    """
            )
        }
    }

    @Test func everyRoomPlaysItsOwn() async throws {
        try await withSongs { api, ids in
            try await api.post("play", ["track_id": .string(ids["Blue Moon"])])
            try await api.post("play", ["room": "kitchen", "track_id": .string(ids["Été"])])
            let states = try await (api.state(), api.state("kitchen"), api.state("cellar"))
            #expect(states.0.track?.title == "Blue Moon")
            #expect(states.1.track?.title == "Été")
            #expect(states.2.track == nil)
            #expect(states.0.desired == .playing)
        }
    }

    @Test func aTrackHasEverythingToPlayIt() async throws {
        try await withSongs { api, ids in
            let state = try await api.post("play", ["track_id": .string(ids["Blue Moon"])])
            let track = try #require(state.track)
            #expect(track.kind == .file)
            #expect(track.mimeType == "audio/wav")
            let source = try #require(track.audioURL)
            #expect(source.absoluteString.hasPrefix(api.url + "/media/api/stream/"))
            #expect(try await api.get(source.path).body == MediaBench.wave(seconds: 1))
        }
    }

    @Test func aResultsIdPlaysIt() async throws {
        try await withSongs { api, _ in
            let choice = try #require(try await api.search("ete").first)
            #expect(choice.isInLibrary)
            let state = try await api.post("play", ["video_id": .string(choice.id)])
            #expect(state.track?.title == "Été")
        }
    }

    @Test func oneMatchPlaysAndSeveralAreOffered() async throws {
        try await withSongs { api, ids in
            let one = try await api.post("play", ["query": "blue"])
            #expect(one.track?.title == "Blue Moon")
            #expect(one.choices.isEmpty)
            let several = try await api.post("play", ["query": "moon"])
            #expect(several.track?.title == "Blue Moon", "what plays goes on")
            #expect(Set(several.choices.map(\.title)) == ["Blue Moon", "Moonlight"])
            let chosen = try await api.post("play", ["video_id": .string(ids["Moonlight"])])
            #expect(chosen.track?.title == "Moonlight")
            #expect(chosen.choices.isEmpty)
            let none = try await api.send("POST", "play", body: ["query": "tuba"])
            try expectRefusal(none, 404, "nothing in the library matches “tuba”")
        }
    }

    @Test func aTrackBeginsAnewWhenItIsPlayedAgain() async throws {
        try await withSongs { api, ids in
            let wish: JSONValue = ["track_id": .string(ids["Blue Moon"])]
            let first = try #require(try await api.post("play", wish).seekHint)
            let second = try #require(try await api.post("play", wish).seekHint)
            #expect(first.position == 0 && second.position == 0)
            #expect(second.timestamp > first.timestamp)
        }
    }

    @Test func aTrackIsCarriedIntoAConversation() async throws {
        try await withSongs { api, ids in
            let carried = try await api.post(
                "play",
                ["room": "call", "track_id": .string(ids["Blue Moon"]), "start_paused": true]
            )
            #expect(carried.startPaused)
            #expect(carried.seekHint == nil, "it stays where the player has it")
            let state = try await api.post(
                "play",
                ["room": "talk", "track_id": .string(ids["Blue Moon"]), "start_paused": true, "position": 12.5]
            )
            #expect(state.startPaused)
            #expect(state.desired == .playing)
            #expect(state.seekHint?.position == 12.5)
            #expect(try await api.post("control", ["room": "talk", "action": "play"]).startPaused == false)
        }
    }

    // MARK: Control

    @Test func controlChangesWhatIsWanted() async throws {
        try await withSongs { api, ids in
            try await api.post("play", ["track_id": .string(ids["Blue Moon"])])
            #expect(try await api.post("control", ["action": "pause"]).desired == .paused)
            #expect(try await api.post("control", ["action": "play"]).desired == .playing)
            #expect(try await api.post("control", ["action": "volume", "volume": 0.25]).volume == 0.25)
            let stopped = try await api.post("control", ["action": "stop"])
            #expect(stopped.desired == .stopped)
            #expect(stopped.seekHint == nil)
            let again = try await api.post("control", ["action": "play"])
            #expect(again.track?.title == "Blue Moon", "what was stopped can be begun anew")
            #expect(again.seekHint?.position == 0)
        }
    }

    @Test func everySeekIsANewerHint() async throws {
        try await withSongs { api, ids in
            try await api.post("play", ["track_id": .string(ids["Blue Moon"])])
            var hints: [SeekHint] = []
            for position in [10, 20, 20, 5] as [Double] {
                let state = try await api.post("control", ["action": "seek", "position": .number(position)])
                hints.append(try #require(state.seekHint))
            }
            #expect(hints.map(\.position) == [10, 20, 20, 5])
            #expect(zip(hints, hints.dropFirst()).allSatisfy { $0.timestamp < $1.timestamp })
            #expect(try await api.state().seekHint == hints.last)
        }
    }

    @Test(
        arguments: [
            (#"{"action":"dance"}"#, 400, "action must be play, pause, stop, seek or volume"),
            (#"{}"#, 400, "action must be play, pause, stop, seek or volume"),
            (#"{"action":"seek"}"#, 400, "seek needs a position in seconds"),
            (#"{"action":"seek","position":-1}"#, 400, "position must be a number, 0 or more"),
            (#"{"action":"seek","position":"1"}"#, 400, "position must be a number, 0 or more"),
            (#"{"action":"volume"}"#, 400, "volume needs a volume from 0 to 1"),
            (#"{"action":"volume","volume":1.5}"#, 400, "volume must be a number from 0 to 1"),
            (#"{"action":"play"}"#, 409, "nothing is loaded; play a track first"),
            (#"{"action":"pause"}"#, 409, "nothing is loaded; play a track first"),
            (#"{"action":"seek","position":1e999}"#, 400, "position must be a number, 0 or more"),
            (#"{"action":"play","room":7}"#, 400, "room must be a string"),
            (#"{"action":"play","room":""}"#, 400, "room must have 1 to 256 characters"),
            (#"[]"#, 400, "the body must be a JSON object"),
        ]
    )
    func whatCannotBeDoneIsSaid(_ body: String, _ status: Int, _ message: String) async throws {
        try await withSongs { api, _ in
            let answer = try await ask("POST", api.url + "/media/api/control", body: body)
            try expectRefusal(answer, status, message)
        }
    }

    @Test(
        arguments: [
            ("play", "{}", "name a track_id, a video_id or a query to play"),
            ("play", #"{"track_id":5}"#, "track_id must be a string"),
            ("report", "{}", "track_id is missing"),
            ("report", #"{"track_id":"a","position":null,"ts":1}"#, "position is missing"),
            ("report", #"{"track_id":"a","position":1}"#, "ts is missing"),
            ("search", #"{"query":"  "}"#, "query must not be empty"),
            ("search", "{}", "query must not be empty"),
            ("streams", #"{"name":"a"}"#, "url must be http(s)"),
        ]
    )
    func incompleteRequestsAreRefused(_ path: String, _ body: String, _ message: String) async throws {
        try await withSongs { api, _ in
            let answer = try await ask("POST", "\(api.url)/media/api/\(path)", body: body)
            try expectRefusal(answer, 400, message)
        }
    }

    @Test func aTrackThatIsNotThereIsSaidToBe() async throws {
        try await withSongs { api, _ in
            let answer = try await api.send("POST", "play", body: ["track_id": "nope"])
            try expectRefusal(answer, 404, "there is no track “nope” in the library")
        }
    }

    // MARK: Reports

    @Test(arguments: [1e308, 4_000_000_000_000])
    func aReportFromTheFutureIsTakenAsNearlyNow(_ future: Double) async throws {
        try await withSongs { api, ids in
            let id = try #require(ids["Blue Moon"])
            try await api.post("play", ["track_id": .string(id)])
            let now = try #require(try await api.state().seekHint?.timestamp)
            #expect(try await api.send("POST", "report", body: report(id, at: 12, ts: future)).status == 200)
            let taken = try #require(try await api.state().reported)
            #expect(taken.position == 12 && taken.timestamp < now + 60)
            _ = try await api.send("POST", "report", body: report(id, at: 13, ts: now + 100))
            #expect(try await api.state().reported?.position == 13, "others are heard again")
        }
    }

    @Test func whatPlayersReportIsGivenBack() async throws {
        try await withSongs { api, ids in
            let id = try #require(ids["Blue Moon"])
            try await api.post("play", ["track_id": .string(id)])
            #expect(try await api.send("POST", "report", body: report(id, at: 12, ts: 100)).status == 200)
            let state = try await api.state()
            #expect(
                state.reported == ReportedPlayback(trackID: id, position: 12, isPlaying: true, timestamp: 100)
            )
            #expect(state.track?.duration == 60, "a length that only the player knows")
            _ = try await api.send("POST", "report", body: report(id, at: 9, ts: 99))
            #expect(try await api.state().reported?.position == 12, "what was said earlier comes too late")
        }
    }

    @Test func aReportAboutAnotherTrackChangesNothing() async throws {
        try await withSongs { api, ids in
            try await api.post("play", ["track_id": .string(ids["Blue Moon"])])
            let before = try await api.state()
            _ = try await api.send("POST", "report", body: report(try #require(ids["Été"]), at: 60, ended: true))
            #expect(try await api.state() == before)
            _ = try await api.send("POST", "report", body: ["room": "x", "track_id": "y", "position": 1, "ts": 1])
            #expect(try await api.state("x").reported == nil)
        }
    }

    @Test func aTrackThatHasEndedWaitsToBePlayedAgain() async throws {
        try await withSongs { api, ids in
            let id = try #require(ids["Blue Moon"])
            try await api.post("play", ["track_id": .string(id)])
            _ = try await api.send("POST", "report", body: report(id, at: 60, ended: true))
            let ended = try await api.state()
            #expect(ended.track?.id == id)
            #expect(ended.desired == .paused, "a player that comes now does not begin what is over")
            let again = try await api.post("control", ["action": "play"])
            #expect(again.desired == .playing)
            #expect(again.seekHint?.position == 0)
        }
    }

    // MARK: Search

    @Test(
        arguments: [
            ("moon", ["Moonlight", "Blue Moon"]), ("MOON blue", ["Blue Moon"]), ("ete", ["Été"]), ("ÉTÉ", ["Été"]),
            ("blue moon", ["Blue Moon"]), ("wav", []), ("moonlight!", ["Moonlight"]), ("xyz", []), ("!!", []),
        ] as [(String, [String])]
    )
    func wordsAreFoundWithoutCaseAndAccents(_ query: String, _ titles: [String]) async throws {
        try await withSongs { api, _ in
            let found = try await api.search(query)
            #expect(found.map(\.title) == titles)
        }
    }

    // MARK: Streams

    @Test func streamsAreKeptForTheNextStart() async throws {
        try await MediaBench.with { bench in
            try await bench.serve { api in
                let added = try await api.addStream(" Radio\n One ", "  HTTPS://Radio.example/live.m3u8?k=1 ")
                #expect(added.title == "Radio One")
                #expect(added.kind == .stream)
                #expect(added.audioURL?.absoluteString == "https://Radio.example/live.m3u8?k=1")
                let again = try await api.addStream("Radio 1", "https://Radio.example/live.m3u8?k=1")
                #expect(again.id == added.id)
                #expect(try await api.tracks().map(\.title) == ["Radio 1"])
            }
            let file = bench.data.appending(path: "streams.json").path
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600, "an address may hold a key")
            try await bench.serve { api in
                let stream = try #require(try await api.tracks().first)
                #expect(stream.title == "Radio 1")
                let state = try await api.post("play", ["track_id": .string(stream.id)])
                #expect(state.track == stream)
                #expect(state.seekHint == nil)
                let seek = try await api.send("POST", "control", body: ["action": "seek", "position": 1])
                try expectRefusal(seek, 409, "“Radio 1” is a live stream, which cannot be sought in")
                #expect(try await api.get("stream/\(stream.id)").status == 404)
                #expect(try await api.send("DELETE", "tracks/\(stream.id)").status == 200)
                #expect(try await api.state().track == nil, "what has been removed stops")
            }
            try await bench.serve { api in
                let tracks = try await api.tracks()
                #expect(tracks.isEmpty)
            }
        }
    }

    @Test(
        arguments: [
            ("file:///etc/passwd", "url must be http(s)"), ("ftp://a/b", "url must be http(s)"),
            ("radio.example", "url must be http(s)"), ("", "url must be http(s)"),
            ("javascript:alert(1)", "url must be http(s)"),
            ("http://", "url must name a host and have no spaces"),
            ("http://a b/", "url must name a host and have no spaces"),
        ]
    )
    func onlyWebAddressesAreStreams(_ url: String, _ message: String) async throws {
        try await withSongs { api, _ in
            let answer = try await api.send("POST", "streams", body: ["name": "x", "url": .string(url)])
            try expectRefusal(answer, 400, message)
        }
    }

    @Test func aListOfStreamsThatCannotBeReadIsSetAside() async throws {
        try await MediaBench.with { bench in
            try FileManager.default.createDirectory(at: bench.data, withIntermediateDirectories: true)
            let file = bench.data.appending(path: "streams.json")
            try Data("{broken".utf8).write(to: file)
            try await bench.serve { api in
                let notices = try JSONValue(parsing: try await api.get("library").body)["notices"]?.elements
                #expect(notices?.contains { $0.stringValue?.contains("streams.json") == true } == true)
                _ = try await api.addStream("Radio", "http://radio.example/")
            }
            #expect(try String(contentsOf: file.appendingPathExtension("unreadable"), encoding: .utf8) == "{broken")
        }
    }

    // MARK: Guards

    @Test func changesNeedJSONAndOwnPages() async throws {
        try await withSongs { api, _ in
            for path in ["play", "control", "report", "search", "streams"] {
                let url = "\(api.url)/media/api/\(path)"
                let form = try await ask("POST", url, headers: ["Content-Type": "text/plain"], body: "{}")
                try expectRefusal(form, 415, "POST requests need Content-Type: application/json.")
                let page = try await ask("POST", url, headers: ["Origin": "https://evil.example"], body: "{}")
                #expect(page.status == 403)
                #expect(try await ask("GET", url).status == 405)
            }
            let id = try #require(try await api.tracks().first).id
            for headers in [HTTPHeaders(), ["Content-Type": "application/json", "Origin": "null"]] {
                #expect(
                    [403, 415].contains(
                        try await ask("DELETE", "\(api.url)/media/api/tracks/\(id)", headers: headers).status
                    )
                )
            }
            #expect(try await api.tracks().count == 3)
        }
    }

    @Test func bodiesHaveALimit() async throws {
        try await withSongs { api, _ in
            let long = String(repeating: "x", count: 70_000)
            let answer = try await api.send("POST", "search", body: ["query": .string(long)])
            try expectRefusal(answer, 413, "the body must have at most 65536 bytes")
        }
    }

    @Test func offThisMachineCallersProveWhoTheyAre() async throws {
        try await MediaBench.with { bench in
            try bench.write("song.wav")
            try await bench.serve(.none) { configuration in
                configuration.host = "0.0.0.0"
                configuration.serverKey = "0123456789abcdef"
            } _: { api in
                let base = api.url.replacing("0.0.0.0", with: "127.0.0.1") + "/media/api"
                let key: HTTPHeaders = ["Authorization": "Bearer 0123456789abcdef"]
                for path in ["state", "library", "stream/x", "art/x"] {
                    let answer = try await ask("GET", "\(base)/\(path)")
                    #expect(answer.status == 401)
                    #expect(try JSONValue(parsing: answer.body)["error"]?.stringValue != nil)
                }
                #expect(try await ask("GET", "\(base)/state", headers: key).status == 200)
                #expect(try await ask("GET", "\(base)/library?access_token=0123456789abcdef").status == 200)

                let asked = try await ask(
                    "POST",
                    base.replacing("/media/api", with: "/token"),
                    headers: key,
                    body: #"{"room":"mine","identity":"me"}"#
                )
                let token = try #require(try JSONValue(parsing: asked.body)["token"]?.stringValue)
                let own: HTTPHeaders = ["Authorization": "Bearer \(token)"]
                #expect(try await ask("GET", "\(base)/state?room=mine", headers: own).status == 200)
                #expect(try await ask("GET", "\(base)/state?room=default", headers: own).status == 200)
                #expect(try await ask("GET", "\(base)/state?room=theirs", headers: own).status == 403)
                for path in ["play", "control", "report"] {
                    let answer = try await ask(
                        "POST",
                        "\(base)/\(path)",
                        headers: own,
                        body: #"{"room":"theirs","action":"stop","track_id":"x","position":0,"ts":0}"#
                    )
                    #expect(answer.status == 403)
                }
            }
        }
    }

    @Test func withoutMediaThereIsNothing() async throws {
        try await withDevelopmentServer { server in
            let answer = try await ask("GET", server.url + "/media/api/state")
            #expect(answer.status == 404)
        }
    }

    // MARK: Many at once

    @Test func manyChangeARoomAtOnce() async throws {
        try await withSongs { api, ids in
            let id = try #require(ids["Blue Moon"])
            try await api.post("play", ["track_id": .string(id)])
            let hints = try await withThrowingTaskGroup(of: Double?.self) { group in
                for position in 0..<30 {
                    group.addTask {
                        try await api.post("control", ["action": "seek", "position": .integer(position)]).seekHint?
                            .timestamp
                    }
                }
                return try await group.reduce(into: [Double]()) { if let hint = $1 { $0.append(hint) } }
            }
            #expect(hints.count == 30)
            #expect(try await api.state().seekHint?.timestamp == hints.max())
        }
    }
}
