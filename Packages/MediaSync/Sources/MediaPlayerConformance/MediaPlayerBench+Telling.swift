import MediaSync
import TransportCore

extension MediaPlayerBench {
    func positionsAreTrue() async throws {
        try await load(at: middle)
        try await wait(for: .playing)
        let all = await observer.collect(for: .seconds(2))
        var base: Double?
        for snapshot in all {
            guard let position = snapshot.snapshot.position else { continue }
            try require(
                position.isAdvancing == (snapshot.phase == .playing),
                "A position is said \(position.isAdvancing ? "" : "not ")to advance while \(snapshot.phase)."
            )
            let age = snapshot.arrival - position.time
            try require(
                age > .milliseconds(-100) && age < .milliseconds(1500),
                "A position came \(age) after the time it is said to have been true."
            )
            let start = position.seconds - position.time.inSeconds
            try require(
                abs(start - (base ?? start)) <= Self.tolerance,
                "Of two positions one is \(abs(start - (base ?? start))) s away from where the other leads to."
            )
            base = base ?? start
        }
        try require(base != nil, "In two seconds of playing it did not say where it is.")
    }

    func unknownPositionIsNotZero() async throws {
        try await load(at: middle)
        var all = try await wait(for: .playing)
        all += await observer.collect(for: Self.silence)
        try await player.pause()
        all += try await wait(for: .paused)
        try await player.play()
        all += await observer.collect(for: Self.silence)
        try await player.seek(to: middle + 1)
        all += await observer.collect(for: Self.silence)
        for position in all.compactMap(\.seconds) {
            try require(position > middle - 1, "In the middle of a song it says that it is at \(position) s.")
        }
    }

    func lengthIsTold() async throws {
        try await load()
        let all = try await observer.collect(until: "its length") { $0.snapshot.duration != nil }
        let length = all.last?.snapshot.duration ?? .nan
        try requireClose(length, to: factory.songLength, "The end of the song is said to be")
    }

    func playingSaysWhereItIs() async throws {
        try await load()
        let begin = try await wait(for: .playing)
        var last = begin.last?.arrival ?? now
        let end = last + .milliseconds(2500)
        var count = 0
        // Twice a second, with leave for a machine that is busy for a moment.
        while last < end {
            guard let snapshot = await observer.next(until: last + .milliseconds(1250)) else {
                throw MediaPlayerViolation("While playing it said nothing for 1.25 s.")
            }
            last = snapshot.arrival
            count += 1
        }
        try require(count >= 4, "In 2.5 s of playing it said \(count) times where it is.")
    }

    func starvedPlayerBuffers() async throws {
        try await load(.starving)
        try await wait(for: .playing)
        var all = try await observer.collect(within: .seconds(8), until: "buffering") { $0.phase == .buffering }
        guard let starved = all.popLast() else { return }
        all = try await wait(for: .playing)
        let stood = all.dropLast().compactMap(\.snapshot.position)
        let last = starved.snapshot.position ?? stood.first
        for position in stood + [starved.snapshot.position].compactMap(\.self) {
            try require(!position.isAdvancing, "A starved player's position is said to advance.")
            try requireClose(position.seconds, to: last?.seconds ?? position.seconds, "While it starves it stands")
        }
        try require(all.dropLast().allSatisfy { $0.phase == .buffering }, "While it starves it says something else.")
        let start = all.last?.arrival ?? now
        let again = try await position(in: .playing)
        if let last { try requireReach(again, from: last.seconds, since: start, "It goes on") }
    }

    /// Plays, pauses and plays on while nobody reads, and returns what is there to read afterwards.
    private func unread(_ snapshots: AsyncStream<PlayerSnapshot>) async throws -> [ObservedSnapshot] {
        func pass(_ time: Duration) async throws {
            try await factory.stopwatch.sleep(until: factory.stopwatch.elapsed + time)
        }
        try await load()
        try await pass(.milliseconds(3000))
        try await player.pause()
        try await pass(.milliseconds(700))
        try await player.play()
        try await pass(.milliseconds(1500))
        let read = Collected()
        try await whileReading(snapshots) {
            read.snapshots = try await observer.collect(until: "playing again") { snapshot in
                snapshot.phase == .playing && (snapshot.seconds ?? 0) > 2
            }
            read.snapshots += await observer.collect(for: .milliseconds(100))
        }
        return read.snapshots
    }

    func slowReaderSeesEveryPhase(_ snapshots: AsyncStream<PlayerSnapshot>) async throws {
        let phases = try await unread(snapshots).map(\.phase).filter { $0 == .playing || $0 == .paused }
        var changes: [PlayerSnapshot.Phase] = []
        for phase in phases where changes.last != phase { changes.append(phase) }
        try require(
            changes == [.playing, .paused, .playing],
            "A slow reader sees \(changes) instead of playing, paused and playing."
        )
    }

    func slowReaderIsNotFlooded(_ snapshots: AsyncStream<PlayerSnapshot>) async throws {
        let count = try await unread(snapshots).count { $0.phase == .playing }
        // Two are the newest of each time it played, and a few may have come while they were read.
        try require(count <= 6, "\(count) snapshots of playing wait for a slow reader instead of the newest.")
    }
}

/// What a law has read, across the closure that reads it.
private final class Collected {
    var snapshots: [ObservedSnapshot] = []
}
