public import TransportHTTP
public import TransportTLS

/// Where a development server listens, whom it lets in, and who answers there.
public struct DevelopmentServerConfiguration: Sendable {
    /// Where the certificate comes from.
    public enum Certificate: Sendable {
        /// This one, until the server ends.
        case given(TLSIdentity)
        /// The one that a file keeps; made for these names where there is none, and taken again when the file changes.
        case kept(TLSIdentityFile, names: [String])
    }

    /// The address to listen at, as a number, or `localhost`; only this machine can reach the default.
    public var host: String
    /// The port; 0 lets the system choose.
    public var port: Int
    /// The certificate to show; nil for plain HTTP.
    public var certificate: Certificate?
    /// The names that a request may give for this server, beside `localhost` and any address.
    public var allowedHosts: Set<String>
    /// What signs the room tokens.
    public var tokenKey: RoomTokenKey
    /// How long a room token is valid, in whole seconds.
    public var tokenLifetime: Duration
    /// What callers prove themselves with who have no room token; needed wherever other machines can reach the server.
    public var serverKey: String?
    /// Makes the agent for a room.
    public var makeAgent: @Sendable (_ room: String) -> any Agent
    /// The media API, which the server runs and stops with itself; nil for none.
    public var media: MediaService?
    /// Answers requests for further paths, which have been checked as the server's own are; nil for a path it has not.
    public var handleOther: @Sendable (HTTPServerRequest) async throws -> HTTPServerResponse?
    /// The time of day when the server is made, in seconds since 1970.
    public var startedAt: Double
    /// What every wait and every time is measured on.
    public var clock: any Clock<Duration>

    /// Makes a configuration; everything that is not given is what a single developer's machine needs.
    public init(
        host: String = "127.0.0.1",
        port: Int = 0,
        certificate: Certificate? = nil,
        allowedHosts: Set<String> = [],
        tokenKey: RoomTokenKey,
        tokenLifetime: Duration = .seconds(15 * 60),
        serverKey: String? = nil,
        media: MediaService? = nil,
        startedAt: Double,
        clock: any Clock<Duration> = ContinuousClock(),
        makeAgent: @escaping @Sendable (_ room: String) -> any Agent = { _ in
            ScriptedAgent(answersAloud: true)
        },
        handleOther: @escaping @Sendable (HTTPServerRequest) async throws -> HTTPServerResponse? = { _ in nil }
    ) {
        self.host = host
        self.port = port
        self.certificate = certificate
        self.allowedHosts = allowedHosts
        self.tokenKey = tokenKey
        self.tokenLifetime = tokenLifetime
        self.serverKey = serverKey
        self.media = media
        self.startedAt = startedAt
        self.clock = clock
        self.makeAgent = makeAgent
        self.handleOther = handleOther
    }

    /// Whether nobody but this machine can reach the server.
    public var isLoopback: Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }
}
