/// Whose voice a level belongs to.
public enum AudioLevelOwner: String, Hashable, Sendable, CaseIterable {
    /// The person, heard by the microphone.
    case microphone
    /// The agent, heard through the room.
    case agent
}

/// How loud one voice is at one moment.
public struct AudioLevel: Hashable, Sendable {
    /// Whose voice this is.
    public let source: AudioLevelOwner

    /// The root mean square, 0 (silence) to 1 (a full-scale square wave); always finite.
    public let level: Double

    /// When it was measured, counted from the start of the source or of the session that re-stamped it.
    public let time: Duration

    /// Makes a level from a raw value, which is cleaned with ``sanitized(_:)``.
    public init(source: AudioLevelOwner, level: Double, time: Duration) {
        self.source = source
        self.level = Self.sanitized(level)
        self.time = time
    }

    /// The raw value limited to 0...1, where anything that is not a finite number is silence.
    ///
    /// An infinite value is not "very loud": it comes from a broken meter, and one of them would keep an average
    /// infinite for ever.
    public static func sanitized(_ raw: Double) -> Double {
        raw.isFinite ? min(max(raw, 0), 1) : 0
    }
}
