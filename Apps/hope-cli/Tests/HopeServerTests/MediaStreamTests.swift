import Foundation
import HopeServer
import MediaSync
import Testing
import TransportCore

/// Bytes of the library: parts, conditions, and what must not be reached.
@Suite(.timeLimit(.minutes(2))) struct MediaStreamTests {
    private static let bytes = MediaBench.wave(bytes: 10_000)

    private func withFile(_ body: (MediaCaller, _ path: String, MediaBench) async throws -> Void) async throws {
        try await MediaBench.with { bench in
            try bench.write("song.wav", Self.bytes)
            try await bench.serve { api in
                let track = try #require(try await api.tracks().first)
                try await body(api, "stream/\(track.id)", bench)
            }
        }
    }

    @Test func theWholeHasItsTypeItsLengthAndItsVersion() async throws {
        try await withFile { api, path, _ in
            let answer = try await api.get(path)
            #expect(answer.status == 200)
            #expect(answer.body == Self.bytes)
            #expect(answer.headers["Content-Type"] == "audio/wav")
            #expect(answer.headers["Content-Length"] == "10000")
            #expect(answer.headers["Accept-Ranges"] == "bytes")
            let tag = try #require(answer.headers["ETag"])
            #expect(tag.hasPrefix("\"") && tag.hasSuffix("\""), "strong and quoted")
            #expect(answer.headers["Last-Modified"]?.hasSuffix(" GMT") == true)
        }
    }

    /// The table of RFC 9110 for 10,000 bytes; nil where the field has to be ignored.
    @Test(
        arguments: [
            ("bytes=0-1", "0-1"), ("bytes=0-", "0-9999"), ("bytes=9999-", "9999-9999"), ("bytes=-500", "9500-9999"),
            ("bytes=-20000", "0-9999"), ("bytes=10000-", "*"), ("bytes=-0", "*"), ("bytes=5-2", nil),
            ("bytes=abc", nil), ("bytes=0x0-1", nil), ("bytes=1", nil), ("items=0-1", nil), ("Bytes=0-1", "0-1"),
            ("bytes=+0-1", nil), ("bytes=0-18446744073709551616", "0-9999"),
            ("bytes=99999999999999999999-", "*"), ("bytes=-100000000000000000000", "0-9999"),
            ("bytes=0-0,-1", nil), ("bytes=0-5,3-9", "0-9"), ("bytes=0-5,20000-", "0-5"),
        ] as [(String, String?)]
    )
    func parts(_ range: String, _ expected: String?) async throws {
        try await withFile { api, path, _ in
            let answer = try await api.get(path, range: range)
            switch expected {
            case nil:
                #expect(answer.status == 200)
                #expect(answer.headers["Content-Range"] == nil)
                #expect(answer.body == Self.bytes)
            case "*":
                #expect(answer.status == 416)
                #expect(answer.headers["Content-Range"] == "bytes */10000")
                #expect(answer.body.isEmpty)
            case let part?:
                #expect(answer.status == 206)
                #expect(answer.headers["Content-Range"] == "bytes \(part)/10000")
                let ends = part.split(separator: "-").compactMap { Int($0) }
                #expect(answer.body == Array(Self.bytes[ends[0]...ends[1]]))
                #expect(answer.headers["ETag"] != nil)
            }
        }
    }

    @Test(
        arguments: [
            (1_756_540_000, "Sat, 30 Aug 2025 07:46:40 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
        ] as [(Double, String)]
    )
    func theTimeIsTheFilesOwn(_ time: Double, _ text: String) async throws {
        try await withFile { api, path, bench in
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: time)],
                ofItemAtPath: bench.library.appending(path: "song.wav").path
            )
            let answer = try await api.send("HEAD", path)
            #expect(answer.headers["Last-Modified"] == text)
        }
    }

    @Test func theHeadAloneIgnoresRanges() async throws {
        try await withFile { api, path, _ in
            let answer = try await api.send("HEAD", path, headers: ["Range": "bytes=0-1"])
            #expect(answer.status == 200)
            #expect(answer.headers["Content-Length"] == "10000")
            #expect(answer.body.isEmpty)
        }
    }

    @Test func aPartIsGivenOfTheSameVersionOnly() async throws {
        try await withFile { api, path, _ in
            let head = try await api.send("HEAD", path)
            let tag = try #require(head.headers["ETag"])
            let date = try #require(head.headers["Last-Modified"])
            for (condition, status) in [
                (tag, 206), (date, 206), ("W/\(tag)", 200), ("\"other\"", 200), ("garbage", 200),
                ("Sat, 30 Aug 2025 07:46:40 GMT", 200),
            ] {
                let answer = try await api.get(path, range: "bytes=0-1", ["If-Range": condition])
                #expect(answer.status == status, "\(condition)")
            }
        }
    }

    @Test func whatTheClientHasIsNotSentAgain() async throws {
        try await withFile { api, path, _ in
            let head = try await api.send("HEAD", path)
            let tag = try #require(head.headers["ETag"])
            for (name, value, status) in [
                ("If-None-Match", tag, 304), ("If-None-Match", "W/\(tag)", 304), ("If-None-Match", "*", 304),
                ("If-None-Match", "\"a\", \(tag)", 304), ("If-None-Match", "\"other\"", 206),
                ("If-Modified-Since", try #require(head.headers["Last-Modified"]), 304),
            ] {
                let answer = try await api.get(path, range: "bytes=0-1", [name: value])
                #expect(answer.status == status, "\(name): \(value)")
                #expect(answer.headers["ETag"] == tag)
                if status == 304 { #expect(answer.body.isEmpty) }
            }
        }
    }

    @Test func aFileThatChangesHasAnotherVersion() async throws {
        try await withFile { api, path, bench in
            var tags: [String] = []
            for change in 0..<20 {
                try bench.write("song.wav", Self.bytes.reversed())
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: testTimeOfDay + Double(change) / 1_000)],
                    ofItemAtPath: bench.library.appending(path: "song.wav").path
                )
                tags.append(try #require(try await api.get(path).headers["ETag"]))
            }
            #expect(Set(tags).count == 20, "of the same length, and changed within a second")
        }
    }

    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
    func bytesAreReadOnly(_ method: String) async throws {
        try await withFile { api, path, _ in
            let answer = try await api.send(method, path, headers: ["Content-Type": "application/json"])
            #expect(answer.status == 405)
            #expect(answer.headers["Allow"] == "GET, HEAD")
            #expect(answer.text.hasPrefix("{\"error\":\""))
        }
    }

    @Test func anEmptyFileIsGivenWhole() async throws {
        try await withFile { api, path, bench in
            try bench.write("song.wav", [])
            for range in ["bytes=0-", "bytes=-5"] {
                let answer = try await api.get(path, range: range)
                #expect(answer.status == 200)
                #expect(answer.headers["Content-Length"] == "0")
            }
        }
    }

    @Test func aFileThatHasVanishedIsNotThere() async throws {
        try await withFile { api, path, bench in
            try FileManager.default.removeItem(at: bench.library.appending(path: "song.wav"))
            let answer = try await api.get(path)
            #expect(answer.status == 404)
            #expect(answer.text == "{\"error\":\"the file of “song” is not there any more\"}")
            #expect(try await api.tracks().isEmpty)
        }
    }

    @Test func aLinkThatTakesAFilesPlaceIsNotFollowed() async throws {
        try await withFile { api, path, bench in
            let secret = bench.root.appending(path: "secret.wav")
            try Data(Self.bytes).write(to: secret)
            let song = bench.library.appending(path: "song.wav")
            try FileManager.default.removeItem(at: song)
            try FileManager.default.createSymbolicLink(at: song, withDestinationURL: secret)
            #expect(try await api.get(path).status == 404)
        }
    }

    @Test(
        arguments: [
            "..", "../song.wav", "..%2fsong.wav", "%2e%2e/%2e%2e/etc/passwd", "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
            "song.wav%00", "%00", "%ff", "song.wav", "", ".", "%5c..%5c", "....//", "/etc/passwd", "%2fetc%2fpasswd",
        ]
    )
    func namesLeadNowhere(_ name: String) async throws {
        try await withFile { api, _, _ in
            for place in ["stream", "art"] {
                let answer = try await api.get("\(place)/\(name)")
                #expect(answer.status == 404)
                #expect(answer.text.hasPrefix("{\"error\":\""))
            }
            #expect(try await api.send("DELETE", "tracks/\(name)").status == 404)
        }
    }

    @Test func fiveGibibytesAreSoughtIn() async throws {
        try await MediaBench.with { bench in
            let length = 5 * 1024 * 1024 * 1024
            let url = try bench.write("long.wav", MediaBench.wave(bytes: 44))
            let file = try FileHandle(forWritingTo: url)
            try file.truncate(atOffset: UInt64(length))
            try file.seek(toOffset: 4_294_967_290)
            try file.write(contentsOf: Data("01234567890".utf8))
            try file.close()
            try await bench.serve { api in
                let path = "stream/\(try #require(try await api.tracks().first).id)"
                let part = try await api.get(path, range: "bytes=4294967290-4294967300")
                #expect(part.status == 206)
                #expect(part.text == "01234567890")
                #expect(part.headers["Content-Range"] == "bytes 4294967290-4294967300/\(length)")
                let head = try await api.send("HEAD", path)
                #expect(head.headers["Content-Length"] == "\(length)")
                let end = try await api.get(path, range: "bytes=\(String(repeating: "9", count: 30))-")
                #expect(end.status == 416)
                let last = try await api.get(path, range: "bytes=-1")
                #expect(last.headers["Content-Range"] == "bytes \(length - 1)-\(length - 1)/\(length)")
            }
        }
    }

    @Test func manyListenAtOnce() async throws {
        try await MediaBench.with { bench in
            let bytes = MediaBench.wave(bytes: 400_000)
            try bench.write("song.wav", bytes)
            try await bench.serve { api in
                let path = "stream/\(try #require(try await api.tracks().first).id)"
                let sums = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for listener in 0..<20 {
                        group.addTask {
                            let first = listener * 1_000
                            let answer = try await api.get(path, range: "bytes=\(first)-")
                            return answer.body == Array(bytes[first...])
                        }
                    }
                    return try await group.reduce(into: [Bool]()) { $0.append($1) }
                }
                #expect(sums == Array(repeating: true, count: 20))
            }
        }
    }
}
