import Foundation
import Testing

/// A server process, and what looks at it and talks to it, over TLS on this machine.
@Suite struct ServerCommandTests {
    private struct Ready: Decodable {
        struct Pins: Decodable {
            var leaf: String
            var spki: String
        }

        var url: String
        var pins: Pins?
        var pid: Int32
    }

    private func withServer(
        _ options: [String] = ["--tls"],
        _ body: (_ ready: Ready, _ home: URL) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { home in
            let server = try ToolProcess(["serve", "--port", "0", "--print-ready"] + options, home: home)
            let ready = try JSONDecoder().decode(Ready.self, from: Data(server.firstLine().utf8))
            try await body(ready, home)
            server.send(SIGTERM)
            #expect(server.finish().status == 143)
        }
    }

    private func object(_ line: String?) throws -> [String: Any] {
        try ToolRun.object(try #require(line))
    }

    @Test func theDoctorPassesWithEitherPinAndRefusesAnother() async throws {
        try await withServer { ready, home in
            let pins = try #require(ready.pins)
            for pin in [pins.spki, pins.leaf] {
                let run = try ToolProcess(
                    ["doctor", "--server", ready.url, "--pin-sha256", pin, "--json"],
                    home: home
                ).finish()
                #expect(run.status == 0)
                let report = try object(run.lines.first)
                #expect(report["ok"] as? Bool == true)
                let steps = try #require(report["steps"] as? [[String: Any]])
                #expect(
                    steps.map { $0["name"] as? String } == ["name", "tcp", "tls", "health", "token", "room", "agent"]
                )
            }
            let wrong = String(repeating: "0", count: 64)
            let run = try ToolProcess(
                ["doctor", "--server", ready.url, "--pin-sha256", wrong, "--json"],
                home: home
            ).finish()
            #expect(run.status == 1)
            let steps = try #require(try object(run.lines.first)["steps"] as? [[String: Any]])
            let message = try #require(steps[2]["message"] as? String)
            for fingerprint in [wrong, pins.leaf, pins.spki] {
                #expect(message.contains(fingerprint))
            }
        }
    }

    @Test func aSelfSignedServerIsRefusedUntilItsPinIsStored() async throws {
        try await withServer { ready, home in
            let refused = try ToolProcess(["doctor", "--server", ready.url, "--json"], home: home).finish()
            #expect(refused.status == 1)
            #expect(refused.lines.first?.contains("spki:\(ready.pins?.spki ?? "-")") == true)
            let stored = try ToolProcess(["doctor", "--server", ready.url, "--pin"], home: home).finish()
            #expect(stored.status == 0)
            let trusted = try ToolProcess(["doctor", "--server", ready.url, "--json"], home: home).finish()
            #expect(trusted.status == 0)
        }
    }

    @Test func aTalkIsAnsweredRecordedAndReplayed() async throws {
        try await withServer { ready, home in
            let file = home.appendingPathComponent("talk.jsonl").path
            let pin = ready.pins?.spki ?? ""
            let talk = try ToolProcess(
                [
                    "talk", "--server", ready.url, "--pin-sha256", pin, "--say", "Good morning", "--json", "--record",
                    file,
                ],
                home: home
            ).finish()
            #expect(talk.status == 0)
            let finals = talk.lines.filter { $0.contains(#""final":true"#) }
            #expect(finals.count == 2, "what was typed and what was answered, once each")
            #expect(finals.last?.contains("You wrote: Good morning") == true)
            let replay = try ToolProcess(["replay", file, "--json"], home: home).finish()
            #expect(replay.status == 0)
            #expect(replay.lines.filter { $0.contains(#""final":true"#) }.count == 2)
            #expect(replay.lines.last?.contains(#""differences":[]"#) == true)
            // The token that opened the room is not in the recording.
            let recording = try String(contentsOfFile: file, encoding: .utf8)
            #expect(!recording.contains("eyJ"))
        }
    }

    @Test func plainServersHaveNoPins() async throws {
        try await withServer([]) { ready, home in
            #expect(ready.pins == nil)
            #expect(ready.url.hasPrefix("http://127.0.0.1:"))
            let doctor = try ToolProcess(["doctor", "--server", ready.url, "--json"], home: home).finish()
            #expect(doctor.status == 0)
        }
    }

    @Test func aLibraryIsCountedAndWhatIsMissingIsSaid() async throws {
        try await withTemporaryFolder { home in
            let music = home.appendingPathComponent("music")
            try FileManager.default.createDirectory(at: music, withIntermediateDirectories: true)
            try Data("RIFF....WAVEfmt ".utf8).write(to: music.appendingPathComponent("a.wav"))
            // The process has no PATH, so no program is found.
            let server = try ToolProcess(["serve", "--port", "0", "--library", music.path], home: home)
            #expect(server.firstLine().hasPrefix("Hope listens at http://127.0.0.1:"))
            #expect(server.firstLine() == "The library “\(music.path)” has 1 track.")
            #expect(server.firstLine().hasPrefix("  ffprobe is not installed: "))
            #expect(server.firstLine().hasPrefix("  ffmpeg is not installed: "))
            server.send(SIGTERM)
            #expect(server.finish().status == 143)
        }
    }

    @Test(arguments: [(true, 143), (false, 129)] as [(Bool, Int32)])
    func aHangUpEndsAServerUnlessNohupStartedIt(outlivesTerminal: Bool, status: Int32) async throws {
        try await withTemporaryFolder { home in
            let server = try ToolProcess(
                ["serve", "--port", "0", "--print-ready"],
                home: home,
                outlivesTerminal: outlivesTerminal
            )
            #expect(server.firstLine().contains("\"url\""))
            server.send(SIGHUP)
            // The first of two signals decides, where both do anything.
            if outlivesTerminal { server.send(SIGTERM) }
            #expect(server.finish().status == status)
        }
    }

    @Test func aLibraryThatIsNotThereHasAnExitStatus() async throws {
        try await withTemporaryFolder { home in
            let nowhere = home.appendingPathComponent("nowhere").path
            let server = try ToolProcess(["serve", "--port", "0", "--library", nowhere], home: home)
            #expect(server.finish().status == 4)
        }
    }

    @Test func aServerThatIsNotThereHasAnExitStatus() async throws {
        try await withTemporaryFolder { home in
            // The reserved port 1 answers nobody.
            let doctor = try ToolProcess(["doctor", "--server", "http://127.0.0.1:1", "--json"], home: home).finish()
            #expect(doctor.status == 5)
            let talk = try ToolProcess(["talk", "--server", "http://127.0.0.1:1", "--say", "Hello"], home: home)
                .finish()
            #expect(talk.status == 5)
        }
    }

    @Test func withoutAServerTheTalkIsWithTheAgentInside() async throws {
        try await withTemporaryFolder { home in
            let talk = try ToolProcess(["talk", "--say", "Good morning", "--json"], home: home).finish()
            #expect(talk.status == 0)
            #expect(talk.lines.contains { $0.contains("You wrote: Good morning") })
            let transcript = try ToolProcess(["transcript", "list", "--json"], home: home).finish()
            #expect(transcript.lines.first?.contains("Good morning") == true)
        }
    }
}
