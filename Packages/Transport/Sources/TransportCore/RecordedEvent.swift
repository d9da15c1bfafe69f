/// What one line of a recording says.
public enum RecordedEvent: Hashable, Sendable {
    /// What an action's value can be.
    public enum Value: Hashable, Sendable {
        /// A switch.
        case bool(Bool)
        /// A number.
        case number(Double)
        /// A text.
        case text(String)
    }

    /// How far a text stream got with a line.
    public enum TextEnd: Hashable, Sendable {
        /// More lines of the same id follow.
        case open
        /// The text is complete.
        case ended
        /// It broke off, for this reason.
        case failed(String)
    }

    /// What was sent.
    public enum Sent: Hashable, Sendable {
        /// A data packet.
        case data([UInt8], Reliability)
        /// A whole text stream.
        case text(String)
    }

    /// The connection's state changed.
    case connection(ConnectionState)
    /// Somebody joined.
    case joined(Participant)
    /// Attributes of a participant changed.
    case attributes(identity: String, changed: [String: String])
    /// Somebody left.
    case left(identity: String)
    /// A data packet came.
    case data(DataPacket)
    /// Text of a stream came; a header without a time stamp was opened at the line's own time.
    case text(TextStreamHeader, text: String, end: TextEnd)
    /// Who can be heard.
    case speakers([String: Double])
    /// A level was measured, before muting; `who` is `microphone` or `agent`.
    case level(who: String, level: Double)
    /// Something was sent: compared in a replay, not fed.
    case sent(topic: String, content: Sent, to: [String])
    /// The person did something: start, mute, text_mode, interruption, hang_up, send_text, voice, model, ….
    case action(name: String, value: Value?)
}

extension RecordedEvent {
    func write(to line: inout RecordedLineWriter) {
        switch self {
        case .connection(let state):
            line.add("event", "connection")
            line.add("state", state.recordedName)
            if case .disconnected(let reason) = state { line.add("reason", reason.rawValue) }
        case .joined(let participant):
            line.add("event", "joined")
            line.add("identity", participant.identity)
            line.add("kind", participant.kind.rawValue)
            if !participant.name.isEmpty { line.add("name", participant.name) }
            if !participant.metadata.isEmpty { line.add("metadata", participant.metadata) }
            if !participant.attributes.isEmpty { line.add("attributes", participant.attributes) }
        case .attributes(let identity, let changed):
            line.add("event", "attributes")
            line.add("identity", identity)
            line.add("attributes", changed)
        case .left(let identity):
            line.add("event", "left")
            line.add("identity", identity)
        case .data(let packet):
            line.add("event", "data")
            line.add("topic", packet.topic)
            line.add("from", packet.sender)
            line.add("reliable", .bool(packet.reliability == .reliable))
            line.add(payload: packet.payload)
        case .text(let header, let text, let end):
            line.add("event", "text")
            line.add("topic", header.topic)
            line.add("from", header.sender)
            line.add("id", header.id)
            if !header.attributes.isEmpty { line.add("attributes", header.attributes) }
            line.add("text", text)
            switch end {
            case .open: line.add("end", .bool(false))
            case .ended: break
            case .failed(let reason): line.add("error", reason)
            }
            if let timestamp = header.timestamp { line.add("timestamp", .decimal(timestamp)) }
        case .speakers(let levels):
            line.add("event", "speakers")
            line.add("levels", levels: levels)
        case .level(let who, let level):
            line.add("event", "level")
            line.add("who", who)
            line.add("level", .decimal(level.clampedLevel))
        case .sent(let topic, let content, let receivers):
            line.add("event", "sent")
            line.add("topic", topic)
            switch content {
            case .data(let payload, let reliability):
                line.add("reliable", .bool(reliability == .reliable))
                line.add(payload: payload)
            case .text(let text): line.add("text", text)
            }
            if !receivers.isEmpty { line.add("to", .array(receivers.map { .string($0) })) }
        case .action(let name, let value):
            line.add("event", "action")
            line.add("name", name)
            switch value {
            case .bool(let flag): line.add("value", .bool(flag))
            case .number(let number): line.add("value", .decimal(number))
            case .text(let text): line.add("value", text)
            case nil: break
            }
        }
    }

    init(_ fields: RecordedFields) throws(RecordingError) {
        let event = try fields.string("event")
        switch event {
        case "connection": self = .connection(try ConnectionState(fields))
        case "joined":
            self = .joined(
                Participant(
                    identity: try fields.string("identity"),
                    kind: Participant.Kind(rawValue: try fields.optionalString("kind") ?? "standard") ?? .other,
                    name: try fields.optionalString("name") ?? "",
                    metadata: try fields.optionalString("metadata") ?? "",
                    attributes: try fields.strings("attributes")
                )
            )
        case "attributes":
            self = .attributes(identity: try fields.string("identity"), changed: try fields.strings("attributes"))
        case "left": self = .left(identity: try fields.string("identity"))
        case "data":
            self = .data(
                DataPacket(
                    topic: try fields.string("topic"),
                    sender: try fields.string("from"),
                    payload: try fields.payload(),
                    reliability: try fields.flag("reliable", default: true) ? .reliable : .lossy
                )
            )
        case "text": self = try Self.text(fields)
        case "speakers": self = .speakers(try fields.levels("levels"))
        case "level": self = .level(who: try fields.string("who"), level: try fields.number("level"))
        case "sent":
            let content: Sent
            if let text = try fields.optionalString("text") {
                content = .text(text)
            } else {
                let isReliable = try fields.flag("reliable", default: true)
                content = .data(try fields.payload(), isReliable ? .reliable : .lossy)
            }
            self = .sent(topic: try fields.string("topic"), content: content, to: try fields.list("to"))
        case "action": self = .action(name: try fields.string("name"), value: try Value(fields))
        default: throw fields.failure("“\(event)” is not an event that is known")
        }
    }

    private static func text(_ fields: RecordedFields) throws(RecordingError) -> RecordedEvent {
        let header = TextStreamHeader(
            id: try fields.string("id"),
            topic: try fields.string("topic"),
            sender: try fields.string("from"),
            timestamp: try fields.optionalNumber("timestamp"),
            attributes: try fields.strings("attributes")
        )
        let end: TextEnd
        if let reason = try fields.optionalString("error") {
            end = .failed(reason)
        } else {
            end = try fields.flag("end", default: true) ? .ended : .open
        }
        return .text(header, text: try fields.optionalString("text") ?? "", end: end)
    }
}

extension RecordedEvent.Value {
    init?(_ fields: RecordedFields) throws(RecordingError) {
        switch fields.value["value"] {
        case .bool(let flag): self = .bool(flag)
        case .string(let text): self = .text(text)
        case nil, .null: return nil
        case .number: self = .number(try fields.number("value"))
        default: throw fields.failure("“value” has to be true, false, a number or a string")
        }
    }
}

extension ConnectionState {
    fileprivate var recordedName: String {
        switch self {
        case .connecting: "connecting"
        case .connected: "connected"
        case .reconnecting: "reconnecting"
        case .reconnected: "reconnected"
        case .disconnected: "disconnected"
        }
    }

    fileprivate init(_ fields: RecordedFields) throws(RecordingError) {
        let state = try fields.string("state")
        switch state {
        case "connecting": self = .connecting
        case "connected": self = .connected
        case "reconnecting": self = .reconnecting
        case "reconnected": self = .reconnected
        case "disconnected":
            let name = try fields.optionalString("reason") ?? DisconnectReason.client.rawValue
            guard let reason = DisconnectReason(rawValue: name) else {
                throw fields.failure("“\(name)” is not a reason that is known")
            }
            self = .disconnected(reason)
        default: throw fields.failure("“\(state)” is not a state that is known")
        }
    }
}
