/// Positions and lengths as people read them.
public enum MediaTime {
    /// What stands for a time that nobody knows.
    public static let unknown = "–:––"
    /// What stands for the times of a live stream.
    public static let live = "Live"

    /// Returns a time such as `3:07` or `1:02:09`.
    ///
    /// - Parameter seconds: The time in seconds; parts of a second are cut off, and what is below zero is `0:00`.
    /// - Returns: The text, or `unknown` for a time that is missing or not finite.
    public static func text(_ seconds: Double?) -> String {
        guard let seconds, seconds.isFinite else { return unknown }
        // The limit keeps the conversion to an integer safe.
        let whole = Int(min(max(seconds, 0), 1e12))
        let (hours, minutes) = (whole / 3600, whole / 60 % 60)
        let ending = whole % 60 < 10 ? "0\(whole % 60)" : "\(whole % 60)"
        guard hours > 0 else { return "\(minutes):\(ending)" }
        return "\(hours):\(minutes < 10 ? "0" : "")\(minutes):\(ending)"
    }

    /// Returns a time of a track: `Live` for a stream.
    ///
    /// - Parameters:
    ///   - seconds: The time in seconds.
    ///   - kind: Whether the track has an end.
    /// - Returns: The text.
    public static func text(_ seconds: Double?, of kind: MediaTrack.Kind) -> String {
        kind == .stream ? live : text(seconds)
    }
}
