/// Leaves out of the changes of one time what the next one of the same time makes obsolete.
///
/// A row that grows and becomes final with one line of a recording has changed once. A row that looks as it did, or
/// that came and went at one time, has not changed at all.
struct ChangeDigest {
    private struct Shown: Hashable {
        var role: TranscriptRole
        var text: String
        var isFinal: Bool
    }

    private var waiting: [SessionChange] = []
    private var shown: [String: Shown] = [:]

    /// Takes a change, and gives those of the time before it when it is the first of a new time.
    mutating func take(_ change: SessionChange) -> [SessionChange] {
        let isNewTime = waiting.last.map { $0.time != change.time } ?? false
        let finished = isNewTime ? finish() : []
        waiting.append(change)
        return finished
    }

    /// Gives what has been taken and not been given.
    mutating func finish() -> [SessionChange] {
        var last: [String: Int] = [:]
        for (index, change) in waiting.enumerated() {
            if let id = change.kind.rowID { last[id] = index }
        }
        var kept: [SessionChange] = []
        for (index, change) in waiting.enumerated() {
            if let id = change.kind.rowID {
                guard last[id] == index, note(change.kind, id) else { continue }
            }
            kept.append(change)
        }
        waiting = []
        return kept
    }

    /// Remembers how the row looks now; false when it has looked so before.
    private mutating func note(_ kind: SessionChange.Kind, _ id: String) -> Bool {
        guard case .row(let row) = kind else { return shown.removeValue(forKey: id) != nil }
        let now = Shown(role: row.role, text: row.text, isFinal: row.isFinal)
        return shown.updateValue(now, forKey: id) != now
    }
}

extension SessionChange.Kind {
    fileprivate var rowID: String? {
        switch self {
        case .row(let row): row.id
        case .removed(let id): id
        default: nil
        }
    }
}
