public import TransportCore

/// Something that only some backends can bring about or know, and that some laws need.
public enum TransportAbility: Hashable, Sendable, CaseIterable {
    /// Knows who is in the room, so an unknown receiver is an error.
    case knowsReceivers
    /// Checks what a token allows.
    case checksGrants
    /// Carries levels that were published, rather than measuring audio.
    case carriesLevels
    /// Can put a participant out.
    case removesParticipants
    /// Can close a room.
    case closesRooms
    /// Can go down.
    case shutsDown
    /// Can cut a participant's signal and give it back.
    case losesSignal
    /// Can announce a join later than the first packet.
    case delaysJoins
}

/// Something that a room's server or network does.
public enum TransportSituation: Hashable, Sendable {
    /// The participant is put out.
    case removed(identity: String, room: String)
    /// The room is closed.
    case roomClosed(room: String)
    /// The server goes down.
    case serverDown
    /// The participant's signal is gone.
    case signalLost(identity: String, room: String)
    /// The participant's signal is back, soon enough to resume.
    case signalRestored(identity: String, room: String)
    /// From now on joins are announced a second late.
    case joinsAnnouncedLate
}

/// A transport that has not been connected, with what it needs to be.
public struct TransportGuest: Sendable {
    /// The transport.
    public var transport: any Transport
    /// Where to connect to.
    public var url: String
    /// The token to connect with.
    public var token: String

    /// Creates a guest.
    public init(transport: any Transport, url: String, token: String) {
        self.transport = transport
        self.url = url
        self.token = token
    }
}

/// Makes what the laws of a backend are checked on: fresh rooms and participants.
///
/// Each check asks for a factory of its own, so nothing is left over from the check before.
public protocol TransportRoomFactory: Sendable {
    /// What waiting is measured on.
    var clock: any Clock<Duration> { get }

    /// What the backend can do; laws that need more do not apply to it.
    var abilities: Set<TransportAbility> { get }

    /// Makes a participant who may join a room but has not.
    ///
    /// - Throws: Whatever keeps the backend from working at all.
    func makeGuest(_ grant: InMemoryHub.Grant) async throws -> TransportGuest

    /// A token that the backend does not accept.
    var invalidToken: String { get }

    /// Brings a situation about; only those that ``abilities`` promise are asked for.
    ///
    /// - Throws: Whatever keeps it from happening.
    func bringAbout(_ situation: TransportSituation) async throws

    /// Runs a check; a factory on virtual time drives its clock meanwhile.
    ///
    /// - Throws: What the check throws.
    func run(_ check: @escaping @Sendable () async throws -> Void) async throws
}

extension TransportRoomFactory {
    /// Runs a check in real time.
    ///
    /// - Throws: What the check throws.
    public func run(_ check: @escaping @Sendable () async throws -> Void) async throws {
        try await check()
    }
}

/// Rooms of an ``InMemoryHub`` on virtual time, optionally with another transport around each connection.
public final class InMemoryRoomFactory: TransportRoomFactory {
    private let manualClock = ManualClock()
    private let hub: InMemoryHub
    private let wrap: @Sendable (any Transport, any Clock<Duration>) -> any Transport

    /// Creates a factory with a hub of its own.
    ///
    /// - Parameters:
    ///   - maximumEvents: How many unread events a participant may have.
    ///   - wrap: Makes what is checked out of the hub's transport; the clock is the factory's.
    public init(
        maximumEvents: Int = 300,
        wrap: @escaping @Sendable (any Transport, any Clock<Duration>) -> any Transport = { transport, _ in transport }
    ) {
        hub = InMemoryHub(
            clock: manualClock,
            startedAt: 1_756_540_000,
            configuration: InMemoryHub.Configuration(maximumEvents: maximumEvents)
        )
        self.wrap = wrap
    }

    /// The virtual clock.
    public var clock: any Clock<Duration> { manualClock }

    /// Everything: a hub simulates all there is.
    public var abilities: Set<TransportAbility> { Set(TransportAbility.allCases) }

    /// A token that no hub has made.
    public var invalidToken: String { "not-a-token" }

    /// Makes a participant who may join a room but has not.
    public func makeGuest(_ grant: InMemoryHub.Grant) async throws -> TransportGuest {
        let transport = wrap(try hub.makeTransport(), manualClock)
        return TransportGuest(transport: transport, url: "memory:", token: hub.makeToken(for: grant))
    }

    /// Brings a situation about at once.
    public func bringAbout(_ situation: TransportSituation) async throws {
        switch situation {
        case .removed(let identity, let room): hub.remove(identity, from: room)
        case .roomClosed(let room): hub.closeRoom(room, reason: .roomClosed)
        case .serverDown: hub.shutDown()
        case .signalLost(let identity, let room): hub.loseSignal(of: identity, in: room)
        case .signalRestored(let identity, let room): hub.restoreSignal(of: identity, in: room)
        case .joinsAnnouncedLate: hub.setJoinAnnouncementDelay(.seconds(1))
        }
    }

    /// Runs a check in virtual time, for at most an hour of it.
    public func run(_ check: @escaping @Sendable () async throws -> Void) async throws {
        try await manualClock.run(until: .seconds(3600), check)
    }
}
