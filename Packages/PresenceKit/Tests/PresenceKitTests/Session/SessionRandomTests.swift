import PresenceKit
import Testing

@Suite struct SessionRandomTests {
    @Test(
        "Whatever happens in whatever order, the promises of a session hold",
        arguments: stride(from: 0, to: 1000, by: 125).map { $0..<($0 + 125) }
    )
    func promisesHold(_ seeds: Range<Int>) async throws {
        var ready = 0
        for seed in seeds {
            let outcome = try await RandomSession(seed: UInt64(seed)).run()
            #expect(outcome.problems == [], "seed \(seed)")
            if outcome.reachedReady { ready += 1 }
        }
        // Chance must not have kept most sessions from getting anywhere.
        #expect(ready > seeds.count / 3)
    }

    @Test("The same seed takes the same course", arguments: [3, 141, 592] as [UInt64])
    func sameCourse(_ seed: UInt64) async throws {
        let first = try await RandomSession(seed: seed).run()
        let second = try await RandomSession(seed: seed).run()
        #expect(first.changes == second.changes)
        #expect(!first.changes.isEmpty)
    }
}
