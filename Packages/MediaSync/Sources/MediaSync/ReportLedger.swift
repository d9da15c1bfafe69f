/// What of a playback the server has been told, and when the next word is due.
struct ReportLedger {
    private var load = 0
    private(set) var isPlaying = false
    private var hasEnded = false
    /// Whether a seek has landed that was not told yet.
    private var owesSeek = false
    /// How long it was heard since the last report, up to `heardSince`.
    private var heard: Duration = .zero
    private var heardSince: Duration?

    /// Notes what the player does, and says whether that has to be told at once.
    mutating func take(_ item: LocalPlayback.Item, landed: Bool, now: Duration) -> Bool {
        if load != item.load { self = ReportLedger(load: item.load) }
        count(item.phase == .playing, now)
        if !item.hasEnded { hasEnded = false }
        owesSeek = owesSeek || landed
        switch item.phase {
        case .playing where !isPlaying || owesSeek: isPlaying = true
        case .paused where isPlaying || owesSeek: isPlaying = false
        case .ended where !hasEnded:
            isPlaying = false
            hasEnded = true
        default: return false
        }
        return true
    }

    /// Notes that a report was made.
    mutating func reported(now: Duration) {
        owesSeek = false
        heard = .zero
        if heardSince != nil { heardSince = now }
    }

    /// When it will have been heard for an interval without a report, or nil while it is not heard.
    func nextReport(every interval: Duration) -> Duration? {
        heardSince.map { $0 + max(.zero, interval - heard) }
    }

    private init(load: Int) {
        self.load = load
    }

    init() {}

    private mutating func count(_ isHeard: Bool, _ now: Duration) {
        if isHeard {
            heardSince = heardSince ?? now
        } else if let since = heardSince {
            heard += now - since
            heardSince = nil
        }
    }
}
