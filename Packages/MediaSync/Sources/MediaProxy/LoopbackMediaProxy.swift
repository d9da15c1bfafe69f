import MediaSync
import Synchronization
public import TransportCore
public import TransportHTTP

/// A server on this machine alone that hands a player the bytes of a server elsewhere, in any ranges.
///
/// It is for players that cannot pin a certificate or send credentials: the injected client does both. Players get the
/// length, a strong tag and the right type whatever the server says, ranges whether or not it has them, and never a byte of
/// another place or version. A file of any length takes the same memory: each side is only read as fast as the other
/// takes it. A player that goes away ends the request to the server at once.
///
/// An Apple backend would be an `AVAssetResourceLoaderDelegate`, which needs no port.
public final class LoopbackMediaProxy: Sendable {
    private struct State: Sendable {
        var files: [String: SharedFile] = [:]
        var generator: any RandomNumberGenerator & Sendable
    }

    private let client: any HTTPClient
    private let configuration: MediaProxyConfiguration
    private let stopwatch: Stopwatch
    private let report: @Sendable (MediaProxyEvent) -> Void
    private let files: Mutex<State>
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
        self.client = client
        self.configuration = configuration
        self.report = report
        stopwatch = Stopwatch(clock: clock)
        files = Mutex(State(generator: generator))
        let router = Router()
        server = try HTTPServer(
            HTTPServerConfiguration(
                port: configuration.port,
                maximumConnections: configuration.maximumConnections,
                // A player that is paused takes nothing for as long as somebody likes, and is noticed when it ends.
                timeouts: HTTPServerConfiguration.Timeouts(send: .seconds(7 * 86_400))
            ),
            loops: loops
        ) { request in
            await router.answer(request)
        }
        router.proxy.withLock { $0 = WeakProxy(proxy: self) }
    }

    /// The port it listens at.
    public var port: Int { server.port }

    /// Answers players until the task is cancelled, which ends all answers at once.
    public func run() async {
        await server.run()
    }

    /// Begins a session, with which players are given addresses.
    public func makeSession() -> MediaProxySession {
        MediaProxySession(self)
    }

    // MARK: Paths

    /// Makes a path for a source.
    func add(_ source: MediaSource) async -> (token: String, path: String) {
        let file = UpstreamFile(source, client: client, configuration: configuration, report: report)
        var container = source.container
        if container == nil, !source.isLive, let signature = try? await file.signature() {
            container = MediaContainer(mediaType: signature.mediaType) ?? MediaContainer(signature: signature.bytes)
        }
        let token = files.withLock { state in
            (0..<3).map { _ in state.generator.next().paddedHex }.joined()
        }
        let path = "/\(token)/\(source.name).\(container?.fileExtension ?? "media")"
        let shared = SharedFile(
            file,
            path: path,
            mediaType: container?.mediaType,
            configuration: configuration,
            stopwatch: stopwatch,
            report: report
        )
        files.withLock { $0.files[token] = shared }
        return (token, path)
    }

    func remove(_ tokens: [String]) {
        let removed = files.withLock { state in tokens.compactMap { state.files.removeValue(forKey: $0) } }
        for file in removed { file.revoke() }
    }

    // MARK: Requests

    fileprivate func answer(_ request: HTTPServerRequest) async -> HTTPServerResponse {
        // Any address would pass the server's own check, so that a page of another machine's could come in by one.
        guard request.head.authority?.isLoopback == true else {
            return refusal(421, "the Host field is not this machine", "This server answers for 127.0.0.1 alone.")
        }
        guard request.method == "GET" || request.method == "HEAD" else {
            var response = refusal(405, "the method is not GET or HEAD", "Only GET and HEAD are answered.")
            response.headers["Allow"] = "GET, HEAD"
            return response
        }
        let token = request.path.dropFirst().prefix { $0 != "/" }
        guard let file = files.withLock({ $0.files[String(token)] }), file.path == request.path else {
            return refusal(404, "nothing is shared at that path", "There is nothing here.")
        }
        do throws(UpstreamFailure) {
            return try await file.answer(request.head)
        } catch {
            return .text("The media cannot be played: \(error.reason).\n", status: error.status)
        }
    }

    private func refusal(_ status: Int, _ reason: String, _ message: String) -> HTTPServerResponse {
        report(.refused(status: status, reason: reason))
        return .text(message + "\n", status: status)
    }
}

private struct WeakProxy: Sendable {
    weak var proxy: LoopbackMediaProxy?
}

/// Leads from the server to the proxy that owns it.
private final class Router: Sendable {
    let proxy = Mutex(WeakProxy())

    func answer(_ request: HTTPServerRequest) async -> HTTPServerResponse {
        guard let proxy = proxy.withLock({ $0.proxy }) else { return .text("The proxy is gone.\n", status: 503) }
        return await proxy.answer(request)
    }
}

extension UInt64 {
    /// 16 hexadecimal digits.
    fileprivate var paddedHex: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
