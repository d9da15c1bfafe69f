import PresenceKit
import Testing
import TransportCore

/// What must hold whatever happens, tried on seeded random conversations.
@Suite struct ConversationStatePropertyTests {
    private struct Step {
        var time: Duration
        var change: (inout ConversationState) -> Void
    }

    private func conversation(_ random: inout SeededRandom, steps: Int) -> [Step] {
        var time = Duration.zero
        return (0..<steps).map { _ in
            time += .milliseconds(random.nextInt(below: 250))
            let (kind, pick, unit) = (random.nextInt(below: 12), random.nextInt(below: 6), random.nextUnit())
            let now = time
            return Step(time: time) { state in
                switch kind {
                case 0: state.session = pick < 4 ? .ready : ConversationState.Session.allCases[pick - 4]
                case 1: state.agentState = pick < 5 ? ConversationState.AgentState.allCases[pick] : nil
                case 2: state.isMuted = unit < 0.3
                case 3: state.isTextMode = unit < 0.2
                case 4:
                    let wild = [Double.nan, .infinity, -.infinity, -1, 7, 1e300][pick]
                    state.hear(AudioLevel(source: .agent, level: wild, time: now))
                case 5...8: state.hear(AudioLevel(source: .agent, level: unit * unit * 0.3, time: now))
                default: state.hear(AudioLevel(source: .microphone, level: unit * unit * 0.3, time: now))
                }
            }
        }
    }

    @Test(arguments: InferencePolicy.allCases, 0..<25)
    func promisesHold(_ policy: InferencePolicy, seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        var state = ConversationState(policy: policy)
        state.session = .ready
        var (phase, chip, barge) = (state.phase, state.showsThinkingChip, state.isBargeIn)
        var thinkingSince: Duration?
        for step in conversation(&random, steps: 400) {
            step.change(&state)
            let changes = state.tick(at: step.time)
            for change in changes {
                #expect(change.time == step.time, "seed \(seed)")
                switch change.kind {
                case .phase(let new):
                    #expect(new != phase, "seed \(seed): a change that changes nothing")
                    phase = new
                case .thinkingChip(let new):
                    #expect(new != chip, "seed \(seed)")
                    chip = new
                case .bargeIn(let new):
                    #expect(new != barge, "seed \(seed)")
                    barge = new
                }
            }
            #expect(phase == state.phase, "seed \(seed)")
            #expect(chip == state.showsThinkingChip, "seed \(seed)")
            #expect(barge == state.isBargeIn, "seed \(seed)")

            for level in [state.agentLevel, state.microphoneLevel] {
                #expect((0...1).contains(level), "seed \(seed)")
            }
            let (agent, microphone) = (state.agentLevel > 0.02, state.microphoneLevel > 0.035)
            #expect(state.isBargeIn == (agent && microphone), "seed \(seed) at \(step.time)")
            switch state.session {
            case .idle: #expect(phase == .idle, "seed \(seed)")
            case .failed: #expect(phase == .failed, "seed \(seed)")
            case .connecting, .waitingAgent: #expect(phase == .connecting, "seed \(seed)")
            case .ready:
                #expect(phase != .idle && phase != .failed, "seed \(seed)")
                if agent {
                    #expect(phase == .speaking, "seed \(seed) at \(step.time)")
                } else if microphone, policy == .web {
                    #expect(phase == .listening, "seed \(seed) at \(step.time)")
                }
            }
            if state.isMuted || state.isTextMode {
                #expect(state.microphoneLevel == 0, "seed \(seed)")
            }

            thinkingSince = phase == .thinking ? thinkingSince ?? step.time : nil
            let thinksFor = thinkingSince.map { step.time - $0 } ?? .zero
            #expect(chip == (thinksFor >= .seconds(2)), "seed \(seed)")
        }
    }

    @Test(arguments: 0..<10)
    func sameInputSameOutput(seed: Int) {
        func run() -> [ConversationState.Change] {
            var random = SeededRandom(seed: UInt64(seed))
            var state = ConversationState()
            return conversation(&random, steps: 300).flatMap { step in
                step.change(&state)
                return state.tick(at: step.time)
            }
        }
        #expect(run() == run(), "seed \(seed)")
    }

    /// With raw levels that change only on a grid of 100 ms, ticks between its points move no level that the grid sees.
    @Test(arguments: 0..<20)
    func extraTicksDoNotMoveSmoothedLevels(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        var coarse = ConversationState()
        var fine = ConversationState()
        coarse.session = .ready
        fine.session = .ready
        _ = (coarse.tick(at: .zero), fine.tick(at: .zero))
        for tenth in 1...100 {
            let end = Duration.milliseconds(100 * tenth)
            // Told at the beginning of the stretch it holds for, so that all ticks within see the same newest value.
            let level = AudioLevel(
                source: .agent,
                level: random.nextUnit(),
                time: end - .milliseconds(100) + .nanoseconds(1)
            )
            coarse.hear(level)
            fine.hear(level)
            var time = end - .milliseconds(100)
            while true {
                time += .microseconds(1 + random.nextInt(below: 30_000))
                guard time < end else { break }
                _ = fine.tick(at: time)
            }
            _ = (coarse.tick(at: end), fine.tick(at: end))
            #expect(abs(coarse.agentLevel - fine.agentLevel) < 1e-12, "seed \(seed) at \(end)")
        }
    }
}
