/// How a connection is made.
public struct TransportOptions: Sendable {
    /// How long the socket may take to open.
    public var socketTimeout: Duration
    /// How long joining may take in all.
    public var roomTimeout: Duration
    /// What this program calls itself, for the server's log.
    public var clientName: String
    /// Asks for a fresh token: once when a reconnect is refused with 401; `nil` when there is no way to.
    public var renewToken: (@Sendable () async throws(TransportError) -> String)?

    /// Creates options.
    public init(
        socketTimeout: Duration = .seconds(15),
        roomTimeout: Duration = .seconds(20),
        clientName: String = "hope",
        renewToken: (@Sendable () async throws(TransportError) -> String)? = nil
    ) {
        self.socketTimeout = socketTimeout
        self.roomTimeout = roomTimeout
        self.clientName = clientName
        self.renewToken = renewToken
    }
}

/// What joining a room has told.
public struct JoinedRoom: Hashable, Sendable {
    /// The room's name.
    public var name: String
    /// This side's own participant.
    public var local: Participant

    /// Creates the answer of a join.
    public init(name: String, local: Participant) {
        self.name = name
        self.local = local
    }
}

/// One connection of one participant to one room, used once and thrown away.
///
/// Calls may overlap. What a conformer promises is what `TransportLaw` (in TransportTesting) checks:
///
/// - ``events`` says `connecting`, then `connected`, then a `participantJoined` for each participant that is already
///   there, then everything else in the order it happened, and ends after `disconnected`. There is one reader.
/// - Reliable packets of one sender come once and in order. Data packets and text streams never turn into each other.
/// - A sender never receives what it sent. Packets of a sender whose join is not known yet are delivered.
/// - While anybody is above 0, `speakers` comes at least every 400 ms; 800 ms without one is silence.
/// - A slow reader blocks nobody: ``TransportEventBuffer`` says what goes first.
/// - After ``disconnect(_:)``, or the end of ``events``, every other call throws `closed`. A transport whose `connect`
///   failed is over too.
///
/// An Apple backend would wrap LiveKit's `Room`, or a `URLSessionWebSocketTask` that speaks the room server's protocol.
public protocol Transport: Sendable {
    /// Everything that happens on this connection, in order, for one reader.
    var events: TransportEvents { get }

    /// Joins the room that the token is for.
    ///
    /// - Parameters:
    ///   - url: The room server's address; which schemes there are is the backend's matter.
    ///   - token: The proof of who this is and which room it may join; never logged.
    ///   - options: Time limits and the client's name.
    /// - Returns: The room's name and this side's own participant.
    /// - Throws: `timedOut`, `refused`, `unauthorized`, `pinMismatch`, `nameNotFound`, `unreachable`,
    ///   `protocolViolation`, `cancelled`, `invalidURL`, or `closed` at a second use.
    @discardableResult
    func connect(to url: String, token: String, options: TransportOptions) async throws(TransportError) -> JoinedRoom

    /// Publishes a data packet.
    ///
    /// - Parameters:
    ///   - payload: At most ``DataPacket/maximumReliableBytes``.
    ///   - topic: What it is about.
    ///   - reliability: Whether it may be lost.
    ///   - identities: The receivers; empty for everybody else in the room.
    /// - Throws: `payloadTooLarge`, after which the connection lives on; `notPermitted` without the grant,
    ///   `unknownReceiver` where the backend can know it, `notConnected` while reconnecting, `closed` afterwards.
    func publish(
        _ payload: [UInt8],
        topic: String,
        reliability: Reliability,
        to identities: [String]
    ) async throws(TransportError)

    /// Begins a text stream that is written piece by piece.
    ///
    /// - Parameters:
    ///   - topic: What it is about.
    ///   - attributes: Values that come with the opening.
    ///   - identities: The receivers; empty for everybody else in the room.
    ///   - id: The stream's id; `nil` lets the backend choose one.
    ///   - speaker: Whose words these are where they are not the sender's own: an agent sends the transcript of a person
    ///     so. Receivers see the speaker as the sender, the speaker too. `nil` for one's own words.
    /// - Returns: The writer, which has to be closed or failed.
    /// - Throws: As ``publish(_:topic:reliability:to:)``; `notPermitted` for a speaker, unless an agent sends.
    func openText(
        topic: String,
        attributes: [String: String],
        to identities: [String],
        id: String?,
        speaker: String?
    ) async throws(TransportError) -> any TextStreamWriter

    /// Sends a whole text of any length as a text stream.
    ///
    /// - Returns: The stream's id.
    /// - Throws: As ``publish(_:topic:reliability:to:)``.
    @discardableResult
    func sendText(
        _ text: String,
        topic: String,
        attributes: [String: String],
        to identities: [String]
    ) async throws(TransportError) -> String

    /// Changes some of this side's attributes; an empty value removes one.
    ///
    /// - Throws: `notConnected`, `notPermitted` or `closed`.
    func setAttributes(_ attributes: [String: String]) async throws(TransportError)

    /// Opens or closes this side's microphone towards the room; while it is closed, this side's level is 0.
    ///
    /// - Throws: `unavailable` when there is no microphone, `notPermitted`, `notConnected` or `closed`.
    func setMicrophone(enabled: Bool) async throws(TransportError)

    /// Tells the room how loud this side is, for backends that carry no audio; others ignore it.
    ///
    /// - Parameter level: Linear, `0 ... 1`; outside of it is clamped, and NaN counts as 0.
    /// - Throws: `notPermitted`, `notConnected` or `closed`.
    func publishLevel(_ level: Double) async throws(TransportError)

    /// Ends the connection; may be called at any time and any number of times, and always returns.
    ///
    /// - Parameter reason: What ``events`` says at its end, unless it has ended already.
    func disconnect(_ reason: DisconnectReason) async
}

extension Transport {
    /// Joins the room that the token is for, with the usual time limits.
    ///
    /// - Throws: As ``connect(to:token:options:)``.
    @discardableResult
    public func connect(to url: String, token: String) async throws(TransportError) -> JoinedRoom {
        try await connect(to: url, token: token, options: TransportOptions())
    }

    /// Publishes a reliable packet to everybody else in the room.
    ///
    /// - Throws: As ``publish(_:topic:reliability:to:)``.
    public func publish(_ payload: [UInt8], topic: String) async throws(TransportError) {
        try await publish(payload, topic: topic, reliability: .reliable, to: [])
    }

    /// Begins a text stream to everybody else in the room, with an id of the backend's choice.
    ///
    /// - Throws: As ``publish(_:topic:reliability:to:)``.
    public func openText(
        topic: String,
        attributes: [String: String] = [:]
    ) async throws(TransportError) -> any TextStreamWriter {
        try await openText(topic: topic, attributes: attributes, to: [], id: nil, speaker: nil)
    }

    /// Sends a whole text by opening a stream, writing it and closing it.
    ///
    /// - Returns: The stream's id.
    /// - Throws: As ``publish(_:topic:reliability:to:)``.
    @discardableResult
    public func sendText(
        _ text: String,
        topic: String,
        attributes: [String: String],
        to identities: [String]
    ) async throws(TransportError) -> String {
        let writer = try await openText(topic: topic, attributes: attributes, to: identities, id: nil, speaker: nil)
        try await writer.write(text)
        try await writer.close()
        return writer.id
    }

    /// Sends a whole text to everybody else in the room.
    ///
    /// - Returns: The stream's id.
    /// - Throws: As ``publish(_:topic:reliability:to:)``.
    @discardableResult
    public func sendText(
        _ text: String,
        topic: String,
        attributes: [String: String] = [:]
    ) async throws(TransportError) -> String {
        try await sendText(text, topic: topic, attributes: attributes, to: [])
    }

    /// Ends the connection because this side wants to.
    public func disconnect() async {
        await disconnect(.client)
    }
}

/// Makes a fresh, unconnected transport for each attempt.
public protocol TransportFactory: Sendable {
    /// Returns a transport that nobody has used.
    ///
    /// - Throws: `unavailable` when what the backend needs is not there.
    func makeTransport() throws(TransportError) -> any Transport
}
