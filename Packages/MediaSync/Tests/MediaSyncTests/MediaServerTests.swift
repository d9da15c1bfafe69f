import Foundation
import MediaSync
import Testing

struct MediaServerTests {
    private func server(_ base: String = "https://hope.example:8765") throws -> MediaServer {
        MediaServer(base: try #require(URL(string: base)))
    }

    private let full = #"""
        {
          "track": {"id": "t1", "title": "Clair de lune", "channel": "Piano", "duration": 301.5,
                    "art": "/media/art/t1.jpg", "audio_url": "media/api/stream/t1", "mime": "audio/mp4", "kind": "file",
                    "unknown": {"x": 1}},
          "desired": "playing", "seek_hint": {"ts": 1795961025.25, "position": 12}, "start_paused": true,
          "pending": [{"id": "p1", "title": "Gymnopédie", "status": "downloading", "progress": 0.25}],
          "choices": [{"id": "c1", "title": "Nocturne", "channel": null, "duration": 60, "in_library": true}],
          "reported": {"track_id": "t1", "position": 3, "playing": true, "ts": 1795961020},
          "volume": 0.5, "new_field": []
        }
        """#

    @Test("A full state is read, fields that nobody knows are passed over")
    func fullState() throws {
        let state = try server().state(status: 200, body: Array(full.utf8))
        let track = try #require(state.track)
        #expect(track.title == "Clair de lune")
        #expect(track.art?.absoluteString == "https://hope.example:8765/media/art/t1.jpg")
        #expect(track.audioURL?.absoluteString == "https://hope.example:8765/media/api/stream/t1")
        #expect([track.channel, track.mimeType] == ["Piano", "audio/mp4"])
        #expect(track.duration == 301.5)
        #expect(state.desired == .playing)
        #expect(state.seekHint == SeekHint(timestamp: 1_795_961_025.25, position: 12))
        #expect(state.startPaused)
        #expect(
            state.pending == [PendingDownload(id: "p1", title: "Gymnopédie", status: "downloading", progress: 0.25)]
        )
        #expect(state.choices == [MediaChoice(id: "c1", title: "Nocturne", duration: 60, isInLibrary: true)])
        #expect(state.reported?.isPlaying == true)
        #expect(state.volume == 0.5)
    }

    @Test("What is optional may be missing or null")
    func shortState() throws {
        let state = try server().state(status: 200, body: Array(#"{"desired":"stopped"}"#.utf8))
        #expect(state == MediaState(track: nil, desired: .stopped))
        let nulls = #"{"track":{"id":"a","title":"b","kind":"podcast","art":""},"desired":"paused","pending":null}"#
        let read = try server().state(status: 200, body: Array(nulls.utf8))
        #expect(read == MediaState(track: MediaTrack(id: "a", title: "b"), desired: .paused))
    }

    @Test("A state that is written has every key and reads back the same")
    func writing() throws {
        let state = try server().state(status: 200, body: Array(full.utf8))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = try encoder.encode(state)
        #expect(try JSONDecoder().decode(MediaState.self, from: text) == state)
        let empty = String(decoding: try encoder.encode(MediaState(track: nil, desired: .paused)), as: UTF8.self)
        #expect(
            empty == #"{"choices":[],"desired":"paused","pending":[],"reported":null,"seek_hint":null,"#
                + #""start_paused":false,"track":null,"volume":null}"#
        )
    }

    @Test(
        "Relative addresses are resolved against the server's base",
        arguments: [
            ("http://h", "x", "http://h/x"), ("http://h/hope", "x", "http://h/hope/x"),
            ("http://h/hope/", "/x", "http://h/x"), ("http://h/hope", "https://e/y?z=1", "https://e/y?z=1"),
            ("http://h", "a b.mp3", "http://h/a%20b.mp3"),
        ]
    )
    func resolves(base: String, address: String, absolute: String) throws {
        let body = #"{"id":"a","title":"b","audio_url":"\#(address)","art":"\#(address)"}"#
        let track = try server(base).track(status: 200, body: Array(body.utf8))
        #expect(track.audioURL?.absoluteString == absolute)
        #expect(track.art?.absoluteString == absolute)
    }

    @Test(
        "Only http and https are played; a picture elsewhere is left out",
        arguments: ["file:///etc/passwd", "data:,x"]
    )
    func schemes(address: String) throws {
        let audio = #"{"track":{"id":"a","title":"b","audio_url":"\#(address)"},"desired":"playing"}"#
        let error = #expect(throws: MediaAPIError.self) { try server().state(status: 200, body: Array(audio.utf8)) }
        #expect(error?.message.hasPrefix("the answer has an audio_url that is not http(s) (HTTP 200): {") == true)
        let art = #"{"id":"a","title":"b","art":"\#(address)"}"#
        #expect(try server().track(status: 200, body: Array(art.utf8)).art == nil)
    }

    @Test("The library and search results are lists in the server's order")
    func lists() throws {
        let tracks = #"{"tracks":[{"id":"2","title":"b"},{"id":"1","title":"a","kind":"stream"}]}"#
        #expect(try server().library(status: 200, body: Array(tracks.utf8)).map(\.id) == ["2", "1"])
        let results = #"{"results":[{"id":"9","title":"x","art":"p.png","in_library":false}]}"#
        let found = try server().results(status: 200, body: Array(results.utf8))
        #expect(found.first?.art?.absoluteString == "https://hope.example:8765/p.png")
    }

    @Test("A refusal is told in the server's words, with the action first")
    func refusal() throws {
        let error = #expect(throws: MediaAPIError.self) {
            try server().track(status: 400, body: Array(#"{"error":"url must be http(s)"}"#.utf8))
        }
        #expect(error?.code == .refused)
        #expect(error?.status == 400)
        #expect(error?.message(for: "add stream") == "Could not add stream: url must be http(s) (HTTP 400)")
    }

    @Test("A refusal without words shows the status and the body's beginning")
    func wordlessRefusal() throws {
        let error = #expect(throws: MediaAPIError.self) {
            try server().check(status: 502, body: Array("Bad\u{1B}[2J".utf8))
        }
        #expect(error?.message == "the server refused (HTTP 502): Bad [2J")
        let empty = #expect(throws: MediaAPIError.self) { try server().check(status: 404, body: []) }
        #expect(empty?.message == "the server refused (HTTP 404)")
        #expect(throws: Never.self) { try server().check(status: 204, body: []) }
    }

    @Test("A body that is not JSON shows the status and the first 200 characters")
    func notJSON() throws {
        let body = "<html>" + String(repeating: "é", count: 300)
        let error = #expect(throws: MediaAPIError.self) { try server().state(status: 200, body: Array(body.utf8)) }
        #expect(error?.code == .notJSON)
        #expect(error?.message == "the answer is not JSON (HTTP 200): <html>" + String(repeating: "é", count: 194))
        let bytes = #expect(throws: MediaAPIError.self) { try server().state(status: 200, body: [0xFF, 0x00]) }
        #expect(bytes?.message == "the answer is not JSON (HTTP 200): \u{FFFD} ")
    }

    @Test(
        "An answer of another kind names what is wrong",
        arguments: [
            ("{}", "lacks “desired”"), (#"{"track":{"id":"a"},"desired":"playing"}"#, "lacks “track.title”"),
            (#"{"desired":"loud"}"#, "desires “loud” instead of playing, paused or stopped"),
            (#"{"desired":"paused","pending":[{"id":1}]}"#, "has no usable “pending.[0].id”"), ("[]", "is no object"),
        ]
    )
    func unexpected(body: String, words: String) throws {
        let error = #expect(throws: MediaAPIError.self) { try server().state(status: 200, body: Array(body.utf8)) }
        #expect(error?.code == .unexpected)
        #expect(error?.message == "the answer \(words) (HTTP 200): \(body)")
    }

    @Test("A report has the server's keys, an unknown length among them")
    func report() throws {
        let report = PlaybackReport(
            room: "default",
            trackID: "t1",
            position: 1.5,
            duration: nil,
            isPlaying: true,
            hasEnded: false,
            timestamp: 1_795_961_025
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text =
            #"{"duration":null,"ended":false,"playing":true,"position":1.5,"room":"default","track_id":"t1","ts":1795961025}"#
        #expect(String(decoding: try encoder.encode(report), as: UTF8.self) == text)
        #expect(try JSONDecoder().decode(PlaybackReport.self, from: Data(text.utf8)) == report)
    }
}
