public import TransportCore
public import TransportTLS

/// An HTTP/1.1 client on sockets of its own, with pins.
///
/// Connections are kept for further requests to the same origin. A redirect takes credentials along to the same origin
/// only, never leads from `https` to `http`, and pins hold for the host they were given for and no other.
public final class SocketHTTPClient: HTTPClient {
    /// How a client connects and what it accepts.
    public struct Configuration: Sendable {
        /// Which certificates are expected where; a server without pins is checked by ``trust``.
        public var pins: PinnedServers
        /// Whom to believe where there are no pins.
        public var trust: TLSTrust
        /// How long connecting may take, the TLS handshake included.
        public var connectTimeout: Duration
        /// How long a connection is kept for a next request.
        public var idleTimeout: Duration
        /// How many connections to one origin are kept.
        public var keptConnections: Int
        /// How many redirects are followed.
        public var maximumRedirects: Int
        /// How much of each part of an answer is accepted; bodies are limited by who reads them.
        public var limits: HTTPLimits
        /// What the client calls itself; `nil` for nothing.
        public var userAgent: String?

        /// Creates a configuration.
        public init(
            pins: PinnedServers = PinnedServers(),
            trust: TLSTrust = .system,
            connectTimeout: Duration = .seconds(15),
            idleTimeout: Duration = .seconds(30),
            keptConnections: Int = 8,
            maximumRedirects: Int = 10,
            limits: HTTPLimits = HTTPLimits(bodyBytes: .max),
            userAgent: String? = "hope"
        ) {
            self.pins = pins
            self.trust = trust
            self.connectTimeout = connectTimeout
            self.idleTimeout = idleTimeout
            self.keptConnections = keptConnections
            self.maximumRedirects = maximumRedirects
            self.limits = limits
            self.userAgent = userAgent
        }
    }

    let configuration: Configuration
    let group: SocketLoopGroup
    private let tls: TLSClientContext
    private let pool: HTTPConnectionPool
    private let origins = HTTPOriginCache()

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - configuration: Pins, trust and limits.
    ///   - loops: The threads to use; `nil` makes one for this client alone.
    /// - Throws: `unavailable` when the system gives no thread, `protocolViolation` for authorities that cannot be read.
    public init(
        _ configuration: Configuration = Configuration(),
        loops: SocketLoopGroup? = nil
    ) throws(TransportError) {
        self.configuration = configuration
        let group = if let loops { loops } else { try SocketLoopGroup() }
        self.group = group
        tls = try TLSClientContext(trust: configuration.trust)
        pool = HTTPConnectionPool(
            deadlines: group.deadlines,
            idleTimeout: configuration.idleTimeout,
            limit: configuration.keptConnections
        )
    }

    /// Sends a request and returns as soon as the answer's head is there.
    public func open(_ request: HTTPRequest) async throws(TransportError) -> HTTPStreamedResponse {
        var url = try HTTPURL(request.url, known: origins)
        var request = request
        for _ in 0...max(0, configuration.maximumRedirects) {
            let (head, exchange) = try await exchange(request, url)
            guard request.followsRedirects, let next = try Self.redirect(head, of: &request, at: url) else {
                return HTTPStreamedResponse(status: head.status, headers: head.headers, body: exchange)
            }
            // A short body is worth reading for the sake of the connection.
            if head.headers["Content-Length"] == "0" { _ = try? await exchange.next() }
            exchange.cancel()
            url = next
        }
        throw TransportError(
            .protocolViolation,
            "\(url.origin.host) redirects more than \(configuration.maximumRedirects) times; it may be going in circles."
        )
    }

    /// Closes the connections that are kept; the client can be used no longer for keeping more.
    public func close() {
        pool.close()
    }

    // MARK: Redirects

    /// Where an answer leads, with the request changed to what is to be sent there; `nil` when it leads nowhere.
    private static func redirect(
        _ head: HTTPResponseHead,
        of request: inout HTTPRequest,
        at url: HTTPURL
    ) throws(TransportError) -> HTTPURL? {
        guard [301, 302, 303, 307, 308].contains(head.status), let location = head.headers["Location"] else {
            return nil
        }
        let becomesGet =
            head.status == 303 && request.method != "HEAD"
            || [301, 302].contains(head.status) && request.method == "POST"
        if becomesGet {
            request.method = "GET"
            request.body = .none
            for name in ["Content-Type", "Content-Length", "Content-Encoding", "Expect"] { request.headers[name] = nil }
        } else if case .stream = request.body {
            // What has been read from a stream cannot be sent again; the caller gets to see the redirect.
            return nil
        }
        let next = try url.resolved(location)
        guard !url.origin.isSecure || next.origin.isSecure else {
            throw TransportError(
                .protocolViolation,
                "\(url.origin.host) redirects from https to http, which is not followed; ask for the http address if it is meant."
            )
        }
        if next.origin != url.origin {
            for name in ["Authorization", "Cookie", "Proxy-Authorization", "Host"] { request.headers[name] = nil }
        }
        return next
    }

    // MARK: One exchange

    private func exchange(
        _ request: HTTPRequest,
        _ url: HTTPURL
    ) async throws(TransportError) -> (HTTPResponseHead, HTTPClientExchange) {
        let (head, framing) = try requestHead(request, url)
        // A request that may have been carried out is only sent again when that does no harm.
        let isRepeatable: Bool
        if case .stream = request.body {
            isRepeatable = false
        } else {
            isRepeatable = Self.isIdempotent(request.method)
        }
        while isRepeatable, let kept = pool.take(url.origin) {
            let exchange = makeExchange(kept, request, url)
            do throws(TransportError) {
                return (try await perform(exchange, head, request.body, framing), exchange)
            } catch {
                guard error.code == .closed, exchange.isUnanswered, !Task.isCancelled else { throw error }
            }
        }
        let connection =
            if !isRepeatable, let kept = pool.take(url.origin) { kept } else { try await connect(url.origin) }
        let exchange = makeExchange(connection, request, url)
        return (try await perform(exchange, head, request.body, framing), exchange)
    }

    private static func isIdempotent(_ method: String) -> Bool {
        ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PROPFIND"].contains(method)
    }

    private func makeExchange(_ connection: SocketConnection, _ request: HTTPRequest, _ url: HTTPURL)
        -> HTTPClientExchange
    {
        HTTPClientExchange(
            connection,
            method: request.method,
            origin: url.origin,
            timeout: request.timeout,
            limits: configuration.limits,
            pool: pool
        )
    }

    private func perform(
        _ exchange: HTTPClientExchange,
        _ head: [UInt8],
        _ body: HTTPRequestBody,
        _ framing: HTTPBodyFraming
    ) async throws(TransportError) -> HTTPResponseHead {
        do throws(TransportError) {
            try await exchange.start(head, body, framing: framing)
            let head = try await exchange.head()
            guard head.status != 101 else {
                throw TransportError(
                    .protocolViolation,
                    "The server changed to another protocol, which nobody asked for."
                )
            }
            return head
        } catch {
            exchange.cancel()
            throw error
        }
    }

    /// Connects to an origin, with the pins that hold for it.
    func connect(_ origin: HTTPURL.Origin) async throws(TransportError) -> SocketConnection {
        try await SocketConnection.connect(
            host: origin.host,
            port: origin.port,
            tls: origin.isSecure
                ? SocketConnection.ClientTLS(
                    context: tls,
                    pins: configuration.pins.pins(host: origin.host, port: origin.port),
                    protocols: ["http/1.1"]
                ) : nil,
            timeout: configuration.connectTimeout,
            group: group
        )
    }

    private func requestHead(
        _ request: HTTPRequest,
        _ url: HTTPURL
    ) throws(TransportError) -> (bytes: [UInt8], framing: HTTPBodyFraming) {
        var headers: HTTPHeaders = ["Host": request.headers["Host"] ?? url.hostField]
        if let userAgent = configuration.userAgent, request.headers["User-Agent"] == nil {
            headers.append("User-Agent", userAgent)
        }
        let own = ["host", "connection", "content-length", "transfer-encoding", "upgrade", "keep-alive", "expect"]
        for field in request.headers.fields where !own.contains(field.name.lowercased()) {
            headers.append(field.name, field.value)
        }
        let framing: HTTPBodyFraming
        switch request.body {
        case .none:
            framing = .empty
            // Some servers want to be told that a POST has nothing in it (RFC 9110, 8.6).
            if ["POST", "PUT", "PATCH"].contains(request.method) { headers.append("Content-Length", "0") }
        case .bytes(let bytes):
            framing = .length(bytes.count)
            headers.append("Content-Length", "\(bytes.count)")
        case .stream(_, .some(let length)):
            framing = .length(length)
            headers.append("Content-Length", "\(length)")
        case .stream(_, .none):
            framing = .chunked
            headers.append("Transfer-Encoding", "chunked")
        }
        let head = HTTPRequestHead(method: request.method, target: url.target, headers: headers)
        do throws(HTTPMessageError) {
            return (try head.serialized(), framing)
        } catch {
            throw TransportError(.protocolViolation, "The request cannot be sent: \(error.message)")
        }
    }
}
