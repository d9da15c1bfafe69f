import MediaSync
import TransportCore

extension MediaPlayerBench {
    /// Every call, by name.
    private var calls: [(String, @Sendable () async throws -> Void)] {
        [
            ("load", { try await load(.song, number: 9) }), ("pause", { try await player.pause() }),
            ("seek", { try await player.seek(to: 1) }), ("play", { try await player.play() }),
            ("setVolume", { try await player.setVolume(0.5) }), ("stop", { try await player.stop() }),
        ]
    }

    func callsDoNotWaitForTheirEffect() async throws {
        try await load(nil)
        for (name, call) in calls {
            let start = now
            try await call()
            let time = now - start
            try require(time < .seconds(2), "\(name) took \(time).")
        }
    }

    func nothingHappensWithoutALoad() async throws {
        try await player.play()
        try await player.seek(to: 5)
        try await player.pause()
        try await player.play()
        try await player.stop()
        let all = await observer.collect(for: Self.silence)
        if let said = all.first { throw MediaPlayerViolation("Without a load it said \(said.phase).") }
    }

    func playBeforeTheBytesIsKept() async throws {
        try await load(nil, paused: true)
        try await player.play()
        try await player.wire(try await factory.source(of: .song), position: 0)
        try await wait(for: .playing)
    }

    func pauseBeforeTheBytesIsKept() async throws {
        try await load(nil)
        try await player.pause()
        try await player.wire(try await factory.source(of: .song), position: 0)
        let all = try await wait(for: .paused) + (await observer.collect(for: Self.silence))
        try require(all.allSatisfy { $0.phase != .playing }, "It played although it was paused before.")
    }

    func seekRightAfterLoadLands() async throws {
        try await load()
        let start = now
        try await player.seek(to: middle)
        _ = try await observer.collect(within: .seconds(3), until: "playing near \(middle) s") {
            isPlaying($0, from: middle, since: start)
        }
    }

    private func isPlaying(_ snapshot: ObservedSnapshot, from position: Double, since start: Duration) -> Bool {
        guard snapshot.phase == .playing, let seconds = snapshot.seconds else { return false }
        return reach(from: position, since: start, at: snapshot.arrival).contains(seconds)
    }

    func pauseStands() async throws {
        try await load(at: middle)
        _ = try await position(in: .playing)
        try await player.pause()
        let begin = try await position(in: .paused)
        let all = await observer.collect(for: .milliseconds(1200))
        for snapshot in all {
            try require(snapshot.phase == .paused, "While paused it said \(snapshot.phase).")
            guard let position = snapshot.snapshot.position else { continue }
            try require(!position.isAdvancing, "While paused its position is said to advance.")
            try requireClose(position.seconds, to: begin, "While paused it stands")
        }
        let start = now
        try await player.play()
        try requireReach(try await position(in: .playing), from: begin, since: start, "It plays on")
    }

    func seekWhilePlayingPlaysOn() async throws {
        try await load()
        try await wait(for: .playing)
        let start = now
        try await player.seek(to: middle)
        let all = try await observer.collect(within: .seconds(3), until: "playing near \(middle) s") {
            isPlaying($0, from: middle, since: start)
        }
        try require(all.allSatisfy { $0.phase != .paused }, "A seek paused it.")
    }

    func seekWhilePausedStaysPaused() async throws {
        try await load(paused: true)
        try await wait(for: .paused)
        try await player.seek(to: middle)
        let all = await observer.collect(for: .milliseconds(1500))
        try require(all.allSatisfy { $0.phase != .playing }, "A seek made it play.")
        guard let position = all.last(where: { $0.seconds != nil })?.seconds else {
            throw MediaPlayerViolation("After a seek it did not say where it is.")
        }
        try requireClose(position, to: middle, "After a seek it stands")
    }

    func seekIsClamped() async throws {
        try await load(at: middle, paused: true)
        _ = try await position(in: .paused)
        try await player.seek(to: -5)
        let low = await observer.collect(for: .milliseconds(1200)).compactMap(\.seconds)
        guard let begin = low.last else { throw MediaPlayerViolation("After a seek it did not say where it is.") }
        try requireClose(begin, to: 0, "A seek to -5 s lands")
        try await player.seek(to: factory.songLength * 10)
        let high = await observer.collect(for: .milliseconds(1500)).compactMap(\.seconds)
        let limit = factory.songLength + Self.tolerance
        try require(high.allSatisfy { $0 <= limit }, "A seek beyond the end stands at \(high.max() ?? 0) s.")
    }

    func volumeIsClampedAndOutlivesLoads() async throws {
        func requireVolume(_ expected: Double, _ what: String) async throws {
            let volume = try await factory.volume(of: player)
            try require(abs(volume - expected) < 0.02, "\(what) the volume is \(volume) instead of \(expected).")
        }
        try await player.setVolume(0.3)
        try await requireVolume(0.3, "Once set")
        try await load()
        try await wait(for: .playing)
        try await requireVolume(0.3, "After a load")
        try await player.setVolume(7)
        try await requireVolume(1, "Set to 7")
        try await player.setVolume(-1)
        try await requireVolume(0, "Set to -1")
    }

    func goneForGoodSaysSo() async throws {
        try await load()
        try await wait(for: .playing)
        try await factory.end(player)
        try require(await observer.hasEnded(), "The snapshots of a player that is gone do not finish.")
        for (name, call) in calls {
            do {
                try await call()
            } catch let error as MediaPlayerError where error.code == .playerGone {
                continue
            }
            throw MediaPlayerViolation("\(name) of a player that is gone throws nothing.")
        }
    }
}
