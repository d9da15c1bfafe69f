import Synchronization
import TransportCore

/// A factory that keeps what it made, and lets texts take their time.
final class KeptTransports: TransportFactory {
    private let base: any TransportFactory
    private let clock: ManualClock
    private let textDelay: Duration
    private let kept = Mutex<[any Transport]>([])

    init(_ base: any TransportFactory, clock: ManualClock, textDelay: Duration) {
        self.base = base
        self.clock = clock
        self.textDelay = textDelay
    }

    var all: [any Transport] { kept.withLock { $0 } }

    func makeTransport() throws(TransportError) -> any Transport {
        let transport = SlowTextTransport(base: try base.makeTransport(), clock: clock, delay: textDelay)
        kept.withLock { $0.append(transport) }
        return transport
    }
}

/// A transport whose texts are on their way for a while.
private struct SlowTextTransport: Transport {
    let base: any Transport
    let clock: ManualClock
    let delay: Duration

    var events: TransportEvents { base.events }

    func connect(to url: String, token: String, options: TransportOptions) async throws(TransportError) -> JoinedRoom {
        try await base.connect(to: url, token: token, options: options)
    }

    func publish(
        _ payload: [UInt8],
        topic: String,
        reliability: Reliability,
        to identities: [String]
    ) async throws(TransportError) {
        try await base.publish(payload, topic: topic, reliability: reliability, to: identities)
    }

    func openText(
        topic: String,
        attributes: [String: String],
        to identities: [String],
        id: String?,
        speaker: String?
    ) async throws(TransportError) -> any TextStreamWriter {
        if delay > .zero { try? await clock.sleep(for: delay) }
        return try await base.openText(topic: topic, attributes: attributes, to: identities, id: id, speaker: speaker)
    }

    func setAttributes(_ attributes: [String: String]) async throws(TransportError) {
        try await base.setAttributes(attributes)
    }

    func setMicrophone(enabled: Bool) async throws(TransportError) {
        try await base.setMicrophone(enabled: enabled)
    }

    func publishLevel(_ level: Double) async throws(TransportError) {
        try await base.publishLevel(level)
    }

    func disconnect(_ reason: DisconnectReason) async {
        await base.disconnect(reason)
    }
}
