import PresenceConformance
import PresenceKit
import Testing
import TransportCore

@Suite struct SyntheticAudioLevelSourceTests {
    @Test(arguments: AudioLevelSourceLaw.allCases)
    func obeys(_ law: AudioLevelSourceLaw) async throws {
        try await law.check { SyntheticAudioLevelSource(seed: 7, clock: $0) }
    }

    @Test(arguments: [1, 2, 3, 42, UInt64.max])
    func soundsLikeSpeech(seed: UInt64) {
        var envelope = SpeechEnvelope(seed: seed)
        let levels = (0..<3_000).map { _ in envelope.nextLevel() }
        #expect(levels.allSatisfy { (0...0.55).contains($0) })
        let heard = levels.filter { $0 > 0.035 }.count
        #expect((1_200...2_500).contains(heard), "seed \(seed): heard in \(heard) of 3000 frames")
        // Somebody who takes the word and gives it back: at least ten phrases a minute.
        let phrases = zip(levels, levels.dropFirst()).filter { $0 <= 0.005 && $1 > 0.005 }.count
        #expect((10...60).contains(phrases), "seed \(seed): \(phrases) phrases in a minute")
    }

    @Test func sameSeedSameVoice() {
        var (first, second, other) = (SpeechEnvelope(seed: 5), SpeechEnvelope(seed: 5), SpeechEnvelope(seed: 6))
        let levels = (0..<500).map { _ in first.nextLevel() }
        #expect(levels == (0..<500).map { _ in second.nextLevel() })
        #expect(levels != (0..<500).map { _ in other.nextLevel() })
    }

    @Test func endsAfterItsDuration() async throws {
        let clock = ManualClock()
        let levels = try await clock.run {
            let source = SyntheticAudioLevelSource(owner: .agent, duration: .seconds(1), clock: clock)
            var levels: [AudioLevel] = []
            for try await level in try await source.start() { levels.append(level) }
            return levels
        }
        #expect(levels.count == 50)
        #expect(levels.first?.time == .milliseconds(20))
        #expect(levels.last?.time == .seconds(1))
        #expect(levels.allSatisfy { $0.source == .agent })
    }
}
