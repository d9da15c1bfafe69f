public import TransportCore
public import TransportHTTP

/// A connection to a room of a ``RoomServer``, by `ws://` or `wss://`.
///
/// Reliable packets and texts are confirmed by the server: when a call returns, the server has passed it on. A connection
/// that is lost is taken up where it was, with nothing lost or doubled, or else joined anew, which the events tell.
///
/// A transport that nobody holds any more leaves its room.
public final class WebSocketTransport: Sendable {
    private let link: RoomLink

    /// Creates a transport that has not been connected.
    ///
    /// - Parameters:
    ///   - client: What opens sockets, with its pins and trust.
    ///   - policy: How a lost connection is got back.
    ///   - clock: What is waited on.
    ///   - random: Where the share of chance in waiting comes from.
    ///   - keepAlive: How the server is asked whether it is there.
    ///   - maximumEvents: How many unread events there may be.
    public init(
        client: SocketHTTPClient,
        policy: ReconnectPolicy = ReconnectPolicy(),
        clock: any Clock<Duration> = ContinuousClock(),
        random: SeededRandom,
        keepAlive: WebSocketConnection.KeepAlive = WebSocketConnection.KeepAlive(),
        maximumEvents: Int = 4096
    ) {
        link = RoomLink(
            client: client,
            policy: policy,
            clock: clock,
            random: random,
            keepAlive: keepAlive,
            buffer: TransportEventBuffer(maximumEvents: maximumEvents)
        )
    }

    deinit {
        link.abandon()
    }

    private static func notPermitted(_ what: String) -> TransportError {
        TransportError(.notPermitted, "The token does not allow to \(what); ask for one that does.")
    }

    private static func check(_ names: [String]) throws(TransportError) {
        for name in names where name.utf8.count > RoomProtocol.maximumNameBytes {
            throw TransportError(
                .payloadTooLarge(limit: RoomProtocol.maximumNameBytes),
                "A topic, identity or id has \(name.utf8.count) bytes and may have \(RoomProtocol.maximumNameBytes)."
            )
        }
        guard names.count <= RoomProtocol.maximumReceivers else {
            throw TransportError(
                .payloadTooLarge(limit: RoomProtocol.maximumReceivers),
                "A message names \(names.count) receivers and may name \(RoomProtocol.maximumReceivers - 1)."
            )
        }
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension WebSocketTransport: Transport {
    public var events: TransportEvents { link.buffer.events }

    @discardableResult
    public func connect(
        to url: String,
        token: String,
        options: TransportOptions
    ) async throws(TransportError) -> JoinedRoom {
        try await link.connect(url, token, options)
    }

    public func publish(
        _ payload: [UInt8],
        topic: String,
        reliability: Reliability,
        to identities: [String]
    ) async throws(TransportError) {
        guard try link.grants().canPublishData else { throw Self.notPermitted("publish data") }
        try DataPacket.checkSize(of: payload)
        try Self.check(identities + [topic])
        let publication = RoomDataFrame.Publication(
            request: 0,
            topic: topic,
            receivers: identities,
            payload: payload,
            reliability: reliability
        )
        // Whether somebody is there is the server's to know.
        if reliability == .lossy, identities.isEmpty {
            try link.sendLossy(publication)
        } else {
            try await link.request([.publish(publication)])
        }
    }

    public func openText(
        topic: String,
        attributes: [String: String],
        to identities: [String],
        id: String?,
        speaker: String?
    ) async throws(TransportError) -> any TextStreamWriter {
        guard try link.grants().canPublishData else { throw Self.notPermitted("send text") }
        try Self.check(identities + [topic, id ?? "", speaker ?? ""])
        let answered = try await link.request(
            [.open(topic: topic, attributes: attributes, to: identities, id: id, speaker: speaker)]
        )
        guard let id = answered ?? id else {
            throw TransportError(.protocolViolation, "The server gave a text stream no id.")
        }
        return WebSocketTextWriter(id: id, link: link)
    }

    public func setAttributes(_ attributes: [String: String]) async throws(TransportError) {
        guard try link.grants().canUpdateAttributes else { throw Self.notPermitted("change attributes") }
        try await link.request([.attributes(attributes)])
        link.remember(attributes: attributes)
    }

    public func setMicrophone(enabled: Bool) async throws(TransportError) {
        guard try link.grants().canPublish else { throw Self.notPermitted("open a microphone") }
        try await link.request([.microphone(enabled)])
        link.remember(microphone: enabled)
    }

    public func publishLevel(_ level: Double) async throws(TransportError) {
        guard try link.grants().canPublish else { throw Self.notPermitted("publish levels") }
        try link.send(level: level.clampedLevel)
    }

    public func disconnect(_ reason: DisconnectReason) async {
        await link.disconnect(reason)
    }
}
