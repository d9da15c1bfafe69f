/// What a frame holds (RFC 6455, section 5.2).
public enum WebSocketOpcode: UInt8, Hashable, Sendable, CaseIterable {
    /// More of the message that another frame began.
    case continuation = 0x0
    /// UTF-8 text.
    case text = 0x1
    /// Bytes.
    case binary = 0x2
    /// The end of the connection.
    case close = 0x8
    /// A question whether the other side is there.
    case ping = 0x9
    /// The answer to a ping.
    case pong = 0xA

    /// Whether it may stand between the frames of a message, and has at most 125 bytes.
    public var isControl: Bool { rawValue >= 0x8 }
}
