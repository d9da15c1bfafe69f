/// How a proxy listens, and what it puts up with from servers.
public struct MediaProxyConfiguration: Sendable {
    /// The port on 127.0.0.1; 0 lets the system choose.
    public var port: Int
    /// How many players' connections are open at once; further ones wait.
    public var maximumConnections: Int
    /// How long a server may be silent before and while it answers.
    public var serverTimeout: Duration
    /// How many redirects in a row are followed.
    public var maximumRedirects: Int
    /// The waits before each attempt to go on where a server broke off; their number is that of the attempts.
    ///
    /// The count begins anew once an attempt has brought ``progressBytes``, so that a long file gets through however
    /// often its server breaks off, and a server that brings nothing is left alone soon.
    public var resumeDelays: [Duration]
    /// How many bytes an attempt has to bring to have been worth it.
    public var progressBytes: Int

    /// Creates a configuration.
    public init(
        port: Int = 0,
        maximumConnections: Int = 128,
        serverTimeout: Duration = .seconds(30),
        maximumRedirects: Int = 10,
        resumeDelays: [Duration] = [.zero, .milliseconds(250), .seconds(1)],
        progressBytes: Int = 16 * 1024
    ) {
        self.port = port
        self.maximumConnections = maximumConnections
        self.serverTimeout = serverTimeout
        self.maximumRedirects = maximumRedirects
        self.resumeDelays = resumeDelays
        self.progressBytes = progressBytes
    }
}
