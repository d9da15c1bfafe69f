import PresenceConformance
import PresenceKit
import Synchronization
import Testing
import TransportCore

/// Each law must catch a source that breaks it on purpose, or it proves nothing.
@Suite struct AudioLevelSourceLawTests {
    @Test(arguments: [
        (AudioLevelSourceLaw.yieldsLevels, CheatingAudioLevelSource.Cheat.saysNothing),
        (.yieldsLevels, .endsAtOnce),
        (.timesFollowTheClock, .runsBackwards),
        (.timesFollowTheClock, .runsAhead),
        (.timesFollowTheClock, .standsStill),
        (.secondStartIsRefused, .acceptsSecondStart),
        (.secondStartIsRefused, .secondStartEndsTheFirst),
        (.secondStartIsRefused, .refusesWithAnotherError),
        (.stopEndsTheStream, .ignoresStop),
        (.stopIsSilent, .ignoresStop),
        (.stopIsIdempotent, .stopsOnlyOnce),
        (.startsAgain, .startsOnce),
        (.startsAgain, .keepsCounting),
        (.newestWins, .queues),
        (.releaseEndsTheStream, .outlivesItself),
    ])
    func catches(_ law: AudioLevelSourceLaw, _ cheat: CheatingAudioLevelSource.Cheat) async throws {
        let broken = try await law.violations { CheatingAudioLevelSource(cheat, clock: $0) }
        #expect(!broken.isEmpty, "\(law.rawValue) did not notice a source that \(cheat)")
    }

    @Test(arguments: AudioLevelSourceLaw.allCases)
    func acceptsAnHonestSource(_ law: AudioLevelSourceLaw) async throws {
        try await law.check { CheatingAudioLevelSource(nil, clock: $0) }
    }

    @Test func everyLawIsProved() {
        let proved: Set<AudioLevelSourceLaw> = [
            .yieldsLevels, .timesFollowTheClock, .secondStartIsRefused, .stopEndsTheStream, .stopIsSilent,
            .stopIsIdempotent, .startsAgain, .newestWins, .releaseEndsTheStream,
        ]
        #expect(proved == Set(AudioLevelSourceLaw.allCases))
    }

    @Test func reportsABrokenLaw() async throws {
        await withKnownIssue {
            try await AudioLevelSourceLaw.yieldsLevels.check { CheatingAudioLevelSource(.saysNothing, clock: $0) }
        }
    }
}

/// A source written against the public interface alone, which keeps every promise but one.
final class CheatingAudioLevelSource: AudioLevelSource {
    enum Cheat: Sendable {
        case saysNothing, endsAtOnce, runsBackwards, runsAhead, standsStill
        case acceptsSecondStart, secondStartEndsTheFirst, refusesWithAnotherError
        case ignoresStop, stopsOnlyOnce, startsOnce, keepsCounting, queues, outlivesItself
    }

    private struct State {
        var task: Task<Void, Never>?
        var continuation: AudioLevelStream.Continuation?
        var starts = 0
        var stops = 0
    }

    private let cheat: Cheat?
    private let clock: ManualClock
    private let birth: ManualClock.Instant
    private let state = Mutex(State())

    init(_ cheat: Cheat?, clock: ManualClock) {
        self.cheat = cheat
        self.clock = clock
        birth = clock.now
    }

    deinit {
        guard cheat != .outlivesItself else { return }
        let (task, continuation) = state.withLock { ($0.task, $0.continuation) }
        task?.cancel()
        continuation?.finish()
    }

    func start() async throws(AudioLevelSourceError) -> AudioLevelStream {
        let (stream, continuation) = AudioLevelStream.makeStream()
        let refusal = state.withLock { state -> AudioLevelSourceError.Code? in
            if state.task != nil, cheat != .acceptsSecondStart {
                if cheat == .secondStartEndsTheFirst {
                    state.task?.cancel()
                    state.continuation?.finish()
                }
                return cheat == .refusesWithAnotherError ? .readFailed : .alreadyStarted
            }
            if state.starts > 0, cheat == .startsOnce { return .alreadyStarted }
            state.starts += 1
            state.continuation = continuation
            let start = cheat == .keepsCounting ? birth : clock.now
            state.task = Task(executorPreference: ManualClock.runExecutor) { [cheat, clock] in
                await Self.speak(cheat, clock, since: start, into: continuation)
            }
            return nil
        }
        if let refusal {
            throw AudioLevelSourceError(refusal, thing: "The cheat", reason: "does not start")
        }
        return stream
    }

    func stop() async {
        let (task, continuation) = state.withLock { state -> (Task<Void, Never>?, AudioLevelStream.Continuation?) in
            state.stops += 1
            if cheat == .ignoresStop { return (nil, nil) }
            if cheat == .stopsOnlyOnce, state.stops > 1 { return (nil, nil) }
            defer { (state.task, state.continuation) = (nil, nil) }
            return (state.task, state.continuation)
        }
        task?.cancel()
        continuation?.finish()
        await task?.value
    }

    private static func speak(
        _ cheat: Cheat?,
        _ clock: ManualClock,
        since start: ManualClock.Instant,
        into continuation: AudioLevelStream.Continuation
    ) async {
        if cheat == .endsAtOnce { return continuation.finish() }
        for number in 1...500 {
            do {
                try await clock.sleep(for: .milliseconds(20))
            } catch {
                return
            }
            let elapsed = start.duration(to: clock.now)
            let time: Duration? =
                switch cheat {
                case .saysNothing: nil
                case .runsBackwards: .seconds(100) / number - .seconds(100) + elapsed
                case .runsAhead: elapsed + .seconds(1)
                case .standsStill: .zero
                // A backlog of its own in front of the stream: the reader hears the past.
                case .queues: elapsed / 2
                default: elapsed
                }
            if let time {
                continuation.yield(AudioLevel(source: .microphone, level: 0.5, time: time))
            }
        }
    }
}
