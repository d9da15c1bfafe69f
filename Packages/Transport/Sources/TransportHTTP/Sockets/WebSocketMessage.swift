/// A whole message of a WebSocket connection.
public enum WebSocketMessage: Hashable, Sendable {
    /// Text.
    case text(String)
    /// Bytes.
    case binary([UInt8])
}
