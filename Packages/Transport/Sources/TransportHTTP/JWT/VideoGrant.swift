import TransportCore

/// What the bearer of a room token may do, with LiveKit's names (`video` in the token).
///
/// An optional right that the token does not mention is `nil`; the `allows…` properties say what that means.
public struct VideoGrant: Hashable, Sendable {
    /// Whether the bearer may join ``room``.
    public var roomJoin: Bool?
    /// The room the rights are for.
    public var room: String?
    /// Whether the bearer may create rooms.
    public var roomCreate: Bool?
    /// Whether the bearer may list rooms.
    public var roomList: Bool?
    /// Whether the bearer may remove others from ``room``.
    public var roomAdmin: Bool?
    /// Whether the bearer may publish audio.
    public var canPublish: Bool?
    /// Whether the bearer receives what others publish.
    public var canSubscribe: Bool?
    /// Whether the bearer may send data packets and text.
    public var canPublishData: Bool?
    /// The sources the bearer may publish, such as `microphone`; `nil` or empty for all.
    public var canPublishSources: [String]?
    /// Whether the bearer may change its own name, metadata and attributes.
    public var canUpdateOwnMetadata: Bool?
    /// Whether others do not see the bearer.
    public var hidden: Bool?
    /// Whether the bearer is an agent's worker.
    public var agent: Bool?

    /// Creates a grant without any right.
    public init() {}

    /// Creates the right to join a room and to do there what is usual.
    ///
    /// - Parameters:
    ///   - room: The room.
    ///   - canPublish: Whether to publish audio.
    ///   - canSubscribe: Whether to receive.
    ///   - canPublishData: Whether to send data packets and text.
    ///   - canUpdateOwnMetadata: Whether to change the own attributes.
    public init(
        joining room: String,
        canPublish: Bool = true,
        canSubscribe: Bool = true,
        canPublishData: Bool = true,
        canUpdateOwnMetadata: Bool? = nil
    ) {
        roomJoin = true
        self.room = room
        self.canPublish = canPublish
        self.canSubscribe = canSubscribe
        self.canPublishData = canPublishData
        self.canUpdateOwnMetadata = canUpdateOwnMetadata
    }

    /// Whether the bearer may join this room.
    public func allowsJoining(_ room: String) -> Bool {
        roomJoin == true && self.room == room && !room.isEmpty
    }

    /// Whether the bearer may publish audio: yes, unless the token says no.
    public var allowsPublishing: Bool { canPublish ?? true }

    /// Whether the bearer receives: yes, unless the token says no.
    public var allowsSubscribing: Bool { canSubscribe ?? true }

    /// Whether the bearer may send data: as with audio, unless the token says something else.
    public var allowsPublishingData: Bool { canPublishData ?? allowsPublishing }

    /// Whether the bearer may change its own attributes: no, unless the token says yes.
    public var allowsUpdatingOwnMetadata: Bool { canUpdateOwnMetadata ?? false }
}

extension VideoGrant {
    init(_ fields: JSONFields) throws(JSONFields.Mismatch) {
        roomJoin = try fields.bool("roomJoin")
        room = try fields.string("room")
        roomCreate = try fields.bool("roomCreate")
        roomList = try fields.bool("roomList")
        roomAdmin = try fields.bool("roomAdmin")
        canPublish = try fields.bool("canPublish")
        canSubscribe = try fields.bool("canSubscribe")
        canPublishData = try fields.bool("canPublishData")
        canPublishSources = try fields.strings("canPublishSources")
        canUpdateOwnMetadata = try fields.bool("canUpdateOwnMetadata")
        hidden = try fields.bool("hidden")
        agent = try fields.bool("agent")
    }

    var json: JSONValue {
        .present([
            "roomCreate": roomCreate.map { .bool($0) },
            "roomList": roomList.map { .bool($0) },
            "roomAdmin": roomAdmin.map { .bool($0) },
            "roomJoin": roomJoin.map { .bool($0) },
            "room": room.map { .string($0) },
            "canPublish": canPublish.map { .bool($0) },
            "canSubscribe": canSubscribe.map { .bool($0) },
            "canPublishData": canPublishData.map { .bool($0) },
            "canPublishSources": canPublishSources.map { .array($0.map { .string($0) }) },
            "canUpdateOwnMetadata": canUpdateOwnMetadata.map { .bool($0) },
            "hidden": hidden.map { .bool($0) },
            "agent": agent.map { .bool($0) },
        ])
    }
}
