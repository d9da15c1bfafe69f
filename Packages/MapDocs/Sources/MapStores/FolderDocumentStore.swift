public import MapDocs
import Synchronization
public import TransportCore

/// Map packages in a folder: a local one, one on a network share, or one that a sync program keeps the same elsewhere.
///
/// A publish stages the package beside the old one, takes an advisory lock, reads the revision that is there byte for
/// byte, and swaps the two folders in one step, or, where the file system cannot, moves the old one aside and the new
/// one in under a journal that whoever comes next finishes or undoes. Programs that know nothing of the lock are
/// noticed: what they changed until the swap is put back and makes a conflict. Everything is synchronized before it
/// counts, so a crash of the machine leaves the old package or the new one.
///
/// A package that was opened by its path is published back through a store over the folder it lies in. Packages on
/// read-only media can be listed and fetched.
///
/// The published bytes of a package are read once, and written once; those that it replaces are read once. Reading
/// (`currentRevision`, `publish`) never trusts a date; `list` and `watch`, which only show, read a package again when
/// any of its files has another stamp.
public final class FolderDocumentStore: Sendable {
    struct State {
        var lastListing: [DocumentListing] = []
        var readings: [[UInt8]: PackageFolder.Reading] = [:]
        var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastWatcher = 0
    }

    /// How long one waits for somebody else's lock at first; the time doubles up to `longestPause`.
    private static let firstPause = Duration.milliseconds(1)
    private static let longestPause = Duration.milliseconds(64)

    let root: String
    let fileSystem: any FileSystem
    let digest: any ContentDigest
    let clock: any Clock<Duration>
    let patience: Duration
    let pollInterval: Duration
    let state = Mutex(State())

    /// Makes a store over a folder that is there.
    ///
    /// - Parameters:
    ///   - root: The absolute path of the folder that has the packages.
    ///   - fileSystem: Where the folder is.
    ///   - digest: What computes SHA-256.
    ///   - clock: What waiting for another program's lock, and the time between two looks of `watch`, is measured on.
    ///   - patience: How long a publish waits for another one of the same document to finish.
    ///   - pollInterval: How often `watch` looks for what other programs have changed.
    public init(
        _ root: String,
        in fileSystem: any FileSystem = PosixFileSystem(),
        digest: any ContentDigest,
        clock: any Clock<Duration> = ContinuousClock(),
        patience: Duration = .seconds(60),
        pollInterval: Duration = .seconds(2)
    ) {
        self.root = root.utf8.count > 1 && root.hasSuffix("/") ? String(root.dropLast()) : root
        self.fileSystem = fileSystem
        self.digest = digest
        self.clock = clock
        self.patience = patience
        self.pollInterval = pollInterval
    }

    // MARK: Finding

    func layout(_ name: DocumentName) -> PublishLayout {
        PublishLayout(root: root, name: name, digest: digest)
    }

    func package(_ name: DocumentName, at path: String) -> PackageFolder {
        PackageFolder(path: path, name: name, fileSystem: fileSystem, digest: digest)
    }

    func onDisk<Result>(
        _ subject: DocumentName,
        _ body: () throws(FileSystemError) -> Result
    ) throws(DocumentStoreError) -> Result {
        do throws(FileSystemError) {
            return try body()
        } catch {
            throw DocumentStoreError(error, about: subject.fileName)
        }
    }

    func checkAvailable() throws(DocumentStoreError) {
        if let reason = findUnavailability() { throw .unavailable(reason) }
    }

    private func findUnavailability() -> DocumentUnavailability? {
        do throws(FileSystemError) {
            switch try fileSystem.entry(at: root)?.kind {
            case .directory: return nil
            case nil: return .offline
            default: return .other("its place is not a folder")
            }
        } catch {
            return .other(error.code == .denied ? "this user may not look into its folder" : error.message)
        }
    }

    /// Returns the folder of a document, which can be spelled with other bytes or another case of the ending.
    func find(_ name: DocumentName) throws(DocumentStoreError) -> PackageFolder? {
        try onDisk(name) { () throws(FileSystemError) in
            let path = "\(root)/\(name.fileName)"
            if try fileSystem.entry(at: path)?.kind == .directory { return package(name, at: path) }
            for entry in try fileSystem.entries(in: root) where entry.kind == .directory {
                if let other = try? DocumentName(fileName: entry.name), other == name {
                    return package(name, at: "\(root)/\(entry.name)")
                }
            }
            return nil
        }
    }

    /// Returns a document that is there or says what is instead.
    func findDownloaded(_ name: DocumentName) throws(DocumentStoreError) -> PackageFolder {
        if let package = try find(name) { return package }
        if try isPlaceholder(name) { throw notDownloaded(name, .revisionUnknown) }
        throw .notFound(name)
    }

    func isPlaceholder(_ name: DocumentName) throws(DocumentStoreError) -> Bool {
        try onDisk(name) { () throws(FileSystemError) in
            try fileSystem.entry(at: "\(root)/\(SyncProgramNames.placeholder(of: name))")?.kind == .file
        }
    }

    func notDownloaded(_ name: DocumentName, _ code: DocumentStoreError.Code) -> DocumentStoreError {
        DocumentStoreError(
            code: code,
            subject: name.fileName,
            message: "“\(name.title)” is not downloaded yet; open it in the program that syncs this folder and try "
                + "again."
        )
    }

    // MARK: Locks

    /// Waits for a lock while somebody else has it.
    func takeLock(_ path: String, for name: DocumentName) async throws(DocumentStoreError) -> any FileLock {
        let stopwatch = Stopwatch(clock: clock)
        var pause = Self.firstPause
        while true {
            if Task.isCancelled { throw .cancelled(name) }
            if let lock = try onDisk(name, { () throws(FileSystemError) in try fileSystem.lock(path) }) { return lock }
            guard stopwatch.elapsed < patience else {
                throw DocumentStoreError(
                    code: .storage,
                    subject: name.fileName,
                    message: "“\(name.title)” is being published by another program that does not finish; end it and "
                        + "try again."
                )
            }
            do {
                try await stopwatch.sleep(until: stopwatch.elapsed + pause)
            } catch {
                throw .cancelled(name)
            }
            pause = min(pause * 2, Self.longestPause)
        }
    }

    /// Gives a lock back and removes its file, which is left only when that fails; then the next one uses it.
    func release(_ lock: any FileLock, at path: String) {
        try? fileSystem.remove(path)
        lock.unlock()
    }

    // MARK: Own changes

    /// Tells this store's watchers that it has changed something.
    func announce() {
        let watchers = state.withLock { Array($0.watchers.values) }
        for watcher in watchers { watcher.yield() }
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension FolderDocumentStore: DocumentStore {
    public var unavailability: DocumentUnavailability? {
        get async { findUnavailability() }
    }

    public func list() async throws(DocumentStoreError) -> [DocumentListing] {
        try await listNow()
    }

    public func watch() async -> AsyncStream<[DocumentListing]> {
        makeWatch()
    }

    public func currentRevision(of name: DocumentName) async throws(DocumentStoreError) -> DocumentRevision {
        try await readRevision(of: name)
    }

    public func fetch(
        _ name: DocumentName,
        into destination: any DocumentDestination,
        progress: @Sendable (DocumentProgress) -> Void
    ) async throws(DocumentStoreError) -> DocumentRevision {
        do throws(DocumentStoreError) {
            let revision = try await copy(name, into: destination, progress: progress)
            try await destination.commit()
            return revision
        } catch {
            await destination.discard()
            throw error
        }
    }

    public func publish(
        _ staged: StagedDocument,
        as name: DocumentName,
        replacing base: PublishBase
    ) async throws(DocumentStoreError) -> PublishOutcome {
        let outcome = try await swap(staged, as: name, replacing: base)
        if case .published = outcome { announce() }
        return outcome
    }

    public func createConflictCopy(
        _ staged: StagedDocument,
        named names: ConflictCopyName
    ) async throws(DocumentStoreError) -> DocumentName {
        let name = try await keepCopy(staged, named: names)
        announce()
        return name
    }
}
