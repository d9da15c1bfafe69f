import Foundation
import MediaSync
import Testing
import TransportCore

/// This side and a clock, following states of the server as a controller does.
private struct Follower {
    var local: LocalPlayback
    var now = Duration.zero
    var history: [PlayerCommand] = []

    init(_ formats: PlayableFormats = .mpv) {
        local = LocalPlayback(formats: formats)
    }

    /// Applies a state that was asked for in a generation, the present one unless told.
    @discardableResult
    mutating func follow(_ state: MediaState, generation: Int? = nil) -> [PlayerCommand] {
        let server = ServerSnapshot(state: state, generation: generation ?? local.generation)
        let commands = reconcile(local: local, server: server, now: now)
        for command in commands { local.apply(command, now: now) }
        history += commands
        return commands
    }

    /// The player says what it does with the present load.
    mutating func player(_ phase: PlayerSnapshot.Phase, at seconds: Double? = nil, load: Int? = nil) {
        let position = seconds.map { PlaybackPosition(seconds: $0, time: now, isAdvancing: phase == .playing) }
        local.observe(
            PlayerSnapshot(load: load ?? local.item?.load ?? 0, phase: phase, position: position),
            now: now
        )
    }

    var seconds: Double? { local.item?.position.seconds(at: now) }
}

struct ReconcileTests {
    private func track(
        _ id: String = "a",
        url: String? = "http://h/a",
        mimeType: String? = "audio/mp4",
        kind: MediaTrack.Kind = .file
    ) -> MediaTrack {
        MediaTrack(id: id, title: id, audioURL: url.flatMap { URL(string: $0) }, mimeType: mimeType, kind: kind)
    }

    private func state(
        _ track: MediaTrack?,
        _ desired: MediaState.Desired = .playing,
        hint: (Double, Double)? = nil,
        startPaused: Bool = false
    ) -> MediaState {
        let seekHint = hint.map { SeekHint(timestamp: $0.0, position: $0.1) }
        return MediaState(track: track, desired: desired, seekHint: seekHint, startPaused: startPaused)
    }

    private func load(
        _ number: Int,
        _ track: MediaTrack,
        at position: Double = 0,
        paused: Bool = false,
        waits: Bool = false,
        hint: Double? = nil
    ) -> PlayerCommand {
        let load = PlayerLoad(
            number: number,
            trackID: track.id,
            source: track.audioURL,
            mimeType: track.mimeType,
            position: position,
            isPaused: paused
        )
        return .load(load, waitsForStart: waits, hint: hint)
    }

    @Test("Another track is loaded from its beginning, the same one only once")
    func loads() {
        var follower = Follower()
        #expect(follower.follow(state(track())) == [load(1, track())])
        #expect(follower.follow(state(track())) == [])
        #expect(follower.follow(state(track("b"))) == [load(2, track("b"))])
    }

    @Test("A track is loaded paused when the server wants it paused or waiting, or when playing is held here")
    func loadsPaused() {
        var paused = Follower()
        #expect(paused.follow(state(track(), .paused)) == [load(1, track(), paused: true)])
        var waiting = Follower()
        #expect(waiting.follow(state(track(), startPaused: true)) == [load(1, track(), paused: true, waits: true)])
        for hold in [LocalPlayback.Hold.talk, .interruption] {
            var held = Follower()
            held.local.setHold(hold, true)
            #expect(held.follow(state(track())) == [load(1, track(), paused: true)])
            #expect(held.follow(state(track())) == [])
            held.local.setHold(hold, false)
            #expect(held.follow(state(track())) == [.play])
        }
    }

    @Test("A track that waits for its start is started by the server's next wish, not by the next poll")
    func startPaused() {
        var follower = Follower()
        follower.follow(state(track(), startPaused: true))
        follower.player(.paused, at: 0)
        #expect(follower.follow(state(track(), startPaused: true)) == [])
        #expect(follower.follow(state(track())) == [.play])
        follower.local.apply(.pause, now: follower.now)
        #expect(follower.follow(state(track(), startPaused: true)) == [.play], "it was started once")
    }

    @Test("An address that arrives late is wired at the position that was reached, without a new load")
    func lateAddress() throws {
        var follower = Follower()
        #expect(follower.follow(state(track(url: nil), hint: (1, 40))) == [load(1, track(url: nil), at: 40, hint: 1)])
        #expect(follower.follow(state(track(url: nil), hint: (1, 40))) == [])
        let source = try #require(URL(string: "http://h/a"))
        #expect(follower.follow(state(track(), hint: (1, 40))) == [.wire(source, position: 40)])
        #expect(follower.follow(state(track(), hint: (1, 40))) == [])
    }

    @Test("An address that is signed anew while the track plays is left alone")
    func newSignature() {
        var follower = Follower()
        follower.follow(state(track()))
        follower.player(.playing, at: 3)
        #expect(follower.follow(state(track(url: "http://h/a?sig=2"))) == [])
    }

    @Test("Playing and paused are followed, what has ended is not started again")
    func playAndPause() {
        var follower = Follower()
        follower.follow(state(track()))
        follower.player(.playing, at: 1)
        #expect(follower.follow(state(track(), .paused)) == [.pause])
        #expect(follower.follow(state(track(), .paused)) == [])
        #expect(follower.follow(state(track())) == [.play])
        follower.player(.ended, at: 60)
        #expect(follower.follow(state(track())) == [])
        #expect(follower.follow(state(track(), .paused)) == [])
        #expect(follower.follow(state(track(), hint: (1, 5))) == [.seek(to: 5, hint: 1)], "it plays on from there")
    }

    @Test("A player that pauses by itself is started again, one that starves is left alone")
    func playerPauses() {
        var follower = Follower()
        follower.follow(state(track()))
        follower.player(.buffering, at: 1)
        #expect(follower.follow(state(track())) == [])
        follower.player(.paused, at: 1)
        #expect(follower.follow(state(track())) == [.play])
    }

    @Test("Stopped unloads, and playing loads again")
    func stopped() {
        var follower = Follower()
        #expect(follower.follow(state(track(), .stopped)) == [])
        follower.follow(state(track()))
        #expect(follower.follow(state(track(), .stopped)) == [.stop])
        #expect(follower.follow(state(track(), .stopped)) == [])
        #expect(follower.follow(state(track())) == [load(2, track())])
    }

    @Test("Seek hints are followed once each, in their order, over ten polls (M5)")
    func seekHints() {
        var follower = Follower()
        follower.follow(state(track()))
        follower.player(.playing, at: 1)
        for (timestamp, position) in [(1.0, 100.0), (2, 110), (3, 120)] {
            for _ in 0..<10 { follower.follow(state(track(), hint: (timestamp, position))) }
            follower.now += .milliseconds(100)
        }
        for _ in 0..<10 { follower.follow(state(track(), hint: (2, 110))) }
        let seeks = follower.history.dropFirst()
        #expect(Array(seeks) == [.seek(to: 100, hint: 1), .seek(to: 110, hint: 2), .seek(to: 120, hint: 3)])
        #expect(follower.seconds == 120)
    }

    @Test("A hint that was meant for an earlier track does not move the next one")
    func oldHint() {
        var follower = Follower()
        follower.follow(state(track(), hint: (5, 100)))
        #expect(follower.follow(state(track("b"), hint: (5, 100))) == [load(2, track("b"))])
        #expect(follower.follow(state(track("c"), hint: (4, 90))) == [load(3, track("c"))])
    }

    @Test("A hint before the beginning is the beginning, one that is no number is none")
    func strangeHints() {
        var follower = Follower()
        follower.follow(state(track()))
        #expect(follower.follow(state(track(), hint: (1, -5))) == [.seek(to: 0, hint: 1)])
        #expect(follower.follow(state(track(), hint: (2, .nan))) == [])
        #expect(follower.follow(state(track(), hint: (.nan, 5))) == [])
    }

    @Test("A live stream is not sought in")
    func live() {
        var follower = Follower()
        let stream = track(kind: .stream)
        #expect(follower.follow(state(stream, hint: (1, 100))) == [load(1, stream)])
        #expect(follower.follow(state(stream, hint: (2, 100))) == [])
    }

    @Test("A poll that was answered late does not undo what the user did and the server confirmed (M9)")
    func latePoll() throws {
        var follower = Follower()
        follower.follow(state(track()))
        follower.player(.playing, at: 1)
        let poll = follower.local.generation
        let action = follower.local.beginAction()
        follower.local.apply(.pause, now: follower.now)
        let during = follower.local.generation
        #expect(follower.follow(state(track()), generation: poll) == [])
        #expect(follower.follow(state(track()), generation: during) == [], "not confirmed yet")

        let confirmed = follower.local.confirm(action)
        let answer = try #require(confirmed)
        #expect(follower.follow(state(track(), .paused), generation: answer) == [])
        #expect(follower.follow(state(track()), generation: poll) == [])
        #expect(follower.follow(state(track()), generation: during) == [], "asked before the server knew")
        #expect(follower.local.item?.isPaused == true)
        #expect(follower.follow(state(track())) == [.play], "asked after it knew")
    }

    @Test("The answer to an action that the user has taken back meanwhile is out of date")
    func overtaken() throws {
        var follower = Follower()
        follower.follow(state(track()))
        let pause = follower.local.beginAction()
        let play = follower.local.beginAction()
        #expect(follower.local.confirm(pause) == nil)
        #expect(follower.local.unconfirmedAction == play)
        let confirmed = follower.local.confirm(play)
        let answer = try #require(confirmed)
        #expect(answer == follower.local.generation)
        #expect(follower.local.confirm(play) == nil)
    }

    @Test("A track that goes away is stopped once, and loaded again when it comes back (M10)")
    func goesAway() {
        var follower = Follower()
        follower.follow(state(track()))
        follower.player(.playing, at: 30)
        #expect(follower.follow(state(nil)) == [.stop])
        #expect(follower.follow(state(nil)) == [])
        #expect(follower.follow(state(track())) == [load(2, track())])
    }

    @Test("A load and a seek hint in one state land at the hint, without a seek that the player could refuse (M13)")
    func loadAtHint() {
        var follower = Follower()
        #expect(follower.follow(state(track(), hint: (7, 93))) == [load(1, track(), at: 93, hint: 7)])
        #expect(follower.follow(state(track(), hint: (7, 93))) == [])
        #expect(follower.seconds == 93)
    }

    @Test("What the player says about an earlier load changes nothing (M3)")
    func earlierLoad() {
        var follower = Follower()
        follower.follow(state(track()))
        follower.player(.playing, at: 280)
        follower.follow(state(track("b")))
        follower.player(.ended, at: 290, load: 1)
        #expect(follower.seconds == 0)
        #expect(follower.local.item?.hasEnded == false)
    }

    @Test("A player that does not know its position leaves the last one standing (M4)")
    func unknownPosition() {
        var follower = Follower()
        follower.follow(state(track()))
        follower.player(.paused, at: 120)
        follower.player(.playing)
        follower.player(.playing, at: .nan)
        #expect(follower.seconds == 120)
        follower.player(.playing, at: 120)
        follower.now += .seconds(2)
        #expect(follower.seconds == 122)
        follower.player(.buffering)
        follower.now += .seconds(5)
        #expect(follower.seconds == 122, "nothing is heard, so it stands")
    }

    private let webM = "audio/webm"

    @Test("A track that cannot be decoded is reported once with its media type, until its address changes")
    func unplayable() throws {
        var follower = Follower(.avPlayer)
        follower.follow(state(track("b")))
        let bad = track(mimeType: webM)
        let commands = follower.follow(state(bad))
        #expect(commands.count == 2 && commands.first == .stop)
        guard case .reject(let rejected) = commands.last else {
            Issue.record("not reported")
            return
        }
        #expect(rejected.trackID == "a")
        #expect(rejected.mimeType == webM)
        #expect(rejected.reason.contains("WebM"))
        for _ in 0..<10 { #expect(follower.follow(state(bad, hint: (1, 5))) == []) }
        #expect(follower.follow(state(bad, .stopped)) == [])
        #expect(follower.follow(state(bad)) == [])
        let good = track(url: "http://h/a.m4a")
        #expect(follower.follow(state(good)) == [load(2, good)])
    }

    @Test("A track whose undecodable bytes arrive late is reported then")
    func lateUnplayable() {
        var follower = Follower(.avPlayer)
        follower.follow(state(track(url: nil, mimeType: webM), hint: (1, 9)))
        let commands = follower.follow(state(track(mimeType: webM), hint: (1, 9)))
        guard commands.count == 2, case .reject(let rejected) = commands[1] else {
            Issue.record("\(commands)")
            return
        }
        #expect(rejected.position == 9)
    }

    @Test("A track that failed in the player is not tried again until its address changes, then where it was")
    func failure() {
        var follower = Follower()
        follower.follow(state(track()))
        follower.player(.playing, at: 50)
        follower.now += .seconds(3)
        let error = MediaPlayerError(code: .undecodable, message: "The file is broken.")
        follower.player(.failed(error))
        #expect(follower.local.rejected?.mimeType == "audio/mp4")
        #expect(follower.local.rejected?.reason == "The file is broken.")
        #expect(follower.follow(state(track())) == [])
        let other = track(url: "http://h/other")
        #expect(follower.follow(state(other)) == [load(2, other, at: 53)])
    }

    @Test("A track that failed is tried again after it went away")
    func failureForgotten() {
        var follower = Follower()
        follower.follow(state(track()))
        follower.player(.failed(MediaPlayerError(code: .unreachable, message: "Gone.")))
        #expect(follower.follow(state(nil)) == [.stop])
        #expect(follower.follow(state(track())) == [load(2, track())])
    }

    /// A state out of few values, so that equal ones come often.
    private func randomState(_ random: inout SeededRandom) -> MediaState {
        let desired: [MediaState.Desired] = [.playing, .paused, .stopped]
        let track = track(
            ["a", "b"][random.nextInt(below: 2)],
            url: [nil, "http://h/1", "http://h/2"][random.nextInt(below: 3)],
            mimeType: ["audio/mp4", webM][random.nextInt(below: 2)],
            kind: random.nextBool(probability: 0.2) ? .stream : .file
        )
        return state(
            random.nextBool(probability: 0.2) ? nil : track,
            desired[random.nextInt(below: 3)],
            hint: random.nextBool(probability: 0.5)
                ? (Double(random.nextInt(below: 8)), Double(random.nextInt(below: 300))) : nil,
            startPaused: random.nextBool(probability: 0.3)
        )
    }

    @Test(
        "Whatever happened, following a state twice asks for nothing more, and no hint is followed twice",
        arguments: UInt64(1)...200
    )
    func settles(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var follower = Follower(random.nextBool(probability: 0.5) ? .avPlayer : .mpv)
        for _ in 0..<60 {
            follower.now += .milliseconds(random.nextInt(below: 3000))
            switch random.nextInt(below: 7) {
            case 0: follower.player(.playing, at: random.nextUnit() * 300)
            case 1: follower.player(.paused)
            case 2: follower.player(.ended)
            case 3: follower.player(.failed(MediaPlayerError(code: .undecodable, message: "Broken.")))
            case 4: follower.local.setHold(.talk, random.nextBool(probability: 0.5))
            default: break
            }
            let state = randomState(&random)
            let commands = follower.follow(state)
            #expect(follower.follow(state) == [], "\(commands) for \(state)")
            if state.track == nil || state.desired == .stopped { #expect(follower.local.item == nil) }
            if !follower.local.holds.isEmpty { #expect(!commands.contains(.play)) }
        }
        let hints = follower.history.compactMap { command in
            switch command {
            case .load(_, _, let hint), .seek(_, let hint): hint
            default: nil
            }
        }
        #expect(zip(hints, hints.dropFirst()).allSatisfy { $0 < $1 }, "\(hints)")
    }
}
