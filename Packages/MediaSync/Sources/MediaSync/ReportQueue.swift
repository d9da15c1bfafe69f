/// Reports that wait to be sent, of which only the newest of each playback is worth sending.
struct ReportQueue {
    struct Entry {
        let report: PlaybackReport
        /// The session of the room that the report is for.
        let session: Int
        var failures = 0
    }

    /// More than anybody changes tracks while one report is on its way.
    private static let capacity = 16

    private var waiting: [Entry] = []

    var isEmpty: Bool { waiting.isEmpty }

    /// Adds a report, in place of an older one about the same playback, unless that says that it came to its end.
    mutating func add(_ report: PlaybackReport, session: Int) {
        if let last = waiting.last, last.session == session, last.report.trackID == report.trackID,
            !last.report.hasEnded
        {
            waiting.removeLast()
        }
        waiting.append(Entry(report: report, session: session))
        if waiting.count > Self.capacity { waiting.removeFirst() }
    }

    /// Takes the oldest report of those sessions that are still on; the others are dropped.
    mutating func next(isLive: (Int) -> Bool) -> Entry? {
        waiting.removeAll { !isLive($0.session) }
        return waiting.isEmpty ? nil : waiting.removeFirst()
    }

    /// Puts a report back that could not be sent, unless a newer one about the same playback has come.
    mutating func putBack(_ entry: Entry) {
        let isOutdated = waiting.contains {
            $0.session == entry.session && $0.report.trackID == entry.report.trackID
        }
        if isOutdated, !entry.report.hasEnded { return }
        waiting.insert(entry, at: 0)
    }
}
