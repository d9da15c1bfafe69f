import TransportCore

/// What a client sends.
enum RoomClientMessage: Hashable, Sendable {
    struct Hello: Hashable, Sendable {
        var version = RoomProtocol.version
        var client: String
        /// What welcomed the connection that is to be taken up, and how many counted messages came on it.
        var resume: String?
        var received: UInt64 = 0
    }

    /// What is numbered and answered.
    enum Request: Hashable, Sendable {
        case publish(RoomDataFrame.Publication)
        case open(topic: String, attributes: [String: String], to: [String], id: String?, speaker: String?)
        case chunk(id: String, text: String)
        case end(id: String, attributes: [String: String])
        case fail(id: String, reason: String)
        case attributes([String: String])
        case microphone(Bool)
    }

    case hello(Hello)
    case received(UInt64)
    case level(Double)
    /// A lossy packet without an answer.
    case lossy(RoomDataFrame.Publication)
    case request(UInt64, Request)

    init(binary bytes: [UInt8]) throws(RoomProtocolError) {
        let publication = try RoomDataFrame.decodePublication(bytes)
        self = publication.request == 0 ? .lossy(publication) : .request(publication.request, .publish(publication))
    }

    init(text: String) throws(RoomProtocolError) {
        let value = try JSONValue(message: text)
        switch try value.text("type") {
        case "hello":
            self = .hello(
                Hello(
                    version: Int(clamping: try value.count("version")),
                    client: try value.optionalName("client") ?? "",
                    resume: try value.optionalName("resume"),
                    received: value["received"] == nil ? 0 : try value.count("received")
                )
            )
        case "received": self = .received(try value.count("count"))
        case "level": self = .level(try value.double("level"))
        case "open":
            self = try .request(
                value.count("request"),
                .open(
                    topic: value.name("topic"),
                    attributes: value.texts("attributes"),
                    to: value.names("to"),
                    id: value.optionalName("id"),
                    speaker: value.optionalName("speaker")
                )
            )
        case "chunk":
            self = try .request(value.count("request"), .chunk(id: value.name("id"), text: value.text("text")))
        case "end":
            self = try .request(
                value.count("request"),
                .end(id: value.name("id"), attributes: value.texts("attributes"))
            )
        case "fail":
            self = try .request(value.count("request"), .fail(id: value.name("id"), reason: value.text("reason")))
        case "attributes": self = try .request(value.count("request"), .attributes(value.texts("changed")))
        case "microphone": self = try .request(value.count("request"), .microphone(value.bool("enabled")))
        default: throw RoomProtocolError("A client's message has a type that there is not.")
        }
    }

    var frame: RoomFrame {
        switch self {
        case .hello(let hello):
            var members: [JSONValue.Member] = [
                .init(name: "type", value: "hello"),
                .init(name: "version", value: .integer(hello.version)),
                .init(name: "client", value: .string(hello.client)),
            ]
            if let resume = hello.resume {
                members.append(.init(name: "resume", value: .string(resume)))
                members.append(.init(name: "received", value: .integer(Int(clamping: hello.received))))
            }
            return RoomFrame(.object(members))
        case .received(let count): return RoomFrame(["type": "received", "count": .integer(Int(clamping: count))])
        case .level(let level): return RoomFrame(["type": "level", "level": .number(level)])
        case .lossy(let publication): return .binary(RoomDataFrame.encode(publication))
        case .request(let number, let request): return Self.frame(request, number)
        }
    }

    private static func frame(_ request: Request, _ number: UInt64) -> RoomFrame {
        let number = JSONValue.integer(Int(clamping: number))
        switch request {
        case .publish(let publication): return .binary(RoomDataFrame.encode(publication))
        case .open(let topic, let attributes, let receivers, let id, let speaker):
            var members: [JSONValue.Member] = [
                .init(name: "type", value: "open"),
                .init(name: "request", value: number),
                .init(name: "topic", value: .string(topic)),
                .init(name: "attributes", value: JSONValue(attributes)),
            ]
            if !receivers.isEmpty { members.append(.init(name: "to", value: .array(receivers.map { .string($0) }))) }
            if let id { members.append(.init(name: "id", value: .string(id))) }
            if let speaker { members.append(.init(name: "speaker", value: .string(speaker))) }
            return RoomFrame(.object(members))
        case .chunk(let id, let text):
            return RoomFrame(["type": "chunk", "request": number, "id": .string(id), "text": .string(text)])
        case .end(let id, let attributes):
            return RoomFrame(
                ["type": "end", "request": number, "id": .string(id), "attributes": JSONValue(attributes)]
            )
        case .fail(let id, let reason):
            return RoomFrame(["type": "fail", "request": number, "id": .string(id), "reason": .string(reason)])
        case .attributes(let changed):
            return RoomFrame(["type": "attributes", "request": number, "changed": JSONValue(changed)])
        case .microphone(let isEnabled):
            return RoomFrame(["type": "microphone", "request": number, "enabled": .bool(isEnabled)])
        }
    }
}
