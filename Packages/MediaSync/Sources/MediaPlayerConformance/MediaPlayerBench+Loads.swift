import MediaSync

extension MediaPlayerBench {
    func snapshotsCarryTheirLoad() async throws {
        try await load(number: 7)
        var all = try await wait(for: .playing, of: 7)
        try await player.pause()
        all += try await wait(for: .paused, of: 7)
        try await player.seek(to: middle)
        try await player.play()
        all += await observer.collect(for: Self.silence)
        if let other = all.first(where: { $0.load != 7 }) {
            throw MediaPlayerViolation("A snapshot of load 7 carries the number \(other.load).")
        }
    }

    func newLoadSilencesTheOld() async throws {
        try await load(number: 3, at: middle)
        try await wait(for: .playing, of: 3)
        try await load(number: 4)
        var all = try await wait(for: .playing, of: 4)
        all += await observer.collect(for: .milliseconds(1500))
        let new = all.drop { $0.load == 3 }
        if let old = new.first(where: { $0.load != 4 }) {
            throw MediaPlayerViolation(
                "After load 4 had begun came \(old.phase) at \(old.seconds ?? .nan) of load \(old.load)."
            )
        }
    }

    func loadPlays() async throws {
        try await load()
        try await wait(for: .playing)
        let later = await observer.collect(for: .milliseconds(1200))
        guard let position = later.last(where: { $0.phase == .playing })?.seconds else {
            throw MediaPlayerViolation("After it began it did not say that it plays, and where.")
        }
        try require(position > 0.3, "A second after it began it stands at \(position) s.")
    }

    func loadBeginsWhereItIsTold() async throws {
        let start = now
        try await load(at: middle)
        try requireReach(try await position(in: .playing), from: middle, since: start, "A load begins")
    }

    func pausedLoadWaits() async throws {
        try await load(at: middle, paused: true)
        let begin = try await wait(for: .paused)
        let later = await observer.collect(for: Self.silence)
        try require((begin + later).allSatisfy { $0.phase != .playing }, "A load that is to wait played.")
        if let position = (begin + later).last(where: { $0.seconds != nil })?.seconds {
            try requireClose(position, to: middle, "A load that waits stands")
        }
        let start = now
        try await player.play()
        try requireReach(try await position(in: .playing), from: middle, since: start, "A load that waited begins")
    }

    func loadWithoutBytesIsLoading() async throws {
        try await load(nil)
        let all = await observer.collect(for: Self.silence)
        if let other = all.first(where: { $0.phase != .loading }) {
            throw MediaPlayerViolation("A load without bytes is \(other.phase) instead of loading.")
        }
    }

    func wireGivesTheSameLoadItsBytes() async throws {
        try await load(nil)
        let source = try await factory.source(of: .song)
        let start = now
        try await player.wire(source, position: middle)
        let all = try await observer.collect(until: "playing with a position") {
            $0.phase == .playing && $0.seconds != nil
        }
        try require(
            all.allSatisfy { $0.load == Self.first },
            "The bytes began another load: \(all.map(\.load))."
        )
        try requireReach(all.last?.seconds ?? .nan, from: middle, since: start, "It goes on")
    }

    func stopEndsTheLoad() async throws {
        try await load()
        try await wait(for: .playing)
        try await player.stop()
        // What was said before may still be on its way.
        _ = await observer.collect(for: .milliseconds(300))
        try await player.play()
        let after = await observer.collect(for: Self.silence)
        if let late = after.first { throw MediaPlayerViolation("After stop it said \(late.phase).") }
    }

    func loadAfterAFailurePlays() async throws {
        try await load(.undecodable)
        _ = try await observer.collect(until: "failed") { $0.failure != nil }
        try await load(number: 4)
        try await wait(for: .playing, of: 4)
    }
}
