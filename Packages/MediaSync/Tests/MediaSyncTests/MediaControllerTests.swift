import Foundation
import MediaSync
import Synchronization
import Testing
import TransportCore

struct MediaControllerTests {
    // MARK: Asking

    @Test("The state is asked for every 1.5 s while a room is followed or the panel is open, and not else")
    func polling() async throws {
        let bench = try ControllerBench()
        try await bench.run { bench in
            try await bench.pass(10)
            #expect(bench.server.polls.isEmpty)
            await bench.controller.openPanel()
            try await bench.pass(3.1)
            #expect(bench.server.polls.map(\.time) == [.seconds(10), .milliseconds(11500), .seconds(13)])
            await bench.controller.closePanel()
            try await bench.pass(10)
            #expect(bench.server.polls.count == 3)
            await bench.controller.follow(room: "r")
            try await bench.pass(1)
            #expect(bench.server.polls.last?.path == "state?room=r")
            await bench.controller.follow(room: nil)
            try await bench.pass(10)
            #expect(bench.server.polls.dropFirst(4).map(\.path) == ["state?room=default"], "once, to know what to do")
        }
    }

    @Test("Failures are shown and make the pauses longer, up to half a minute; an answer ends both")
    func backOff() async throws {
        let bench = try ControllerBench()
        try await bench.run { bench in
            for _ in 0..<7 { bench.server.fail("state", .gone) }
            await bench.controller.follow(room: "r")
            try await bench.pass(2)
            let words = "Could not read the media state: the server cannot be reached"
            #expect(await bench.controller.snapshot.error?.hasPrefix(words) == true)
            try await bench.pass(137)
            let times = bench.server.polls.map(\.time.inSeconds)
            let pauses = zip(times, times.dropFirst()).map { ($1 - $0) }
            #expect(pauses == [3, 6, 12, 24, 30, 30, 30, 1.5, 1.5])
            #expect(await bench.controller.snapshot.error == nil)
        }
        #expect(bench.errors.count == 1, "the same failure is told once")
    }

    @Test("A room that is left is asked for no more, and its late answer changes nothing")
    func roomLeft() async throws {
        let bench = try ControllerBench()
        try await bench.run { bench in
            bench.server.want(bench.track("a"), in: "one")
            bench.server.want(bench.track("b"), in: "two")
            bench.server.fail("state", .slow(.seconds(9)))
            await bench.controller.follow(room: "one")
            try await bench.pass(1)
            await bench.controller.follow(room: "two")
            try await bench.pass(0.5)
            #expect(bench.server.polls.map(\.path) == ["state?room=one", "state?room=two"])
            try await bench.pass(12)
        }
        #expect(bench.player.names.dropFirst() == ["load b", "stop"])
    }

    // MARK: Reporting

    @Test("What is played in a room is reported to it; once the room has ended nothing more is")
    func endedRoom() async throws {
        let bench = try ControllerBench()
        try await bench.run { bench in
            bench.server.want(bench.track("a"), in: "r")
            await bench.controller.follow(room: "r")
            try await bench.pass(12)
            let before = bench.server.reports.count
            #expect(before == 3)
            #expect(bench.server.reports.allSatisfy { $0.report.room == "r" })
            bench.server.fail("state", .slow(.seconds(8)))
            await bench.controller.follow(room: nil)
            try await bench.pass(20)
            #expect(bench.server.reports.count == before)
        }
    }

    @Test("A room that ends while the proof of who asks is fetched gets no report")
    func endedWhileFetchingToken() async throws {
        let clock = ManualClock()
        let stopwatch = Stopwatch(clock: clock)
        let server = ScriptedMediaServer(stopwatch: stopwatch)
        let track = MediaTrack(id: "a", title: "A", audioURL: URL(string: "http://h/a"))
        server.want(track, in: "r")
        let base = try #require(URL(string: "http://h"))
        let isSlow = Mutex(false)
        let controller = MediaController(
            api: MediaAPI(base: base, client: server) { room in
                if isSlow.withLock({ $0 }) { try await stopwatch.sleep(until: stopwatch.elapsed + .seconds(4)) }
                return ["Authorization": room ?? ""]
            },
            player: VirtualMediaPlayer(stopwatch: stopwatch) { _ in VirtualTrack(duration: 60) },
            stopwatch: stopwatch,
            startedAt: 0
        )
        try await clock.run(until: .seconds(600)) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await controller.run() }
                await controller.follow(room: "r")
                try await stopwatch.sleep(until: .seconds(4))
                #expect(server.reports.count == 1)
                isSlow.withLock { $0 = true }
                try await stopwatch.sleep(until: .seconds(6))
                await controller.follow(room: nil)
                try await stopwatch.sleep(until: .seconds(20))
                #expect(server.reports.count == 1)
                group.cancelAll()
            }
        }
    }

    @Test("A report that cannot be sent is tried again, unless there is a newer one")
    func retries() async throws {
        let bench = try ControllerBench()
        try await bench.run { bench in
            bench.server.want(bench.track("a"))
            bench.server.fail("report", .gone)
            bench.server.fail("report", .status(503, "busy"))
            await bench.controller.openPanel()
            try await bench.pass(0.5)
            await bench.controller.pause()
            try await bench.pass(20)
            let reports = bench.server.reports
            #expect(reports.map(\.report.isPlaying) == [true, false, false])
            #expect(bench.errors.contains("Could not report the playback: busy (HTTP 503)"))
        }
    }

    @Test("The last report on a track is sent before the first on the next")
    func lastReport() async throws {
        let bench = try ControllerBench()
        try await bench.run { bench in
            bench.server.want(bench.track("a"))
            await bench.controller.openPanel()
            try await bench.pass(3)
            bench.server.want(bench.track("b"))
            try await bench.pass(3)
        }
        let reports = bench.server.reports.map(\.report)
        #expect(reports.prefix(3).map(\.trackID) == ["a", "a", "b"])
        #expect(reports.prefix(3).map(\.isPlaying) == [true, false, true])
        #expect(reports[1].position > 2)
        #expect(reports[1].timestamp > ControllerBench.startedAt)
    }

    @Test("A seek is reported once it has landed; starving is neither a pause nor a play")
    func seekAndStarve() async throws {
        var script = VirtualTrack(duration: 300, seekDelay: .milliseconds(400))
        script.starvations = [VirtualTrack.Starvation(at: 101, for: .seconds(3))]
        let bench = try ControllerBench(track: script)
        try await bench.run { bench in
            bench.server.want(bench.track("a"))
            await bench.controller.openPanel()
            try await bench.pass(2)
            await bench.controller.seek(to: 100)
            try await bench.pass(4)
        }
        let reports = bench.server.reports.map(\.report)
        #expect(reports.map(\.isPlaying) == [true, true, false], "play, seek, and the last one")
        #expect(reports[1].position == 100)
    }

    // MARK: What the user does

    @Test("A pause of the user stands while the server has not answered, whatever polls say")
    func optimisticPause() async throws {
        let bench = try ControllerBench()
        try await bench.run { bench in
            bench.server.want(bench.track("a"))
            await bench.controller.openPanel()
            try await bench.pass(2)
            bench.server.fail("control", .slow(.seconds(6)))
            await bench.controller.togglePlayPause()
            try await bench.pass(6)
            #expect(bench.player.snapshot?.phase == .paused)
            await bench.controller.togglePlayPause()
            try await bench.pass(2)
            #expect(bench.player.snapshot?.phase == .playing)
        }
        #expect(bench.player.names.filter { ["play", "pause"].contains($0) } == ["pause", "play"])
    }

    @Test("A pause that the server refuses is shown, and its wish holds again")
    func refusedPause() async throws {
        let bench = try ControllerBench()
        try await bench.run { bench in
            bench.server.want(bench.track("a"))
            await bench.controller.openPanel()
            try await bench.pass(2)
            bench.server.fail("control", .status(403, "not your room"))
            await bench.controller.pause()
            #expect(await bench.controller.snapshot.error == "Could not pause: not your room (HTTP 403)")
            try await bench.pass(3)
            #expect(bench.player.snapshot?.phase == .playing)
            await bench.controller.dismissError()
            #expect(await bench.controller.snapshot.error == nil)
        }
    }

    @Test("Ten seconds on and back, within the track; the server's echo of it does not seek again")
    func skipping() async throws {
        let bench = try ControllerBench()
        try await bench.run { bench in
            bench.server.want(bench.track("a"), .paused, hint: (1, 100))
            await bench.controller.openPanel()
            try await bench.pass(2)
            await bench.controller.skip(by: 10)
            await bench.controller.skip(by: 10)
            await bench.controller.skip(by: -10)
            try await bench.pass(4)
            await bench.controller.seek(to: 900)
            await bench.controller.seek(to: -3)
            await bench.controller.seek(to: .nan)
            try await bench.pass(4)
        }
        let seeks = bench.player.names.filter { $0.hasPrefix("seek") }
        #expect(seeks == ["seek 110", "seek 120", "seek 110", "seek 300", "seek 0"])
        #expect(bench.server.requests("POST control").count == 5)
    }

    @Test("Actions reach the server in the order in which they were done")
    func order() async throws {
        let bench = try ControllerBench()
        try await bench.run { bench in
            bench.server.want(bench.track("a"))
            await bench.controller.openPanel()
            try await bench.pass(2)
            bench.server.fail("control", .slow(.seconds(2)))
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await bench.controller.pause() }
                group.addTask { await bench.controller.play() }
            }
            try await bench.pass(5)
            let most = bench.server.state.withLock { $0.mostInFlight["control"] }
            #expect(most == 1)
            #expect(bench.player.snapshot?.phase == .playing)
        }
        let actions = bench.server.requests("POST control").map { $0.body["action"]?.stringValue }
        #expect(actions == ["pause", "play"])
    }

    @Test("After the end play begins again")
    func playAgain() async throws {
        let bench = try ControllerBench(track: VirtualTrack(duration: 5))
        try await bench.run { bench in
            bench.server.want(bench.track("a", duration: 5))
            await bench.controller.openPanel()
            try await bench.pass(8)
            #expect(bench.player.snapshot?.phase == .ended)
            await bench.controller.togglePlayPause()
            try await bench.pass(1)
            #expect(bench.player.snapshot?.phase == .playing)
        }
    }

    @Test("Stop unloads at once, and play lets the server decide what")
    func stopAndPlay() async throws {
        let bench = try ControllerBench()
        try await bench.run { bench in
            bench.server.want(bench.track("a"))
            await bench.controller.openPanel()
            try await bench.pass(2)
            await bench.controller.stop()
            #expect(await bench.controller.snapshot.playback.item == nil)
            await bench.controller.play()
            try await bench.pass(1)
            #expect(bench.player.snapshot?.phase == .playing)
            await bench.controller.play(.track(id: "nothing"))
            #expect(await bench.controller.snapshot.error == "Could not play: no such track (HTTP 404)")
        }
    }

    @Test("The library is read when the panel opens, and again after adding and removing")
    func library() async throws {
        let bench = try ControllerBench()
        try await bench.run { bench in
            _ = bench.track("a")
            await bench.controller.openPanel()
            #expect(await bench.controller.snapshot.library?.map(\.id) == ["a"])
            #expect(await bench.controller.addStream(name: "Radio", url: " HTTP://radio.example/x "))
            #expect(await bench.controller.snapshot.library?.map(\.title) == ["Title a", "Radio"])
            #expect(await !bench.controller.addStream(name: "x", url: "ftp://x"))
            #expect(await bench.controller.snapshot.error == "Could not add stream: url must be http(s)")
            await bench.controller.remove(trackID: "a")
            #expect(await bench.controller.snapshot.library?.map(\.title) == ["Radio"])
            #expect(await bench.controller.snapshot.error == nil)
            await bench.controller.remove(trackID: "a")
            #expect(await bench.controller.snapshot.error == "Could not remove the track: no such track (HTTP 404)")
        }
    }

    @Test("Only what the newest search finds is shown")
    func searches() async throws {
        let bench = try ControllerBench()
        try await bench.run { bench in
            _ = bench.track("a")
            bench.server.fail("search", .slow(.seconds(5)))
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await bench.controller.search("old") }
                try? await bench.pass(0.1)
                #expect(await bench.controller.snapshot.isSearching)
                bench.server.state.withLock { $0.library = [] }
                await bench.controller.search(" new ")
                #expect(await bench.controller.snapshot.results == [])
            }
            #expect(await bench.controller.snapshot.results == [])
            await bench.controller.search("  ")
            #expect(await bench.controller.snapshot.results == nil)
        }
        #expect(bench.server.requests("POST search").last?.body["query"]?.stringValue == "new")
    }

    @Test("What the player said before it heard of a pause or a seek is neither shown nor reported")
    func staleWords() async throws {
        let bench = try ControllerBench()
        try await bench.run { bench in
            func stale(_ phase: PlayerSnapshot.Phase, _ seconds: Double) {
                let time = bench.stopwatch.elapsed
                let position = PlaybackPosition(seconds: seconds, time: time, isAdvancing: phase == .playing)
                bench.player.say(PlayerSnapshot(load: 1, phase: phase, position: position))
            }
            bench.server.want(bench.track("a"))
            await bench.controller.openPanel()
            try await bench.pass(3)
            bench.server.fail("control", .slow(.milliseconds(10)))
            async let paused: Void = bench.controller.pause()
            stale(.playing, 3)
            await paused
            #expect(await bench.controller.snapshot.playback.item?.phase == .paused)
            async let sought: Void = bench.controller.seek(to: 200)
            stale(.paused, 3)
            await sought
            #expect(await bench.controller.snapshot.playback.item?.position.seconds == 200)
            async let played: Void = bench.controller.play()
            stale(.paused, 200)
            await played
            try await bench.pass(1)
        }
        let reports = bench.server.reports.map(\.report)
        #expect(reports.map(\.isPlaying) == [true, false, false, true, false])
        #expect(reports.map { Int($0.position) } == [0, 2, 200, 200, 201])
    }

    // MARK: Loudness

    @Test("A loudness that was asked for before the user's own does not undo it")
    func lateVolume() async throws {
        let bench = try ControllerBench()
        try await bench.run { bench in
            bench.server.want(bench.track("a"))
            await bench.controller.openPanel()
            try await bench.pass(1)
            bench.server.change { $0.volume = 0.9 }
            bench.server.fail("state", .slow(.seconds(3)))
            try await bench.pass(1)
            await bench.controller.setVolume(0.3)
            try await bench.pass(6)
        }
        #expect(bench.player.names.filter { $0.hasPrefix("volume") } == ["volume 1.0", "volume 0.3"])
    }

    @Test("The loudness comes from the settings; the server's counts when it changes")
    func volume() async throws {
        let bench = try ControllerBench(configuration: MediaControllerConfiguration(volume: 0.4))
        try await bench.run { bench in
            bench.server.want(bench.track("a"))
            bench.server.change { $0.volume = 0.9 }
            await bench.controller.openPanel()
            try await bench.pass(4)
            #expect(await bench.controller.snapshot.volume == 0.4)
            await bench.controller.setVolume(7)
            try await bench.pass(4)
            #expect(bench.server.state.withLock { $0.rooms["default"]?.volume } == 1)
            bench.server.change { $0.volume = 0.2 }
            try await bench.pass(2)
            #expect(await bench.controller.snapshot.volume == 0.2)
        }
        #expect(bench.player.names.filter { $0.hasPrefix("volume") } == ["volume 0.4", "volume 1.0", "volume 0.2"])
    }

    // MARK: Conversations

    @Test("What plays goes into the conversation's room, waits there, and goes on afterwards where it was")
    func talk() async throws {
        let bench = try ControllerBench()
        try await bench.run { bench in
            bench.server.want(bench.track("a"))
            await bench.controller.openPanel()
            try await bench.pass(10)
            await bench.controller.beginTalk(in: "talk")
            let carried = try #require(bench.server.requests("POST play").last)
            #expect(
                carried.body.text == #"{"room":"talk","track_id":"a","position":9.9,"start_paused":true}"#
            )
            try await bench.pass(10)
            #expect(bench.player.snapshot?.phase == .paused)
            await bench.controller.endTalk()
            try await bench.pass(2)
            #expect(bench.player.snapshot?.phase == .playing)
            #expect(await !bench.controller.wasPlayingBeforeTalk)
        }
        let loads = bench.player.names.filter { $0.hasPrefix("load") }
        #expect(loads == ["load a"], "it is the same load all the time")
        #expect(!bench.player.names.contains { $0.hasPrefix("seek") }, "the room's hint is where it is already")
        let positions = bench.server.reports.map(\.report.position)
        #expect(positions == positions.sorted())
    }

    @Test("What somebody starts in the conversation plays, and what played before comes back where it was")
    func playInTalk() async throws {
        let bench = try ControllerBench()
        try await bench.run { bench in
            bench.server.want(bench.track("a"))
            await bench.controller.openPanel()
            try await bench.pass(10)
            await bench.controller.beginTalk(in: "talk")
            try await bench.pass(3)
            bench.server.want(bench.track("b"), in: "talk")
            try await bench.pass(8)
            #expect(bench.player.snapshot?.phase == .playing)
            #expect(bench.server.reports.last?.report.room == "talk")
            #expect(bench.server.reports.last?.report.trackID == "b")
            await bench.controller.endTalk()
            try await bench.pass(2)
            let position = try #require(bench.player.snapshot?.position?.seconds)
            #expect(position > 9 && position < 13)
        }
        #expect(bench.player.names.filter { $0.hasPrefix("load") } == ["load a", "load b", "load a"])
    }

    @Test("The carried track starts when the room no longer lets it wait, or when the user plays it")
    func startCarried() async throws {
        for byUser in [false, true] {
            let bench = try ControllerBench()
            try await bench.run { bench in
                bench.server.want(bench.track("a"))
                await bench.controller.openPanel()
                try await bench.pass(5)
                await bench.controller.beginTalk(in: "talk")
                try await bench.pass(3)
                if byUser {
                    await bench.controller.play()
                } else {
                    bench.server.change("talk") { $0.startPaused = false }
                }
                try await bench.pass(3)
                #expect(bench.player.snapshot?.phase == .playing)
            }
        }
    }

    @Test("A room that cannot take the track leaves it to come back afterwards")
    func carryFails() async throws {
        let bench = try ControllerBench()
        try await bench.run { bench in
            bench.server.want(bench.track("a"))
            await bench.controller.openPanel()
            try await bench.pass(10)
            bench.server.fail("play", .status(500, "no"))
            await bench.controller.beginTalk(in: "talk")
            try await bench.pass(5)
            #expect(bench.player.names.last == "stop")
            await bench.controller.endTalk()
            try await bench.pass(2)
            #expect(bench.player.snapshot?.phase == .playing)
            #expect(try #require(bench.player.snapshot?.position?.seconds) > 9)
        }
    }

    // MARK: Telling the room

    @Test("The room is told what plays when that changes, and nothing once it has ended")
    func publishing() async throws {
        let bench = try ControllerBench()
        try await bench.run { bench in
            bench.server.want(bench.track("a"), in: "r")
            await bench.controller.follow(room: "r")
            try await bench.pass(4)
            await bench.controller.seek(to: 50)
            try await bench.pass(1)
            await bench.controller.pause()
            try await bench.pass(1)
            await bench.controller.follow(room: nil)
            bench.server.want(bench.track("b"))
            try await bench.pass(5)
        }
        #expect(bench.room.all.allSatisfy { $0.room == "r" })
        let lines = bench.room.all.map(\.json)
        #expect(lines.count == 4)
        #expect(
            lines.first == #"{"type":"media_state","track_id":"a","title":"Title a","playing":false,"position":0}"#
        )
        #expect(lines[1].contains(#""playing":true"#))
        #expect(lines[2].contains(#""playing":true,"position":50"#))
        #expect(lines[3].contains(#""playing":false,"position":51"#))
    }

    // MARK: The player

    @Test("The player is given the address that the resolver makes of the server's")
    func resolver() async throws {
        let asked = Mutex<[String]>([])
        let bench = try ControllerBench(resolve: { source, track in
            asked.withLock { $0.append("\(source) \(track.id) \(track.mimeType ?? "") \(track.kind)") }
            return source.deletingLastPathComponent().appending(path: "proxied")
        })
        bench.scripts["a"] = VirtualTrack(duration: 1, fault: .unreachable)
        try await bench.run { bench in
            bench.server.want(bench.track("a"))
            await bench.controller.openPanel()
            try await bench.pass(4)
            #expect(bench.player.snapshot?.phase == .playing)
        }
        #expect(asked.withLock { $0 } == ["http://hope.test/media/api/stream/a a audio/mp4 file"])
    }

    @Test("A resolver that fails is an error of that track, not tried again until its address changes")
    func resolverFails() async throws {
        let bench = try ControllerBench(resolve: { source, _ in
            if source.query() == nil { throw TransportError(.unreachable) }
            return source
        })
        try await bench.run { bench in
            var track = bench.track("a")
            bench.server.want(track)
            await bench.controller.openPanel()
            try await bench.pass(6)
            #expect(await bench.controller.snapshot.error?.hasPrefix("Could not open the track: ") == true)
            track.audioURL = URL(string: "http://hope.test/media/api/stream/a?2")
            bench.server.want(track)
            try await bench.pass(3)
            #expect(bench.player.snapshot?.phase == .playing)
        }
        #expect(bench.errors.count == 1)
    }

    @Test("An address that is late is wired; one that is signed anew is left alone until the old one fails")
    func addresses() async throws {
        let bench = try ControllerBench()
        bench.scripts["a"] = VirtualTrack(duration: 300, fault: .breaksOff(at: 8))
        try await bench.run { bench in
            var track = bench.track("a")
            let url = track.audioURL
            track.audioURL = nil
            bench.server.want(track)
            await bench.controller.openPanel()
            try await bench.pass(3)
            track.audioURL = url
            bench.server.want(track)
            try await bench.pass(4)
            track.audioURL = URL(string: "http://hope.test/media/api/stream/other")
            bench.server.want(track)
            try await bench.pass(3)
            #expect(bench.player.snapshot?.position?.seconds ?? 0 > 4)
            try await bench.pass(6)
            #expect(bench.player.snapshot?.phase == .playing)
            #expect(bench.player.snapshot?.position?.seconds ?? 0 > 8, "it goes on where it broke off")
        }
        #expect(bench.player.names.dropFirst() == ["load a", "wire", "load a", "stop"])
    }

    @Test("A player that dies is an error with its words, and the controller lives on")
    func death() async throws {
        let bench = try ControllerBench()
        try await bench.run { bench in
            bench.server.want(bench.track("a"))
            await bench.controller.openPanel()
            try await bench.pass(3)
            bench.player.base.die()
            try await bench.pass(3)
            #expect(await bench.controller.snapshot.error?.contains("The player has ended") == true)
            #expect(bench.server.reports.last?.report.isPlaying == false)
            bench.server.want(bench.track("b"))
            try await bench.pass(3)
            #expect(bench.server.polls.count > 4)
        }
        #expect(bench.errors.count == 2)
    }

    // MARK: Events and the end

    @Test("Events are lines of JSON with the time, without addresses")
    func eventLines() async throws {
        let bench = try ControllerBench(formats: .avPlayer)
        try await bench.run { bench in
            bench.server.want(bench.track("a"), hint: (5, 40))
            await bench.controller.openPanel()
            try await bench.pass(1)
            await bench.controller.pause()
            bench.server.want(bench.track("w", mimeType: "audio/webm"))
            try await bench.pass(2)
        }
        let lines = bench.events.map(\.json.text)
        #expect(
            lines.prefix(3) == [
                #"{"t":0.02,"command":{"name":"load","track_id":"a","position":40,"paused":false,"load":1}}"#,
                #"{"t":0.02,"player":{"position":null,"state":"loading","load":1,"duration":null}}"#,
                #"{"t":0.12,"player":{"position":40,"state":"playing","load":1,"duration":300}}"#,
            ]
        )
        #expect(
            lines.contains(
                #"{"t":0.12,"report":{"room":"default","track_id":"a","position":40,"duration":300,"playing":true,"#
                    + #""ended":false,"ts":1795960000.12}}"#
            )
        )
        #expect(lines.contains { $0.hasPrefix(#"{"t":1.5"#) && $0.contains(#""error":"“Title w” is a WebM file"#) })
        #expect(lines.contains { $0.contains(#""name":"reject","track_id":"w","mime":"audio/webm""#) })
        #expect(lines.allSatisfy { !$0.contains("http") })
    }

    @Test("Closing sends the last report, stops the player and ends the streams")
    func closing() async throws {
        let bench = try ControllerBench()
        try await bench.run { bench in
            bench.server.want(bench.track("a"))
            await bench.controller.openPanel()
            try await bench.pass(3)
            let snapshots = await bench.controller.snapshots()
            await bench.controller.close()
            #expect(bench.player.names.last == "stop")
            #expect(bench.server.reports.last?.report.isPlaying == false)
            var count = 0
            for await _ in snapshots { count += 1 }
            #expect(count == 1)
            for await _ in bench.controller.events() { Issue.record("an event after the end") }
            let requests = bench.server.received.count
            await bench.controller.play()
            await bench.controller.close()
            await bench.controller.run()
            #expect(bench.server.received.count == requests)
        }
    }

    @Test("A controller whose task is cancelled ends at once, one that was never run closes")
    func cancelling() async throws {
        let bench = try ControllerBench()
        try await bench.clock.run(until: .seconds(60)) {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await bench.controller.run() }
                await bench.controller.follow(room: "r")
                try? await bench.pass(5)
                group.cancelAll()
            }
            for await _ in await bench.controller.snapshots() {}
        }
        try await ControllerBench().controller.close()
    }

    @Test("The same course gives the same events, byte for byte")
    func determinism() async throws {
        var runs: [[String]] = []
        for _ in 0..<2 {
            let bench = try ControllerBench()
            try await bench.run { bench in
                bench.server.state.withLock { $0.random = SeededRandom(seed: 7) }
                bench.server.want(bench.track("a"))
                await bench.controller.openPanel()
                try await bench.pass(20)
                await bench.controller.beginTalk(in: "talk")
                try await bench.pass(20)
                await bench.controller.endTalk()
                try await bench.pass(20)
            }
            runs.append(bench.events.map(\.json.text))
        }
        #expect(runs[0] == runs[1])
        #expect(runs[0].count > 20)
    }
}
