/// A place that keeps map packages and never loses an edit to a race.
///
/// For implementers:
///
/// - Calls can overlap, from any number of tasks and, where the place allows it, processes and devices.
/// - A revision's fingerprint is that of the content that is really there. What `project.json` claims, dates and sizes
///   decide nothing: they can be equal for different content.
/// - `publish` is one compare-and-swap: of several publishers with the same base exactly one gets `published`.
/// - At every moment, a crash included, the store has each document whole: the old revision or the new one.
/// - A cancelled call throws `cancelled` and leaves nothing behind; once the swap has happened it reports success.
/// - Errors name the document, the reason and the way out, and carry no secrets.
///
/// An Apple backend would coordinate reads and writes of iCloud Drive with NSFileCoordinator and watch with
/// NSMetadataQuery.
public protocol DocumentStore: Sendable {
    /// Why the store cannot be used now, or nil when it can; calls then throw `unavailable` with the same reason.
    var unavailability: DocumentUnavailability? { get async }

    /// Returns every document in byte order of the file names, those that are not downloaded included.
    ///
    /// - Throws: `DocumentStoreError`: `unavailable`, `storage`, `cancelled`.
    func list() async throws(DocumentStoreError) -> [DocumentListing]

    /// Returns the listings from now on: the present one at once, then one after each change.
    ///
    /// Only the newest listing waits for a slow reader. While the store is unavailable the listing is the last known.
    func watch() async -> AsyncStream<[DocumentListing]>

    /// Returns the revision that the store has now.
    ///
    /// - Parameter name: The document.
    /// - Returns: The number, and the fingerprint of the content that is there.
    /// - Throws: `DocumentStoreError`: `notFound`; `revisionUnknown` when the store cannot tell, which never counts as
    ///   unchanged; `unavailable`, `storage`, `cancelled`.
    func currentRevision(of name: DocumentName) async throws(DocumentStoreError) -> DocumentRevision

    /// Copies a document to a destination and commits it once its content matches the revision's fingerprint.
    ///
    /// - Parameters:
    ///   - name: The document.
    ///   - destination: Where to put it; committed when this returns, discarded when it throws.
    ///   - progress: Called with growing numbers of bytes, from any task; the last one is complete.
    /// - Returns: The revision that was fetched, one whole state even when somebody publishes meanwhile.
    /// - Throws: `DocumentStoreError`: `notFound`, `damaged` when the content does not match, `unavailable`,
    ///   `storage`, `cancelled`.
    func fetch(
        _ name: DocumentName,
        into destination: any DocumentDestination,
        progress: @Sendable (DocumentProgress) -> Void
    ) async throws(DocumentStoreError) -> DocumentRevision

    /// Replaces a document if it is still what the edit started from.
    ///
    /// When only bytes differ and the data do not, the caller may publish again over the revision that the conflict
    /// names; a store never decides that.
    ///
    /// - Parameters:
    ///   - staged: The new revision; its content is checked against its own fingerprint before anything is written.
    ///   - name: The document.
    ///   - base: What the store must have for the swap to happen.
    /// - Returns: `published` with the revision that is now there, or `conflict` with the one that was found: then
    ///   nothing was written.
    /// - Throws: `DocumentStoreError`: `revisionUnknown` when the store cannot tell what it has, `damaged` when the
    ///   staged content is not what it says or its number is not above the base's, `unavailable`, `storage`,
    ///   `cancelled`; nothing was written.
    func publish(
        _ staged: StagedDocument,
        as name: DocumentName,
        replacing base: PublishBase
    ) async throws(DocumentStoreError) -> PublishOutcome

    /// Keeps a package beside the others under the first of the names that is free, never overwriting one.
    ///
    /// - Parameters:
    ///   - staged: The package to keep, checked like one that is published.
    ///   - names: The names to try in order.
    /// - Returns: The name it got.
    /// - Throws: `DocumentStoreError`: `damaged`, `unavailable`, `storage`, `cancelled`; nothing was written.
    func createConflictCopy(
        _ staged: StagedDocument,
        named names: ConflictCopyName
    ) async throws(DocumentStoreError) -> DocumentName
}

/// One document as a store lists it.
public struct DocumentListing: Hashable, Sendable {
    /// The document.
    public let name: DocumentName
    /// The revision in the store, or nil when the store cannot tell without fetching.
    public let revision: DocumentRevision?
    /// Whether the content is at hand; false for the placeholder of a sync program.
    public let isDownloaded: Bool
    /// Whether it is a copy that was made at a conflict.
    public let isConflictCopy: Bool

    /// Makes a listing.
    ///
    /// - Parameters:
    ///   - name: The document.
    ///   - revision: The revision in the store, if known.
    ///   - isDownloaded: Whether the content is at hand.
    ///   - isConflictCopy: Whether it was made at a conflict.
    public init(name: DocumentName, revision: DocumentRevision?, isDownloaded: Bool, isConflictCopy: Bool) {
        self.name = name
        self.revision = revision
        self.isDownloaded = isDownloaded
        self.isConflictCopy = isConflictCopy
    }
}

/// How far a fetch has come.
public struct DocumentProgress: Hashable, Sendable {
    /// The bytes that have arrived.
    public let completedBytes: Int
    /// The bytes of the whole package.
    public let totalBytes: Int

    /// Makes a progress.
    ///
    /// - Parameters:
    ///   - completedBytes: The bytes that have arrived.
    ///   - totalBytes: The bytes of the whole package.
    public init(completedBytes: Int, totalBytes: Int) {
        self.completedBytes = completedBytes
        self.totalBytes = totalBytes
    }

    /// The part that is done, in 0...1; 1 for a package without bytes.
    public var fraction: Double {
        totalBytes > 0 ? min(max(Double(completedBytes) / Double(totalBytes), 0), 1) : 1
    }
}

/// A package that is ready to be published: its files and the revision it will be.
public struct StagedDocument: Sendable {
    /// The revision that the package has, or will have once published.
    public let revision: DocumentRevision
    /// The files of the package.
    public let contents: any DocumentContents

    /// Makes a staged package.
    ///
    /// - Parameters:
    ///   - revision: The revision, with the fingerprint of the contents.
    ///   - contents: The files.
    public init(revision: DocumentRevision, contents: any DocumentContents) {
        self.revision = revision
        self.contents = contents
    }
}

/// What a store must have for a publish to replace it.
public enum PublishBase: Hashable, Sendable {
    /// No document of that name.
    case nothing
    /// The same number and content as this revision.
    case revision(DocumentRevision)
}

/// How a publish ended.
public enum PublishOutcome: Hashable, Sendable {
    /// The store has this revision now.
    case published(DocumentRevision)
    /// The store had something else and still has it: the revision it has, or nil when the document is gone.
    case conflict(current: DocumentRevision?)
}
