/// Says in English how long ago something was, the same in every locale and time zone.
public enum RelativeTime {
    /// A short text for the screen: "just now", "5 min ago", "2 h ago", "3 d ago".
    ///
    /// Both times are seconds since 1970; what lies ahead, as with clocks that differ, is "just now".
    public static func short(since time: Double, now: Double) -> String {
        let (count, unit) = split(now - time)
        switch unit {
        case .now: return "just now"
        case .minute: return "\(count) min ago"
        case .hour: return "\(count) h ago"
        case .day: return "\(count) d ago"
        }
    }

    /// The same in whole words, to be spoken: "just now", "1 minute ago", "2 hours ago", "3 days ago".
    public static func spoken(since time: Double, now: Double) -> String {
        let (count, unit) = split(now - time)
        let word: String
        switch unit {
        case .now: return "just now"
        case .minute: word = "minute"
        case .hour: word = "hour"
        case .day: word = "day"
        }
        return "\(count) \(word)\(count == 1 ? "" : "s") ago"
    }

    private enum Unit {
        case now, minute, hour, day
    }

    private static func split(_ seconds: Double) -> (count: Int, unit: Unit) {
        guard seconds >= 60 else { return (0, .now) }
        let whole = Int(min(seconds, 1e15))
        switch whole {
        case ..<3_600: return (whole / 60, .minute)
        case ..<86_400: return (whole / 3_600, .hour)
        default: return (whole / 86_400, .day)
        }
    }
}
