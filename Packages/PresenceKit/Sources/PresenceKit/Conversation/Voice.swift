import Foundation

extension ConversationState {
    /// One source: its newest raw level, the smoothed one, and since when it has been heard or not.
    struct Voice: Hashable, Sendable {
        private var raw = 0.0
        private var heardAt: Duration?
        private var lastRunWasShort = false
        var smoothed = 0.0
        private(set) var isAudible = false

        /// The time of the tick that found it audible, or silent, for the first time since it was not.
        private(set) var changedAt = Duration.zero

        mutating func hear(_ level: AudioLevel) {
            if let heardAt, level.time < heardAt { return }
            raw = level.level
            heardAt = level.time
        }

        /// Forgets what was smoothed, but not the newest raw level.
        mutating func restart() {
            smoothed = 0
            isAudible = false
            lastRunWasShort = false
            changedAt = .zero
        }

        mutating func advance(
            to now: Duration,
            by elapsed: Duration,
            threshold: Double,
            isOff: Bool,
            hold: Duration
        ) {
            if let heard = heardAt, heard > now {
                // Stamped ahead of the clock: it must not stay fresh, and newer than all others, until that time comes.
                heardAt = now
            }
            if isOff {
                smoothed = 0
            } else {
                let isFresh = heardAt.map { now - $0 < ConversationState.staleness } ?? false
                let keep = pow(0.6, elapsed / .milliseconds(100))
                smoothed = keep * smoothed + (1 - keep) * (isFresh ? raw : 0)
            }
            let wasAudible = isAudible
            isAudible = smoothed > threshold
            if isAudible != wasAudible {
                if wasAudible {
                    lastRunWasShort = now - changedAt < hold
                }
                changedAt = now
            }
        }

        /// Whether it fell silent so briefly ago, after so short a sound, that it may only hover at its threshold.
        func mayResume(at now: Duration, hold: Duration) -> Bool {
            !isAudible && lastRunWasShort && now - changedAt < hold
        }
    }
}
