import TransportCore

/// Who is in the room, which of them are agents, and which agents have said that they are ready.
///
/// Readiness is kept by identity, since a packet may come before its sender has joined.
struct AgentRoster: Sendable {
    /// How the identities of agents begin, for backends that don't know kinds.
    static let agentPrefix = "agent-"

    private var order: [String] = []
    private var participants: [String: Participant] = [:]
    private var ready: Set<String> = []
    private var isAway = false

    /// The first agent that has joined and is ready.
    var readyAgent: Participant? {
        order.lazy.filter { ready.contains($0) && isAgent($0) }.compactMap { participants[$0] }.first
    }

    /// What the ready agent says of itself; nil when there is none or it says nothing that is known.
    var agentState: ConversationState.AgentState? {
        readyAgent?.attributes[ConversationState.AgentState.attributeName]
            .flatMap(ConversationState.AgentState.init(rawValue:))
    }

    /// Whether what this identity says may come from an agent: it is one, or nobody knows yet.
    func mayBeAgent(_ identity: String) -> Bool {
        participants[identity] == nil || isAgent(identity)
    }

    mutating func joined(_ participant: Participant) {
        if participants.updateValue(participant, forKey: participant.identity) == nil {
            order.append(participant.identity)
        }
    }

    mutating func left(_ identity: String) {
        order.removeAll { $0 == identity }
        participants[identity] = nil
        // Somebody who seems to leave while this side is away is there again, unchanged, when this side comes back.
        if !isAway { ready.remove(identity) }
    }

    mutating func attributesChanged(_ identity: String, _ changed: [String: String]) {
        guard participants[identity] != nil else { return }
        for (name, value) in changed {
            participants[identity]?.attributes[name] = value.isEmpty ? nil : value
        }
    }

    /// An agent has said that it is ready; whether it is one may turn out later.
    mutating func saidReady(_ identity: String) {
        ready.insert(identity)
    }

    /// This side's connection broke, or is back.
    mutating func setAway(_ isAway: Bool) {
        self.isAway = isAway
    }

    private func isAgent(_ identity: String) -> Bool {
        identity.hasPrefix(Self.agentPrefix) || participants[identity]?.kind == .agent
    }
}
