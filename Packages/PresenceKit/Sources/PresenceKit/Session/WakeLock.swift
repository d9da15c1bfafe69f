/// Something that keeps the machine awake while a conversation is on.
///
/// For implementers: a session acquires the lock once after it has joined a room and releases it once when the
/// connection is over, whatever ended it. Both calls return when the work is done, may come from any task, and do
/// nothing where there is nothing to do. A lock that cannot be had is no reason to end a conversation: log it and
/// return. On an iPhone the backend would set `UIApplication.isIdleTimerDisabled`.
public protocol WakeLock: Sendable {
    /// Keeps the machine awake from now on; does nothing while the lock is held.
    func acquire() async

    /// Lets the machine sleep again; does nothing while the lock is not held.
    func release() async
}
