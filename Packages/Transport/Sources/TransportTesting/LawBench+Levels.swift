import TransportCore

extension LawBench {
    /// How much later than promised something may come where time is real.
    private static let tolerance = Duration.milliseconds(100)

    func speakersListIsWhole() async throws {
        let (ada, bob) = try await joinPair()
        try await ada.transport.publishLevel(0.25)
        try await bob.transport.publishLevel(0.5)
        try await bob.observer.wait(for: "A list with both levels") { $0.levels == ["ada": 0.25, "bob": 0.5] }
        try await ada.transport.publishLevel(0)
        let event = try await bob.observer.wait(for: "A list without ada") {
            $0.levels?["ada"] == nil && $0.levels != nil
        }
        try require(event.levels == ["bob": 0.5], "The list without ada is \(event).")
    }

    func speakersAreRepeated() async throws {
        let (ada, bob) = try await joinPair()
        try await ada.transport.publishLevel(0.5)
        try await bob.observer.wait(for: "The first list") { $0.levels == ["ada": 0.5] }
        for _ in 0..<4 {
            // Nothing new for 600 ms, which is not silence yet: the list has to come once by itself.
            let watch = Stopwatch(clock: factory.clock)
            let limit = Duration.milliseconds(400) + Self.tolerance
            try await bob.observer.wait(within: limit, for: "The list, repeated within 400 ms,") {
                $0.levels == ["ada": 0.5]
            }
            try require(watch.elapsed <= limit, "The list was repeated after \(watch.elapsed).")
            try await factory.clock.sleep(for: max(.zero, .milliseconds(600) - watch.elapsed))
            try await ada.transport.publishLevel(0.5)
            try await bob.observer.wait(for: "The list") { $0.levels == ["ada": 0.5] }
        }
    }

    func silenceFollowsTheLastLevel() async throws {
        let (ada, bob) = try await joinPair()
        try await ada.transport.publishLevel(0.5)
        let watch = Stopwatch(clock: factory.clock)
        try await bob.observer.wait(for: "A list without ada") { $0.levels == [:] }
        try require(watch.elapsed >= .milliseconds(700), "It was silent after \(watch.elapsed), too soon.")
        try require(watch.elapsed <= .milliseconds(1200) + Self.tolerance, "It was silent only after \(watch.elapsed).")
    }

    func closedMicrophoneIsSilent() async throws {
        let (ada, bob) = try await joinPair()
        try await ada.transport.setMicrophone(enabled: true)
        try await ada.transport.publishLevel(0.5)
        try await bob.observer.wait(for: "A level") { $0.levels == ["ada": 0.5] }
        try await ada.transport.setMicrophone(enabled: false)
        try await bob.observer.wait(within: .milliseconds(500), for: "Silence at once") { $0.levels == [:] }
        try await ada.transport.publishLevel(0.5)
        try await ada.sendFence()
        let events = try await bob.collectUntilFence()
        try require(!events.contains { $0.levels?["ada"] != nil }, "A closed microphone was heard.")
    }

    func levelsStayInRange() async throws {
        let (ada, bob) = try await joinPair()
        for (level, expected) in [(0.5, 0.5), (.nan, 0.0), (7, 1), (-1, 0), (0.25, 0.25), (.infinity, 0)] {
            try await ada.transport.publishLevel(level)
            try await bob.observer.wait(for: "The level \(expected) for \(level)") { event in
                event.levels.map { ($0["ada"] ?? 0) == expected } ?? false
            }
        }
    }
}
