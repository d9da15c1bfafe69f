/// How much a data packet is worth to its sender.
public enum Reliability: Hashable, Sendable, CaseIterable {
    /// Delivered once and in order per sender, or the sender is told; at most ``DataPacket/maximumReliableBytes``.
    case reliable
    /// May be dropped and may come out of order; ``DataPacket/advisedLossyBytes`` fit into one datagram.
    case lossy
}

/// A message that somebody in the room published.
public struct DataPacket: Hashable, Sendable {
    /// The largest payload of any packet, in bytes.
    public static let maximumReliableBytes = 60_000
    /// What a reliable packet should not exceed, in bytes (LiveKit's advice).
    public static let advisedReliableBytes = 15_000
    /// What a lossy packet should not exceed, in bytes, so that it fits into one datagram.
    public static let advisedLossyBytes = 1_300

    /// What the message is about.
    public var topic: String
    /// The sender's identity; it may come before the sender is known as a participant.
    public var sender: String
    /// The message itself.
    public var payload: [UInt8]
    /// How it was sent.
    public var reliability: Reliability

    /// Creates a packet.
    public init(topic: String, sender: String, payload: [UInt8], reliability: Reliability = .reliable) {
        self.topic = topic
        self.sender = sender
        self.payload = payload
        self.reliability = reliability
    }

    /// The payload as text, or `nil` when it is not UTF-8.
    public var text: String? {
        String(validating: payload, as: UTF8.self)
    }
}
