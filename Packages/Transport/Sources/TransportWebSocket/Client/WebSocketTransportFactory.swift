import Synchronization
public import TransportCore
public import TransportHTTP

/// Makes transports that join rooms of a ``RoomServer``.
public final class WebSocketTransportFactory: Sendable {
    private let client: SocketHTTPClient
    private let policy: ReconnectPolicy
    private let clock: any Clock<Duration>
    private let keepAlive: WebSocketConnection.KeepAlive
    private let maximumEvents: Int
    private let random: Mutex<SeededRandom>

    /// Creates a factory.
    ///
    /// - Parameters:
    ///   - client: What opens sockets, with its pins and trust.
    ///   - policy: How lost connections are got back.
    ///   - clock: What is waited on.
    ///   - seed: Where the share of chance in waiting comes from.
    ///   - keepAlive: How the server is asked whether it is there.
    ///   - maximumEvents: How many unread events a transport may have.
    public init(
        client: SocketHTTPClient,
        policy: ReconnectPolicy = ReconnectPolicy(),
        clock: any Clock<Duration> = ContinuousClock(),
        seed: UInt64,
        keepAlive: WebSocketConnection.KeepAlive = WebSocketConnection.KeepAlive(),
        maximumEvents: Int = 4096
    ) {
        self.client = client
        self.policy = policy
        self.clock = clock
        self.keepAlive = keepAlive
        self.maximumEvents = maximumEvents
        random = Mutex(SeededRandom(seed: seed))
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension WebSocketTransportFactory: TransportFactory {
    public func makeTransport() throws(TransportError) -> any Transport {
        WebSocketTransport(
            client: client,
            policy: policy,
            clock: clock,
            random: random.withLock { $0.split() },
            keepAlive: keepAlive,
            maximumEvents: maximumEvents
        )
    }
}
