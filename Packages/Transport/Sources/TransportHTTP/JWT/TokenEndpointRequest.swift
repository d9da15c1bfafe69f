public import TransportCore

/// What a token endpoint is asked, in either format.
public struct TokenEndpointRequest: Hashable, Sendable {
    /// The largest request that is read, in bytes.
    public static let maximumBytes = 64 * 1024

    /// The longest room or identity, in bytes.
    public static let maximumNameBytes = 256

    /// The format, which is that of the answer as well.
    public var format: TokenEndpointFormat
    /// Room, identity, name and agent.
    public var request: TokenRequest
    /// Free text to join with; LiveKit's format only.
    public var metadata: String?
    /// The attributes to join with; LiveKit's format only.
    public var attributes: [String: String]

    /// Creates a request.
    public init(
        _ request: TokenRequest,
        format: TokenEndpointFormat = .hope,
        metadata: String? = nil,
        attributes: [String: String] = [:]
    ) {
        self.request = request
        self.format = format
        self.metadata = metadata
        self.attributes = attributes
    }

    private struct HopeBody: Codable {
        var room: String?
        var identity: String?
        var name: String?
        var agent: String?
    }

    private struct LiveKitBody: Codable {
        struct Configuration: Codable {
            var agents: [Agent]?
        }

        struct Agent: Codable {
            enum CodingKeys: String, CodingKey {
                case name = "agent_name"
            }

            var name: String?
        }

        enum CodingKeys: String, CodingKey {
            case room = "room_name"
            case identity = "participant_identity"
            case name = "participant_name"
            case metadata = "participant_metadata"
            case attributes = "participant_attributes"
            case configuration = "room_config"
        }

        var room: String?
        var identity: String?
        var name: String?
        var metadata: String?
        var attributes: [String: String]?
        var configuration: Configuration?

        var isEmpty: Bool {
            room == nil && identity == nil && name == nil && metadata == nil && attributes == nil
                && configuration == nil
        }
    }

    /// Reads the body of a request in the format that its keys show; an empty object is Hope's.
    ///
    /// - Parameter body: JSON, at most ``maximumBytes``.
    /// - Throws: `protocolViolation` when it cannot be read, mixes the formats, or has a room or an identity that is empty,
    ///   too long or has control characters.
    public init(body: [UInt8]) throws(TransportError) {
        guard body.count <= Self.maximumBytes, let hope = StrictJSON.decode(HopeBody.self, from: body),
            let liveKit = StrictJSON.decode(LiveKitBody.self, from: body)
        else { throw TransportError(.protocolViolation, "The request for a token cannot be read as JSON.") }
        if liveKit.isEmpty {
            self.init(
                TokenRequest(room: hope.room, identity: hope.identity, name: hope.name, agent: hope.agent)
            )
        } else {
            guard hope.room == nil, hope.identity == nil, hope.name == nil, hope.agent == nil else {
                throw TransportError(.protocolViolation, "The request for a token mixes two formats; use one of them.")
            }
            self.init(
                TokenRequest(
                    room: liveKit.room,
                    identity: liveKit.identity,
                    name: liveKit.name,
                    agent: liveKit.configuration?.agents?.first?.name
                ),
                format: .liveKit,
                metadata: liveKit.metadata,
                attributes: liveKit.attributes ?? [:]
            )
        }
        for name in [request.room, request.identity] {
            guard let name else { continue }
            guard (1...Self.maximumNameBytes).contains(name.utf8.count),
                name.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
            else {
                throw TransportError(
                    .protocolViolation,
                    "A room or identity has 1 to \(Self.maximumNameBytes) bytes and no control characters."
                )
            }
        }
    }

    /// The body of the request.
    public var body: [UInt8] {
        switch format {
        case .hope:
            StrictJSON.encode(
                HopeBody(room: request.room, identity: request.identity, name: request.name, agent: request.agent)
            )
        case .liveKit:
            StrictJSON.encode(
                LiveKitBody(
                    room: request.room,
                    identity: request.identity,
                    name: request.name,
                    metadata: metadata,
                    attributes: attributes.isEmpty ? nil : attributes,
                    configuration: request.agent.map { .init(agents: [.init(name: $0)]) }
                )
            )
        }
    }

    /// The room of a request that names none: `voice-`, the user and eight hexadecimal digits.
    ///
    /// - Parameters:
    ///   - user: The identity.
    ///   - generator: Where the digits come from.
    /// - Returns: The room's name.
    public static func voiceRoom(
        for user: String,
        using generator: inout some RandomNumberGenerator
    ) -> String {
        let digits = String(generator.next() >> 32, radix: 16)
        return "voice-\(user)-" + String(repeating: "0", count: 8 - digits.utf8.count) + digits
    }
}
