import Foundation
import HopeServer
import MediaSync
import Testing
import TransportCore

/// What Apple's players cannot open is offered as AAC where ffmpeg is there.
@Suite(
    .timeLimit(.minutes(2)),
    .enabled(if: MediaBench.hasFFmpeg, "ffmpeg and ffprobe are not installed")
)
struct MediaConversionTests {
    private static let webm = ["-c:a", "libopus", "-b:a", "32k"]

    /// A program that waits instead of converting, and says how far it is.
    private func slowTool(in bench: MediaBench) throws -> MediaTools {
        let script = """
            #!/bin/sh
            echo $$ > '\(bench.root.path)/pid'
            printf 'out_time_us=1000000\\nprogress=continue\\n'
            for word; do last=$word; done
            echo half > "${last#file:}"
            exec sleep 600
            """
        let path = bench.root.appending(path: "ffmpeg").path
        try script.write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return MediaTools(ffmpeg: path, ffprobe: MediaBench.tools.ffprobe)
    }

    private func converted(in bench: MediaBench) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: bench.data.path)
            .filter { $0.contains("converted/") }
            .map { String($0[($0.lastIndex(of: "/").map($0.index(after:)) ?? $0.startIndex)...]) }
    }

    @Test(arguments: [("song.webm", webm), ("song.ogg", ["-c:a", "libvorbis"]), ("song.mka", ["-c:a", "aac"])])
    func theConversionIsWhatPlays(_ name: String, _ options: [String]) async throws {
        try await MediaBench.with { bench in
            try bench.make(name, seconds: 3, options)
            try await bench.serve(MediaBench.tools) { api in
                let listed = try #require(try await api.tracks().first)
                #expect(listed.mimeType == "audio/mp4")
                #expect(PlayableFormats.avPlayer.refusal(of: listed) == nil)
                let begun = try await api.post("play", ["track_id": .string(listed.id)])
                #expect(begun.track?.audioURL == nil, "the state waits until the bytes are there")
                let state = try await api.state { $0.track?.audioURL != nil }
                #expect(state.pending.isEmpty)
                let source = try #require(state.track?.audioURL)
                #expect(source.pathExtension == "m4a")
                let answer = try await api.get(source.path)
                #expect(answer.headers["Content-Type"] == "audio/mp4")
                let text = String(decoding: answer.body, as: Unicode.ASCII.self)
                let places = try ["ftyp", "moov", "mdat"].map { try #require(text.firstRange(of: $0)).lowerBound }
                #expect(places == places.sorted(), "what players need first is in front")
                let part = try await api.get(source.path, range: "bytes=4-7")
                #expect(part.text == "ftyp")
                #expect(part.status == 206)
            }
        }
    }

    @Test func theOriginalIsThereAsItIs() async throws {
        try await MediaBench.with { bench in
            try bench.make("song.webm", seconds: 1, Self.webm)
            try await bench.serve(MediaBench.tools) { api in
                let id = try #require(try await api.tracks().first).id
                for path in ["stream/\(id)", "stream/\(id).webm"] {
                    let answer = try await api.get(path)
                    #expect(answer.headers["Content-Type"] == "audio/webm")
                    #expect(Data(answer.body) == (try Data(contentsOf: bench.library.appending(path: "song.webm"))))
                }
                #expect(try await api.get("stream/\(id).mp3").status == 404)
            }
        }
    }

    @Test func whoeverAsksForTheConversionGetsIt() async throws {
        try await MediaBench.with { bench in
            try bench.make("song.webm", seconds: 1, Self.webm)
            try await bench.serve(MediaBench.tools) { api in
                let path = try #require(try await api.tracks().first?.audioURL).path
                let answers = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                    for _ in 0..<5 { group.addTask { try await api.get(path).body } }
                    return try await group.reduce(into: [[UInt8]]()) { $0.append($1) }
                }
                #expect(Set(answers).count == 1)
                #expect(answers[0].count > 1_000)
            }
            #expect(try converted(in: bench).count == 1, "converted once, and nothing half-made is left")
        }
    }

    @Test func conversionsAreKeptForTheNextStart() async throws {
        try await MediaBench.with { bench in
            try bench.make("song.webm", seconds: 1, Self.webm)
            try await bench.serve(MediaBench.tools) { api in
                let path = try #require(try await api.tracks().first?.audioURL).path
                #expect(try await api.get(path).status == 200)
            }
            // A converter that only fails stands in for one that must not be asked again.
            let broken = MediaTools(ffmpeg: "/bin/false", ffprobe: MediaBench.tools.ffprobe)
            try await bench.serve(broken) { api in
                let id = try #require(try await api.tracks().first).id
                let state = try await api.post("play", ["track_id": .string(id)])
                #expect(state.track?.audioURL?.pathExtension == "m4a", "it is there at once")
            }
            try FileManager.default.removeItem(at: bench.library.appending(path: "song.webm"))
            try bench.write("other.wav")
            try await bench.serve(MediaBench.tools) { api in
                while try converted(in: bench).isEmpty == false { _ = try await api.tracks() }
            }
        }
    }

    @Test func progressIsShownAndStoppingEndsTheWork() async throws {
        try await MediaBench.with { bench in
            try bench.make("song.webm", seconds: 4, Self.webm)
            try await bench.serve(try slowTool(in: bench)) { api in
                let id = try #require(try await api.tracks().first).id
                try await api.post("play", ["track_id": .string(id)])
                let state = try await api.state { $0.pending.first?.progress ?? 0 > 0 }
                let pending = try #require(state.pending.first)
                #expect(pending.id == id)
                #expect(pending.title == "song")
                #expect(pending.status == "converting")
                #expect(abs((pending.progress ?? 0) - 0.25) < 0.01)
                #expect(state.track?.audioURL == nil)
            }
            let text = try String(contentsOf: bench.root.appending(path: "pid"), encoding: .utf8)
            let number = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
            #expect(kill(number, 0) != 0, "the program has ended with the server")
            #expect(try converted(in: bench).isEmpty, "nothing half-made is left")
        }
    }

    @Test func whatCannotBeConvertedIsOfferedAsItIs() async throws {
        try await MediaBench.with { bench in
            try bench.write("broken.webm", [0x1A, 0x45, 0xDF, 0xA3] + [UInt8](repeating: 7, count: 200))
            try await bench.serve(MediaBench.tools) { api in
                let id = try #require(try await api.tracks().first).id
                try await api.post("play", ["track_id": .string(id)])
                let state = try await api.state { $0.track?.audioURL != nil }
                #expect(state.track?.mimeType == "audio/x-matroska")
                #expect(state.track.flatMap(PlayableFormats.avPlayer.refusal) != nil)
                let answer = try await api.get("stream/\(id).m4a")
                #expect(answer.status == 404)
                #expect(answer.text.contains("is not there as AAC: "))
            }
        }
    }
}
