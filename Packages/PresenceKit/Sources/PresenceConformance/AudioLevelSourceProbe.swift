import PresenceKit
import TransportCore

/// Tries one promise on new sources.
struct AudioLevelSourceProbe: Sendable {
    enum Reading: Sendable {
        case level(AudioLevel)
        case end
        case failure(AudioLevelSourceError)
        case nothing
    }

    /// How long the probe waits for what must come.
    private static let patience: Duration = .seconds(5)

    let clock: any Clock<Duration>
    let makeSource: @Sendable () async throws -> any AudioLevelSource

    func violations(of law: AudioLevelSourceLaw) async throws -> [String] {
        switch law {
        case .yieldsLevels: try await yieldsLevels()
        case .timesFollowTheClock: try await timesFollowTheClock()
        case .secondStartIsRefused: try await secondStartIsRefused()
        case .stopEndsTheStream: try await stopEndsTheStream()
        case .stopIsSilent: try await stopIsSilent()
        case .stopIsIdempotent: try await stopIsIdempotent()
        case .startsAgain: try await startsAgain()
        case .newestWins: try await newestWins()
        case .releaseEndsTheStream: try await releaseEndsTheStream()
        }
    }

    // MARK: Promises

    private func yieldsLevels() async throws -> [String] {
        let source = try await makeSource()
        let stream = try await source.start()
        var broken: [String] = []
        for number in 1...5 {
            let reading = await read(stream)
            if case .level = reading { continue }
            broken.append("instead of level \(number) there was \(words(reading))")
            break
        }
        await source.stop()
        return broken
    }

    private func timesFollowTheClock() async throws -> [String] {
        let source = try await makeSource()
        let stopwatch = Stopwatch(clock: clock)
        let stream = try await source.start()
        var broken: [String] = []
        var last = Duration.zero
        for _ in 1...20 {
            guard case .level(let level) = await read(stream) else { break }
            if level.time < last {
                broken.append("a level of \(level.time) came after one of \(last)")
            }
            let elapsed = stopwatch.elapsed
            if level.time > elapsed {
                broken.append("a level of \(level.time) came at \(elapsed)")
            }
            last = level.time
        }
        if last == .zero, broken.isEmpty {
            broken.append("twenty levels came, and no time passed in them")
        }
        await source.stop()
        return broken
    }

    private func secondStartIsRefused() async throws -> [String] {
        let source = try await makeSource()
        let stream = try await source.start()
        var broken: [String] = []
        do throws(AudioLevelSourceError) {
            _ = try await source.start()
            broken.append("a second start was not refused")
        } catch {
            if error.code != .alreadyStarted {
                broken.append("a second start threw \(error.code.rawValue)")
            }
        }
        for _ in 1...3 {
            let reading = await read(stream)
            if case .level = reading { continue }
            broken.append("after a second start the first capture gave \(words(reading))")
            break
        }
        await source.stop()
        return broken
    }

    private func stopEndsTheStream() async throws -> [String] {
        let source = try await makeSource()
        let stream = try await source.start()
        _ = await read(stream)
        await source.stop()
        let reading = await readToTheEnd(stream)
        if case .end = reading { return [] }
        return ["after a stop there was \(words(reading))"]
    }

    private func stopIsSilent() async throws -> [String] {
        let source = try await makeSource()
        let stopwatch = Stopwatch(clock: clock)
        let stream = try await source.start()
        _ = await read(stream)
        await source.stop()
        let stopped = stopwatch.elapsed
        try await clock.sleep(for: .milliseconds(500))
        // What was measured before and not read may still come; each read gives it half a second to be more.
        for _ in 1...5 {
            guard case .level(let level) = await read(stream, within: .milliseconds(500)) else { break }
            if level.time > stopped {
                return ["a level of \(level.time) came although it was stopped at \(stopped)"]
            }
        }
        return []
    }

    private func stopIsIdempotent() async throws -> [String] {
        let source = try await makeSource()
        await source.stop()
        let stream = try await source.start()
        let reading = await read(stream)
        var broken: [String] = []
        if case .level = reading {
        } else {
            broken.append("started after a stop that stopped nothing, it gave \(words(reading))")
        }
        async let first: Void = source.stop()
        async let second: Void = source.stop()
        _ = await (first, second)
        await source.stop()
        let end = await readToTheEnd(stream)
        if case .end = end { return broken }
        return broken + ["after three stops there was \(words(end))"]
    }

    private func startsAgain() async throws -> [String] {
        let source = try await makeSource()
        let first = try await source.start()
        _ = await read(first)
        try await clock.sleep(for: .seconds(1))
        await source.stop()

        let stopwatch = Stopwatch(clock: clock)
        let second: AudioLevelStream
        do throws(AudioLevelSourceError) {
            second = try await source.start()
        } catch {
            return ["starting again threw \(error.code.rawValue)"]
        }
        let reading = await read(second)
        let elapsed = stopwatch.elapsed
        await source.stop()
        guard case .level(let level) = reading else {
            return ["started again, it gave \(words(reading))"]
        }
        return level.time <= elapsed ? [] : ["started again, its first level was of \(level.time) at \(elapsed)"]
    }

    private func newestWins() async throws -> [String] {
        let source = try await makeSource()
        let stopwatch = Stopwatch(clock: clock)
        let stream = try await source.start()
        try await clock.sleep(for: .seconds(2))
        let due = stopwatch.elapsed - .milliseconds(500)
        var broken: [String] = []
        // One level of each owner may wait.
        for owner in AudioLevelOwner.allCases {
            guard case .level(let level) = await read(stream) else { break }
            if level.time < due {
                broken.append("after 2 s without reading, a level of \(level.time) came (\(owner.rawValue))")
            }
        }
        await source.stop()
        return broken
    }

    private func releaseEndsTheStream() async throws -> [String] {
        let stream = try await startAndRelease()
        let reading = await readToTheEnd(stream)
        if case .end = reading { return [] }
        return ["after its release there was \(words(reading))"]
    }

    private func startAndRelease() async throws -> AudioLevelStream {
        let source = try await makeSource()
        let stream = try await source.start()
        _ = await read(stream)
        return stream
    }

    // MARK: Reading

    /// The next level, the end, or nothing when neither comes in time.
    private func read(_ stream: AudioLevelStream, within limit: Duration = patience) async -> Reading {
        await withTaskGroup(of: Reading?.self) { group in
            group.addTask {
                var iterator = stream.makeAsyncIterator()
                do throws(AudioLevelSourceError) {
                    guard let level = try await iterator.next(isolation: nil) else {
                        return Task.isCancelled ? nil : .end
                    }
                    return .level(level)
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                do {
                    try await clock.sleep(for: limit)
                    return .nothing
                } catch {
                    return nil
                }
            }
            var result = Reading.nothing
            if let first = await group.next(), let reading = first {
                result = reading
            }
            group.cancelAll()
            return result
        }
    }

    /// What follows the levels that may still be unread.
    private func readToTheEnd(_ stream: AudioLevelStream) async -> Reading {
        var reading = Reading.nothing
        for _ in 0...AudioLevelOwner.allCases.count {
            reading = await read(stream)
            guard case .level = reading else { break }
        }
        return reading
    }

    private func words(_ reading: Reading) -> String {
        switch reading {
        case .level(let level): "a level of \(level.time)"
        case .end: "the end"
        case .failure(let error): "the error \(error.code.rawValue)"
        case .nothing: "nothing for \(Self.patience)"
        }
    }
}
