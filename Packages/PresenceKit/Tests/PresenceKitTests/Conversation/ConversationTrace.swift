import PresenceKit

/// Drives a conversation by a table of raw levels, and keeps what it says.
struct ConversationTrace {
    var state: ConversationState
    private(set) var changes: [ConversationState.Change] = []
    private var time = Duration.zero

    /// A conversation that is ready at 0.
    init(_ policy: InferencePolicy = .steady, agentState: ConversationState.AgentState? = nil) {
        state = ConversationState(policy: policy)
        state.agentState = agentState
        state.session = .ready
        changes += state.tick(at: .zero)
    }

    /// Ticks on the grid until `end`, each tick after the levels that `raw` gives for its time.
    ///
    /// A level that is nil is not told: its source says nothing.
    mutating func run(
        until end: Duration,
        every step: Duration = .milliseconds(100),
        agent: (Duration) -> Double? = { _ in nil },
        microphone: (Duration) -> Double? = { _ in nil }
    ) {
        while time + step <= end {
            time += step
            if let level = agent(time) {
                state.hear(AudioLevel(source: .agent, level: level, time: time))
            }
            if let level = microphone(time) {
                state.hear(AudioLevel(source: .microphone, level: level, time: time))
            }
            changes += state.tick(at: time)
        }
    }

    /// The phases in order, with the seconds at which each began.
    var phases: [PhaseStart] {
        changes.compactMap { change in
            if case .phase(let phase) = change.kind {
                PhaseStart(phase, at: change.time / .seconds(1))
            } else {
                nil
            }
        }
    }

    /// When the chip showed and hid, in seconds.
    var chips: [ChipChange] {
        changes.compactMap { change in
            if case .thinkingChip(let shows) = change.kind {
                ChipChange(shows, at: change.time / .seconds(1))
            } else {
                nil
            }
        }
    }
}

struct PhaseStart: Equatable {
    let phase: ConversationState.Phase
    let seconds: Double

    init(_ phase: ConversationState.Phase, at seconds: Double) {
        self.phase = phase
        self.seconds = seconds
    }
}

struct ChipChange: Equatable {
    let shows: Bool
    let seconds: Double

    init(_ shows: Bool, at seconds: Double) {
        self.shows = shows
        self.seconds = seconds
    }
}
