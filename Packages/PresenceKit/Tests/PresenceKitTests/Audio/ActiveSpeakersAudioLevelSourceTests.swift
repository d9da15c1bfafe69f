import PresenceConformance
import PresenceKit
import Testing
import TransportCore

@Suite struct ActiveSpeakersAudioLevelSourceTests {
    @Test(arguments: AudioLevelSourceLaw.allCases)
    func obeys(_ law: AudioLevelSourceLaw) async throws {
        try await law.check { clock in
            let source = ActiveSpeakersAudioLevelSource(clock: clock) { $0.hasPrefix("agent-") }
            // A room that repeats its list, as rooms do while anybody is heard; it goes with the source.
            Task(executorPreference: ManualClock.runExecutor) { [weak source] in
                for _ in 1...200 {
                    try await clock.sleep(for: .milliseconds(100))
                    source?.speakersChanged(["agent-1": 0.5])
                }
            }
            return source
        }
    }

    @Test func theLoudestOfThoseThatCountAndZeroForTheAbsent() async throws {
        let clock = ManualClock()
        let source = ActiveSpeakersAudioLevelSource(owner: .agent, clock: clock) { $0.hasPrefix("agent-") }
        source.speakersChanged(["agent-1": 1])
        await clock.advance(by: .seconds(5))
        var iterator = try await source.start().makeAsyncIterator()
        let lists: [([String: Double], Double)] = [
            (["agent-1": 0.3, "agent-2": 0.4, "me": 0.9], 0.4), (["me": 0.9], 0), ([:], 0), (["agent-1": .nan], 0),
            (["agent-2": 7], 1),
        ]
        for (index, (list, level)) in lists.enumerated() {
            await clock.advance(by: .milliseconds(100))
            source.speakersChanged(list)
            let heard = try await iterator.next()
            #expect(heard == AudioLevel(source: .agent, level: level, time: .milliseconds(100 * (index + 1))))
        }
        source.roomEnded()
        #expect(try await iterator.next() == nil)
    }
}
