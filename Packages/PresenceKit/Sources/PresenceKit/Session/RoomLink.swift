import TransportCore

/// The connection of one conversation, and what the tasks that serve it share.
struct RoomLink: Sendable {
    /// Something to be sent, in order.
    enum Outgoing: Sendable {
        case control(ControlMessage, topic: String)
        case typed(id: String, text: String)
    }

    /// The number of the conversation.
    let id: Int
    let transport: any Transport
    var holdsWakeLock = false

    var roster = AgentRoster()
    /// When waiting for the agent ends; nil while nobody waits.
    var agentDeadline: Duration?
    /// Whether an agent was ready before, and left.
    var hadAgent = false
    let agentBell = Bell()
    /// Whether the agent was told of text mode and not yet, for sure, of its end.
    var agentMayBeInText = false

    var outbox: [Outgoing] = []
    /// Typed messages that are neither sent nor given up.
    var unsentTyped: [String] = []
    let outboxBell = Bell()

    /// Rung when the microphone should be opened or closed.
    let microphoneBell = Bell()
    /// Counts how often the microphone was wanted anew, so that a short change of mind is not missed.
    var microphoneWish = 0
    /// Rung when the room should be told about the microphone or its level.
    let roomMicrophoneBell = Bell()
    /// Whether the room has to be told again although nothing changed here.
    var mustRepeatMicrophone = true
    var levelToPublish: Double?
    /// Whether the source has given anything since it was opened.
    var hasHeardMicrophone = false
    /// Why the room did not take the microphone that is open.
    var roomRefusal: TransportError?
    /// Rung when ``roomRefusal`` is set.
    let refusalBell = Bell()

    init(id: Int, transport: any Transport) {
        self.id = id
        self.transport = transport
    }
}
