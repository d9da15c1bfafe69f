/// How a room is reached, as `--transport` chooses it.
public enum RoomTransport: Sendable, Hashable {
    /// As the server says.
    case automatic
    /// A room inside this process.
    case inProcess
    /// A room server at an address of its own.
    case room(url: String)

    /// The room server's address, where one was given.
    public var url: String? {
        if case .room(let url) = self { url } else { nil }
    }
}

extension PluginList<RoomTransport> {
    /// The transports that ship with hope.
    public static let standardTransports = PluginList(
        seam: "Transport",
        option: "transport",
        plugins: [
            Plugin(
                scheme: "auto",
                usage: "auto",
                summary: "as the server says",
                make: { _, _ throws(CommandError) in .automatic }
            ),
            Plugin(
                scheme: "memory",
                usage: "memory:",
                summary: "a room inside this process",
                make: { _, _ throws(CommandError) in .inProcess }
            ),
            Plugin(
                scheme: "ws",
                usage: "ws://HOST[:PORT]/PATH",
                summary: "a room server over WebSocket",
                make: { rest, _ throws(CommandError) in .room(url: "ws:\(rest)") }
            ),
            Plugin(
                scheme: "wss",
                usage: "wss://HOST[:PORT]/PATH",
                summary: "a room server over WebSocket and TLS",
                make: { rest, _ throws(CommandError) in .room(url: "wss:\(rest)") }
            ),
        ]
    )
}
