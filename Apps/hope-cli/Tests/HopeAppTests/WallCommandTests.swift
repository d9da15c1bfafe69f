import Foundation
import HopeApp
import Synchronization
import Testing
import TransportCore

@Suite struct WallCommandTests {
    /// A WAV file of 16-bit samples, one channel.
    private func wav(rate: UInt32, _ samples: [Int16]) -> Data {
        var data = Data()
        func put(_ text: String) { data.append(contentsOf: text.utf8) }
        func put<I: FixedWidthInteger>(_ value: I) {
            withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
        }
        put("RIFF")
        put(UInt32(36 + 2 * samples.count))
        put("WAVEfmt ")
        put(UInt32(16))
        put(UInt16(1))
        put(UInt16(1))
        put(rate)
        put(rate * 2)
        put(UInt16(2))
        put(UInt16(16))
        put("data")
        put(UInt32(2 * samples.count))
        samples.forEach { put($0) }
        return data
    }

    @Test func printsTheDotsOfAMoment() async throws {
        let run = try await ToolRun("wall", "--state", "listening", "--level", "0.3", "--time", "2", "--json")
        #expect(run.status == 0)
        let object = try #require(run.objects().first)
        #expect(object["state"] as? String == "listening")
        #expect(object["level"] as? Double == 0.3)
        #expect(object["time"] as? Double == 2)
        let dots = try #require(object["dots"] as? [[String: Double]])
        #expect(dots.count == 441)
        // Worked out from the published formulas with Python's math module, rounded to 9 digits.
        let expected: [(row: Double, column: Double, opacity: Double, size: Double)] = [
            (10, 10, 0.344489277, 1.546000000), (0, 0, 0.020000000, 0.773839395), (3, 17, 0.052635533, 1.005487576),
            (12, 5, 0.145962099, 1.251970002), (20, 10, 0.021499900, 1.000000000),
        ]
        for want in expected {
            let dot = try #require(dots.first { $0["row"] == want.row && $0["column"] == want.column })
            #expect(abs((dot["opacity"] ?? 0) - want.opacity) < 1e-6, "row \(want.row), column \(want.column)")
            #expect(abs((dot["size"] ?? 0) - want.size) < 1e-6, "row \(want.row), column \(want.column)")
        }
    }

    @Test func printsTheLevelOfEachTenthOfASecond() async throws {
        // A square wave's root mean square is its amplitude; the last window is half as long.
        let samples = (0..<2_000).map { Int16($0 % 2 == 0 ? 8_192 : -8_192) }
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("square.wav")
            try wav(rate: 8_000, samples).write(to: file)
            let run = try await ToolRun("wall", "--audio", "wav:\(file.path)", "--json")
            #expect(run.status == 0)
            #expect(
                run.lines == [#"{"t":0,"level":0.25}"#, #"{"t":0.1,"level":0.25}"#, #"{"t":0.2,"level":0.25}"#]
            )
        }
    }

    @Test func saysWhatATruncatedFileLacksAfterWhatItHas() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("short.wav")
            try wav(rate: 8_000, Array(repeating: 16_384, count: 1_600)).prefix(44 + 1_600).write(to: file)
            let run = try await ToolRun("wall", "--audio", "wav:\(file.path)", "--json")
            #expect(run.status == 1)
            #expect(run.lines.first == #"{"t":0,"level":0.5}"#)
            #expect(run.lines.last?.hasPrefix(#"{"error":{"code":"failed","message":""#) == true)
            #expect(run.messages.contains("short.wav"))
        }
    }

    @Test func drawsAPicture() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("wall.png")
            let run = try await ToolRun(
                "wall",
                "--state",
                "speaking",
                "--level",
                "0.8",
                "--time",
                "1.5",
                "--wall",
                "png:\(file.path)",
                "--size",
                "120"
            )
            #expect(run.status == 0)
            let png = try Data(contentsOf: file)
            #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
            // Width and height stand at byte 16 of a PNG, big-endian.
            #expect(Array(png[16..<24]) == [0, 0, 0, 120, 0, 0, 0, 120])
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["wall.png"])
        }
    }

    @Test func aPictureThatCannotBeWrittenLeavesTheOldOne() async throws {
        try await withTemporaryFolder { folder in
            let missing = folder.appendingPathComponent("missing/wall.png")
            let intoNothing = try await ToolRun("wall", "--state", "idle", "--wall", "png:\(missing.path)")
            #expect(intoNothing.status == 4)
            let overAFolder = try await ToolRun("wall", "--state", "idle", "--wall", "png:\(folder.path)")
            #expect(overAFolder.status == 1)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }

    @Test func aDeviceThatIsAlwaysAtItsEndEndsALiveWallToo() async throws {
        let run = try await ToolRun("wall", "--audio", "wav:/dev/null", "--wall", "none")
        #expect(run.status == 1)
        #expect(run.messages.contains("/dev/null"))
    }

    @Test func aLinkToNothingStaysALink() async throws {
        try await withTemporaryFolder { folder in
            let link = folder.appendingPathComponent("link.png").path
            let target = folder.appendingPathComponent("target.png").path
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
            let run = try await ToolRun("wall", "--state", "idle", "--wall", "png:\(link)", "--size", "16")
            #expect(run.status == 0, "\(run.messages)")
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
            #expect(FileManager.default.fileExists(atPath: target))
        }
    }

    @Test(arguments: [244, 255])
    func aNameMayBeAsLongAsNamesCanBe(length: Int) async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent(String(repeating: "w", count: length)).path
            let run = try await ToolRun("wall", "--state", "idle", "--wall", "png:\(file)", "--size", "16")
            #expect(run.status == 0, "\(run.messages)")
        }
    }

    @Test func nobodyIsToldWhenNobodyReads() async throws {
        let messages = Mutex("")
        let output = CommandOutput(
            data: { _ in throw CommandError(.outputClosed, "nobody reads the output any more") },
            messages: { bytes in messages.withLock { $0 += String(decoding: bytes, as: UTF8.self) } }
        )
        let world = HopeWorld(
            environment: [:],
            output: output,
            terminal: nil,
            clock: ManualClock(),
            plugins: .standard,
            samples: ToolRun.samples
        )
        #expect(await HopeTool.hope().run(["wall", "--state", "idle"], in: world) == 141)
        #expect(messages.withLock { $0 }.isEmpty)
    }

    @Test func drawsTheLoudestMomentOfAVoice() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("wall.png")
            let voice = ToolRun.samples.appendingPathComponent("conversation-agent.wav")
            let run = try await ToolRun(
                "wall",
                "--audio",
                "wav:\(voice.path)",
                "--wall",
                "png:\(file.path)",
                "--size",
                "64"
            )
            #expect(run.status == 0, "\(run.messages)")
            #expect(FileManager.default.fileExists(atPath: file.path))
        }
    }

    @Test func tellsPlainLinesWithoutATerminal() async throws {
        let voice = ToolRun.samples.appendingPathComponent("conversation-agent.wav")
        let run = try await ToolRun("wall", "--audio", "wav:\(voice.path)", "--for", "5s")
        #expect(run.status == 0)
        #expect(run.lines.contains { $0.contains("speaking") })
        #expect(!run.output.contains("\u{1B}"))
    }

    @Test func aMadeUpVoiceIsTheSameForTheSameSeed() async throws {
        let once = try await ToolRun("wall", "--audio", "synthetic:7", "--json", "--for", "3s")
        let again = try await ToolRun("wall", "--audio", "synthetic:7", "--json", "--for", "3s")
        let other = try await ToolRun("wall", "--audio", "synthetic:8", "--json", "--for", "3s")
        #expect(once.lines.count == 30)
        #expect(once.output == again.output)
        #expect(once.output != other.output)
    }

    @Test(arguments: [
        (["--state", "speeking"], Int32(2), "did you mean speaking?"),
        (["--state", "idle", "--level", "nan"], 2, "--level is a number from 0 to 1"),
        (["--state", "idle", "--time", "inf"], 2, "--time is a number"),
        (["--audio", "wav:/nowhere/voice.wav", "--json"], 4, "/nowhere/voice.wav"),
        (["--audio", "wav:/", "--json"], 1, "is a folder"),
        (["--audio", "wav:/dev/null", "--json"], 1, "/dev/null"),
        (["--audio", "wav:"], 2, "wav:voice.wav"),
        (["--audio", "wave:x"], 2, "did you mean wav?"),
        (["--audio", "synthetic:x"], 2, "whole number"),
        (["--audio", "pcm:-,0"], 2, "sample rate"),
        (["--audio", "pcm:-,16000,0"], 2, "channels"),
        (["--audio", "pcm:-,16000,1,s16"], 2, "did you mean s16"),
        (["--audio", "mic"], 5, "install one of"),
        (["--wall", "gif:x"], 2, "--wall is one of"),
        (["--state", "idle", "--size", "0", "--wall", "png:x"], 2, "--size is a whole number"),
        (["--state", "idle", "--wall", "png:x", "--json"], 2, "choose one"),
    ])
    func badInputIsOneSentenceAndAnExitStatus(words: [String], status: Int32, part: String) async throws {
        let run = try await ToolRun(["wall"] + words)
        #expect(run.status == status, "\(run.messages)")
        #expect(run.messages.contains(part), "\(run.messages)")
        #expect(run.messages.split(separator: "\n").count == 1)
        if words.contains("--json") {
            let object = try #require(run.objects().first)
            #expect((object["error"] as? [String: String])?["code"]?.isEmpty == false)
        } else {
            #expect(run.output.isEmpty)
        }
    }
}
