import TransportCore
import TransportHTTP

/// What a server sends.
enum RoomServerMessage: Hashable, Sendable {
    struct Welcome: Hashable, Sendable {
        var room: String
        var local: Participant
        var canPublish: Bool
        var canPublishData: Bool
        var canUpdateAttributes: Bool
        /// What takes this connection up again; as secret as a token.
        var resume: String
        /// For how many seconds it can be taken up.
        var window: Double
        var isResumed: Bool
        /// The last request that was done or refused.
        var received: UInt64
        /// Who is in the room; told in this way only to those who join.
        var present: [Participant]
    }

    /// A text stream is known by its id and sender once it was opened.
    struct TextID: Hashable, Sendable {
        var id: String
        var sender: String
    }

    case welcome(Welcome)
    case joined(Participant)
    case left(String)
    case attributes(String, changed: [String: String])
    case data(DataPacket)
    case opened(TextStreamHeader)
    case continued(TextID, TextStreamPart.Content)
    case speakers([String: Double])
    case done(UInt64, id: String?)
    case refused(UInt64, TransportError)
    case bye(DisconnectReason)

    /// The message for an event; `nil` for what is no message.
    init?(_ event: TransportEvent) {
        switch event {
        case .connection(.disconnected(let reason)): self = .bye(reason)
        case .connection: return nil
        case .participantJoined(let participant): self = .joined(participant)
        case .participantLeft(let identity): self = .left(identity)
        case .attributesChanged(let identity, let changed): self = .attributes(identity, changed: changed)
        case .data(let packet): self = .data(packet)
        case .speakers(let levels): self = .speakers(levels)
        case .text(let part):
            if case .opened = part.content {
                self = .opened(part.header)
            } else {
                self = .continued(TextID(id: part.header.id, sender: part.header.sender), part.content)
            }
        }
    }

    /// Whether both sides count it, so that it comes again after a connection was lost.
    var isCounted: Bool {
        switch self {
        case .welcome, .bye, .speakers: false
        case .data(let packet): packet.reliability == .reliable
        default: true
        }
    }

    // MARK: Writing

    /// The whole WebSocket frame.
    var serverFrame: [UInt8] {
        if case .data(let packet) = self { return RoomDataFrame.serverFrame(packet) }
        return WebSocketFrameHeader.serverFrame(.text, json.bytes)
    }

    private var json: JSONValue {
        switch self {
        case .data: return .null
        case .welcome(let welcome):
            return [
                "type": "welcome",
                "version": .integer(RoomProtocol.version),
                "room": .string(welcome.room),
                "local": JSONValue(welcome.local),
                "grants": [
                    "publish": .bool(welcome.canPublish),
                    "data": .bool(welcome.canPublishData),
                    "attributes": .bool(welcome.canUpdateAttributes),
                ],
                "resume": .string(welcome.resume),
                "window": .number(welcome.window),
                "resumed": .bool(welcome.isResumed),
                "received": .integer(Int(clamping: welcome.received)),
                "present": .array(welcome.present.map { JSONValue($0) }),
            ]
        case .joined(let participant): return ["type": "joined", "participant": JSONValue(participant)]
        case .left(let identity): return ["type": "left", "identity": .string(identity)]
        case .attributes(let identity, let changed):
            return ["type": "attributes", "identity": .string(identity), "changed": JSONValue(changed)]
        case .opened(let header):
            var members: [JSONValue.Member] = [
                .init(name: "type", value: "open"),
                .init(name: "id", value: .string(header.id)),
                .init(name: "sender", value: .string(header.sender)),
                .init(name: "topic", value: .string(header.topic)),
                .init(name: "attributes", value: JSONValue(header.attributes)),
            ]
            if let timestamp = header.timestamp {
                members.append(.init(name: "timestamp", value: .number(timestamp)))
            }
            return .object(members)
        case .continued(let text, let content): return Self.json(text, content)
        case .speakers(let levels):
            let sorted = levels.sorted { $0.key < $1.key }
            return [
                "type": "speakers",
                "levels": .object(sorted.map { JSONValue.Member(name: $0.key, value: .number($0.value)) }),
            ]
        case .done(let request, let id):
            let number = JSONValue.integer(Int(clamping: request))
            guard let id else { return ["type": "done", "request": number] }
            return ["type": "done", "request": number, "id": .string(id)]
        case .refused(let request, let error): return Self.json(request, error)
        case .bye(let reason): return ["type": "bye", "reason": .string(reason.rawValue)]
        }
    }

    private static func json(_ text: TextID, _ content: TextStreamPart.Content) -> JSONValue {
        let (id, sender) = (JSONValue.string(text.id), JSONValue.string(text.sender))
        switch content {
        case .chunk(let chunk): return ["type": "chunk", "id": id, "sender": sender, "text": .string(chunk)]
        case .ended(let attributes):
            return ["type": "end", "id": id, "sender": sender, "attributes": JSONValue(attributes)]
        case .failed(let reason): return ["type": "fail", "id": id, "sender": sender, "reason": .string(reason)]
        case .opened: return .null
        }
    }

    private static func json(_ request: UInt64, _ error: TransportError) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init(name: "type", value: "refused"),
            .init(name: "request", value: .integer(Int(clamping: request))),
        ]
        let code: String
        switch error.code {
        case .notPermitted: code = "notPermitted"
        case .protocolViolation: code = "protocolViolation"
        case .unavailable: code = "unavailable"
        case .unknownReceiver(let identity):
            code = "unknownReceiver"
            members.append(.init(name: "identity", value: .string(identity)))
        case .payloadTooLarge(let limit):
            code = "payloadTooLarge"
            members.append(.init(name: "limit", value: .integer(limit)))
        default: code = "closed"
        }
        members.append(.init(name: "code", value: .string(code)))
        members.append(.init(name: "message", value: .string(error.message)))
        return .object(members)
    }

    // MARK: Reading

    init(binary bytes: [UInt8]) throws(RoomProtocolError) {
        self = .data(try RoomDataFrame.decodePacket(bytes))
    }

    /// Reads a message; `nil` for a type that is newer than this program.
    init?(text: String) throws(RoomProtocolError) {
        let value = try JSONValue(message: text)
        switch try value.text("type") {
        case "welcome": self = .welcome(try Welcome(value))
        case "joined":
            guard let participant = value["participant"] else { throw RoomProtocolError("A join names nobody.") }
            self = .joined(try participant.participant())
        case "left": self = .left(try value.text("identity"))
        case "attributes": self = try .attributes(value.text("identity"), changed: value.texts("changed"))
        case "open":
            self = .opened(
                TextStreamHeader(
                    id: try value.text("id"),
                    topic: try value.text("topic"),
                    sender: try value.text("sender"),
                    timestamp: value["timestamp"]?.doubleValue,
                    attributes: try value.texts("attributes")
                )
            )
        case "chunk": self = .continued(try TextID(value), .chunk(try value.text("text")))
        case "end": self = .continued(try TextID(value), .ended(attributes: try value.texts("attributes")))
        case "fail": self = .continued(try TextID(value), .failed(try value.text("reason")))
        case "speakers":
            var levels: [String: Double] = [:]
            for member in value["levels"]?.members ?? [] {
                levels[member.name] = member.value.doubleValue?.clampedLevel ?? 0
            }
            self = .speakers(levels)
        case "done": self = try .done(value.count("request"), id: value["id"]?.stringValue)
        case "refused": self = try .refused(value.count("request"), Self.error(value))
        case "bye": self = .bye(DisconnectReason(rawValue: try value.text("reason")) ?? .removed)
        default: return nil
        }
    }

    private static func error(_ value: JSONValue) throws(RoomProtocolError) -> TransportError {
        let code: TransportError.Code =
            switch try value.text("code") {
            case "notPermitted": .notPermitted
            case "unknownReceiver": .unknownReceiver(identity: try value.text("identity"))
            case "payloadTooLarge": .payloadTooLarge(limit: Int(clamping: try value.count("limit")))
            case "protocolViolation": .protocolViolation
            case "unavailable": .unavailable
            default: .closed
            }
        return TransportError(code, value["message"]?.stringValue)
    }
}

extension RoomServerMessage.TextID {
    fileprivate init(_ value: JSONValue) throws(RoomProtocolError) {
        self.init(id: try value.text("id"), sender: try value.text("sender"))
    }
}

extension RoomServerMessage.Welcome {
    fileprivate init(_ value: JSONValue) throws(RoomProtocolError) {
        guard let local = value["local"], let grants = value["grants"], try value.count("version") == 1 else {
            throw RoomProtocolError("A welcome is of another version of the protocol.")
        }
        var present: [Participant] = []
        for participant in value["present"]?.elements ?? [] { present.append(try participant.participant()) }
        self.init(
            room: try value.text("room"),
            local: try local.participant(),
            canPublish: try grants.bool("publish"),
            canPublishData: try grants.bool("data"),
            canUpdateAttributes: try grants.bool("attributes"),
            resume: try value.text("resume"),
            window: try value.double("window"),
            isResumed: try value.bool("resumed"),
            received: try value.count("received"),
            present: present
        )
    }
}
