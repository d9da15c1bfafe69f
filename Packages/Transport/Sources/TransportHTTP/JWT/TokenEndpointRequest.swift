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

    /// Reads the body of a request in the format that its keys show; an empty object is Hope's.
    ///
    /// - Parameter body: JSON, at most ``maximumBytes``.
    /// - Throws: `protocolViolation` when it cannot be read, mixes the formats, or has a room or an identity that is empty,
    ///   too long or has control characters.
    public init(body: [UInt8]) throws(TransportError) {
        let unreadable = TransportError(.protocolViolation, "The request for a token cannot be read as JSON.")
        guard body.count <= Self.maximumBytes else { throw unreadable }
        let hope: TokenRequest
        let liveKit: TokenEndpointRequest
        do throws(JSONFields.Mismatch) {
            let fields = try JSONFields(parsing: body)
            hope = TokenRequest(
                room: try fields.string("room"),
                identity: try fields.string("identity"),
                name: try fields.string("name"),
                agent: try fields.string("agent")
            )
            liveKit = TokenEndpointRequest(
                TokenRequest(
                    room: try fields.string("room_name"),
                    identity: try fields.string("participant_identity"),
                    name: try fields.string("participant_name"),
                    agent: try fields.fields("room_config")?.objects("agents")?.first?.string("agent_name")
                ),
                format: .liveKit,
                metadata: try fields.string("participant_metadata"),
                attributes: try fields.texts("participant_attributes") ?? [:]
            )
        } catch {
            throw unreadable
        }
        let isLiveKits = liveKit != TokenEndpointRequest(TokenRequest(), format: .liveKit)
        guard !isLiveKits || hope == TokenRequest() else {
            throw TransportError(.protocolViolation, "The request for a token mixes two formats; use one of them.")
        }
        self = isLiveKits ? liveKit : TokenEndpointRequest(hope)
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
        let value: JSONValue =
            switch format {
            case .hope:
                .present([
                    "room": request.room.map { .string($0) },
                    "identity": request.identity.map { .string($0) },
                    "name": request.name.map { .string($0) },
                    "agent": request.agent.map { .string($0) },
                ])
            case .liveKit:
                .present([
                    "room_name": request.room.map { .string($0) },
                    "participant_identity": request.identity.map { .string($0) },
                    "participant_name": request.name.map { .string($0) },
                    "participant_metadata": metadata.map { .string($0) },
                    "participant_attributes": .texts(attributes),
                    "room_config": request.agent.map { ["agents": [["agent_name": .string($0)]]] },
                ])
            }
        return value.bytes
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
