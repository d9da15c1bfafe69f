import Foundation
import HopeServer
import MediaSync
import Testing
import TransportCore

/// What of a folder is in the library, and under which names.
@Suite(.timeLimit(.minutes(2))) struct MediaLibraryTests {
    private func titles(_ tracks: [MediaTrack]) -> [String] { tracks.map(\.title) }

    @Test func hiddenFilesLinksAndOtherThingsAreLeftOut() async throws {
        try await MediaBench.with { bench in
            try bench.write("here.wav")
            try bench.write("deep/er/there.wav")
            try bench.write(".hidden.wav")
            try bench.write(".folder/inside.wav")
            try bench.write("notes.txt")
            try bench.write("page.mp3", Array("<html>no music</html>".utf8))
            try bench.write("empty.wav", [])
            try bench.write("list.m3u8", Array("#EXTM3U\nhttp://example.org/a.mp3\n".utf8))
            let outside = bench.root.appending(path: "outside")
            try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
            try Data(MediaBench.wave(seconds: 1)).write(to: outside.appending(path: "secret.wav"))
            for (name, target) in [("link.wav", "outside/secret.wav"), ("folder", "outside"), ("loop", "library")] {
                try FileManager.default.createSymbolicLink(
                    at: bench.library.appending(path: name),
                    withDestinationURL: bench.root.appending(path: target)
                )
            }
            try await bench.serve { api in
                let tracks = try await api.tracks()
                #expect(titles(tracks) == ["there", "here"])
            }
        }
    }

    /// The type comes from the bytes, whatever the name says.
    @Test(
        arguments: [
            ("a.mp3", [0x49, 0x44, 0x33, 4, 0, 0], "audio/mpeg"), ("a.mp3", [0xFF, 0xFB, 0x90, 0], "audio/mpeg"),
            ("a.aac", [0xFF, 0xF1, 0x50, 0x80], "audio/aac"), ("a.mp3", Array("OggS".utf8), "audio/ogg"),
            ("a.flac", Array("fLaC".utf8), "audio/flac"), ("a.flac", Array("ID3".utf8), "audio/flac"),
            ("a.wav", [0, 0, 0, 32] + Array("ftypM4A ".utf8), "audio/mp4"),
            ("a.webm", [0x1A, 0x45, 0xDF, 0xA3, 0x90, 0x42, 0x82, 0x84] + Array("webm".utf8), "audio/webm"),
            ("a.webm", [0x1A, 0x45, 0xDF, 0xA3, 0x90, 0x42, 0x82, 0x88] + Array("matroska".utf8), "audio/x-matroska"),
            ("A.AIFF", Array("FORM....AIFF".utf8), "audio/aiff"), ("a.opus", Array("OggS".utf8), "audio/ogg"),
        ] as [(String, [UInt8], String)]
    )
    func typesComeFromTheBytes(_ name: String, _ head: [UInt8], _ type: String) async throws {
        try await MediaBench.with { bench in
            try bench.write(name, head + [UInt8](repeating: 0, count: 100))
            try await bench.serve { api in
                let track = try #require(try await api.tracks().first)
                #expect(track.mimeType == type)
                let answer = try await api.send("HEAD", track.audioURL?.path ?? "")
                #expect(answer.status == 200)
                #expect(answer.headers["Content-Type"] == type)
            }
        }
    }

    @Test func whatCannotBeConvertedIsKnownNotToPlay() async throws {
        try await MediaBench.with { bench in
            try bench.write("a.ogg", Array("OggS".utf8) + [UInt8](repeating: 0, count: 100))
            try await bench.serve { api in
                let track = try #require(try await api.tracks().first)
                #expect(
                    PlayableFormats.avPlayer.refusal(of: track)
                        == "“a” is an Ogg file (audio/ogg), which the iPhone's player cannot open."
                )
                let notices = try JSONValue(parsing: try await api.get("library").body)["notices"]?.elements
                #expect(notices?.count == 2, "what is missing is said")
            }
        }
    }

    @Test func idsAreTheSameAtEveryStart() async throws {
        try await MediaBench.with { bench in
            try bench.write("a/song.wav")
            try bench.write("b/song.wav")
            var seen: [[String]] = []
            for _ in 0..<2 {
                try await bench.serve { api in seen.append(try await api.tracks().map(\.id)) }
            }
            #expect(seen[0] == seen[1])
            #expect(Set(seen[0]).count == 2)
        }
    }

    @Test func namesThatLookTheSameAreTwoFiles() async throws {
        try await MediaBench.with { bench in
            try bench.write("caf\u{E9}.wav", MediaBench.wave(bytes: 100))
            try bench.write("cafe\u{301}.wav", MediaBench.wave(bytes: 200))
            try await bench.serve { api in
                let tracks = try await api.tracks()
                var lengths: Set<String> = []
                for track in tracks {
                    let answer = try await api.send("HEAD", "stream/\(track.id)")
                    lengths.insert(answer.headers["Content-Length"] ?? "")
                }
                #expect(lengths == ["100", "200"])
            }
        }
    }

    @Test func aNameThatIsWrittenInAnotherWayIsAnotherFile() async throws {
        try await MediaBench.with { bench in
            let first = try bench.write("caf\u{E9}.wav")
            try await bench.serve { api in
                let before = try await api.tracks()
                try FileManager.default.moveItem(
                    atPath: first.path,
                    toPath: bench.library.path + "/cafe\u{301}.wav"
                )
                let after = try await api.tracks()
                #expect(before.map(\.id) != after.map(\.id))
                #expect(try await api.get("stream/\(after[0].id)").status == 200)
            }
        }
    }

    @Test func theFolderIsLookedAtAgain() async throws {
        try await MediaBench.with { bench in
            try bench.write("one.wav")
            try await bench.serve { api in
                #expect(try await titles(api.tracks()) == ["one"])
                try bench.write("two.wav")
                #expect(try await titles(api.tracks()) == ["one", "two"])
                try FileManager.default.removeItem(at: bench.library.appending(path: "one.wav"))
                #expect(try await titles(api.tracks()) == ["two"])
                try bench.write("two.wav", Array("OggS".utf8) + [0, 0, 0])
                #expect(try await api.tracks().first?.mimeType == "audio/ogg")
            }
        }
    }

    @Test func aFolderThatIsGoneForAMomentTakesNothingWithIt() async throws {
        try await MediaBench.with { bench in
            try bench.write("one.wav")
            try await bench.serve { api in
                #expect(try await titles(api.tracks()) == ["one"])
                let elsewhere = bench.root.appending(path: "unplugged")
                try FileManager.default.moveItem(at: bench.library, to: elsewhere)
                #expect(try await titles(api.tracks()) == ["one"])
                try FileManager.default.moveItem(at: elsewhere, to: bench.library)
                let id = try #require(try await api.tracks().first).id
                #expect(try await api.get("stream/\(id)").status == 200)
            }
        }
    }

    @Test func removedFilesAreKeptInTheTrash() async throws {
        try await MediaBench.with { bench in
            for size in [100, 200] {
                try bench.write("album/song.wav", MediaBench.wave(bytes: size))
                try await bench.serve { api in
                    let id = try #require(try await api.tracks().first).id
                    #expect(try await api.send("DELETE", "tracks/\(id)").status == 200)
                    #expect(try await api.tracks().isEmpty)
                    #expect(try await api.get("stream/\(id)").status == 404)
                    let again = try await api.send("DELETE", "tracks/\(id)")
                    #expect(again.status == 404)
                    #expect(again.text == "{\"error\":\"there is no track “\(id)” in the library\"}")
                }
            }
            let trash = bench.library.appending(path: ".trash/album")
            #expect(try Data(contentsOf: trash.appending(path: "song.wav")).count == 100)
            #expect(try Data(contentsOf: trash.appending(path: "song 2.wav")).count == 200)
        }
    }

    @Test func aTrashThatLeadsElsewhereIsRefused() async throws {
        try await MediaBench.with { bench in
            try bench.write("song.wav")
            let outside = bench.root.appending(path: "outside")
            try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                at: bench.library.appending(path: ".trash"),
                withDestinationURL: outside
            )
            try await bench.serve { api in
                let id = try #require(try await api.tracks().first).id
                #expect(try await api.send("DELETE", "tracks/\(id)").status == 500)
                #expect(try await api.tracks().count == 1, "nothing is lost")
            }
        }
    }

    @Test func picturesBesideTheFilesAreShown() async throws {
        try await MediaBench.with { bench in
            let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]
            try bench.write("album/song.wav")
            try bench.write("album/Cover.png", picture)
            try bench.write("fake/song.wav")
            try bench.write("fake/cover.png", Array("<svg onload=…>".utf8))
            try await bench.serve { api in
                let tracks = try await api.tracks()
                let paths = try tracks.map { try #require($0.art).path }
                let art = try await api.get(paths[0])
                #expect(art.status == 200)
                #expect(art.headers["Content-Type"] == "image/png")
                #expect(art.body == picture)
                #expect(try await api.get(paths[1]).status == 404)
            }
        }
    }

    @Test func aFolderThatIsNoneIsSaidToBe() async throws {
        try await MediaBench.with { bench in
            let file = try bench.write("song.wav")
            for (path, code) in [
                (bench.root.path + "/nowhere", MediaLibraryError.Code.notFound), (file.path, .unusable),
            ] {
                let error = #expect(throws: MediaLibraryError.self) {
                    try MediaLibrary.folder(path, dataFolder: bench.data.path, tools: .none)
                }
                #expect(error?.code == code)
                #expect(error?.message.contains(path) == true)
            }
        }
    }

    @Test(.enabled(if: MediaBench.hasFFmpeg, "ffmpeg and ffprobe are not installed"))
    func titlesArtistsAndLengthsComeFromTheFiles() async throws {
        try await MediaBench.with { bench in
            try bench.make("x.flac", seconds: 3, ["-metadata", "title=Blue Moon", "-metadata", "artist=Café Trio"])
            try bench.make("y.ogg", seconds: 2, ["-metadata", "title=Tagged\nOgg"])
            try bench.write("z.wav", MediaBench.wave(seconds: 2))
            try bench.write("broken.mp3", [0x49, 0x44, 0x33] + [UInt8](repeating: 0x55, count: 500))
            try await bench.serve(MediaBench.tools) { api in
                let tracks = try await api.tracks { tracks in tracks.count(where: { $0.duration != nil }) == 3 }
                #expect(titles(tracks) == ["broken", "Blue Moon", "Tagged Ogg", "z"])
                #expect(tracks.map(\.channel) == [nil, "Café Trio", nil, nil])
                #expect(tracks.dropFirst().map(\.duration) == [3, 2, 2])
            }
        }
    }

    @Test(.enabled(if: MediaBench.hasFFmpeg, "ffmpeg and ffprobe are not installed"))
    func picturesInTheFilesAreShownAndKeptOnce() async throws {
        try await MediaBench.with { bench in
            let picture = [
                "-f", "lavfi", "-i", "color=red:s=32x32:d=1:r=1", "-map", "0", "-map", "1", "-frames:v", "1",
            ]
            for name in ["a.flac", "b.flac"] {
                try bench.make(name, seconds: 1, picture + ["-c:v", "png", "-disposition:v", "attached_pic"])
            }
            try await bench.serve(MediaBench.tools) { api in
                let tracks = try await api.tracks { tracks in tracks.allSatisfy { $0.art != nil } }
                for track in tracks {
                    let art = try await api.get(try #require(track.art).path)
                    #expect(art.headers["Content-Type"] == "image/png")
                    #expect(art.body.starts(with: [0x89, 0x50, 0x4E, 0x47]))
                }
            }
            let kept = try FileManager.default.subpathsOfDirectory(atPath: bench.data.path)
            #expect(kept.count { $0.contains("/pictures/") } == 1)
        }
    }

    @Test(.enabled(if: MediaBench.hasFFmpeg, "ffmpeg and ffprobe are not installed"))
    func whatWasFoundOutIsKept() async throws {
        try await MediaBench.with { bench in
            try bench.make("x.flac", seconds: 1, ["-metadata", "title=Blue Moon"])
            try await bench.serve(MediaBench.tools) { api in
                let tracks = try await api.tracks { $0.first?.duration != nil }
                #expect(titles(tracks) == ["Blue Moon"])
            }
            // A program that says nothing stands in for one that must not be asked again.
            try await bench.serve(MediaTools(ffprobe: "/bin/false")) { api in
                #expect(try await titles(api.tracks()) == ["Blue Moon"])
                try bench.make("x.flac", seconds: 2, ["-metadata", "title=Changed"])
                #expect(try await titles(api.tracks()) == ["x"], "a file that has changed is looked into again")
            }
        }
    }
}
