public import TransportCore

/// A request as a server's handler gets it.
public struct HTTPServerRequest: Sendable {
    /// The first line and the header fields, as they came.
    public let head: HTTPRequestHead
    /// What is asked for, taken apart.
    public let target: HTTPTarget
    /// The body, which is read as the handler asks for it.
    public let body: HTTPServerRequestBody
    /// The client's address and port.
    public let peer: String
    /// Whether the connection is encrypted.
    public let isSecure: Bool

    /// The method.
    public var method: String { head.method }
    /// The path as it was sent, beginning with `/`.
    public var path: String { target.path }
    /// The header fields.
    public var headers: HTTPHeaders { head.headers }
}

/// What a server's handler answers.
public struct HTTPServerResponse: Sendable {
    /// What takes over the connection instead of an answer.
    struct Upgrade: Sendable {
        var subprotocols: [String]
        var limits: WebSocketLimits
        var keepAlive: WebSocketConnection.KeepAlive
        var handle: @Sendable (WebSocketConnection) async -> Void
    }

    /// The status.
    public var status: Int
    /// Header fields; the server adds those that the protocol needs.
    public var headers: HTTPHeaders
    /// The body; for a HEAD request that of the GET, of which only the length is sent.
    public var body: HTTPRequestBody
    var upgrade: Upgrade?

    /// Creates an answer.
    public init(status: Int = 200, headers: HTTPHeaders = [:], body: HTTPRequestBody = .none) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// An answer with text.
    public static func text(_ text: String, status: Int = 200, type: String = "text/plain; charset=utf-8") -> Self {
        Self(
            status: status,
            headers: ["Content-Type": type, "X-Content-Type-Options": "nosniff"],
            body: .bytes(Array(text.utf8))
        )
    }

    /// Changes to WebSocket, or refuses what is no proper request for it.
    ///
    /// - Parameters:
    ///   - subprotocols: What is spoken; the client's first choice among them is taken.
    ///   - limits: The largest frame and message.
    ///   - keepAlive: How the client is asked whether it is there.
    ///   - handle: What is done with the connection, which is closed when this returns.
    /// - Returns: The answer that brings it about.
    public static func webSocket(
        subprotocols: [String] = [],
        limits: WebSocketLimits = WebSocketLimits(),
        keepAlive: WebSocketConnection.KeepAlive = WebSocketConnection.KeepAlive(),
        handle: @escaping @Sendable (WebSocketConnection) async -> Void
    ) -> Self {
        var response = Self(status: 101)
        response.upgrade = Upgrade(subprotocols: subprotocols, limits: limits, keepAlive: keepAlive, handle: handle)
        return response
    }
}
