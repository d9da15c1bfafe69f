/// How a publish ended that did not fail.
public enum PublishReport: Hashable, Sendable {
    /// The store has this revision now, and nothing is unpublished but what was changed meanwhile.
    case published(DocumentRevision)
    /// The store has something else than the base; nothing was written.
    case conflict(DocumentConflict)
    /// There are no changes; the store was not asked.
    case nothingToPublish(DocumentRevision)
}

/// A document that changed in the store and here, and what can be done about it.
public struct DocumentConflict: Hashable, Sendable {
    /// The document.
    public let source: DocumentSource
    /// The revision that the changes here started from.
    public let base: DocumentRevision
    /// The revision that the store has, or nil when the document is not there any more.
    public let current: DocumentRevision?
    /// What changed on either side, or nil when what is there cannot be fetched or read.
    public let comparison: RevisionComparison?
    /// What reloading would lose.
    public let losses: LocalLosses

    /// What is said above the choices.
    public var message: String {
        guard current != nil else {
            return "“\(source.name.title)” is not \(source.isLocal ? "at its place" : "in iCloud") any more."
        }
        return "The \(source.isLocal ? "file" : "iCloud copy") changed since you started editing."
    }
}

/// What can be done about a conflict; all have the same weight.
public enum ConflictChoice: String, CaseIterable, Hashable, Sendable {
    /// Take what the store has; local work is lost.
    case reload
    /// Keep both: the local work as a copy beside what the store has.
    case saveConflictCopy = "save_conflict_copy"
    /// Decide later; nothing changes.
    case cancel

    /// Returns the words of the choice.
    ///
    /// - Parameter source: The document that the conflict is about.
    /// - Returns: The words.
    public func title(for source: DocumentSource) -> String {
        switch self {
        case .reload: source.isLocal ? "Reload the file" : "Reload iCloud version"
        case .saveConflictCopy: "Save as conflict copy"
        case .cancel: "Cancel"
        }
    }
}
