/// What a session met and left alone, counted since it was created.
public struct SessionStatistics: Hashable, Sendable {
    /// Data packets on topics that nobody handles.
    public var ignoredPackets = 0
    /// Text streams on topics that nobody handles.
    public var ignoredStreams = 0
    /// Packets on a control topic that could not be read, are of an unknown type, or came from somebody who is no agent.
    public var ignoredControlMessages = 0
    /// Control messages that the room did not take.
    public var unsentControlMessages = 0
    /// Attempts to join a room.
    public var joinAttempts = 0

    /// Starts at zero.
    public init() {}
}
