internal import Synchronization
internal import TransportCore

/// An agent's connection to a room that counts the people there.
final class VisitedRoom: Sendable {
    private struct State {
        var people: Set<String> = []
        var lastArrival: Int?
    }

    private let base: any Transport
    private let buffer = TransportEventBuffer()
    private let state = Mutex(State())
    /// Ends when the last person has left, or the connection has ended.
    let whilePeopleAreThere: AsyncStream<Never>

    /// - Parameters:
    ///   - base: A connection that has not joined yet.
    ///   - admissions: How many people have been let in so far; asked at each arrival, and must not wait.
    init(_ base: any Transport, admissions: @escaping @Sendable () -> Int?) {
        self.base = base
        let (stream, end) = AsyncStream.makeStream(of: Never.self)
        whilePeopleAreThere = stream
        base.events.forward { [buffer, weak self] event in
            switch event {
            case .participantJoined(let participant) where participant.kind != .agent:
                let count = admissions() ?? 0
                self?.state.withLock { state in
                    state.people.insert(participant.identity)
                    state.lastArrival = count
                }
            case .participantLeft(let identity):
                if self?.leave(identity) == true { end.finish() }
            case .connection(.disconnected): end.finish()
            default: break
            }
            return buffer.append(event)
        }
    }

    /// How many people had been let in when one was last seen to join; nil when none was.
    var lastArrival: Int? { state.withLock { $0.lastArrival } }

    private func leave(_ identity: String) -> Bool {
        state.withLock { $0.people.remove(identity) != nil && $0.people.isEmpty }
    }
}

extension VisitedRoom: Transport {
    var events: TransportEvents { buffer.events }

    @discardableResult
    func connect(
        to url: String,
        token: String,
        options: TransportOptions
    ) async throws(TransportError) -> JoinedRoom {
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
        try await base.openText(topic: topic, attributes: attributes, to: identities, id: id, speaker: speaker)
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
