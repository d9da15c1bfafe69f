/// Who has the word: the phase of a conversation, inferred from levels, the agent's own state, and time.
///
/// A pure value. Tell it what happens (``hear(_:)``, ``session``, ``agentState``, …), then call ``tick(at:)``, every
/// 100 ms or as often as you draw; nothing changes but in a tick, and what changed is returned.
///
/// - Levels are smoothed per source: `level = k · previous + (1 − k) · raw` with `k = 0.6^(Δt / 100 ms)`, where raw is
///   the newest value and Δt the time since the tick before. The first tick of a ready session only starts that count.
///   A tick at the time of the one before leaves the levels as they are.
/// - A source that has said nothing for ``staleness`` counts as 0.
/// - The agent above ``agentThreshold`` is speaking. Else the microphone above ``microphoneThreshold`` is listening.
///   Else it is silent: speaking becomes thinking, any other phase stays; or the agent's own state decides.
/// - Under a policy with a hold, silence ends speaking only when it has lasted unbroken. Sound shorter than the hold
///   needs the same silence before anything else than sound replaces what it brought about, so that a level that
///   hovers at a threshold does not flicker.
public struct ConversationState: Hashable, Sendable {
    /// What the conversation is doing.
    public enum Phase: String, Hashable, Sendable, CaseIterable {
        /// No session.
        case idle
        /// A session begins, or waits for its agent.
        case connecting
        /// The person has the word.
        case listening
        /// The agent works out what to say.
        case thinking
        /// The agent has the word.
        case speaking
        /// The session failed.
        case failed
    }

    /// How far the session is.
    public enum Session: String, Hashable, Sendable, CaseIterable {
        /// Not begun, or hung up.
        case idle
        /// Fetching a token, or connecting.
        case connecting
        /// In the room, without its agent.
        case waitingAgent
        /// In conversation.
        case ready
        /// Ended by a failure.
        case failed
    }

    /// What an agent says of itself in its participant attribute ``attributeName``.
    public enum AgentState: String, Hashable, Sendable, CaseIterable {
        /// It starts up.
        case initializing
        /// It listens.
        case listening
        /// It works out what to say.
        case thinking
        /// It speaks.
        case speaking
        /// It has nothing to do.
        case idle

        /// The attribute in which agents publish their state.
        public static let attributeName = "lk.agent.state"
    }

    /// Something that a tick changed.
    public struct Change: Hashable, Sendable {
        /// What can change.
        public enum Kind: Hashable, Sendable {
            /// The phase is now this one.
            case phase(Phase)
            /// The thinking chip is now shown, or hidden.
            case thinkingChip(Bool)
            /// Person and agent are now heard together, or no longer.
            case bargeIn(Bool)
        }

        /// The time of the tick.
        public let time: Duration
        /// What changed.
        public let kind: Kind

        /// Makes a change.
        public init(time: Duration, kind: Kind) {
            self.time = time
            self.kind = kind
        }
    }

    /// The smoothed level of the agent above which it is speaking; at exactly this level it is silent.
    public static let agentThreshold = 0.02
    /// The smoothed level of the microphone above which somebody speaks; at exactly this level it is silent.
    public static let microphoneThreshold = 0.035
    /// How long a source may say nothing before it counts as silent.
    public static let staleness: Duration = .milliseconds(800)
    /// How long thinking lasts before the chip shows.
    public static let chipDelay: Duration = .seconds(2)
    /// How long thinking lasts when nothing ends it.
    public static let thinkingLimit: Duration = .seconds(60)

    /// How eagerly the phase follows the levels.
    public let policy: InferencePolicy

    /// How far the session is; takes effect at the next tick.
    public var session = Session.idle

    /// What the agent says of itself, nil when it says nothing; takes effect at the next tick.
    public var agentState: AgentState? {
        didSet {
            if agentState != oldValue {
                hasGivenUpThinking = false
            }
        }
    }

    /// Whether the person muted the microphone, whose level is then 0.
    public var isMuted = false {
        didSet { silenceMicrophoneIfOff() }
    }

    /// Whether the conversation is typed; the level of the microphone is then 0.
    public var isTextMode = false {
        didSet { silenceMicrophoneIfOff() }
    }

    /// The phase as of the last tick.
    public private(set) var phase = Phase.idle

    /// Whether the thinking chip shows, as of the last tick.
    public private(set) var showsThinkingChip = false

    /// Whether agent and person are heard together, as of the last tick.
    public private(set) var isBargeIn = false

    private var microphone = Voice()
    private var agent = Voice()
    private var now = Duration.zero
    private var readySince: Duration?
    private var hasBegun = false
    private var thinkingSince: Duration?
    private var hasGivenUpThinking = false

    /// Makes the state of a conversation that has not begun.
    public init(policy: InferencePolicy = .steady) {
        self.policy = policy
    }

    /// The smoothed level of the microphone, 0...1.
    public var microphoneLevel: Double { microphone.smoothed }

    /// The smoothed level of the agent, 0...1.
    public var agentLevel: Double { agent.smoothed }

    /// The smoothed level of whoever the phase is about: the agent while speaking, the person while listening, else 0.
    public var level: Double {
        switch phase {
        case .speaking: agentLevel
        case .listening: microphoneLevel
        case .idle, .connecting, .thinking, .failed: 0
        }
    }

    /// Takes the newest level of a source; one older than what the source said before is ignored.
    ///
    /// The level takes effect at the next tick. It may come at any time, before the session is ready too.
    public mutating func hear(_ level: AudioLevel) {
        switch level.source {
        case .microphone: microphone.hear(level)
        case .agent: agent.hear(level)
        }
    }

    /// Brings everything up to the given time.
    ///
    /// - Parameter time: The time since the start of whatever the levels are stamped by. A time before that of the last
    ///   tick counts as the same time.
    /// - Returns: What changed: the phase first, then the chip, then barge-in; empty when nothing did.
    public mutating func tick(at time: Duration) -> [Change] {
        let before = (phase, showsThinkingChip, isBargeIn)
        let elapsed = max(time - now, .zero)
        now = max(now, time)

        if session == .ready {
            tickReady(elapsed: elapsed)
        } else {
            tickNotReady()
        }
        trackThinking()

        var changes: [Change] = []
        if phase != before.0 {
            changes.append(Change(time: now, kind: .phase(phase)))
        }
        if showsThinkingChip != before.1 {
            changes.append(Change(time: now, kind: .thinkingChip(showsThinkingChip)))
        }
        if isBargeIn != before.2 {
            changes.append(Change(time: now, kind: .bargeIn(isBargeIn)))
        }
        return changes
    }

    private mutating func tickNotReady() {
        readySince = nil
        hasBegun = false
        hasGivenUpThinking = false
        isBargeIn = false
        microphone.restart()
        agent.restart()
        switch session {
        case .idle: phase = .idle
        case .failed: phase = .failed
        case .connecting, .waitingAgent, .ready: phase = .connecting
        }
    }

    private mutating func tickReady(elapsed: Duration) {
        let isFirst = readySince == nil
        if isFirst {
            readySince = now
            phase = policy == .web ? .connecting : .listening
        }
        let step = isFirst ? .zero : elapsed
        microphone.advance(
            to: now,
            by: step,
            threshold: Self.microphoneThreshold,
            isOff: isMuted || isTextMode,
            hold: policy.hold
        )
        agent.advance(to: now, by: step, threshold: Self.agentThreshold, isOff: false, hold: policy.hold)

        isBargeIn = agent.isAudible && microphone.isAudible
        if agent.isAudible || microphone.isAudible {
            hasBegun = true
            hasGivenUpThinking = false
        }
        if agentState != nil {
            hasBegun = true
        }

        if agent.isAudible {
            phase = .speaking
        } else if microphone.isAudible {
            if phase != .speaking || !agent.mayResume(at: now, hold: policy.hold) {
                phase = .listening
            }
        } else {
            phase = phaseInSilence()
        }
    }

    private func phaseInSilence() -> Phase {
        switch phase {
        case .speaking:
            if silence < policy.hold { return .speaking }
        case .listening:
            if microphone.mayResume(at: now, hold: policy.hold) { return .listening }
        case .idle, .connecting, .thinking, .failed:
            break
        }

        switch agentState {
        case .initializing: return .connecting
        case .listening, .idle: return .listening
        case .thinking where !hasGivenUpThinking: return .thinking
        case .thinking, .speaking, nil: break
        }
        switch phase {
        case .speaking: return .thinking
        case .connecting: return policy == .web && !hasBegun ? .connecting : .listening
        case .idle, .listening, .thinking, .failed: return phase
        }
    }

    /// How long neither voice has been heard.
    private var silence: Duration {
        now - max(microphone.changedAt, agent.changedAt)
    }

    private mutating func trackThinking() {
        if phase == .thinking, let since = thinkingSince, now - since >= Self.thinkingLimit {
            phase = .listening
            hasGivenUpThinking = true
        }
        if phase == .thinking {
            let since = thinkingSince ?? now
            thinkingSince = since
            showsThinkingChip = now - since >= Self.chipDelay
        } else {
            thinkingSince = nil
            showsThinkingChip = false
        }
    }

    private mutating func silenceMicrophoneIfOff() {
        if isMuted || isTextMode {
            microphone.smoothed = 0
        }
    }
}
