import Foundation
import HopeApp
import Testing

/// A server process with a library, over TLS on this machine, and the media commands against it.
@Suite struct MediaServerCommandTests {
    private struct Ready: Decodable {
        struct Pins: Decodable { var spki: String }

        var url: String
        var pins: Pins?
    }

    /// What the commands need to reach the server, and where they keep their things.
    private struct Place {
        let options: [String]
        let home: URL

        func run(_ words: String..., path: String? = nil) throws -> (lines: [String], status: Int32) {
            try ToolProcess(["media"] + words + options, home: home, path: path).finish()
        }

        func object(_ words: String...) throws -> [String: Any] {
            let run = try ToolProcess(["media"] + words + options + ["--json"], home: home).finish()
            return try ToolRun.object(try #require(run.lines.first))
        }
    }

    private static let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    private static let hasMPV = path.split(separator: ":").contains {
        FileManager.default.isExecutableFile(atPath: "\($0)/mpv")
    }

    private func withServer(_ body: (Place) throws -> Void) async throws {
        try await withTemporaryFolder { home in
            let music = home.appendingPathComponent("music")
            try FileManager.default.createDirectory(at: music, withIntermediateDirectories: true)
            for name in ["low", "high"] {
                try Self.silence(seconds: 30).write(to: music.appendingPathComponent("\(name).wav"))
            }
            let server = try ToolProcess(
                ["serve", "--tls", "--port", "0", "--print-ready", "--library", music.path],
                home: home
            )
            let ready = try JSONDecoder().decode(Ready.self, from: Data(server.firstLine().utf8))
            let pin = try #require(ready.pins).spki
            try body(Place(options: ["--server", ready.url, "--pin-sha256", pin], home: home))
            server.send(SIGTERM)
            _ = server.finish()
        }
    }

    /// A mono WAV file of 16 bits at 8 kHz.
    private static func silence(seconds: Int) -> Data {
        let count = UInt32(seconds * 16_000)
        func bytes(_ numbers: [UInt32]) -> Data {
            numbers.reduce(into: Data()) { data, number in withUnsafeBytes(of: number.littleEndian) { data += $0 } }
        }
        let format = bytes([16, 0x0001_0001, 8000, 16_000, 0x0010_0002])
        return Data("RIFF".utf8) + bytes([36 + count]) + Data("WAVEfmt ".utf8) + format + Data("data".utf8)
            + bytes([count]) + Data(count: Int(count))
    }

    @Test func aRoomIsControlledFromOneCommandToTheNext() async throws {
        try await withServer { place in
            let tracks = try #require(try place.object("library")["tracks"] as? [[String: Any]])
            #expect(tracks.map { $0["title"] as? String } == ["high", "low"])
            #expect(try place.run("play", "--query", "low").status == 0)
            #expect(try place.run("seek", "0:20").status == 0)
            #expect(try place.run("pause").status == 0)
            let state = try place.object("state")
            #expect((state["track"] as? [String: Any])?["title"] as? String == "low")
            #expect(state["desired"] as? String == "paused")
            #expect((state["seek_hint"] as? [String: Any])?["position"] as? Double == 20)
            // Another room is another thing.
            #expect(try place.object("state", "--room", "other")["track"] is NSNull)
        }
    }

    @Test func streamsAreAddedAndRemoved() async throws {
        try await withServer { place in
            let stream = try place.object("add-stream", " Radio ", "HTTPS://radio.example/jazz ")
            #expect(stream["title"] as? String == "Radio")
            #expect(stream["audio_url"] as? String == "https://radio.example/jazz")
            let id = try #require(stream["id"] as? String)
            #expect(try place.run("remove", id).lines == ["Removed “Radio” from the library."])
            #expect(try place.run("remove", id).status == 4)
        }
    }

    @Test func withoutThePinNothingIsSaid() async throws {
        try await withServer { place in
            let run = try ToolProcess(
                ["media", "state", "--server", place.options[1], "--json"],
                home: place.home
            ).finish()
            #expect(run.status == 5)
            #expect(run.lines.first?.contains("self-signed certificate") == true)
        }
    }

    @Test(.enabled(if: hasMPV, "mpv is not installed"))
    func mpvPlaysThroughThePinAndEndsWithTheCommand() async throws {
        try await withServer { place in
            #expect(try place.run("play", "--query", "low").status == 0)
            let run = try place.run(
                "follow",
                "--player",
                "mpv:null",
                "--for",
                "2500ms",
                "--json",
                path: Self.path
            )
            #expect(run.status == 0)
            #expect(run.lines.contains { $0.contains(#""state":"playing""#) })
            let report = run.lines.last { $0.contains(#""report":"#) }
            #expect(report?.contains(#""playing":false"#) == true, "the last word is that nothing plays any more")
            #expect(run.lines.last?.contains(#""name":"stop""#) == true || report == run.lines.last)
        }
    }

    @Test func theProxyPrintsItsAddressesAndEndsWithASignal() async throws {
        try await withServer { place in
            let proxy = try ToolProcess(["media", "proxy", "--print-ready"] + place.options, home: place.home)
            let ready = try ToolRun.object(proxy.firstLine())
            let media = try #require(ready["media"] as? [[String: Any]])
            let port = try #require(ready["port"] as? Int)
            #expect(media.map { $0["title"] as? String } == ["high", "low"])
            #expect(media.allSatisfy { ($0["url"] as? String)?.hasPrefix("http://127.0.0.1:\(port)/") == true })
            proxy.send(SIGINT)
            #expect(proxy.finish().status == 130)
        }
    }

    @Test func aServerThatIsNotThereHasAnExitStatus() async throws {
        try await withTemporaryFolder { home in
            for words in [["state"], ["follow", "--player", "fake"], ["play", "x"], ["proxy"]] {
                let run = try ToolProcess(["media"] + words + ["--server", "http://127.0.0.1:1"], home: home).finish()
                #expect(run.status == 5, "\(words)")
            }
        }
    }

    /// What played before a conversation is carried into its room, and waits there.
    @Test func aTalkCarriesTheMusicIntoItsRoom() async throws {
        try await withServer { place in
            #expect(try place.run("play", "--query", "low").status == 0)
            let talk = try ToolProcess(
                ["talk", "--say", "Hello", "--json", "--player", "fake", "--for", "2500ms"] + place.options,
                home: place.home
            ).finish()
            #expect(talk.status == 0)
            let media = talk.lines.filter { $0.contains(#""media":"#) }
            #expect(!media.isEmpty && media.allSatisfy { $0.contains(#""title":"low","playing":false"#) }, "\(media)")
            // It is wanted again afterwards, outside of the conversation.
            #expect(try place.object("state")["desired"] as? String == "playing")
        }
    }

    @Test func aServerThatIsKilledLeavesNoConversionBehind() async throws {
        try await withTemporaryFolder { home in
            let (music, tools) = (home.appendingPathComponent("music"), home.appendingPathComponent("tools"))
            for folder in [music, tools] {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            }
            let head: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3, 0x87, 0x42, 0x82, 0x84]
            try Data(head + Array("webm".utf8)).write(to: music.appendingPathComponent("a.webm"))
            let tool = tools.appendingPathComponent("ffmpeg")
            let note = home.appendingPathComponent("number")
            try Data("#!/bin/sh\necho $$ > '\(note.path)'\nexec sleep 600\n".utf8).write(to: tool)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: tool.path)
            let server = try ToolProcess(
                ["serve", "--port", "0", "--print-ready", "--library", music.path],
                home: home,
                path: tools.path
            )
            let ready = try ToolRun.object(server.firstLine())
            let url = try #require(ready["url"] as? String)
            let place = ["--server", url]
            let play = try ToolProcess(["media", "play", "--query", "a"] + place, home: home).finish()
            #expect(play.status == 0)
            var number = ""
            for _ in 0..<500 where !number.hasSuffix("\n") {
                number = (try? String(contentsOf: note, encoding: .utf8)) ?? ""
                usleep(10_000)
            }
            let status = "/proc/\(number.trimmingCharacters(in: .newlines))/stat"
            #expect(try String(contentsOfFile: status, encoding: .utf8).contains("(sleep)"))
            server.send(SIGKILL)
            _ = server.finish()
            var isGone = false
            for _ in 0..<500 where !isGone {
                // Whoever inherits it may take its time to reap it.
                isGone = (try? String(contentsOfFile: status, encoding: .utf8))?.contains(") Z ") ?? true
                usleep(10_000)
            }
            #expect(isGone)
        }
    }
}
