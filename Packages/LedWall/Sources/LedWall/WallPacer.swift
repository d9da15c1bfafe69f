/// Says when the next frame is due: at most 30 a second, none while there is nothing to see.
///
/// Time is an argument, so any clock will do. A second is cut into as many slots as there may be frames; each slot has at
/// most one frame. A loop that comes late draws one frame and goes on with a slot that lies ahead: what it missed is
/// dropped, not queued.
///
///     while let due = pacer.nextFrame(after: clock.now) {
///         try await clock.sleep(until: due)
///         if pacer.beginFrame(at: clock.now) { … draw …; pacer.update(…) }
///     }
public struct WallPacer: Hashable, Sendable {
    /// The most frames a second, at least 1.
    public let framesPerSecond: Int

    /// Whether the wall is out of sight; the pacer is paused then.
    public var isBackgrounded = false {
        didSet { hasPaused = hasPaused || isPaused }
    }

    /// Whether the next frame would look like the last one; the pacer is paused then.
    ///
    /// Take it from `WallMotion.isSettled` after each frame, and set it to false when the state or the wish for less motion
    /// changes: idle and failed settle once their dots have arrived, every state does with reduced motion.
    public var isSettled = false {
        didSet { hasPaused = hasPaused || isPaused }
    }

    /// How many slots went by without a frame because the loop came late.
    public private(set) var droppedFrames = 0

    private var origin: Duration?
    private var nextSlot = 0
    private var hasPaused = false

    /// Creates a pacer whose first frame is due at once.
    ///
    /// - Parameter framesPerSecond: The most frames a second; less than 1 counts as 1.
    public init(framesPerSecond: Int = 30) {
        self.framesPerSecond = max(1, framesPerSecond)
    }

    /// Whether no frame is due until something changes.
    public var isPaused: Bool { isBackgrounded || isSettled }

    /// The time of one slot.
    public var interval: Duration { .seconds(1) / framesPerSecond }

    /// Says when the next frame is due.
    ///
    /// - Parameter now: The time since any fixed moment.
    /// - Returns: `now` if a frame is due already; nil while paused.
    public func nextFrame(after now: Duration) -> Duration? {
        guard !isPaused else { return nil }
        guard let origin else { return now }
        return max(now, origin + interval * nextSlot)
    }

    /// Asks to draw a frame now, and takes its slot if it is due.
    ///
    /// - Parameter now: The time since the same fixed moment; a time that runs backwards is never due.
    /// - Returns: Whether to draw.
    public mutating func beginFrame(at now: Duration) -> Bool {
        guard !isPaused else { return false }
        guard let origin else {
            start(at: now)
            return true
        }
        guard now >= origin + interval * nextSlot else { return false }
        if hasPaused {
            // A pause is not lateness: it drops nothing, and a new row of slots begins.
            start(at: now)
            return true
        }
        // A frame drawn in the second half of a slot skips the next one, lest two come on each other's heels.
        let slot = Int((now - origin + interval / 2) / interval)
        droppedFrames += max(0, slot - nextSlot)
        nextSlot = max(slot, nextSlot) + 1
        return true
    }

    private mutating func start(at now: Duration) {
        origin = now
        nextSlot = 1
        hasPaused = false
    }
}
