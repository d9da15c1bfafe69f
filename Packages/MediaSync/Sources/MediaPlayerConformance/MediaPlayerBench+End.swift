import MediaSync

extension MediaPlayerBench {
    /// Plays the last second of a song, and returns what came up to the end.
    private func playToTheEnd() async throws -> [ObservedSnapshot] {
        try await load(at: factory.songLength - 1)
        return try await observer.collect(within: .seconds(12), until: "ended") { $0.phase == .ended }
    }

    func endIsToldOnce() async throws {
        let before = try await playToTheEnd()
        try require(before.allSatisfy { $0.phase != .paused }, "Before the end it said that it is paused.")
        guard let position = before.last?.snapshot.position else {
            throw MediaPlayerViolation("The end does not say where it is.")
        }
        try require(!position.isAdvancing, "At the end the position is said to advance.")
        try require(
            abs(position.seconds - factory.songLength) <= 2 * Self.tolerance,
            "The end of a song of \(factory.songLength) s is told at \(position.seconds) s."
        )
        let after = await observer.collect(for: .milliseconds(1500))
        if let other = after.first { throw MediaPlayerViolation("After the end it said \(other.phase).") }
    }

    func playAfterTheEndDoesNothing() async throws {
        _ = try await playToTheEnd()
        try await player.play()
        let after = await observer.collect(for: .milliseconds(1500))
        if let other = after.first(where: { $0.phase != .ended }) {
            throw MediaPlayerViolation("After the end play made it say \(other.phase).")
        }
    }

    func seekAfterTheEndPlaysOn() async throws {
        _ = try await playToTheEnd()
        let start = now
        try await player.seek(to: 2)
        try requireReach(try await position(in: .playing), from: 2, since: start, "After the end and a seek it plays")
    }

    func bytesFail(_ sample: MediaSample, with codes: Set<MediaPlayerError.Code>) async throws {
        try await load(sample)
        let all = try await observer.collect(within: .seconds(12), until: "failed") { $0.failure != nil }
        try require(all.allSatisfy { $0.phase != .playing }, "It said that it plays what cannot be played.")
        try require(all.allSatisfy { $0.phase != .ended }, "It said that it came to the end of what cannot be played.")
        guard let error = all.last?.failure else { return }
        try require(codes.contains(error.code), "\(sample.rawValue) bytes failed as \(error.code).")
        try require(!error.message.isEmpty, "The failure has no words.")
    }
}
