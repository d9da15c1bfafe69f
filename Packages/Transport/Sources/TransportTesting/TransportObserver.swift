import Synchronization
import TransportCore

/// Reads the events of one transport, and waits for those that a law is about.
final class TransportObserver: Sendable {
    private struct State {
        var unread: [TransportEvent] = []
        var hasEnded = false
    }

    private let events: TransportEvents
    private let clock: any Clock<Duration>
    private let state = Mutex(State())

    init(_ transport: any Transport, clock: any Clock<Duration>) {
        events = transport.events
        self.clock = clock
    }

    /// Waits for the next event; `nil` when none comes in time or the events have ended.
    func next(within limit: Duration) async -> TransportEvent? {
        let ready = state.withLock { state -> TransportEvent? in
            if state.unread.isEmpty { state.unread = events.takeAvailable() }
            return state.unread.isEmpty ? nil : state.unread.removeFirst()
        }
        if let ready { return ready }
        return await withTaskGroup(of: TransportEvent?.self) { group in
            group.addTask { [self] in
                var iterator = events.makeAsyncIterator()
                let event = await iterator.next()
                if event == nil, !Task.isCancelled { state.withLock { $0.hasEnded = true } }
                return event
            }
            group.addTask { [clock] in
                try? await clock.sleep(for: limit)
                return nil
            }
            var event = await group.next() ?? nil
            group.cancelAll()
            // An event that came at the very moment of the limit must not be lost.
            for await late in group where event == nil { event = late }
            return event
        }
    }

    /// Whether the events have ended, rather than only having paused.
    func hasEnded(within limit: Duration = .seconds(5)) async -> Bool {
        while await next(within: limit) != nil {}
        return state.withLock { $0.hasEnded }
    }

    /// Returns every event up to and with the first one that `isLast`.
    func collect(
        within limit: Duration = .seconds(5),
        until what: String,
        _ isLast: (TransportEvent) -> Bool
    ) async throws -> [TransportEvent] {
        var collected: [TransportEvent] = []
        while let event = await next(within: limit) {
            collected.append(event)
            if isLast(event) { return collected }
        }
        throw TransportViolation("\(what) did not come; instead came \(collected.suffix(4)).")
    }

    /// Returns the first event that `matches`, passing over others.
    @discardableResult
    func wait(
        within limit: Duration = .seconds(5),
        for what: String,
        _ matches: (TransportEvent) -> Bool
    ) async throws -> TransportEvent {
        guard let event = try await collect(within: limit, until: what, matches).last else {
            throw TransportViolation("\(what) did not come.")
        }
        return event
    }
}

/// One participant of a law.
struct Seat: Sendable {
    let transport: any Transport
    let observer: TransportObserver
    let joined: JoinedRoom

    var identity: String { joined.local.identity }

    /// Publishes a packet that only serves to know that everything before it has come.
    func sendFence(to identities: [String] = []) async throws {
        try await transport.publish([], topic: "law.fence", reliability: .reliable, to: identities)
    }

    /// Returns everything that came before a fence.
    func collectUntilFence() async throws -> [TransportEvent] {
        try await observer.collect(until: "A packet that was sent last") { event in
            if case .data(let packet) = event { packet.topic == "law.fence" } else { false }
        }.dropLast()
    }
}

/// What a law has at hand.
struct LawBench {
    let factory: any TransportRoomFactory

    static let room = "law"

    func grant(_ identity: String, room: String = room, kind: Participant.Kind = .standard) -> InMemoryHub.Grant {
        InMemoryHub.Grant(room: room, identity: identity, kind: kind)
    }

    func join(_ grant: InMemoryHub.Grant) async throws -> Seat {
        let guest = try await factory.makeGuest(grant)
        let observer = TransportObserver(guest.transport, clock: factory.clock)
        let joined = try await guest.transport.connect(to: guest.url, token: guest.token)
        try await observer.wait(for: "connected") { $0 == .connection(.connected) }
        return Seat(transport: guest.transport, observer: observer, joined: joined)
    }

    func join(_ identity: String, room: String = room, kind: Participant.Kind = .standard) async throws -> Seat {
        try await join(grant(identity, room: room, kind: kind))
    }

    /// Joins two participants who know of each other.
    func joinPair() async throws -> (Seat, Seat) {
        let first = try await join("ada")
        let second = try await join("bob")
        try await first.observer.wait(for: "bob's join") { $0.isJoin(of: "bob") }
        return (first, second)
    }
}

extension TransportEvent {
    func isJoin(of identity: String) -> Bool {
        if case .participantJoined(let participant) = self { participant.identity == identity } else { false }
    }

    var packet: DataPacket? {
        if case .data(let packet) = self { packet } else { nil }
    }

    var textPart: TextStreamPart? {
        if case .text(let part) = self { part } else { nil }
    }

    var levels: [String: Double]? {
        if case .speakers(let levels) = self { levels } else { nil }
    }

    var disconnectReason: DisconnectReason? {
        if case .connection(.disconnected(let reason)) = self { reason } else { nil }
    }

    var endsText: Bool {
        switch textPart?.content {
        case .ended, .failed: true
        default: false
        }
    }
}

/// Runs an operation that has to fail, and returns its error's code.
func codeThrown(
    by operation: () async throws(TransportError) -> Void
) async -> TransportError.Code? {
    do throws(TransportError) {
        try await operation()
        return nil
    } catch {
        return error.code
    }
}
