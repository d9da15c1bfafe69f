import Foundation
import MediaProxy
import MediaSync
import Testing
import TransportCore

@Suite(.timeLimit(.minutes(1))) struct MediaTypeTests {
    @Test(
        "Type and ending are the container's, whatever the server calls it",
        arguments: [
            ("/a.flac", "text/plain", "flac", "audio/flac"), ("/a.m4a", "audio/x-m4a", "m4a", "audio/mp4"),
            ("/a.mp4", "application/octet-stream", "m4a", "audio/mp4"), ("/a.webm", "video/webm", "webm", "audio/webm"),
            ("/a.opus", "text/plain", "ogg", "audio/ogg"), ("/a.mp3?x=.ogg", nil, "mp3", "audio/mpeg"),
            ("/a.wav", "text/html", "wav", "audio/wav"), ("/a.m3u8", nil, "m3u8", "application/vnd.apple.mpegurl"),
        ] as [(String, String?, String, String)]
    )
    func byEnding(_ path: String, _ sent: String?, _ ending: String, _ type: String) async throws {
        try await withProxy(.with { $0.type = sent }) { bench in
            let url = try await bench.share(path)
            #expect(url.hasSuffix("/song.\(ending)"))
            #expect(bench.origin.seen.isEmpty)
            #expect(try await bench.range(url, "bytes=0-1").headers["Content-Type"] == type)
            #expect(try await bench.get(url, method: "HEAD").headers["Content-Type"] == type)
        }
    }

    @Test("A track's own type comes before the ending of its address")
    func byTrack() async throws {
        try await withProxy { bench in
            let address = URL(string: bench.base + "/media/api/stream/1.bin")
            let track = MediaTrack(id: "1", title: "Song", audioURL: address, mimeType: "audio/mp4; codecs=mp4a.40.2")
            let source = try #require(MediaSource(track))
            let url = try await bench.session.share(source).absoluteString
            #expect(url.hasSuffix("/1.m4a"))
            #expect(try await bench.get(url).headers["Content-Type"] == "audio/mp4")
            #expect(MediaSource(MediaTrack(id: "2", title: "Not ready")) == nil)
            let radio = MediaTrack(id: "3", title: "Radio", audioURL: address, kind: .stream)
            #expect(MediaSource(radio)?.isLive == true)
        }
    }

    @Test(
        "Where neither tells it, the server's type does",
        arguments: [("audio/x-flac", "flac"), ("AUDIO/MPEG", "mp3")]
    )
    func byServer(_ type: String, _ ending: String) async throws {
        try await withProxy(.with { $0.type = type }) { bench in
            let url = try await bench.share("/media/api/stream/1")
            #expect(url.hasSuffix("/song.\(ending)"))
        }
    }

    // The first bytes of files as ffmpeg 5.1 writes them.
    static let signatures: [([UInt8], String, String?)] = [
        ([0, 0, 0, 0x1C] + Array("ftypM4A ".utf8), "m4a", "audio/mp4"),
        (Array("fLaC".utf8) + [0, 0, 0, 0x22], "flac", "audio/flac"), (Array("OggS\0\u{2}".utf8), "ogg", "audio/ogg"),
        (Array("RIFF\u{24}\0\0\0WAVEfmt ".utf8), "wav", "audio/wav"), (Array("ID3\u{4}\0".utf8), "mp3", "audio/mpeg"),
        ([0xFF, 0xFB, 0x50, 0xC4], "mp3", "audio/mpeg"), ([0xFF, 0xF1, 0x50, 0x80], "aac", "audio/aac"),
        (
            [0x1A, 0x45, 0xDF, 0xA3, 0x9F, 0x42, 0x86, 0x81, 1, 0x42, 0x82, 0x84] + Array("webm".utf8), "webm",
            "audio/webm"
        ),
        (
            [0x1A, 0x45, 0xDF, 0xA3, 0xA3, 0x42, 0x86, 0x81, 1, 0x42, 0x82, 0x88] + Array("matroska".utf8), "mka",
            "audio/x-matroska"
        ),
        (Array("#EXTM3U\n".utf8), "m3u8", "application/vnd.apple.mpegurl"), (Array("hello".utf8), "media", nil),
        ([], "media", nil), ([0xFF], "media", nil),
    ]

    @Test(
        "Where the server says nothing either, the first bytes do; else no type is better than a wrong one",
        arguments: signatures
    )
    func byBytes(_ bytes: [UInt8], _ ending: String, _ type: String?) async throws {
        try await withProxy(
            .with {
                $0.type = "application/octet-stream"
                $0.content = .bytes(bytes)
            }
        ) { bench in
            let url = try await bench.share("/media/api/stream/1")
            #expect(url.hasSuffix("/song.\(ending)"))
            let answer = try await bench.get(url)
            #expect(answer.headers["Content-Type"] == type && answer.body == bytes)
        }
    }
}
