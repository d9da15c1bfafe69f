import PresenceConformance
import PresenceKit
import Testing
import TransportCore

@Suite struct ScriptedAudioLevelSourceTests {
    private static let steady = (1...200).map { number in
        AudioLevel(source: .microphone, level: 0.5, time: .milliseconds(20 * number))
    }

    @Test(arguments: AudioLevelSourceLaw.allCases)
    func obeys(_ law: AudioLevelSourceLaw) async throws {
        try await law.check { ScriptedAudioLevelSource(Self.steady, clock: $0) }
    }

    @Test func saysExactLevelsAtExactTimes() async throws {
        let clock = ManualClock()
        let script = [
            AudioLevel(source: .agent, level: 0.31, time: .milliseconds(1_000)),
            AudioLevel(source: .microphone, level: 0.2, time: .milliseconds(35)),
            AudioLevel(source: .agent, level: 0.7, time: .milliseconds(1_000) + .nanoseconds(1)),
        ]
        let heard = try await clock.run {
            let source = ScriptedAudioLevelSource(script, clock: clock)
            var heard: [(AudioLevel, Duration)] = []
            for try await level in try await source.start() {
                heard.append((level, clock.now.offset))
            }
            return heard
        }
        #expect(heard.map(\.0) == [script[1], script[0], script[2]])
        #expect(heard.map(\.1) == heard.map(\.0.time))
    }

    @Test func theNewestOfEachOwnerWaits() async throws {
        let clock = ManualClock()
        let script = [
            AudioLevel(source: .agent, level: 0.1, time: .milliseconds(10)),
            AudioLevel(source: .microphone, level: 0.2, time: .milliseconds(20)),
            AudioLevel(source: .agent, level: 0.3, time: .milliseconds(30)),
        ]
        let heard = try await clock.run {
            let source = ScriptedAudioLevelSource(script, clock: clock)
            let stream = try await source.start()
            try await clock.sleep(for: .seconds(1))
            var heard: [AudioLevel] = []
            for try await level in stream { heard.append(level) }
            await source.stop()
            return heard
        }
        #expect(heard == [script[1], script[2]])
    }

    @Test func failsAsTold() async throws {
        let clock = ManualClock()
        let denied = AudioLevelSourceError(
            .accessDenied,
            thing: "The microphone",
            reason: "may not be heard",
            remedy: "allow it in Settings"
        )
        let source = ScriptedAudioLevelSource([], startFailure: denied, clock: clock)
        await #expect(throws: denied) { _ = try await source.start() }
        #expect(denied.message == "The microphone may not be heard; allow it in Settings")
        #expect(!denied.mayPassByItself)

        let unplugged = AudioLevelSourceError(.readFailed, thing: "The microphone", reason: "was unplugged")
        let level = AudioLevel(source: .microphone, level: 0.4, time: .milliseconds(10))
        let heard = try await clock.run {
            let source = ScriptedAudioLevelSource([level], ending: .fails(unplugged), clock: clock)
            let stream = try await source.start()
            var heard: [AudioLevel] = []
            do throws(AudioLevelSourceError) {
                for try await level in stream { heard.append(level) }
                return (heard, AudioLevelSourceError?.none)
            } catch {
                return (heard, error)
            }
        }
        #expect(heard.0 == [level])
        #expect(heard.1 == unplugged)
        #expect(unplugged.mayPassByItself)
    }

    @Test func staysOpenUntilStopped() async throws {
        let clock = ManualClock()
        try await clock.run {
            let source = ScriptedAudioLevelSource([], ending: .staysOpen, clock: clock)
            let stream = try await source.start()
            async let levels = stream.reduce(into: 0) { count, _ in count += 1 }
            try await clock.sleep(for: .seconds(200_000))
            await source.stop()
            #expect(try await levels == 0)
        }
    }

    @Test func aCancelledReaderGetsTheEndAndTheSourceGoesOn() async throws {
        let clock = ManualClock()
        try await clock.run {
            let source = ScriptedAudioLevelSource(Self.steady, clock: clock)
            let stream = try await source.start()
            try await withThrowingTaskGroup(of: Int.self) { group in
                group.addTask {
                    var count = 0
                    for try await _ in stream { count += 1 }
                    return count
                }
                try await clock.sleep(for: .milliseconds(110))
                group.cancelAll()
                #expect(try await group.next() == 5)
            }
            try await clock.sleep(for: .milliseconds(100))
            var iterator = stream.makeAsyncIterator()
            #expect(try await iterator.next()?.time == .milliseconds(200))
            await source.stop()
        }
    }
}
