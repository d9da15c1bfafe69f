/// Remembers when each row of the transcript first appeared, so that its entrance plays once.
///
/// A partial that grows or becomes final has appeared before. Rows that were stored do not enter at all.
public struct RowEntrances: Hashable, Sendable {
    private var times: [String: Duration] = [:]

    /// Makes a memory without rows.
    public init() {}

    /// Takes what changed in the transcript.
    ///
    /// - Parameters:
    ///   - changes: Changes, as the transcript returned them.
    ///   - now: Time since the session's start.
    public mutating func take(_ changes: [TranscriptChange], at now: Duration) {
        for change in changes {
            switch change {
            case .row(let row, isNew: true, _): times[row.id] = now
            case .row: break
            case .removed(let id): times[id] = nil
            }
        }
    }

    /// Forgets the rows whose entrance is over.
    ///
    /// - Parameters:
    ///   - duration: How long an entrance takes.
    ///   - now: Time since the session's start.
    public mutating func forget(olderThan duration: Duration, at now: Duration) {
        times = times.filter { now - $0.value < duration }
    }

    /// How long ago each row appeared, in seconds.
    ///
    /// - Parameter now: Time since the session's start.
    /// - Returns: Ages by row id.
    public func ages(at now: Duration) -> [String: Double] {
        times.mapValues { (now - $0) / .seconds(1) }
    }
}
