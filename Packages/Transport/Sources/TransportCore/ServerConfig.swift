/// Why an address that somebody typed cannot be used.
public struct ServerConfigError: Error, Hashable, Sendable {
    /// What was typed, shortened to 80 characters.
    public let input: String
    /// A sentence for people: what is wrong and what to write instead.
    public let message: String

    init(_ input: String, _ reason: String) {
        let shown = input.count > 80 ? String(input.prefix(79)) + "…" : input
        self.input = shown
        message = "“\(shown)” is not a server address: \(reason)"
    }
}

extension ServerConfigError: CustomStringConvertible {
    /// The sentence for people.
    public var description: String { message }
}

/// The addresses of one Hope server, made from the one that somebody typed.
public struct ServerConfig: Hashable, Sendable {
    /// Whether the connection is encrypted.
    public let isSecure: Bool
    /// The host in lower case; an IPv6 address without brackets, in its canonical form.
    public let host: String
    /// The port.
    public let port: Int
    /// The path in front of every endpoint, empty or `/…` without a trailing slash.
    public let pathPrefix: String
    /// The room server's address where it was given, else `nil`.
    public let configuredRoomURL: String?

    /// Reads an address as people type it.
    ///
    /// White space around it, a missing scheme, `ws` for `http`, capitals, a trailing slash, IPv6 literals with or
    /// without brackets, and a port are understood. Without a scheme it is `https`, on this machine itself `http`.
    ///
    /// - Parameters:
    ///   - typed: The address, such as `hope.example.com` or `https://[::1]:8443/`.
    ///   - roomURL: The room server's address, where it is another one (a LiveKit server on its own port, say).
    /// - Throws: ``ServerConfigError``, which says what is wrong.
    public init(_ typed: String, roomURL: String? = nil) throws(ServerConfigError) {
        let address = try ServerAddress(typed, schemes: ["https": true, "http": false, "wss": true, "ws": false])
        isSecure = address.isSecure
        host = address.host
        port = address.port ?? (address.isSecure ? 443 : 80)
        pathPrefix = address.path
        if let roomURL {
            let schemes = [
                "wss": true, "ws": false, "https": true, "http": false, "livekits": true, "livekit": false,
                "mqtts": true, "mqtt": false,
            ]
            let room = try ServerAddress(roomURL, schemes: schemes)
            let scheme =
                switch room.scheme {
                case "https": "wss"
                case "http": "ws"
                case let other: other
                }
            configuredRoomURL = room.text(scheme: scheme, defaultPort: ["wss": 443, "ws": 80][scheme])
        } else {
            configuredRoomURL = nil
        }
    }

    /// The server's address in its normal form, without a trailing slash, such as `https://hope.example.com`.
    public var baseURL: String { text(scheme: isSecure ? "https" : "http", path: "") }

    /// Where tokens are asked for.
    public var tokenURL: String { text(scheme: isSecure ? "https" : "http", path: "/token") }

    /// Where the server says that it is well.
    public var healthURL: String { text(scheme: isSecure ? "https" : "http", path: "/healthz") }

    /// What the paths of the media interface are appended to.
    public var mediaBaseURL: String { baseURL }

    /// The room server's address: the configured one, else the token answer's, else `/rtc` on this server.
    ///
    /// - Parameter tokenAnswer: The `url` of the token's answer, where it had one.
    /// - Returns: An absolute address.
    public func roomURL(tokenAnswer: String? = nil) -> String {
        if let configuredRoomURL { return configuredRoomURL }
        if let tokenAnswer, !tokenAnswer.isEmpty { return tokenAnswer }
        return text(scheme: isSecure ? "wss" : "ws", path: "/rtc")
    }

    private func text(scheme: String, path: String) -> String {
        let shownHost = host.contains(":") ? "[\(host)]" : host
        let shownPort = port == (isSecure ? 443 : 80) ? "" : ":\(port)"
        return "\(scheme)://\(shownHost)\(shownPort)\(pathPrefix)\(path)"
    }
}

extension ServerConfig: CustomStringConvertible {
    /// The base address.
    public var description: String { baseURL }
}
