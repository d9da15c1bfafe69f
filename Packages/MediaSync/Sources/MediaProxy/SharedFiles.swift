import MediaSync
import Synchronization
import TransportCore
import TransportHTTP

/// What is shared with players, by the token in its path, and the answers to their requests.
final class SharedFiles: Sendable {
    private struct State: Sendable {
        var files: [String: SharedFile] = [:]
        var generator: any RandomNumberGenerator & Sendable
    }

    private let client: any HTTPClient
    private let configuration: MediaProxyConfiguration
    private let stopwatch: Stopwatch
    private let report: @Sendable (MediaProxyEvent) -> Void
    private let state: Mutex<State>

    init(
        client: any HTTPClient,
        configuration: MediaProxyConfiguration,
        stopwatch: Stopwatch,
        generator: any RandomNumberGenerator & Sendable,
        report: @escaping @Sendable (MediaProxyEvent) -> Void
    ) {
        self.client = client
        self.configuration = configuration
        self.stopwatch = stopwatch
        self.report = report
        state = Mutex(State(generator: generator))
    }

    // MARK: Paths

    /// Makes a path for a source.
    func add(_ source: MediaSource) async -> (token: String, path: String) {
        let file = UpstreamFile(source, client: client, configuration: configuration, report: report)
        var container = source.container
        if container == nil, !source.isLive, let signature = try? await file.signature() {
            container = MediaContainer(mediaType: signature.mediaType) ?? MediaContainer(signature: signature.bytes)
        }
        let token = state.withLock { state in (0..<3).map { _ in state.generator.next().paddedHex }.joined() }
        let path = "/\(token)/\(source.name).\(container?.fileExtension ?? "media")"
        let shared = SharedFile(
            file,
            path: path,
            mediaType: container?.mediaType,
            configuration: configuration,
            stopwatch: stopwatch,
            report: report
        )
        state.withLock { $0.files[token] = shared }
        return (token, path)
    }

    /// Revokes paths.
    func remove(_ tokens: [String]) {
        let removed = state.withLock { state in tokens.compactMap { state.files.removeValue(forKey: $0) } }
        for file in removed { file.revoke() }
    }

    // MARK: Requests

    func answer(_ request: HTTPServerRequest) async -> HTTPServerResponse {
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
        guard let file = state.withLock({ $0.files[String(token)] }), file.path == request.path else {
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

extension UInt64 {
    /// 16 hexadecimal digits.
    fileprivate var paddedHex: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
