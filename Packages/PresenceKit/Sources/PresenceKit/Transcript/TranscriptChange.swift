/// What an event changed in a transcript.
public enum TranscriptChange: Hashable, Sendable {
    /// A row appeared or changed, and looks like this now.
    ///
    /// `isNew` is true the first time that the row is there; `isNewFinal` when its text has just become complete.
    case row(TranscriptRow, isNew: Bool, isNewFinal: Bool)
    /// The row with this id is gone.
    case removed(id: String)

    /// The row as it is now, or nil when it is gone.
    public var row: TranscriptRow? {
        switch self {
        case .row(let row, _, _): row
        case .removed: nil
        }
    }
}
