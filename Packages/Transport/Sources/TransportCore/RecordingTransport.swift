/// A transport that records what happens on another one.
public final class RecordingTransport: Sendable {
    private let base: any Transport
    private let recorder: SessionRecorder
    private let buffer: TransportEventBuffer

    /// Wraps a transport that nobody has connected yet.
    ///
    /// - Parameters:
    ///   - base: The transport whose session is recorded.
    ///   - recorder: What takes the lines.
    ///   - maximumEvents: How many unread events there may be.
    public init(_ base: any Transport, recorder: SessionRecorder, maximumEvents: Int = 4096) {
        self.base = base
        self.recorder = recorder
        buffer = TransportEventBuffer(maximumEvents: maximumEvents)
        base.events.forward { [buffer] event in
            recorder.record(event)
            return buffer.append(event)
        }
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension RecordingTransport: Transport {
    public var events: TransportEvents { buffer.events }

    @discardableResult
    public func connect(
        to url: String,
        token: String,
        options: TransportOptions
    ) async throws(TransportError) -> JoinedRoom {
        recorder.redact(token)
        var options = options
        if let renewToken = options.renewToken {
            options.renewToken = { [recorder] () async throws(TransportError) in
                let token = try await renewToken()
                recorder.redact(token)
                return token
            }
        }
        let joined = try await base.connect(to: url, token: token, options: options)
        recorder.begin(room: joined.name, local: joined.local.identity)
        return joined
    }

    public func publish(
        _ payload: [UInt8],
        topic: String,
        reliability: Reliability,
        to identities: [String]
    ) async throws(TransportError) {
        try await base.publish(payload, topic: topic, reliability: reliability, to: identities)
        recorder.record(.sent(topic: topic, content: .data(payload, reliability), to: identities))
    }

    public func openText(
        topic: String,
        attributes: [String: String],
        to identities: [String],
        id: String?,
        speaker: String?
    ) async throws(TransportError) -> any TextStreamWriter {
        let writer = try await base.openText(
            topic: topic,
            attributes: attributes,
            to: identities,
            id: id,
            speaker: speaker
        )
        return CollectingTextWriter(id: writer.id, base: writer) { [recorder] text in
            recorder.record(.sent(topic: topic, content: .text(text), to: identities))
        }
    }

    @discardableResult
    public func sendText(
        _ text: String,
        topic: String,
        attributes: [String: String],
        to identities: [String]
    ) async throws(TransportError) -> String {
        let id = try await base.sendText(text, topic: topic, attributes: attributes, to: identities)
        recorder.record(.sent(topic: topic, content: .text(text), to: identities))
        return id
    }

    public func setAttributes(_ attributes: [String: String]) async throws(TransportError) {
        try await base.setAttributes(attributes)
    }

    public func setMicrophone(enabled: Bool) async throws(TransportError) {
        try await base.setMicrophone(enabled: enabled)
    }

    public func publishLevel(_ level: Double) async throws(TransportError) {
        try await base.publishLevel(level)
    }

    public func disconnect(_ reason: DisconnectReason) async {
        await base.disconnect(reason)
    }
}

/// Makes transports that all record into the same recording.
public struct RecordingTransportFactory: TransportFactory {
    private let base: any TransportFactory
    private let recorder: SessionRecorder

    /// Wraps a factory.
    public init(_ base: any TransportFactory, recorder: SessionRecorder) {
        self.base = base
        self.recorder = recorder
    }

    /// Returns a transport of the wrapped factory that is recorded.
    ///
    /// - Throws: What the wrapped factory throws.
    public func makeTransport() throws(TransportError) -> any Transport {
        RecordingTransport(try base.makeTransport(), recorder: recorder)
    }
}
