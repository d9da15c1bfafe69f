import Foundation
import HopeApp
import Testing
import TransportCore

/// A player that follows, on virtual time, against the server inside the process.
@Suite struct MediaFollowTests {
    /// One line of the trace, as it reads without ids and positions of every second.
    private struct Entry: Equatable, CustomStringConvertible {
        let time: Double
        let words: String

        var description: String { "\(time) \(words)" }
    }

    private func follow(_ script: String, _ options: String...) async throws -> ToolRun {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("script")
            try Data(script.utf8).write(to: file)
            return try await ToolRun(["media", "follow", "--player", "fake", "--script", file.path] + options)
        }
    }

    /// What the player was told and what the server was told, in order.
    private func trace(_ run: ToolRun) throws -> [Entry] {
        var titles: [String: String] = [:]
        return try run.objects().compactMap { line -> Entry? in
            let time = line["t"] as? Double ?? -1
            func title(_ object: [String: Any]) -> String {
                let id = object["track_id"] as? String ?? ""
                titles[id] = titles[id] ?? "track \(titles.count + 1)"
                return titles[id] ?? ""
            }
            func seconds(_ value: Any?) -> String { String(format: "%.1f", value as? Double ?? -1) }
            if let command = line["command"] as? [String: Any] {
                switch command["name"] as? String {
                case "load":
                    let paused = command["paused"] as? Bool == true ? " paused" : ""
                    return Entry(
                        time: time,
                        words: "load \(title(command)) at \(seconds(command["position"]))\(paused)"
                    )
                case "seek": return Entry(time: time, words: "seek \(seconds(command["position"]))")
                case let name: return Entry(time: time, words: name ?? "?")
                }
            }
            guard let report = line["report"] as? [String: Any] else { return nil }
            let state =
                report["ended"] as? Bool == true ? "ended" : report["playing"] as? Bool == true ? "plays" : "silent"
            return Entry(
                time: time,
                words: "report \(title(report)) \(state) at \(seconds(report["position"])) in \(report["room"] ?? "?")"
            )
        }
    }

    @Test func aSwapSeeksPausesAndATalkGiveTheTraceThatTheyShould() async throws {
        let run = try await follow(
            """
            # The server's wishes, and the person's; the server is asked every 1.5 s from 0 on.
            1s    server play Jazz Walk
            7s    server play River Blues
            8s    server seek 4
            10s   server pause
            11s   server play
            13s   pause
            14s   play
            15s   talk voice-1
            20s   hang-up
            22s   stop
            """,
            "--json"
        )
        #expect(run.status == 0, "\(run.messages)")
        let expected: [Entry] = [
            // The poll of 1.5 finds the track; it takes 0.1 s to begin.
            Entry(time: 1.5, words: "load track 1 at 0.0"),
            Entry(time: 1.6, words: "report track 1 plays at 0.0 in default"),
            Entry(time: 6.6, words: "report track 1 plays at 5.0 in default"),
            // The swap, found at 7.5: the track that was heard is reported for the last time.
            Entry(time: 7.5, words: "load track 2 at 0.0"),
            Entry(time: 7.5, words: "report track 1 silent at 5.9 in default"),
            Entry(time: 7.6, words: "report track 2 plays at 0.0 in default"),
            Entry(time: 9, words: "seek 4.0"),
            Entry(time: 9, words: "report track 2 plays at 4.0 in default"),
            // The server pauses, and plays on.
            Entry(time: 10.5, words: "pause"),
            Entry(time: 10.5, words: "report track 2 silent at 5.5 in default"),
            Entry(time: 12, words: "play"),
            Entry(time: 12, words: "report track 2 plays at 5.5 in default"),
            // The person pauses and plays on, which waits for nobody.
            Entry(time: 13, words: "pause"),
            Entry(time: 13, words: "report track 2 silent at 6.5 in default"),
            Entry(time: 14, words: "play"),
            Entry(time: 14, words: "report track 2 plays at 6.5 in default"),
            // The talk pauses it; its end lets it go on where it was.
            Entry(time: 15, words: "pause"),
            Entry(time: 15, words: "report track 2 silent at 7.5 in default"),
            Entry(time: 20, words: "play"),
            Entry(time: 20, words: "report track 2 plays at 7.5 in default"),
            Entry(time: 22, words: "stop"),
            Entry(time: 22, words: "report track 2 silent at 9.5 in default"),
        ]
        // What is told at one moment may stand in either order: the player and the server are told side by side.
        func sorted(_ entries: [Entry]) -> [Entry] {
            entries.enumerated().sorted { ($0.element.time, $0.element.words) < ($1.element.time, $1.element.words) }
                .map(\.element)
        }
        #expect(sorted(try trace(run)) == sorted(expected))
    }

    @Test func theSameScriptGivesTheSameLines() async throws {
        let script = "0s server play Jazz Walk\n3s seek 20\n4s talk a\n6s play\n8s hang-up\n"
        let once = try await follow(script, "--json", "--for", "12s")
        #expect(once.status == 0)
        #expect(once.lines.count > 10)
        #expect(once.output == (try await follow(script, "--json", "--for", "12s")).output)
    }

    @Test func whatThePersonPausesInATalkStaysPausedAfterIt() async throws {
        let run = try await follow(
            "0s server play Jazz Walk\n3s talk a\n4s play\n6s pause\n8s hang-up\n",
            "--json",
            "--for",
            "20s"
        )
        let commands = try trace(run).filter { !$0.words.hasPrefix("report") }
        #expect(commands.map(\.words) == ["load track 1 at 0.0", "pause", "play", "pause", "stop"])
        // In the talk the player belongs to its room.
        let rooms = try trace(run).filter { $0.words.hasSuffix("in a") }
        #expect(rooms.map(\.time) == [4, 6])
    }

    @Test func whatIsStartedInATalkPlaysThereAndWhatPlayedBeforeComesBack() async throws {
        let run = try await follow(
            "0s server play Jazz Walk\n3s talk a\n5s server play River Blues\n9s hang-up\n",
            "--json",
            "--for",
            "12s"
        )
        let commands = try trace(run).filter { !$0.words.hasPrefix("report") }
        // The first track was heard from 1.6 to 3, and goes on from there.
        #expect(
            commands.map(\.words) == [
                "load track 1 at 0.0", "pause", "load track 2 at 0.0", "load track 1 at 1.4", "stop",
            ]
        )
    }

    @Test func anInterruptionPausesAndGoesOn() async throws {
        let run = try await follow(
            "0s server play Jazz Walk\n3s interrupt\n5s resume\n",
            "--json",
            "--for",
            "6s"
        )
        let commands = try trace(run).filter { !$0.words.hasPrefix("report") }
        #expect(commands.map(\.words) == ["load track 1 at 0.0", "pause", "play", "stop"])
        // The script begins after the first poll, so the second finds the track.
        #expect(commands.map(\.time) == [1.5, 3, 5, 6])
    }

    @Test func linesHaveTheDocumentedShapes() async throws {
        let run = try await follow("0s server play Jazz Walk\n2s pause\n", "--json", "--for", "3s")
        for line in try run.objects() {
            #expect(line["t"] is Double)
            let kinds = line.keys.filter { $0 != "t" }
            #expect(kinds.count == 1)
            switch kinds.first {
            case "command": #expect((line["command"] as? [String: Any])?["name"] is String)
            case "player":
                let player = try #require(line["player"] as? [String: Any])
                #expect(player["state"] is String && player["position"] != nil)
            case "report":
                let report = try #require(line["report"] as? [String: Any])
                #expect(Set(report.keys) == ["room", "track_id", "position", "duration", "playing", "ended", "ts"])
            default: Issue.record("\(line)")
            }
        }
    }

    @Test func wordsNameTheTrackAndItsTimes() async throws {
        let run = try await ToolRun("media", "follow", "--player", "fake", "--play", "jazz walk", "--for", "8s")
        #expect(run.status == 0, "\(run.messages)")
        #expect(run.lines.contains("  0.00 s  → load “Jazz Walk” at 0:00"), "\(run.output)")
        #expect(run.lines.contains("  5.10 s  ← “Jazz Walk” plays at 0:05"), "\(run.output)")
    }

    @Test func nothingIsPlayedToAPipeThatNobodyReads() async throws {
        let clock = ManualClock()
        let world = HopeWorld(
            environment: [:],
            output: CommandOutput(
                data: { _ in throw CommandError(.outputClosed, "nobody reads the output any more") },
                messages: { _ in }
            ),
            terminal: nil,
            clock: clock,
            plugins: .standard,
            samples: ToolRun.samples
        )
        let before = clock.now
        let line = ["media", "follow", "--player", "fake", "--play", "Jazz Walk", "--for", "60s", "--json"]
        let status = try await clock.run { await HopeTool.hope().run(line, in: world) }
        #expect(status == 141)
        #expect(before.duration(to: clock.now) < .seconds(5), "the first line ended it")
    }

    @Test func whatSeveralTracksFitIsAsked() async throws {
        let run = try await ToolRun("media", "follow", "--player", "fake", "--play", "jazz", "--for", "2s", "--json")
        #expect(run.status == 0)
        #expect(run.output.contains("Several fit “jazz”: Jazz Walk, Slow Jazz"))
        #expect(!run.output.contains("command"))
    }

    @Test(arguments: [
        ("2x play", "2x"), ("1s plya", "did you mean play"), ("server talk a", "server"), ("seek soon", "seek"),
        ("volume 2", "volume"), ("1s", "write play"), ("pause now", "pause"),
    ])
    func aLineThatIsNoneIsNamed(line: String, part: String) async throws {
        let run = try await follow("# fine\n\n\(line)\n")
        #expect(run.status == 1)
        #expect(run.messages.contains("line 3: "), "\(run.messages)")
        #expect(run.messages.contains(part), "\(run.messages)")
    }
}
