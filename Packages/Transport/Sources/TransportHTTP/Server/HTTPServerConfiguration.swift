import TransportCore
public import TransportTLS

/// How an HTTP server listens, whom it lets in, and how much and how long it takes.
public struct HTTPServerConfiguration: Sendable {
    /// How long a client may take for each part.
    public struct Timeouts: Hashable, Sendable {
        /// The TLS handshake.
        public var handshake: Duration
        /// The whole head of a request, however it comes.
        public var head: Duration
        /// The pause before the next request of a connection.
        public var idle: Duration
        /// The next piece of a body; a body that comes slower than ``minimumBodyRate`` on average is cut as well.
        public var body: Duration
        /// Taking anything at all of an answer.
        public var send: Duration
        /// The fewest bytes a second of a body, on average, once ``body`` has passed.
        public var minimumBodyRate: Int

        /// Creates limits of time.
        public init(
            handshake: Duration = .seconds(10),
            head: Duration = .seconds(10),
            idle: Duration = .seconds(60),
            body: Duration = .seconds(30),
            send: Duration = .seconds(30),
            minimumBodyRate: Int = 256
        ) {
            self.handshake = handshake
            self.head = head
            self.idle = idle
            self.body = body
            self.send = send
            self.minimumBodyRate = minimumBodyRate
        }
    }

    /// The address to listen at, as a number; only this machine can reach the default.
    public var host: String
    /// The port; 0 lets the system choose.
    public var port: Int
    /// The certificate to show; `nil` for plain HTTP.
    public var identity: TLSIdentity?
    /// The names that a request may give for this server, beside `localhost` and any address.
    ///
    /// A page of a name that somebody else has pointed at this machine is turned away by this.
    public var allowedHosts: Set<String>
    /// Which web pages of other origins may ask for anything; a request without an Origin is no page's.
    public var origins: WebSocketOriginPolicy
    /// How much of each part of a request is taken; the body's limit can be changed for each request.
    public var limits: HTTPLimits
    /// How many connections are open at once; further callers wait.
    public var maximumConnections: Int
    /// How long a client may take.
    public var timeouts: Timeouts

    /// Creates a configuration.
    public init(
        host: String = "127.0.0.1",
        port: Int = 0,
        identity: TLSIdentity? = nil,
        allowedHosts: Set<String> = [],
        origins: WebSocketOriginPolicy = .sameHost,
        limits: HTTPLimits = HTTPLimits(),
        maximumConnections: Int = 10_000,
        timeouts: Timeouts = Timeouts()
    ) {
        self.host = host
        self.port = port
        self.identity = identity
        self.allowedHosts = allowedHosts
        self.origins = origins
        self.limits = limits
        self.maximumConnections = maximumConnections
        self.timeouts = timeouts
    }

    /// Why a request is turned away, `nil` when it is not.
    func refusal(of head: HTTPRequestHead) -> (status: Int, message: String)? {
        guard let authority = head.authority else {
            return head.version == .http10 && head.headers["Host"] == nil
                ? nil : (400, "The Host field does not name a host.")
        }
        let isNamed = allowedHosts.contains { $0.lowercased() == authority.host }
        guard authority.host == "localhost" || authority.isAddress || isNamed else {
            return (421, "This server does not answer for that host; it has to be named in its configuration.")
        }
        guard origins.allows(head) else { return (403, "Pages of another origin may not ask here.") }
        return nil
    }
}

extension HTTPAuthority {
    /// Whether the host is written as a number, which nobody can point somewhere else.
    fileprivate var isAddress: Bool {
        if host.contains(":") { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
    }
}
