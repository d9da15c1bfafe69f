public import TransportCore

/// What a session needs of one server: connections and tokens.
public struct VoiceServices: Sendable {
    /// Makes a new connection for every attempt.
    public var transports: any TransportFactory
    /// Gives a fresh token for every attempt.
    public var tokens: any TokenProvider
    /// The room server's address where it is known beforehand; `nil` takes the token's answer, else the server's own.
    public var roomURL: String?

    /// Bundles the services of one server.
    public init(transports: any TransportFactory, tokens: any TokenProvider, roomURL: String? = nil) {
        self.transports = transports
        self.tokens = tokens
        self.roomURL = roomURL
    }
}
