import Foundation
import MediaSync
import Testing
import TransportCore

struct MediaAPITests {
    private let client = CannedHTTPClient()

    private func api(headers: @escaping MediaAPI.Headers = { _ in [:] }) throws -> MediaAPI {
        MediaAPI(base: try #require(URL(string: "https://hope.example:8765/base")), client: client, headers: headers)
    }

    private func answer(_ method: String, _ path: String, _ status: Int, _ body: String) {
        let url = "https://hope.example:8765/base/media/api/\(path)"
        client.answer(method, url, with: .success(HTTPResponse(status: status, body: Array(body.utf8))))
    }

    private var sent: [String] {
        client.received.map { "\($0.method) \($0.url.dropFirst(31)) \(String(decoding: $0.body, as: UTF8.self))" }
    }

    private let state = #"{"track":null,"desired":"paused"}"#

    @Test("Each call sends what the server reads")
    func requests() async throws {
        answer("GET", "state?room=a%20b%26c%2F%C3%A9", 200, state)
        for _ in 0..<3 { answer("POST", "play", 200, state) }
        for _ in 0..<5 { answer("POST", "control", 200, state) }
        answer("POST", "search", 200, #"{"results":[]}"#)
        answer("GET", "library", 200, #"{"tracks":[]}"#)
        answer("DELETE", "tracks/a%2F..%3F", 200, "")
        answer("POST", "streams", 200, #"{"id":"s","title":"Radio","kind":"stream"}"#)
        let api = try api()
        _ = try await api.state(room: "a b&c/é")
        _ = try await api.play(.track(id: "t"), room: "r")
        _ = try await api.play(.video(id: "v"), room: "r", at: 2.5, startsPaused: true)
        _ = try await api.play(.query("jazz"), room: "r")
        for control: MediaControl in [.play, .pause, .stop, .seek(to: 12.5), .volume(0.25)] {
            _ = try await api.control(control, room: "r")
        }
        #expect(try await api.search("q").isEmpty)
        #expect(try await api.library().isEmpty)
        try await api.remove(trackID: "a/..?")
        #expect(try await api.addStream(name: " ", url: " HTTP://Radio.example/x ").kind == .stream)
        #expect(
            sent == [
                "GET media/api/state?room=a%20b%26c%2F%C3%A9 ",
                #"POST media/api/play {"room":"r","track_id":"t"}"#,
                #"POST media/api/play {"room":"r","video_id":"v","position":2.5,"start_paused":true}"#,
                #"POST media/api/play {"room":"r","query":"jazz"}"#,
                #"POST media/api/control {"room":"r","action":"play"}"#,
                #"POST media/api/control {"room":"r","action":"pause"}"#,
                #"POST media/api/control {"room":"r","action":"stop"}"#,
                #"POST media/api/control {"room":"r","action":"seek","position":12.5}"#,
                #"POST media/api/control {"room":"r","action":"volume","volume":0.25}"#,
                #"POST media/api/search {"query":"q"}"#,
                "GET media/api/library ",
                "DELETE media/api/tracks/a%2F..%3F ",
                #"POST media/api/streams {"name":"Radio.example","url":"http://Radio.example/x"}"#,
            ]
        )
        #expect(
            client.received.allSatisfy { ($0.headers["Content-Type"] == "application/json") == ($0.method != "GET") }
        )
    }

    @Test("A report is sent as it is")
    func report() async throws {
        answer("POST", "report", 200, "")
        let report = PlaybackReport(
            room: "r",
            trackID: "t",
            position: 1.5,
            duration: nil,
            isPlaying: true,
            hasEnded: false,
            timestamp: 1_795_961_025.25
        )
        try await api().report(report)
        let received = try #require(client.received.first)
        #expect(
            String(decoding: received.body, as: UTF8.self)
                == #"{"room":"r","track_id":"t","position":1.5,"duration":null,"playing":true,"ended":false,"ts":1795961025.25}"#
        )
        #expect(try JSONDecoder().decode(PlaybackReport.self, from: Data(received.body)) == report)
        #expect(received.headers["content-type"] == "application/json")
    }

    @Test("Who asks is proved for the room that is asked about")
    func headers() async throws {
        answer("GET", "state?room=r", 200, state)
        answer("GET", "library", 200, #"{"tracks":[]}"#)
        let api = try api { room in ["Authorization": "Bearer \(room ?? "none")"] }
        _ = try await api.state(room: "r")
        _ = try await api.library()
        #expect(client.received.map { $0.headers["authorization"] } == ["Bearer r", "Bearer none"])
    }

    @Test("An error names the action first, in the server's words")
    func refusals() async throws {
        answer("POST", "streams", 400, #"{"error":"url must be http(s)"}"#)
        answer("DELETE", "tracks/x", 404, #"{"error":"no such track"}"#)
        answer("POST", "play", 200, "<html>")
        let api = try api()
        let add = await #expect(throws: MediaAPIError.self) { try await api.addStream(name: "x", url: "http://h") }
        #expect(add?.message == "Could not add stream: url must be http(s) (HTTP 400)")
        #expect(add?.code == .refused && add?.status == 400)
        let remove = await #expect(throws: MediaAPIError.self) { try await api.remove(trackID: "x") }
        #expect(remove?.message == "Could not remove the track: no such track (HTTP 404)")
        let play = await #expect(throws: MediaAPIError.self) { try await api.play(.query("x"), room: "r") }
        #expect(play?.message == "Could not play: the answer is not JSON (HTTP 200): <html>")
    }

    @Test("What cannot be sent is not sent")
    func invalid() async throws {
        let api = try api()
        let add = await #expect(throws: MediaAPIError.self) { try await api.addStream(name: "x", url: "file:///x") }
        #expect(add?.message == "Could not add stream: url must be http(s)")
        #expect(add?.code == .invalid && add?.status == nil)
        for id in ["", ".", ".."] {
            let remove = await #expect(throws: MediaAPIError.self) { try await api.remove(trackID: id) }
            #expect(remove?.code == .invalid)
        }
        #expect(client.received.isEmpty)
    }

    @Test("No answer is told with its reason")
    func noAnswer() async throws {
        let url = "https://hope.example:8765/base/media/api/library"
        client.answer("GET", url, with: .failure(TransportError(.unreachable)))
        let error = await #expect(throws: MediaAPIError.self) { try await api().library() }
        #expect(error?.code == .noAnswer && error?.status == nil)
        #expect(
            error?.message
                == "Could not read the library: the server cannot be reached; check that it runs and that the network is there."
        )
        let token = await #expect(throws: MediaAPIError.self) {
            try await api { _ in throw TransportError(.unauthorized) }.library()
        }
        #expect(token?.message.hasPrefix("Could not read the library: ") == true)
        #expect(client.received.count == 1)
    }

    @Test("Answers that are cut, mixed up or made of noise are errors and never more", arguments: UInt64(1)...40)
    func noise(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let server = MediaServer(base: try #require(URL(string: "http://h")))
        let valid = Array(
            #"""
            {"track":{"id":"t","title":"é\ud83d\ude00","duration":1e3,"audio_url":"a","kind":"file","art":"b"},
            "desired":"playing","seek_hint":{"ts":1.5,"position":-2},"pending":[{"id":"p","title":"q","status":"r"}],
            "choices":[{"id":"c","title":"d"}],"reported":null,"volume":0.5,"start_paused":false}
            """#.utf8
        )
        #expect(throws: Never.self) { try server.state(status: 200, body: valid) }
        for _ in 0..<50 {
            var body = valid
            for _ in 0...random.nextInt(below: 4) {
                let place = random.nextInt(below: body.count)
                switch random.nextInt(below: 4) {
                case 0: body[place] = UInt8(truncatingIfNeeded: random.next())
                case 1: body.removeSubrange(place...)
                case 2: body.insert(contentsOf: Array(#"":{}[],1e999null"#.utf8).shuffled(using: &random), at: place)
                default: body.swapAt(place, random.nextInt(below: body.count))
                }
                if body.isEmpty { body = [0x20] }
            }
            for status in [200, 500] {
                do throws(MediaAPIError) {
                    _ = try server.state(status: status, body: body)
                    #expect(status == 200)
                } catch {
                    #expect(error.message.unicodeScalars.count <= 600)
                    #expect(error.message.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
                }
            }
        }
    }
}
