import HopeServer
import PresenceKit
import TransportCore

/// What a person in a room has heard so far.
struct Heard {
    /// One text in the room.
    struct Text: Equatable {
        var id: String
        var sender: String
        var text = ""
        /// Nil while it goes on, empty when it is whole, else why it broke off.
        var end: String?
    }

    var texts: [Text] = []
    var states: [String] = []
    var messages: [ControlMessage] = []
    var agents: [String] = []
    var disconnected: DisconnectReason?
    /// The levels of the agent's voice.
    var levels: [Double] = []

    /// The texts that are whole.
    var whole: [String] { texts.filter { $0.end == "" }.map(\.text) }

    mutating func take(_ event: TransportEvent) {
        switch event {
        case .text(let part): take(part)
        case .attributesChanged(_, let changed):
            if let state = changed[ConversationState.AgentState.attributeName] { states.append(state) }
        case .data(let packet):
            if let message = try? ControlMessage(payload: packet.payload) { messages.append(message) }
        case .participantJoined(let participant) where participant.kind == .agent: agents.append(participant.identity)
        case .participantLeft(let identity): agents.removeAll { $0 == identity }
        case .speakers(let speakers): levels.append(speakers["agent-1"] ?? 0)
        case .connection(.disconnected(let reason)): disconnected = reason
        default: break
        }
    }

    private mutating func take(_ part: TextStreamPart) {
        if case .opened = part.content { texts.append(Text(id: part.header.id, sender: part.header.sender)) }
        guard let index = texts.firstIndex(where: { $0.id == part.header.id }) else { return }
        switch part.content {
        case .opened: break
        case .chunk(let chunk): texts[index].text += chunk
        case .ended: texts[index].end = ""
        case .failed(let reason): texts[index].end = reason
        }
    }
}

/// An agent that says at once what was written to it, so that nobody has to wait for it.
struct EchoAgent: Agent {
    func serve(_ room: any Transport, timeOfDay: Double, clock: any Clock<Duration>) async throws {
        for await event in room.events {
            switch event {
            case .participantJoined(let participant) where participant.kind != .agent:
                try await room.publish(
                    ControlMessage.agentReady.payload,
                    topic: ConversationTopic.conversationControl,
                    reliability: .reliable,
                    to: [participant.identity]
                )
            case .text(let part) where part.header.topic == ConversationTopic.chat:
                if case .chunk(let text) = part.content {
                    try await room.sendText("You wrote: \(text)", topic: ConversationTopic.transcription)
                }
            default: break
            }
        }
    }
}

/// Reads a connection's events until something has been heard.
struct RoomListener {
    private var iterator: TransportEvents.AsyncIterator
    /// What has been heard so far.
    private(set) var heard = Heard()

    init(_ connection: some Transport) {
        iterator = connection.events.makeAsyncIterator()
    }

    /// Returns when a condition holds, or the connection has ended.
    @discardableResult
    mutating func wait(until isEnough: (Heard) -> Bool) async -> Heard {
        while !isEnough(heard), let event = await iterator.next() { heard.take(event) }
        return heard
    }
}
