import PresenceKit
import Testing

@Suite struct ConversationStateTests {
    // MARK: Worked example

    @Test func followsTheWorkedExampleOfTheWebClient() {
        var trace = ConversationTrace(.web)
        trace.run(until: .milliseconds(900), agent: { _ in 0 }, microphone: { _ in 0 })
        #expect(trace.phases == [PhaseStart(.connecting, at: 0)])

        trace.run(until: .seconds(1), agent: { _ in 0.31 }, microphone: { _ in 0 })
        #expect(abs(trace.state.agentLevel - 0.124) < 1e-15)

        trace.run(until: .milliseconds(1_900), agent: { _ in 0.31 }, microphone: { _ in 0 })
        #expect(abs(trace.state.agentLevel - 0.308) < 0.001)

        trace.run(until: .seconds(5), agent: { _ in 0 }, microphone: { _ in 0 })
        #expect(
            trace.phases == [
                PhaseStart(.connecting, at: 0), PhaseStart(.speaking, at: 1), PhaseStart(.thinking, at: 2.5),
            ]
        )
        #expect(trace.chips == [ChipChange(true, at: 4.5)])
    }

    @Test func steadyPolicyHoldsSpeakingForTwoHundredMilliseconds() {
        var trace = ConversationTrace(.steady)
        trace.run(until: .milliseconds(900), agent: { _ in 0 })
        trace.run(until: .milliseconds(1_900), agent: { _ in 0.31 })
        trace.run(until: .seconds(5), agent: { _ in 0 })
        #expect(
            trace.phases == [
                PhaseStart(.listening, at: 0), PhaseStart(.speaking, at: 1), PhaseStart(.thinking, at: 2.7),
            ]
        )
        #expect(trace.chips == [ChipChange(true, at: 4.7)])
    }

    // MARK: Session

    @Test(arguments: [
        (ConversationState.Session.idle, ConversationState.Phase.idle),
        (.connecting, .connecting), (.waitingAgent, .connecting), (.ready, .listening), (.failed, .failed),
    ])
    func mapsTheSession(_ session: ConversationState.Session, _ phase: ConversationState.Phase) {
        var state = ConversationState()
        state.session = session
        _ = state.tick(at: .seconds(1))
        #expect(state.phase == phase)
    }

    @Test func saysNothingOfTheIdleItBeginsIn() {
        var state = ConversationState()
        #expect(state.tick(at: .zero).isEmpty)
    }

    @Test func levelsCountOnlyWhileReady() {
        var state = ConversationState()
        state.session = .connecting
        for tenth in 0...10 {
            state.hear(AudioLevel(source: .agent, level: 1, time: .milliseconds(100 * tenth)))
            _ = state.tick(at: .milliseconds(100 * tenth))
        }
        #expect(state.phase == .connecting)
        #expect(state.agentLevel == 0)
    }

    @Test func aSecondSessionBeginsInSilence() {
        var trace = ConversationTrace()
        trace.run(until: .seconds(3), agent: { _ in 0.9 })
        trace.state.session = .idle
        trace.run(until: .milliseconds(3_100))
        trace.state.session = .ready
        trace.run(until: .milliseconds(3_200))
        #expect(trace.phases.suffix(2) == [PhaseStart(.idle, at: 3.1), PhaseStart(.listening, at: 3.2)])
        #expect(trace.state.agentLevel == 0)
    }

    @Test func failureHidesTheChip() {
        var trace = ConversationTrace(agentState: .thinking)
        trace.run(until: .seconds(3))
        trace.state.session = .failed
        trace.run(until: .milliseconds(3_100))
        #expect(trace.chips == [ChipChange(true, at: 2), ChipChange(false, at: 3.1)])
        #expect(trace.state.phase == .failed)
    }

    @Test(arguments: [ConversationState.AgentState.listening, .idle, .speaking, .thinking])
    func webStaysConnectingUntilTheAgentSaysSomething(_ agentState: ConversationState.AgentState) {
        var trace = ConversationTrace(.web)
        trace.run(until: .seconds(10), agent: { _ in 0 }, microphone: { _ in 0.03 })
        #expect(trace.phases == [PhaseStart(.connecting, at: 0)])
        trace.state.agentState = agentState
        trace.run(until: .milliseconds(10_100))
        #expect(trace.state.phase == (agentState == .thinking ? .thinking : .listening))
    }

    // MARK: Smoothing

    @Test(arguments: [10, 20, 25, 50, 100, 1_000])
    func smoothingDoesNotDependOnTheGrid(milliseconds: Int) {
        var trace = ConversationTrace()
        trace.run(until: .seconds(1), every: .milliseconds(milliseconds), agent: { _ in 0.5 })
        // 0.5 · (1 − 0.6^10)
        #expect(abs(trace.state.agentLevel - 0.496_976_691_2) < 1e-12)
    }

    @Test func smoothingDoesNotDependOnTheFrameRate() {
        var trace = ConversationTrace()
        trace.run(until: .seconds(1), every: .seconds(1) / 60, agent: { _ in 0.5 })
        _ = trace.state.tick(at: .seconds(1))
        #expect(abs(trace.state.agentLevel - 0.496_976_691_2) < 1e-12)
    }

    @Test func aTickAtTheSameTimeLeavesLevelsAlone() {
        var trace = ConversationTrace()
        trace.run(until: .milliseconds(500), agent: { _ in 0.4 })
        let level = trace.state.agentLevel
        trace.state.hear(AudioLevel(source: .agent, level: 1, time: .milliseconds(500)))
        #expect(trace.state.tick(at: .milliseconds(500)).isEmpty)
        #expect(trace.state.agentLevel == level)
        #expect(trace.state.tick(at: .milliseconds(300)).isEmpty)
        #expect(trace.state.agentLevel == level)
    }

    @Test func theFirstTickOfASessionOnlyStartsTheCount() {
        var state = ConversationState()
        state.session = .ready
        state.hear(AudioLevel(source: .agent, level: 1, time: .seconds(7)))
        _ = state.tick(at: .seconds(7))
        #expect(state.agentLevel == 0)
        _ = state.tick(at: .milliseconds(7_100))
        #expect(abs(state.agentLevel - 0.4) < 1e-15)
    }

    @Test func anOlderLevelDoesNotReplaceANewer() {
        var trace = ConversationTrace()
        trace.run(until: .milliseconds(400), agent: { _ in 0.5 })
        trace.state.hear(AudioLevel(source: .agent, level: 0, time: .milliseconds(100)))
        let before = trace.state.agentLevel
        trace.run(until: .milliseconds(500))
        #expect(trace.state.agentLevel > before)
    }

    @Test func aLevelFromTheFutureGrowsStaleToo() {
        var trace = ConversationTrace()
        trace.state.hear(AudioLevel(source: .agent, level: 1, time: .seconds(86_400)))
        trace.run(until: .seconds(1))
        #expect(trace.state.phase == .speaking)
        trace.run(until: .seconds(5))
        #expect(trace.state.phase == .thinking)
    }

    @Test(
        "V9: levels that are no levels",
        arguments: [
            (Double.nan, 0.0), (.infinity, 0), (-.infinity, 0), (-1, 0), (7, 1), (.signalingNaN, 0), (0.25, 0.25),
        ]
    )
    func cleansLevels(raw: Double, clean: Double) {
        #expect(AudioLevel(source: .agent, level: raw, time: .zero).level == clean)
        var trace = ConversationTrace()
        trace.run(until: .seconds(1), agent: { _ in raw })
        #expect(abs(trace.state.agentLevel - clean * 0.993_953_382_4) < 1e-12)
        trace.run(until: .seconds(2), agent: { _ in 0.5 })
        #expect(trace.state.agentLevel.isFinite)
        #expect(trace.state.phase == .speaking)
    }

    // MARK: Inference

    @Test(arguments: [(AudioLevelOwner.agent, 0.02), (.microphone, 0.035)])
    func exactlyAtAThresholdIsSilence(_ owner: AudioLevelOwner, threshold: Double) {
        for (raw, phase) in [
            (threshold, ConversationState.Phase.thinking),
            (threshold.nextUp, owner == .agent ? .speaking : .listening),
        ] {
            var state = ConversationState()
            state.agentState = .thinking
            state.session = .ready
            _ = state.tick(at: .zero)
            state.hear(AudioLevel(source: owner, level: raw, time: .seconds(50)))
            _ = state.tick(at: .seconds(50))
            // After 50 s nothing is left of what was before: 0.6^500.
            #expect((owner == .agent ? state.agentLevel : state.microphoneLevel) == raw)
            #expect(state.phase == phase)
        }
    }

    @Test func bothHeardIsSpeakingAndBargeIn() {
        var trace = ConversationTrace()
        trace.run(until: .seconds(1), agent: { _ in 0.5 }, microphone: { _ in 0.5 })
        #expect(trace.state.phase == .speaking)
        #expect(trace.state.isBargeIn)
        trace.run(until: .seconds(3), agent: { _ in 0 }, microphone: { _ in 0.5 })
        #expect(trace.state.phase == .listening)
        #expect(!trace.state.isBargeIn)
        let bargeIns = trace.changes.map(\.kind).filter { kind in
            if case .bargeIn = kind { true } else { false }
        }
        #expect(bargeIns == [.bargeIn(true), .bargeIn(false)])
    }

    @Test func thePersonTakesTheWordWithoutAHold() {
        var trace = ConversationTrace()
        trace.run(until: .seconds(1), agent: { _ in 0.31 }, microphone: { _ in 0.5 })
        trace.run(until: .seconds(3), agent: { _ in 0 }, microphone: { _ in 0.5 })
        // 0.308 · 0.6^6 is the first value at or below 0.02, at 1.6.
        #expect(trace.phases.last == PhaseStart(.listening, at: 1.6))
    }

    @Test func silenceLeavesListeningAlone() {
        var trace = ConversationTrace()
        trace.run(until: .seconds(2), microphone: { _ in 0.5 })
        trace.run(until: .seconds(300), microphone: { _ in 0 })
        #expect(trace.phases == [PhaseStart(.listening, at: 0)])
    }

    @Test func aSoundDuringTheHoldBeginsItAnew() {
        var trace = ConversationTrace()
        trace.run(until: .seconds(1), agent: { _ in 0.31 })
        // Silent from 1.6 on; heard again at 1.7, before the hold of 0.2 s is over.
        trace.run(until: .milliseconds(1_600), agent: { _ in 0 })
        trace.run(until: .milliseconds(1_700), agent: { _ in 0.1 })
        trace.run(until: .seconds(3), agent: { _ in 0 })
        // At 1.7 it is about 0.048, so at 1.9 about 0.017 and silent; the hold ends at 2.1.
        #expect(trace.phases.suffix(2) == [PhaseStart(.speaking, at: 0.1), PhaseStart(.thinking, at: 2.1)])
    }

    @Test(
        "V8: a level that alternates around its threshold 60 times a second for 5 s",
        arguments: InferencePolicy.allCases,
        [ConversationState.AgentState?.none, .thinking, .listening, .speaking]
    )
    func hoveringMicrophone(_ policy: InferencePolicy, _ agentState: ConversationState.AgentState?) {
        // The web policy has no hold, and in silence an agent that thinks has the word: that flickers by its rules.
        if policy == .web, agentState == .thinking { return }
        var trace = ConversationTrace(policy, agentState: agentState)
        var isHigh = false
        trace.run(until: .seconds(5), every: .seconds(1) / 60, agent: { _ in 0 }) { _ in
            isHigh.toggle()
            return isHigh ? 0.036 : 0.034
        }
        #expect(trace.phases.dropFirst().count <= 2, "\(trace.phases)")
    }

    @Test(
        "V8: the agent's level alternates around its threshold, in silence and while somebody speaks",
        arguments: [0.0, 0.5]
    )
    func hoveringAgent(microphone: Double) {
        var trace = ConversationTrace()
        trace.run(until: .seconds(1), agent: { _ in 0.31 }, microphone: { _ in microphone })
        let before = trace.phases.count
        var isHigh = false
        trace.run(
            until: .seconds(6),
            every: .seconds(1) / 60,
            agent: { _ in
                isHigh.toggle()
                return isHigh ? 0.021 : 0.019
            },
            microphone: { _ in microphone }
        )
        #expect(trace.phases.count - before <= 2, "\(trace.phases)")
    }

    @Test(
        "V7: the agent's levels stop coming and no 0 is sent",
        arguments: [
            (InferencePolicy.web, 2.3), (.steady, 2.5),
        ]
    )
    func levelsThatStopComing(_ policy: InferencePolicy, _ thinksAt: Double) {
        var trace = ConversationTrace(policy)
        trace.run(until: .seconds(1), agent: { _ in 0.31 })
        // Stale at 1.8, which is the first of six ticks until 0.31 has fallen to 0.02: 1.8 … 2.3.
        trace.run(until: .seconds(4))
        #expect(trace.phases.last == PhaseStart(.thinking, at: thinksAt))
    }

    // MARK: The agent's own state

    @Test(arguments: [
        (ConversationState.AgentState.thinking, ConversationState.Phase.thinking), (.listening, .listening),
        (.idle, .listening), (.initializing, .connecting), (.speaking, .thinking),
    ])
    func theAgentDecidesInSilence(_ agentState: ConversationState.AgentState, _ phase: ConversationState.Phase) {
        for policy in InferencePolicy.allCases {
            var trace = ConversationTrace(policy)
            trace.run(until: .seconds(1), agent: { _ in 0.31 })
            trace.state.agentState = agentState
            trace.run(until: .milliseconds(1_500), agent: { _ in 0 })
            #expect(trace.state.phase == .speaking, "an audible level is never overridden")
            trace.run(until: .seconds(2), agent: { _ in 0 })
            #expect(trace.phases.last == PhaseStart(phase, at: policy == .web ? 1.6 : 1.8))
        }
    }

    @Test func theAgentNeverOverridesAPersonWhoSpeaks() {
        var trace = ConversationTrace(agentState: .thinking)
        trace.run(until: .seconds(1), microphone: { _ in 0.5 })
        #expect(trace.state.phase == .listening)
        trace.run(until: .seconds(3), microphone: { _ in 0 })
        // 0.497 · 0.6^6 = 0.023 is the first at or below 0.035.
        #expect(trace.phases.last == PhaseStart(.thinking, at: 1.6))
    }

    @Test func anAgentThatStartsUpIsConnecting() {
        var trace = ConversationTrace(agentState: .initializing)
        trace.run(until: .seconds(2))
        #expect(trace.phases == [PhaseStart(.connecting, at: 0)])
        trace.state.agentState = nil
        trace.run(until: .milliseconds(2_100))
        #expect(trace.state.phase == .listening)
    }

    // MARK: Thinking

    @Test("V13: stuck in thinking, nothing ever comes", arguments: [ConversationState.AgentState?.none, .thinking])
    func stuckInThinking(_ agentState: ConversationState.AgentState?) {
        var trace = ConversationTrace(agentState: agentState)
        trace.run(until: .seconds(1), agent: { _ in 0.31 })
        trace.run(until: .seconds(300), agent: { _ in 0 })
        #expect(trace.phases.suffix(2) == [PhaseStart(.thinking, at: 1.8), PhaseStart(.listening, at: 61.8)])
        #expect(trace.chips == [ChipChange(true, at: 3.8), ChipChange(false, at: 61.8)])
    }

    @Test func afterGivingUpANewStateOfTheAgentCounts() {
        var trace = ConversationTrace(agentState: .thinking)
        trace.run(until: .seconds(100))
        #expect(trace.phases.last == PhaseStart(.listening, at: 60))
        trace.state.agentState = .thinking
        trace.run(until: .seconds(101))
        #expect(trace.state.phase == .listening, "the same state said again is no change")
        trace.state.agentState = .listening
        trace.state.agentState = .thinking
        trace.run(until: .milliseconds(101_100))
        #expect(trace.state.phase == .thinking)
    }

    @Test func afterGivingUpASoundCounts() {
        var trace = ConversationTrace(agentState: .thinking)
        trace.run(until: .seconds(100))
        trace.run(until: .seconds(101), microphone: { _ in 0.5 })
        trace.run(until: .seconds(103), microphone: { _ in 0 })
        #expect(trace.state.phase == .thinking)
    }

    @Test func theChipNeedsUnbrokenThinking() {
        var trace = ConversationTrace(agentState: .thinking)
        trace.run(until: .milliseconds(1_900))
        trace.state.agentState = .listening
        trace.run(until: .seconds(2))
        trace.state.agentState = .thinking
        trace.run(until: .seconds(4))
        #expect(trace.chips.isEmpty)
        trace.run(until: .seconds(5))
        #expect(trace.chips == [ChipChange(true, at: 4.1)])
        trace.run(until: .milliseconds(5_100), microphone: { _ in 0.5 })
        #expect(trace.chips.last == ChipChange(false, at: 5.1))
    }

    // MARK: Mute and text mode

    @Test(arguments: [true, false])
    func withoutAMicrophoneItsLevelIsZero(byMuting: Bool) {
        var trace = ConversationTrace(agentState: .thinking)
        trace.run(until: .seconds(1), microphone: { _ in 0.5 })
        if byMuting {
            trace.state.isMuted = true
        } else {
            trace.state.isTextMode = true
        }
        #expect(trace.state.microphoneLevel == 0)
        trace.run(until: .milliseconds(1_100), microphone: { _ in 0.5 })
        #expect(trace.state.microphoneLevel == 0)
        #expect(trace.phases.last == PhaseStart(.thinking, at: 1.1))
        trace.state.isMuted = false
        trace.state.isTextMode = false
        trace.run(until: .milliseconds(1_200), microphone: { _ in 0.5 })
        #expect(abs(trace.state.microphoneLevel - 0.2) < 1e-12)
        #expect(trace.phases.last == PhaseStart(.listening, at: 1.2))
    }

    @Test func theLevelIsThatOfWhoeverHasTheWord() {
        var trace = ConversationTrace()
        trace.run(until: .seconds(1), agent: { _ in 0.5 }, microphone: { _ in 0.1 })
        #expect(trace.state.level == trace.state.agentLevel)
        trace.run(until: .seconds(3), agent: { _ in 0 }, microphone: { _ in 0.1 })
        #expect(trace.state.level == trace.state.microphoneLevel)
        #expect(trace.state.level > 0.09)
        trace.state.session = .idle
        trace.run(until: .milliseconds(3_100))
        #expect(trace.state.level == 0)
    }
}
