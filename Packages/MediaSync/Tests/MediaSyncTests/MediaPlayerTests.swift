import Foundation
import MediaSync
import Synchronization
import Testing

/// A player written against the seam alone, which writes down what it is asked to do.
private final class RecordingPlayer: MediaPlayer {
    let formats = PlayableFormats.mpv
    let calls = Mutex<[String]>([])

    private func note(_ call: String) { calls.withLock { $0.append(call) } }

    func load(_ load: PlayerLoad) async throws(MediaPlayerError) {
        guard load.trackID != "gone" else {
            throw MediaPlayerError(code: .playerGone, message: "The player has ended.")
        }
        note("load \(load.number) \(load.trackID) at \(load.position)")
    }

    func wire(_ source: URL, position: Double) async throws(MediaPlayerError) { note("wire \(source) at \(position)") }
    func play() async throws(MediaPlayerError) { note("play") }
    func pause() async throws(MediaPlayerError) { note("pause") }
    func seek(to position: Double) async throws(MediaPlayerError) { note("seek \(position)") }
    func stop() async throws(MediaPlayerError) { note("stop") }
    func setVolume(_ volume: Double) async throws(MediaPlayerError) { note("volume \(volume)") }
    func snapshots() async -> AsyncStream<PlayerSnapshot> { AsyncStream { $0.finish() } }
}

struct MediaPlayerTests {
    private func load(_ id: String) -> PlayerCommand {
        .load(
            PlayerLoad(number: 3, trackID: id, source: nil, mimeType: nil, position: 7, isPaused: false),
            waitsForStart: false,
            hint: nil
        )
    }

    @Test("Each command becomes the call it stands for, a rejection none")
    func commands() async throws {
        let player = RecordingPlayer()
        let source = try #require(URL(string: "http://h/a"))
        let rejected = UnplayableTrack(trackID: "a", source: nil, mimeType: nil, position: 0, reason: "Broken.")
        let commands: [PlayerCommand] = [
            load("a"), .wire(source, position: 7), .play, .pause, .seek(to: 9, hint: 1), .stop, .reject(rejected),
        ]
        for command in commands { try await player.perform(command) }
        let calls = player.calls.withLock { $0 }
        #expect(calls == ["load 3 a at 7.0", "wire http://h/a at 7.0", "play", "pause", "seek 9.0", "stop"])
    }

    @Test("What the player throws comes through")
    func errors() async {
        let error = await #expect(throws: MediaPlayerError.self) { try await RecordingPlayer().perform(load("gone")) }
        #expect(error?.code == .playerGone)
        #expect(error?.description == "The player has ended.")
    }

    @Test("A position moves on only while it is heard, and never backwards in time")
    func positions() {
        let playing = PlaybackPosition(seconds: 10, time: .seconds(5), isAdvancing: true)
        #expect(playing.seconds(at: .milliseconds(7500)) == 12.5)
        #expect(playing.seconds(at: .seconds(1)) == 10)
        #expect(PlaybackPosition(seconds: 10, time: .zero, isAdvancing: false).seconds(at: .seconds(9)) == 10)
        #expect(PlaybackPosition(seconds: -0.5, time: .zero, isAdvancing: false).seconds(at: .zero) == 0)
    }
}
