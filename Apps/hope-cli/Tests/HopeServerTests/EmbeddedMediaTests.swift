import Foundation
import HopeServer
import MediaSync
import Testing
import TransportCore

/// Media within the process, and the agent that has it played.
@Suite struct EmbeddedMediaTests {
    private static let samples = ["Blue Moon", "Moonlight"].map {
        MediaSample(name: "\($0).wav", title: $0, channel: "Hope", duration: 90, bytes: MediaBench.wave(seconds: 1))
    }

    private func withAPI(
        _ samples: [MediaSample] = Self.samples,
        _ body: @Sendable @escaping (MediaCaller, MediaService, ManualClock) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        try await clock.run {
            let service = MediaService(.samples(samples), startedAt: 1_756_540_000, clock: clock)
            try await body(MediaCaller(url: "http://embedded", client: service.client()), service, clock)
        }
    }

    @Test func samplesPlayWithoutANetwork() async throws {
        try await withAPI { api, _, clock in
            let tracks = try await api.tracks()
            #expect(tracks.map(\.title) == ["Blue Moon", "Moonlight"])
            try await clock.sleep(for: .seconds(5))
            let state = try await api.post("play", ["track_id": .string(tracks[0].id)])
            #expect(state.seekHint == SeekHint(timestamp: 1_756_540_005, position: 0))
            #expect(state.track?.duration == 90)
            let source = try #require(state.track?.audioURL)
            #expect(source.absoluteString == "http://embedded/media/api/stream/\(tracks[0].id).wav")
            let part = try await api.get(source.path, range: "bytes=0-3")
            #expect(part.status == 206)
            #expect(part.text == "RIFF")
            #expect(try await api.send("HEAD", source.path).headers["Content-Length"] == "8044")
            #expect(try await api.get("/elsewhere").status == 404)
        }
    }

    @Test func hintsOfTheSameInstantAreToldApart() async throws {
        try await withAPI { api, _, _ in
            try await api.post("play", ["query": "blue"])
            var times: [Double] = []
            for _ in 0..<3 {
                let state = try await api.post("control", ["action": "seek", "position": 30])
                times.append(try #require(state.seekHint).timestamp)
            }
            #expect(times == [1_756_540_000.001, 1_756_540_000.002, 1_756_540_000.003])
        }
    }

    @Test func samplesCanBeRemoved() async throws {
        try await withAPI { api, _, _ in
            let id = try #require(try await api.tracks().first).id
            try await api.post("play", ["track_id": .string(id)])
            #expect(try await api.send("DELETE", "tracks/\(id)").status == 200)
            #expect(try await api.tracks().map(\.title) == ["Moonlight"])
            #expect(try await api.state().track == nil)
        }
    }

    @Test func theSameRequestsGiveTheSameAnswers() async throws {
        var seen: [[UInt8]] = []
        for _ in 0..<2 {
            let clock = ManualClock()
            seen.append(
                try await clock.run {
                    let service = MediaService(.samples(Self.samples), startedAt: 1_756_540_000, clock: clock)
                    let api = MediaCaller(url: "http://embedded", client: service.client())
                    try await api.post("play", ["query": "blue"])
                    try await clock.sleep(for: .milliseconds(1_500))
                    try await api.post("control", ["action": "seek", "position": 30])
                    return try await api.get("state").body + api.get("library").body
                }
            )
        }
        #expect(seen[0] == seen[1])
    }

    // MARK: The agent

    private func answer(to message: String, samples: [MediaSample] = Self.samples) async throws -> (String, MediaState)
    {
        let clock = ManualClock()
        return try await clock.run {
            let service = MediaService(.samples(samples), startedAt: 1_756_540_000, clock: clock)
            let room = EmbeddedRoom(name: "talk", timeOfDay: 1_756_540_000, clock: clock)
            let person = try await room.hub.join(InMemoryHub.Grant(room: "talk", identity: "me"))
            let agent = ScriptedAgent(media: service.desk(for: "talk"))
            let text = try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await room.serve(agent) }
                try await clock.sleep(for: .seconds(1))
                let writer = try await person.openText(topic: "lk.chat")
                try await writer.write(message)
                try await writer.close()
                try await clock.sleep(for: .seconds(20))
                group.cancelAll()
                var text = ""
                for case .text(let part) in person.events.takeAvailable() where part.header.sender == "agent-1" {
                    if case .chunk(let chunk) = part.content { text += chunk }
                }
                return text
            }
            return (text, try await MediaCaller(url: "http://embedded", client: service.client()).state("talk"))
        }
    }

    @Test(arguments: ["play blue moon", "Please play the song Blue.", "Hope, can you play me Blue Moon, please?"])
    func theAgentPlaysTheOneMatch(_ message: String) async throws {
        let (text, state) = try await answer(to: message)
        #expect(text == "Playing Blue Moon.")
        #expect(state.track?.title == "Blue Moon")
        #expect(state.desired == .playing)
    }

    @Test func theAgentOffersChoices() async throws {
        let (text, state) = try await answer(to: "Play moon")
        #expect(text == "I found Moonlight, Blue Moon. Which one?")
        #expect(state.choices.map(\.title) == ["Moonlight", "Blue Moon"])
        #expect(state.track == nil)
        let (any, offered) = try await answer(to: "play some music!")
        #expect(any == "You could hear Blue Moon, Moonlight. Which one?")
        #expect(offered.choices.count == 2)
    }

    @Test func theAgentSaysWhatIsNotThere() async throws {
        #expect(try await answer(to: "play Tuba Tunes").0 == "There is no Tuba Tunes in the library.")
        #expect(try await answer(to: "play something", samples: []).0 == "There is nothing in the library.")
    }

    @Test(arguments: ["I play tennis", "The play was long", "player one"])
    func otherWordsAreNoWish(_ message: String) async throws {
        let (text, state) = try await answer(to: message)
        #expect(text == "You wrote: \(message)")
        #expect(state.choices.isEmpty && state.track == nil)
    }
}
