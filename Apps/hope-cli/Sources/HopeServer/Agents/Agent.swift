public import TransportCore

/// Somebody who answers in a room: the other side of a conversation.
///
/// For implementers: ``serve(_:timeOfDay:clock:)`` gets a connection that has joined its room as a participant of kind
/// agent. Say ``ControlMessage/agentReady`` when you listen; read the connection's events to its end; take all time from
/// the clock. Return when the connection has ended. When the task is cancelled return soon; the connection is closed by
/// whoever opened it. A failure of your own is said in the room and is no reason to leave it.
public protocol Agent: Sendable {
    /// Answers until the connection ends or the task is cancelled.
    ///
    /// - Parameters:
    ///   - room: A connection that has joined.
    ///   - timeOfDay: The time of day at the call, in seconds since 1970.
    ///   - clock: What every wait and every time is measured on.
    /// - Throws: `TransportError` when the room does not take what is said; `CancellationError`.
    func serve(_ room: any Transport, timeOfDay: Double, clock: any Clock<Duration>) async throws
}
