public import TransportCore
public import TransportHTTP

/// A server on this machine alone that hands a player the bytes of a server elsewhere, in any ranges.
///
/// It is for players that cannot pin a certificate or send credentials: the injected client does both. Players get the
/// length, a strong tag and the right type whatever the server says, ranges whether or not it has them, and never a byte of
/// another place or version. A file of any length takes the same memory: each side is only read as fast as the other
/// takes it. A player that goes away ends the request to the server at once.
///
/// A playlist (HLS) is passed on as it is: relative addresses in it lead nowhere, absolute ones past the proxy. An Apple
/// backend would be an `AVAssetResourceLoaderDelegate`, which needs no port.
public final class LoopbackMediaProxy: Sendable {
    private let files: SharedFiles
    private let server: HTTPServer

    /// Begins to listen on 127.0.0.1; ``run()`` has to be called for anybody to be answered.
    ///
    /// - Parameters:
    ///   - client: What asks servers, with their pins; works best on the same `loops`.
    ///   - configuration: Ports and limits.
    ///   - loops: The threads to use; `nil` makes one for this proxy alone.
    ///   - clock: What waits between attempts are kept by.
    ///   - generator: Makes the tokens in addresses, 192 bits each; has to be unpredictable outside of tests.
    ///   - report: Told what happens, on any thread; must not block.
    /// - Throws: `unavailable` when the port cannot be listened at.
    public init(
        client: any HTTPClient,
        configuration: MediaProxyConfiguration = MediaProxyConfiguration(),
        loops: SocketLoopGroup? = nil,
        clock: any Clock<Duration> = ContinuousClock(),
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        report: @escaping @Sendable (MediaProxyEvent) -> Void = { _ in }
    ) throws(TransportError) {
        let files = SharedFiles(
            client: client,
            configuration: configuration,
            stopwatch: Stopwatch(clock: clock),
            generator: generator,
            report: report
        )
        self.files = files
        server = try HTTPServer(
            HTTPServerConfiguration(
                port: configuration.port,
                maximumConnections: configuration.maximumConnections,
                // A player that is paused takes nothing for as long as somebody likes, and is noticed when it ends.
                timeouts: HTTPServerConfiguration.Timeouts(send: .seconds(7 * 86_400))
            ),
            loops: loops
        ) { request in
            await files.answer(request)
        }
    }

    /// The port it listens at.
    public var port: Int { server.port }

    /// Answers players until the task is cancelled, which ends all answers at once.
    public func run() async {
        await server.run()
    }

    /// Begins a session, with which players are given addresses.
    public func makeSession() -> MediaProxySession {
        MediaProxySession(files, port: port)
    }
}
