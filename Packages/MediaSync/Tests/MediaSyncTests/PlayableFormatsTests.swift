import Foundation
import MediaSync
import Testing

struct PlayableFormatsTests {
    private func track(_ mimeType: String?, _ path: String = "stream/1") -> MediaTrack {
        MediaTrack(id: "1", title: "Song", audioURL: URL(string: "http://h/\(path)"), mimeType: mimeType)
    }

    @Test(
        "Apple's player opens neither WebM, Matroska nor Ogg",
        arguments: [
            ("audio/webm", "a"), ("Audio/WebM; codecs=\"opus\"", "a"), ("video/webm", "a"), ("audio/ogg", "a"),
            ("application/ogg", "a"), ("audio/opus", "a"), ("video/x-matroska", "a"), (nil, "a.webm"), (nil, "a.OGG"),
            ("application/octet-stream", "a.opus"), ("text/plain", "a.mkv"),
        ] as [(String?, String)]
    )
    func refused(mimeType: String?, path: String) {
        #expect(PlayableFormats.avPlayer.refusal(of: track(mimeType, path)) != nil)
        #expect(PlayableFormats.mpv.refusal(of: track(mimeType, path)) == nil)
    }

    @Test(
        "What Apple's player knows and what nobody knows is worth a try",
        arguments: [
            ("audio/mp4; codecs=\"opus\"", "a"), ("audio/mpeg", "a"), ("audio/x-m4a", "a.webm"), ("audio/flac", "a"),
            ("audio/wav", "a"), ("application/vnd.apple.mpegurl", "a"), ("text/plain", "a.flac"), (nil, "a"),
            ("audio/strange", "a"), ("", "a"),
        ] as [(String?, String)]
    )
    func accepted(mimeType: String?, path: String) {
        #expect(PlayableFormats.avPlayer.refusal(of: track(mimeType, path)) == nil)
    }

    @Test("The reason is a sentence with the format, the media type and the player")
    func words() {
        #expect(
            PlayableFormats.avPlayer.refusal(of: track("audio/webm"))
                == "“Song” is a WebM file (audio/webm), which the iPhone's player cannot open."
        )
        #expect(
            PlayableFormats.avPlayer.refusal(of: track(nil, "a.ogg"))
                == "“Song” is an Ogg file, which the iPhone's player cannot open."
        )
    }
}
