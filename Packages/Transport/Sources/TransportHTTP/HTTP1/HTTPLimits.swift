/// How much of each part of a message is accepted.
public struct HTTPLimits: Hashable, Sendable {
    /// The longest request or status line in bytes, without its line end.
    public var startLineBytes: Int
    /// The most bytes of all header fields together, line ends included; trailers count separately, up to the same.
    public var headerBytes: Int
    /// The most header fields; trailers count separately, up to the same.
    public var headerFields: Int
    /// The longest line before a chunk in bytes, extensions included.
    public var chunkLineBytes: Int
    /// The largest body in bytes, which may be changed for each message once its head is there.
    public var bodyBytes: Int

    /// Creates limits; the defaults fit a server, apart from the body's, which a route decides.
    public init(
        startLineBytes: Int = 8 * 1024,
        headerBytes: Int = 64 * 1024,
        headerFields: Int = 128,
        chunkLineBytes: Int = 1024,
        bodyBytes: Int = 1024 * 1024
    ) {
        self.startLineBytes = startLineBytes
        self.headerBytes = headerBytes
        self.headerFields = headerFields
        self.chunkLineBytes = chunkLineBytes
        self.bodyBytes = bodyBytes
    }
}
