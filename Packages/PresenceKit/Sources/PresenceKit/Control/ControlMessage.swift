import TransportCore

/// One message of the conversation's control topics, as a reliable data packet carries it.
///
/// Unknown fields are ignored; an unknown `type` is kept as ``unknown(type:raw:)`` so that the reader can say so.
public enum ControlMessage: Hashable, Sendable {
    /// The agent listens and may be spoken to.
    case agentReady
    /// The person changed to voice or to text.
    case setMode(ConversationMode)
    /// The person chose a voice, by its id.
    case setVoice(String)
    /// The person chose a model, by its id.
    case setModel(String)
    /// The models that the agent offers, by id, without repetitions.
    case models([String])
    /// The agent now uses this model.
    case modelChanged(String)
    /// A message of another type; `raw` is its JSON text as it came.
    case unknown(type: String, raw: String)

    /// Reads the payload of a data packet.
    ///
    /// A list of models may hold strings or objects with an `id`; entries that are neither are left out.
    ///
    /// - Parameter payload: The packet's bytes, UTF-8 JSON.
    /// - Throws: `ControlMessageError` when the payload is no control message; count it and go on.
    public init(payload: [UInt8]) throws(ControlMessageError) {
        guard let value = try? JSONValue(parsing: payload) else { throw ControlMessageError(.notJSON) }
        try self.init(value: value, raw: String(decoding: payload, as: UTF8.self))
    }

    /// The packet's bytes: compact UTF-8 JSON with `type` first.
    public var payload: [UInt8] { Array(json.utf8) }

    /// The packet's JSON text: compact, with `type` first.
    public var json: String {
        switch self {
        case .agentReady: Self.object("agent_ready")
        case .setMode(let mode): Self.object("set_mode", "mode", .string(mode.rawValue))
        case .setVoice(let voice): Self.object("set_voice", "voice", .string(voice))
        case .setModel(let model): Self.object("set_model", "model", .string(model))
        case .models(let models): Self.object("models", "models", .array(models.map { .string($0) }))
        case .modelChanged(let model): Self.object("model_changed", "model", .string(model))
        case .unknown(_, let raw): raw
        }
    }

    /// The message's `type` on the wire.
    public var type: String {
        switch self {
        case .agentReady: "agent_ready"
        case .setMode: "set_mode"
        case .setVoice: "set_voice"
        case .setModel: "set_model"
        case .models: "models"
        case .modelChanged: "model_changed"
        case .unknown(let type, _): type
        }
    }

    /// The topic that the message belongs on, or nil for an unknown type.
    public var topic: String? {
        switch self {
        case .agentReady, .setMode: ConversationTopic.conversationControl
        case .setVoice, .setModel, .models, .modelChanged: ConversationTopic.voiceControl
        case .unknown: nil
        }
    }

    private static func object(_ type: String) -> String {
        JSONValue.object(["type": .string(type)]).text
    }

    private static func object(_ type: String, _ name: String, _ value: JSONValue) -> String {
        JSONValue.object(["type": .string(type), name: value]).text
    }

    private init(value: JSONValue, raw: String) throws(ControlMessageError) {
        guard case .object = value else { throw ControlMessageError(.notAnObject) }
        guard let type = value["type"]?.stringValue else { throw ControlMessageError(.missingType) }

        func text(_ name: String) throws(ControlMessageError) -> String {
            guard let text = value[name]?.stringValue, !text.isEmpty else {
                throw ControlMessageError(.invalidField(name: name, type: type, expected: "a string that is not empty"))
            }
            return text
        }

        switch type {
        case "agent_ready":
            self = .agentReady
        case "set_mode":
            guard let mode = ConversationMode(rawValue: try text("mode")) else {
                throw ControlMessageError(
                    .invalidField(name: "mode", type: type, expected: "\"voice\" or \"text\"")
                )
            }
            self = .setMode(mode)
        case "set_voice":
            self = .setVoice(try text("voice"))
        case "set_model":
            self = .setModel(try text("model"))
        case "models":
            guard let entries = value["models"]?.elements else {
                throw ControlMessageError(.invalidField(name: "models", type: type, expected: "a list"))
            }
            self = .models(Self.modelIDs(entries))
        case "model_changed":
            self = .modelChanged(try text("model"))
        default:
            self = .unknown(type: type, raw: raw)
        }
    }

    private static func modelIDs(_ entries: [JSONValue]) -> [String] {
        var seen: Set<String> = []
        var ids: [String] = []
        for entry in entries {
            guard let id = entry.stringValue ?? entry["id"]?.stringValue else { continue }
            if !id.isEmpty, seen.insert(id).inserted { ids.append(id) }
        }
        return ids
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ControlMessage: Codable {
    public init(from decoder: any Decoder) throws {
        let value = try JSONValue(from: decoder)
        try self.init(value: value, raw: value.text)
    }

    public func encode(to encoder: any Encoder) throws {
        guard let value = try? JSONValue(parsing: payload) else {
            throw EncodingError.invalidValue(
                self,
                .init(codingPath: encoder.codingPath, debugDescription: "The unknown message's text is not JSON.")
            )
        }
        try value.encode(to: encoder)
    }
}
