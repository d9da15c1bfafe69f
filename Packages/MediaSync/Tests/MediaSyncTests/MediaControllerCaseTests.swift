import Foundation
import MediaSync
import Synchronization
import Testing
import TransportCore

/// What media players got wrong in the field, each with the right outcome.
struct MediaControllerCaseTests {
    @Test("M1: what was paused before a conversation stays paused after it", arguments: [false, true])
    func pausedBeforeTalk(serverIgnoresStartPaused: Bool) async throws {
        let bench = try ControllerBench()
        try await bench.run { bench in
            bench.server.state.withLock { $0.ignoresStartPaused = serverIgnoresStartPaused }
            bench.server.want(bench.track("a"), .paused)
            await bench.controller.openPanel()
            try await bench.pass(2)
            await bench.controller.beginTalk(in: "talk")
            #expect(await !bench.controller.wasPlayingBeforeTalk)
            try await bench.pass(10)
            await bench.controller.endTalk()
            try await bench.pass(10)
        }
        #expect(!bench.player.names.contains("play"))
        #expect(bench.player.names.filter { $0.hasPrefix("load") } == ["load a paused"])
    }

    @Test("M2: what the user pauses during a conversation stays paused after it, with one pause report")
    func pausedDuringTalk() async throws {
        let bench = try ControllerBench()
        try await bench.run { bench in
            bench.server.want(bench.track("a"))
            await bench.controller.openPanel()
            try await bench.pass(7)
            await bench.controller.beginTalk(in: "talk")
            #expect(await bench.controller.wasPlayingBeforeTalk)
            try await bench.pass(3)
            await bench.controller.pause()
            try await bench.pass(3)
            await bench.controller.endTalk()
            try await bench.pass(20)
            #expect(bench.player.snapshot?.phase == .paused)
            #expect(bench.server.reports.filter { !$0.report.isPlaying }.count == 1)
        }
        #expect(!bench.player.names.contains("play"))
    }

    @Test("M3: what the player says of an earlier load is not reported for the present one")
    func earlierLoad() async throws {
        let bench = try ControllerBench()
        try await bench.run { bench in
            bench.server.want(bench.track("a"))
            await bench.controller.openPanel()
            try await bench.pass(3)
            bench.server.want(bench.track("b"))
            try await bench.pass(2)
            for _ in 0..<20 {
                let position = PlaybackPosition(seconds: 290, time: bench.stopwatch.elapsed, isAdvancing: true)
                bench.player.say(PlayerSnapshot(load: 1, phase: .playing, position: position))
                bench.player.say(PlayerSnapshot(load: 1, phase: .ended, position: position))
                try await bench.pass(0.5)
            }
        }
        let reports = bench.server.reports.map(\.report).filter { $0.trackID == "b" }
        #expect(reports.count >= 2)
        #expect(reports.allSatisfy { $0.position < 20 && !$0.hasEnded })
    }

    @Test("M4: a position that the player does not know is never reported as 0")
    func unknownPosition() async throws {
        let bench = try ControllerBench(track: VirtualTrack(duration: 300, positionDelay: .milliseconds(700)))
        try await bench.run { bench in
            bench.server.want(bench.track("a"), hint: (1, 118))
            await bench.controller.openPanel()
            try await bench.pass(3)
            await bench.controller.pause()
            try await bench.pass(2)
            await bench.controller.play()
            try await bench.pass(12)
        }
        let reports = bench.server.reports.map(\.report)
        #expect(reports.count >= 4)
        #expect(reports.allSatisfy { $0.position >= 118 }, "\(reports.map(\.position))")
    }

    @Test("M5: seek hints in quick succession are followed once each and end at the last")
    func seekHints() async throws {
        let bench = try ControllerBench(
            configuration: MediaControllerConfiguration(pollInterval: .milliseconds(100)),
            track: VirtualTrack(duration: 300, seekDelay: .milliseconds(250))
        )
        try await bench.run { bench in
            let track = bench.track("a")
            bench.server.want(track)
            await bench.controller.openPanel()
            try await bench.pass(2)
            for (timestamp, position) in [(1.0, 100.0), (2, 110), (3, 120)] {
                bench.server.want(track, hint: (timestamp, position))
                try await bench.pass(0.1)
            }
            try await bench.pass(1)
            let position = await bench.controller.snapshot.playback.item?.position.seconds(at: bench.stopwatch.elapsed)
            #expect(try #require(position) >= 120 && position ?? 0 < 122)
        }
        #expect(bench.player.names.filter { $0.hasPrefix("seek") } == ["seek 100", "seek 110", "seek 120"])
        let positions = bench.server.reports.map(\.report.position).drop { $0 < 50 }
        #expect(!positions.isEmpty && positions.allSatisfy { $0 >= 100 }, "\(positions)")
    }

    @Test("M6: equal polls do not keep the report of every five seconds back")
    func periodicReports() async throws {
        let bench = try ControllerBench()
        try await bench.run { bench in
            bench.server.want(bench.track("a"))
            await bench.controller.openPanel()
            try await bench.pass(61)
            #expect(bench.server.polls.count >= 40)
            #expect(bench.server.reports.filter { $0.report.isPlaying }.count >= 13)
        }
    }

    @Test("M7: many positions a second do not make more reports")
    func manyPositions() async throws {
        let bench = try ControllerBench()
        try await bench.run { bench in
            bench.server.want(bench.track("a"))
            await bench.controller.openPanel()
            try await bench.pass(1)
            let start = bench.stopwatch.elapsed
            for tick in 0..<600 {
                let seconds = 1 + Double(tick) / 10
                let position = PlaybackPosition(seconds: seconds, time: bench.stopwatch.elapsed, isAdvancing: true)
                bench.player.say(PlayerSnapshot(load: 1, phase: .playing, position: position))
                try await bench.pass(0.1)
            }
            #expect(bench.server.reports.filter { $0.time > start }.count <= 13)
        }
    }

    @Test("M8: a pause right after a periodic report is reported at once")
    func pauseAfterReport() async throws {
        let bench = try ControllerBench()
        try await bench.run { bench in
            bench.server.want(bench.track("a"))
            await bench.controller.openPanel()
            while bench.server.reports.count < 3 { try await bench.pass(0.05) }
            try await bench.pass(0.2)
            let time = bench.stopwatch.elapsed
            await bench.controller.pause()
            let last = try #require(bench.server.reports.last)
            #expect(!last.report.isPlaying)
            #expect(last.time == time)
        }
    }

    @Test("M9: a poll that is answered late does not undo what the server has confirmed since")
    func latePoll() async throws {
        let bench = try ControllerBench()
        try await bench.run { bench in
            bench.server.want(bench.track("a"))
            await bench.controller.openPanel()
            try await bench.pass(1.4)
            bench.server.fail("state", .slow(.seconds(4)))
            try await bench.pass(0.2)
            #expect(bench.server.polls.count == 2)
            bench.server.fail("control", .slow(.milliseconds(1600)))
            await bench.controller.pause()
            try await bench.pass(4)
            #expect(bench.player.snapshot?.phase == .paused)
        }
        #expect(!bench.player.names.contains("play"))
    }

    @Test("M10: a track that goes away is stopped with one last report, and loaded again when it comes back")
    func goesAway() async throws {
        let bench = try ControllerBench()
        try await bench.run { bench in
            let track = bench.track("a")
            bench.server.want(track)
            await bench.controller.openPanel()
            try await bench.pass(7.5)
            let before = bench.server.reports.count
            bench.server.want(nil, .stopped)
            try await bench.pass(4)
            let last = bench.server.reports.dropFirst(before).map(\.report)
            #expect(last.map(\.trackID) == ["a"])
            #expect(last.allSatisfy { !$0.isPlaying && !$0.hasEnded && $0.position > 6 })
            bench.server.want(track)
            try await bench.pass(3)
            #expect(bench.player.snapshot?.phase == .playing)
        }
        #expect(bench.player.names.dropFirst() == ["load a", "stop", "load a", "stop"])
    }

    @Test("M11: an interruption starts nothing that was paused before it")
    func interruptedWhilePaused() async throws {
        let bench = try ControllerBench()
        try await bench.run { bench in
            bench.server.want(bench.track("a"))
            await bench.controller.openPanel()
            try await bench.pass(3)
            await bench.controller.pause()
            try await bench.pass(3)
            await bench.controller.interruptionBegan()
            try await bench.pass(3)
            await bench.controller.interruptionEnded(shouldResume: true)
            try await bench.pass(6)
            #expect(bench.player.snapshot?.phase == .paused)
        }
        #expect(!bench.player.names.contains("play"))
    }

    @Test("An interruption that ends with leave to resume resumes what it paused")
    func interruptedWhilePlaying() async throws {
        let bench = try ControllerBench()
        try await bench.run { bench in
            bench.server.want(bench.track("a"))
            await bench.controller.openPanel()
            try await bench.pass(3)
            await bench.controller.interruptionBegan()
            try await bench.pass(5)
            #expect(bench.player.snapshot?.phase == .paused, "polls that want it to play do not start it")
            await bench.controller.interruptionEnded(shouldResume: true)
            try await bench.pass(0.1)
            #expect(bench.player.snapshot?.phase == .playing)
        }
    }

    @Test("M12: an interruption that ends without leave to resume tells the server, whose next wish plays")
    func interruptedForGood() async throws {
        let bench = try ControllerBench()
        try await bench.run { bench in
            bench.server.want(bench.track("a"))
            await bench.controller.openPanel()
            try await bench.pass(3)
            await bench.controller.interruptionBegan()
            try await bench.pass(3)
            bench.server.fail("control", .gone)
            await bench.controller.interruptionEnded(shouldResume: false)
            try await bench.pass(6)
            #expect(bench.player.snapshot?.phase == .paused)
            #expect(
                bench.server.state.withLock { $0.rooms["default"]?.desired } == .paused,
                "told again after a failure"
            )
            bench.server.change { $0.desired = .playing }
            try await bench.pass(3)
            #expect(bench.player.snapshot?.phase == .playing)
        }
    }

    @Test("M13: a load and a seek hint in one poll land at the hint", arguments: [false, true])
    func loadAtHint(refusesEarlySeek: Bool) async throws {
        let bench = try ControllerBench(track: VirtualTrack(duration: 300, refusesEarlySeek: refusesEarlySeek))
        try await bench.run { bench in
            bench.server.want(bench.track("a"), hint: (7, 93))
            await bench.controller.openPanel()
            try await bench.pass(10)
        }
        let positions = bench.server.reports.map(\.report.position)
        #expect(positions.count >= 2 && positions.allSatisfy { $0 >= 93 }, "\(positions)")
    }

    @Test("M14: a file whose load seems to succeed but has no sound is an error and never plays")
    func emptyFile() async throws {
        let bench = try ControllerBench(track: VirtualTrack(duration: 300, fault: .empty))
        try await bench.run { bench in
            bench.server.want(bench.track("a"))
            await bench.controller.openPanel()
            try await bench.pass(10)
            #expect(await bench.controller.snapshot.error?.contains("empty or broken") == true)
        }
        #expect(bench.server.reports.isEmpty)
        #expect(bench.errors.count == 1)
        #expect(bench.errors.first?.contains("audio/mp4") == true)
        #expect(bench.player.names.dropFirst() == ["load a"], "it is not tried again")
    }

    @Test("M15: the end is reported once, with the last position, and not as a pause")
    func end() async throws {
        let bench = try ControllerBench(track: VirtualTrack(duration: 12.5))
        try await bench.run { bench in
            bench.server.want(bench.track("a", duration: 12.5))
            await bench.controller.openPanel()
            try await bench.pass(20)
        }
        let reports = bench.server.reports.map(\.report)
        #expect(reports.filter { !$0.isPlaying }.count == 1)
        #expect(reports.last?.hasEnded == true)
        #expect(reports.last?.position == 12.5)
        #expect(reports.last?.trackID == "a")
    }

    @Test(
        "M16: the server's length decides, and the end needs no position that equals it",
        arguments: [(60.0, 120.0, 63.0), (600, 551, 551)]
    )
    func lengths(known: Double, measured: Double, end: Double) async throws {
        let bench = try ControllerBench(track: VirtualTrack(duration: end, reportedDuration: measured))
        try await bench.run { bench in
            bench.server.want(bench.track("a", duration: known), hint: (1, end - 7))
            await bench.controller.openPanel()
            try await bench.pass(12)
        }
        let reports = bench.server.reports.map(\.report)
        #expect(reports.allSatisfy { $0.duration == known })
        #expect(reports.filter(\.hasEnded).map(\.position) == [min(end, known)])
    }
}
