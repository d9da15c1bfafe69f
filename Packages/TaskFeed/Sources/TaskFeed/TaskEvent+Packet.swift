public import TransportCore

extension TaskEvent {
    /// Reads the task event of a data packet; nil when the packet is about something else.
    ///
    /// - Parameters:
    ///   - packet: A packet of any topic.
    ///   - receivedAt: When it came, in seconds since 1970.
    /// - Throws: ``TaskEventError`` when the packet's topic is ``topic`` and its payload is not a task event.
    public init?(_ packet: DataPacket, receivedAt: Double? = nil) throws(TaskEventError) {
        guard packet.topic == Self.topic else { return nil }
        try self.init(json: packet.payload, receivedAt: receivedAt)
    }
}

extension TaskStore {
    /// Folds the task event of a data packet and says what it changed; nothing for packets of other topics.
    ///
    /// - Parameters:
    ///   - packet: A packet of any topic.
    ///   - time: When it came, in seconds since 1970.
    /// - Returns: The changes in the order in which they happened.
    /// - Throws: ``TaskEventError`` when the payload is not a task event; the store is then unchanged.
    @discardableResult
    public mutating func fold(_ packet: DataPacket, at time: Double?) throws(TaskEventError) -> [TaskChange] {
        guard let event = try TaskEvent(packet, receivedAt: time) else { return [] }
        return fold(event)
    }
}
