import Synchronization

/// A wake lock that keeps nothing awake and remembers what was asked of it: for tests and previews.
public final class RecordingWakeLock: Sendable {
    /// A call of the lock.
    public enum Call: String, Hashable, Sendable {
        /// The lock was asked for.
        case acquire
        /// The lock was given back.
        case release
    }

    private let state = Mutex<[Call]>([])

    /// Makes a lock that nobody holds.
    public init() {}

    /// Every call so far, in order.
    public var calls: [Call] { state.withLock { $0 } }

    /// Whether the lock is held now.
    public var isHeld: Bool { state.withLock { $0.last == .acquire } }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension RecordingWakeLock: WakeLock {
    public func acquire() async {
        state.withLock { $0.append(.acquire) }
    }

    public func release() async {
        state.withLock { $0.append(.release) }
    }
}
