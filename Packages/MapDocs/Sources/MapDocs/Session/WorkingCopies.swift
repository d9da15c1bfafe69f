public import TransportCore

/// The working copies of documents in the app's own folder: opening, looking at, reloading and dropping them.
///
/// Each document has a folder of its own with the package, a file that remembers what was changed since the base, and a
/// lock, so that of several programs one edits. Edits are in the package at once; the app's folder is never published.
public struct WorkingCopies: Sendable {
    let home: String
    let files: any FileSystem
    let format: any MapPackageFormat
    let digest: any ContentDigest
    /// The name of this device or person, as it stands in revisions and notes.
    public let device: String
    let now: @Sendable () -> Double
    let makeID: @Sendable () -> String

    /// Makes the working copies of a folder.
    ///
    /// - Parameters:
    ///   - home: The absolute path of the app's own folder; it is made when it is not there.
    ///   - files: Where the folder is.
    ///   - format: What opens packages.
    ///   - digest: What computes SHA-256.
    ///   - device: The name of this device or person, as it stands in revisions, conflict copies and notes.
    ///   - now: The time in seconds since 1970.
    ///   - makeID: Makes identifiers that nobody else makes, such as UUIDs in lower case.
    public init(
        home: String,
        files: any FileSystem,
        format: any MapPackageFormat,
        digest: any ContentDigest,
        device: String,
        now: @escaping @Sendable () -> Double,
        makeID: @escaping @Sendable () -> String
    ) {
        self.home = home
        self.files = files
        self.format = format
        self.digest = digest
        self.device = device
        self.now = now
        self.makeID = makeID
    }

    func place(of source: DocumentSource) -> WorkingCopyPlace {
        WorkingCopyPlace(source, in: home, digest: digest)
    }
}

// MARK: Opening

extension WorkingCopies {
    /// Opens a document to look at and edit it.
    ///
    /// A working copy with changes is opened as it is, whatever the store has; one without is fetched again when the
    /// store has another revision. While the store cannot be used, what is on the device is opened.
    ///
    /// - Parameters:
    ///   - source: The document.
    ///   - store: The store that the source names.
    ///   - progress: Called while the document is fetched.
    /// - Returns: The session, which has the working copy to itself until it is closed.
    /// - Throws: `MapSessionError`: `inUse`, `damaged`, `full`, `storage`, `cancelled`, `store` when it is not on the
    ///   device and cannot be fetched.
    @concurrent
    public func open(
        _ source: DocumentSource,
        from store: any DocumentStore,
        progress: @Sendable (DocumentProgress) -> Void = { _ in }
    ) async throws(MapSessionError) -> EditSession {
        let place = place(of: source)
        let lock = try takeLock(place, source.name)
        do {
            return try await open(source, at: place, lock, from: store, progress)
        } catch {
            lock.unlock()
            throw MapSessionError(error)
        }
    }

    private func takeLock(
        _ place: WorkingCopyPlace,
        _ name: DocumentName
    ) throws(MapSessionError) -> any FileLock {
        let lock = try MapSessionError.taking {
            try createFolder(place.folder)
            return try files.lock(place.lock)
        }
        guard let lock else { throw .inUse(name) }
        return lock
    }

    /// Makes a folder and those above it, safe from a crash of the machine: what is put into it later relies on that.
    private func createFolder(_ path: String) throws(FileSystemError) {
        guard try files.entry(at: path) == nil else { return }
        let parent = FilePath.parent(of: path)
        if parent != path { try createFolder(parent) }
        try files.createDirectories(path, isPrivate: true)
        try files.synchronize(parent)
    }

    private func open(
        _ source: DocumentSource,
        at place: WorkingCopyPlace,
        _ lock: any FileLock,
        from store: any DocumentStore,
        _ progress: @Sendable (DocumentProgress) -> Void
    ) async throws -> EditSession {
        if let found = try read(place) {
            // A line that was cut off must not become part of the next one.
            if found.isCut { try write(found.record, to: place) }
            let record = try await settle(found.record, at: place, with: store)
            removeLeftovers(at: place, keeping: record)
            let session = try EditSession(WorkingState(record, at: place, self), at: place, lock: lock, self)
            guard await session.changeCount == 0, record.stage == nil,
                let current = try? await store.currentRevision(of: source.name),
                !current.isSameState(as: record.base.revision)
            else { return session }
            let fetched: WorkingState
            do {
                fetched = try await fetch(source, at: place, from: store, progress)
            } catch {
                await session.rewriteRecord()
                // What is here is whole and better than nothing.
                guard MapSessionError(error).code == .cancelled else { return session }
                _ = await session.detach()
                throw error
            }
            _ = await session.detach()
            return try EditSession(fetched, at: place, lock: lock, self)
        }
        let fetched = try await fetch(source, at: place, from: store, progress)
        return try EditSession(fetched, at: place, lock: lock, self)
    }

    /// Reads what is remembered about a working copy; nil when there is none.
    func read(_ place: WorkingCopyPlace) throws -> (record: SessionRecord, isCut: Bool)? {
        guard try files.entry(at: place.record) != nil,
            let found = try SessionRecord.read(try files.contents(of: place.record)),
            try files.entry(at: place.package(found.record))?.kind == .directory
        else { return nil }
        return found
    }

    func write(_ record: SessionRecord, to place: WorkingCopyPlace) throws(FileSystemError) {
        try files.replace(place.record, with: record.bytes, by: place.temporary, isPrivate: true)
    }

    /// Finds out how a publish ended that was stopped in its middle: the store knows.
    ///
    /// While the store cannot be asked the record stays as it is: what is changed meanwhile is recorded against what may
    /// have been published.
    func settle(
        _ record: SessionRecord,
        at place: WorkingCopyPlace,
        with store: any DocumentStore
    ) async throws -> SessionRecord {
        guard record.stage != nil else { return record }
        var settled = record
        if record.stage?.publishing != nil {
            guard let current = await found(record.base.source.name, in: store) else { return record }
            settled.settle(storeHas: current.revision)
        } else {
            settled.fold()
        }
        let isRebased = settled.base.revision != record.base.revision
        if isRebased, settled.originals.keys.isEmpty {
            settled.base.contentDigest = contentDigest(of: place.package(record), for: .editing)
        }
        try write(settled, to: place)
        return settled
    }

    struct FoundRevision: Sendable {
        /// What the store has; nil when the document is not there.
        let revision: DocumentRevision?
    }

    /// Asks a store what it has; nil when it does not say.
    func found(_ name: DocumentName, in store: any DocumentStore) async -> FoundRevision? {
        do {
            return FoundRevision(revision: try await store.currentRevision(of: name))
        } catch {
            return error.code == .notFound ? FoundRevision(revision: nil) : nil
        }
    }

    /// The digest of a database's content, or nil when it cannot be computed: then it is only not known to be the same.
    func contentDigest(of folder: String, for access: MapPackageAccess) -> String? {
        guard let package = try? format.open(folder, for: access) else { return nil }
        defer { package.close() }
        return try? package.contentDigest()
    }

    /// Removes what interrupted work has left; what cannot be removed now is left to the next time.
    private func removeLeftovers(at place: WorkingCopyPlace, keeping record: SessionRecord) {
        for path in [place.staged, place.theirs, "\(place.theirs).partial", place.temporary] {
            try? files.remove(path)
        }
        for name in (try? place.packages(in: files)) ?? [] where name != record.base.package {
            try? files.remove("\(place.folder)/\(name)")
        }
    }

    /// Fetches a document, opens it, and makes it the working copy in one step; one that is there is replaced.
    private func fetch(
        _ source: DocumentSource,
        at place: WorkingCopyPlace,
        from store: any DocumentStore,
        _ progress: @Sendable (DocumentProgress) -> Void
    ) async throws -> WorkingState {
        let name = try place.nextPackage(in: files)
        let folder = "\(place.folder)/\(name)"
        do {
            let fetched = try await fetchPackage(source.name, into: folder, from: store, progress)
            let record = SessionRecord(
                base: SessionRecord.Base(
                    id: makeID(),
                    source: source,
                    revision: fetched.revision,
                    package: name,
                    project: fetched.project,
                    files: fetched.files,
                    contentDigest: fetched.contentDigest
                )
            )
            let working = try WorkingState(record, at: place, self)
            do {
                // From here on it is the working copy.
                try write(record, to: place)
            } catch {
                working.package.close()
                throw error
            }
            removeLeftovers(at: place, keeping: record)
            return working
        } catch {
            // A record that could not be made safe may be in place all the same.
            if (try? read(place))?.record.base.package != name { try? files.remove(folder) }
            throw error
        }
    }

    struct FetchedPackage: Sendable {
        let revision: DocumentRevision
        let project: MapProject
        let files: [PublishedFile]
        let contentDigest: String?
    }

    /// Fetches a document into a folder that is not there yet and looks what it is.
    func fetchPackage(
        _ name: DocumentName,
        into folder: String,
        from store: any DocumentStore,
        _ progress: @Sendable (DocumentProgress) -> Void
    ) async throws -> FetchedPackage {
        let revision = try await store.fetch(
            name,
            into: FolderDocumentDestination(folder, in: files),
            progress: progress
        )
        // Logs of a database that came along are not part of what was published and would be played back into it.
        for ending in ["-wal", "-shm", "-journal"] {
            try files.remove("\(folder)/\(format.databaseName)\(ending)")
        }
        let path = "\(folder)/\(PublishedFile.projectPath)"
        guard try files.entry(at: path)?.kind == .file else {
            throw DocumentStoreError.damaged(name.fileName, reason: "it has no \(PublishedFile.projectPath)")
        }
        let project = try MapProject(parsing: try files.contents(of: path))
        let contents = try FolderDocumentContents(folder, in: files, digest: digest)
        let package = try format.open(folder, for: .reading)
        defer { package.close() }
        return FetchedPackage(
            revision: revision,
            project: project,
            files: contents.files,
            contentDigest: try? package.contentDigest()
        )
    }
}

// MARK: Replacing and dropping

extension WorkingCopies {
    /// Replaces a working copy by what the store has, after what is lost was named.
    ///
    /// - Parameters:
    ///   - session: The session; closed when this returns, usable as before when it throws.
    ///   - store: The store that its source names.
    ///   - losses: What was named, from the session's `losses()`.
    ///   - progress: Called while the document is fetched.
    /// - Returns: A session on what was fetched.
    /// - Throws: `MapSessionError`: `lossesChanged` when something else would be lost, `publishing`, `store`, `damaged`,
    ///   `full`, `storage`, `cancelled`; nothing is lost then.
    @concurrent
    public func reload(
        _ session: EditSession,
        from store: any DocumentStore,
        losing losses: LocalLosses,
        progress: @Sendable (DocumentProgress) -> Void = { _ in }
    ) async throws(MapSessionError) -> EditSession {
        try await session.freeze(expecting: losses.changes)
        return try await replace(session, from: store, progress)
    }

    /// Replaces the working copy of a session that is frozen; it is no more when this throws.
    func replace(
        _ session: EditSession,
        from store: any DocumentStore,
        _ progress: @Sendable (DocumentProgress) -> Void
    ) async throws(MapSessionError) -> EditSession {
        do {
            let place = place(of: session.source)
            let fetched = try await fetch(session.source, at: place, from: store, progress)
            guard let lock = await session.detach() else {
                fetched.package.close()
                throw EditSession.closedError
            }
            return try EditSession(fetched, at: place, lock: lock, self)
        } catch {
            await session.unfreeze()
            throw MapSessionError(error)
        }
    }

    /// Returns what dropping a working copy would lose.
    ///
    /// - Parameter source: The document.
    /// - Returns: The changes that are in no store; nil when there is no working copy.
    /// - Throws: `MapSessionError`: `damaged`, `storage`.
    @concurrent
    public func losses(of source: DocumentSource) async throws(MapSessionError) -> LocalLosses? {
        try MapSessionError.taking {
            guard let record = try read(place(of: source))?.record else { return nil }
            return LocalLosses(name: source.name, changes: try pendingChanges(record, at: place(of: source)))
        }
    }

    private func pendingChanges(_ record: SessionRecord, at place: WorkingCopyPlace) throws -> [PendingChange] {
        let state = try WorkingState(record, at: place, self)
        defer { state.package.close() }
        return state.pendingChanges(try state.featureChanges())
    }

    /// Drops a working copy, after what is lost was named.
    ///
    /// - Parameters:
    ///   - source: The document.
    ///   - losses: What was named, from `losses(of:)`; nil drops a working copy that is damaged or has no changes.
    /// - Throws: `MapSessionError`: `inUse`, `noWorkingCopy`, `lossesChanged` when something else would be lost,
    ///   `storage`.
    @concurrent
    public func discard(_ source: DocumentSource, losing losses: LocalLosses?) async throws(MapSessionError) {
        let place = place(of: source)
        let isThere = try MapSessionError.taking { try files.entry(at: place.record) != nil }
        guard isThere else { throw .noWorkingCopy(source.name) }
        let lock = try takeLock(place, source.name)
        defer { lock.unlock() }
        try MapSessionError.taking {
            if let losses {
                let present = try read(place).map { try pendingChanges($0.record, at: place) } ?? []
                guard present == losses.changes else { throw Self.lossesChanged(source.name, present) }
            } else if let found = try? read(place), let present = try? pendingChanges(found.record, at: place) {
                guard present.isEmpty else { throw Self.lossesChanged(source.name, present) }
            }
            // Without its record a working copy is none, however much of it is still there.
            try files.remove(place.record)
            try files.synchronize(place.folder)
            try files.remove(place.folder)
        }
    }

    static func lossesChanged(_ name: DocumentName, _ changes: [PendingChange]) -> MapSessionError {
        MapSessionError(
            code: .lossesChanged,
            subject: name.fileName,
            message: "Nothing was dropped, because other changes would be lost than were named. "
                + LocalLosses(name: name, changes: changes).words
        )
    }
}
