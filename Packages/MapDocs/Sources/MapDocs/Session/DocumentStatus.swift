/// What is known about a document on this device and in its store: a row of the library.
public struct DocumentStatus: Hashable, Sendable {
    /// Where the document is.
    public let source: DocumentSource
    /// What people are told about it.
    public let state: DocumentState
    /// How many changes are in no store.
    public let changes: Int
    /// The revision that the working copy started from, or nil without one.
    public let base: DocumentRevision?
    /// The revision in the store, or nil when it is not known or the document is not there.
    public let remote: DocumentRevision?
    /// How many layers it has, or nil when that is not known without fetching.
    public let layers: Int?
    /// When it was last edited or published, in seconds since 1970, or nil; only for showing.
    public let editedAt: Double?
    /// Why it is in its state, in words for people, or nil when there is nothing to say.
    public let reason: String?
}

extension WorkingCopies {
    /// Returns what is known about a document.
    ///
    /// - Parameters:
    ///   - source: The document.
    ///   - store: The store that the source names.
    /// - Returns: What is known; other bytes of the same data are no conflict.
    /// - Throws: `MapSessionError`: `damaged` or `storage` when the working copy cannot be read; `store` with the code
    ///   `notFound` when the document is neither here nor there.
    @concurrent
    public func status(
        of source: DocumentSource,
        in store: any DocumentStore
    ) async throws(MapSessionError) -> DocumentStatus {
        let unavailability = await store.unavailability
        var remote: DocumentRevision?
        var problem: DocumentStoreError?
        do {
            remote = try await store.currentRevision(of: source.name)
        } catch {
            problem = error
        }
        let known = Remote(revision: remote, isGone: problem?.code == .notFound, unavailability: unavailability)
        let status = try MapSessionError.taking { try makeStatus(source, known) }
        if status.base == nil, let problem, problem.code == .notFound { throw MapSessionError(problem) }
        guard status.state == .conflict, status.remote?.number == status.base?.number else { return status }
        // Nobody published, and yet the bytes are others: looking at a database is enough for some programs.
        guard await isSameContent(source, in: store) else { return status }
        return DocumentStatus(
            source: source,
            state: .edited(changes: status.changes),
            changes: status.changes,
            base: status.base,
            remote: status.remote,
            layers: status.layers,
            editedAt: status.editedAt,
            reason: nil
        )
    }

    /// Whether the store has the same data as the base, however its bytes lie; false when that cannot be found out.
    private func isSameContent(_ source: DocumentSource, in store: any DocumentStore) async -> Bool {
        let place = place(of: source)
        // A leftover of a look that was stopped is removed like that of a fetch.
        let folder = "\(place.folder)/\(WorkingCopyPlace.packagePrefix)look-\(makeID())"
        defer { try? files.remove(folder) }
        guard let record = try? read(place)?.record,
            let theirs = try? await fetchPackage(source.name, into: folder, from: store, { _ in })
        else { return false }
        return RevisionComparer.isSameContent(record.base, theirs, format.databaseName)
    }

    /// Returns the rows of the library: what the store has and what is only here, in byte order of the file names.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - identifier: What identifies it on this device, as in `DocumentSource`.
    /// - Returns: The rows; working copies that cannot be read are among them, with the reason.
    /// - Throws: `MapSessionError`: `store` when it fails for another reason than being unavailable, `storage`.
    @concurrent
    public func library(
        of store: any DocumentStore,
        identifiedBy identifier: String
    ) async throws(MapSessionError) -> [DocumentStatus] {
        let unavailability = await store.unavailability
        var listings: [DocumentListing] = []
        do {
            if unavailability == nil { listings = try await store.list() }
        } catch {
            throw MapSessionError(error)
        }
        let copies = try sources()
        let listed = Set(listings.map(\.name))
        var rows: [DocumentStatus] = []
        for listing in listings {
            let source = DocumentSource(store: identifier, name: listing.name)
            rows.append(row(source, Remote(revision: listing.revision, isGone: false, unavailability: nil)))
        }
        for source in copies where source.store == identifier && !source.isLocal && !listed.contains(source.name) {
            let isGone = unavailability == nil
            rows.append(row(source, Remote(revision: nil, isGone: isGone, unavailability: unavailability)))
        }
        return rows.sorted {
            $0.source.name.fileName.utf8.lexicographicallyPrecedes($1.source.name.fileName.utf8)
        }
    }

    /// Returns the documents that have a working copy, in byte order of their folders.
    ///
    /// - Throws: `MapSessionError` with the code `storage`.
    public func sources() throws(MapSessionError) -> [DocumentSource] {
        try MapSessionError.taking {
            guard try files.entry(at: home) != nil else { return [] }
            return try files.entries(in: home).compactMap { entry in
                let place = WorkingCopyPlace(folder: "\(home)/\(entry.name)")
                return (try? read(place))?.record.base.source
            }
        }
    }

    /// What is known about a document in its store.
    private struct Remote {
        let revision: DocumentRevision?
        let isGone: Bool
        let unavailability: DocumentUnavailability?
    }

    private func row(_ source: DocumentSource, _ remote: Remote) -> DocumentStatus {
        do {
            return try makeStatus(source, remote)
        } catch {
            return DocumentStatus(
                source: source,
                state: .unavailable(.other("its working copy cannot be read")),
                changes: 0,
                base: nil,
                remote: remote.revision,
                layers: nil,
                editedAt: nil,
                reason: MapSessionError(error).message
            )
        }
    }

    private func makeStatus(_ source: DocumentSource, _ remote: Remote) throws -> DocumentStatus {
        let place = place(of: source)
        guard let record = try read(place)?.record else {
            return DocumentStatus(
                source: source,
                state: remote.unavailability.map { .unavailable($0) } ?? .available,
                changes: 0,
                base: nil,
                remote: remote.revision,
                layers: nil,
                editedAt: remote.revision?.publishedAt,
                reason: remote.unavailability?.words
            )
        }
        let state = try WorkingState(record, at: place, self)
        defer { state.package.close() }
        let changes = state.pendingChanges(try state.featureChanges()).count
        // What a publish that was interrupted has put there is ours.
        let isBase = [record.base.revision, record.stage?.publishing?.revision].contains { revision in
            guard let revision, let current = remote.revision else { return false }
            return current.isSameState(as: revision)
        }
        let hasMoved = remote.isGone || (remote.revision != nil && !isBase)
        let shown: DocumentState =
            if changes > 0 {
                hasMoved ? .conflict : .edited(changes: changes)
            } else if remote.unavailability != nil || remote.isGone || remote.revision == nil {
                .offlineCopy
            } else {
                isBase ? .synced : .available
            }
        let reason =
            remote.unavailability?.words
            ?? (remote.isGone
                ? "it is not in the store any more"
                : hasMoved
                    ? (changes > 0 ? "it changed in the store since editing began" : "the store has a newer revision")
                    : state.project.readOnlyReason)
        return DocumentStatus(
            source: source,
            state: shown,
            changes: changes,
            base: record.base.revision,
            remote: remote.revision,
            layers: state.project.layers.count,
            editedAt: changes > 0 ? try files.entry(at: place.record)?.modifiedAt : record.base.revision.publishedAt,
            reason: reason
        )
    }
}
