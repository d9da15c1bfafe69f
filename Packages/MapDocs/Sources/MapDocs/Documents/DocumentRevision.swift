/// One published state of a document: `revision` in its `project.json`.
public struct DocumentRevision: Hashable, Sendable, Codable {
    /// Counts the publishes; 0 for a project that says nothing about it.
    public let number: Int
    /// The content of this revision.
    public let fingerprint: DocumentFingerprint
    /// When it was published, in seconds since 1970, by the clock of the device that did; only for showing.
    public let publishedAt: Double?
    /// Who published it, a device or a person; only for showing.
    public let publishedBy: String?

    /// Makes a revision.
    ///
    /// - Parameters:
    ///   - number: The count of publishes, from 0.
    ///   - fingerprint: The content.
    ///   - publishedAt: Seconds since 1970.
    ///   - publishedBy: A device or a person.
    public init(
        number: Int,
        fingerprint: DocumentFingerprint,
        publishedAt: Double? = nil,
        publishedBy: String? = nil
    ) {
        self.number = number
        self.fingerprint = fingerprint
        self.publishedAt = publishedAt
        self.publishedBy = publishedBy
    }

    private enum CodingKeys: String, CodingKey {
        case number
        case fingerprint
        case publishedAt = "published_at"
        case publishedBy = "published_by"
    }

    /// Whether two revisions are the same state of a document: number and content decide, dates and names never do.
    ///
    /// This is the comparison of a store's compare-and-swap.
    ///
    /// - Parameter other: The revision to compare with.
    /// - Returns: True when number and fingerprint are equal.
    public func isSameState(as other: DocumentRevision) -> Bool {
        number == other.number && fingerprint == other.fingerprint
    }
}
