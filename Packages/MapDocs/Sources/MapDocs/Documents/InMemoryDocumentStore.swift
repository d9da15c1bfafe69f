public import TransportCore

/// A document store in memory, with every promise of the seam and the faults that tests need.
public actor InMemoryDocumentStore {
    private struct Document {
        var number: Int
        var publishedAt: Double?
        var publishedBy: String?
        var contents: InMemoryDocumentContents
        var fingerprint: DocumentFingerprint
        var isConflictCopy = false
        var isRevisionHidden = false

        var revision: DocumentRevision {
            DocumentRevision(
                number: number,
                fingerprint: fingerprint,
                publishedAt: publishedAt,
                publishedBy: publishedBy
            )
        }
    }

    private static let chunkBytes = 65_536

    private let digest: any ContentDigest
    private var documents: [DocumentName: Document] = [:]
    private var watchers: [AsyncStream<[DocumentListing]>.Continuation] = []
    private var reason: DocumentUnavailability?

    /// Makes an empty store.
    ///
    /// - Parameter digest: What computes SHA-256.
    public init(digest: any ContentDigest) {
        self.digest = digest
    }

    private var listings: [DocumentListing] {
        documents.keys.sorted { $0.fileName.utf8.lexicographicallyPrecedes($1.fileName.utf8) }.compactMap { name in
            documents[name].map { document in
                DocumentListing(
                    name: name,
                    revision: document.isRevisionHidden ? nil : document.revision,
                    isDownloaded: true,
                    isConflictCopy: document.isConflictCopy
                )
            }
        }
    }

    private func checkAvailable() throws(DocumentStoreError) {
        if let reason { throw .unavailable(reason) }
    }

    private func knownDocument(_ name: DocumentName) throws(DocumentStoreError) -> Document {
        guard let document = documents[name] else { throw .notFound(name) }
        guard !document.isRevisionHidden else { throw .revisionUnknown(name) }
        return document
    }

    private func store(
        _ contents: InMemoryDocumentContents,
        as name: DocumentName,
        revision: DocumentRevision,
        isConflictCopy: Bool
    ) {
        documents[name] = Document(
            number: revision.number,
            publishedAt: revision.publishedAt,
            publishedBy: revision.publishedBy,
            contents: contents,
            fingerprint: revision.fingerprint,
            isConflictCopy: isConflictCopy
        )
        announce()
    }

    private func announce() {
        let present = listings
        watchers.removeAll { watcher in
            if case .terminated = watcher.yield(present) { true } else { false }
        }
    }

    /// Reads a whole staged package and returns it if it is what it says it is.
    private func verified(
        _ staged: StagedDocument,
        for name: DocumentName
    ) async throws(DocumentStoreError) -> InMemoryDocumentContents {
        guard try fingerprint(of: staged.contents.files) == staged.revision.fingerprint else {
            throw .damaged(name.fileName, reason: "its files do not match the fingerprint of its revision")
        }
        let received = InMemoryDocumentDestination()
        try await copy(staged.contents, of: name, to: received) { _ in }
        try await received.commit()
        let contents = try InMemoryDocumentContents(received.package ?? [:], digest: digest)
        // Paths that differ only in how letters are composed are one key here and would be merged.
        guard contents.files == staged.contents.files else {
            throw .damaged(name.fileName, reason: "its files are not in byte order or have paths that look the same")
        }
        return contents
    }

    /// Copies contents file by file, checking each against its entry before the copy can be committed.
    private func copy(
        _ contents: some DocumentContents,
        of name: DocumentName,
        to destination: any DocumentDestination,
        progress: @Sendable (DocumentProgress) -> Void
    ) async throws(DocumentStoreError) {
        let total = contents.files.reduce(0) { $0 + $1.size }
        var completed = 0
        for file in contents.files {
            var bytes: [UInt8] = []
            while true {
                if Task.isCancelled { throw .cancelled(name) }
                let chunk = try await contents.read(file.path, from: bytes.count, count: Self.chunkBytes)
                bytes += chunk
                try await destination.append(chunk, to: file.path)
                progress(
                    DocumentProgress(completedBytes: completed + min(bytes.count, file.size), totalBytes: total)
                )
                if chunk.isEmpty { break }
            }
            guard try PublishedFile(path: file.path, contents: bytes, digest: digest) == file else {
                throw .damaged("\(name.fileName)/\(file.path)", reason: "its content does not match its SHA-256")
            }
            completed += file.size
        }
        progress(DocumentProgress(completedBytes: total, totalBytes: total))
        if Task.isCancelled { throw .cancelled(name) }
    }

    private func fingerprint(of files: [PublishedFile]) throws(DocumentStoreError) -> DocumentFingerprint {
        try DocumentFingerprint(of: files, digest: digest)
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension InMemoryDocumentStore: DocumentStore {
    public var unavailability: DocumentUnavailability? { reason }

    public func list() async throws(DocumentStoreError) -> [DocumentListing] {
        try checkAvailable()
        return listings
    }

    public func watch() async -> AsyncStream<[DocumentListing]> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: [DocumentListing].self,
            bufferingPolicy: .bufferingNewest(1)
        )
        continuation.yield(listings)
        watchers.append(continuation)
        return stream
    }

    public func currentRevision(of name: DocumentName) async throws(DocumentStoreError) -> DocumentRevision {
        try checkAvailable()
        return try knownDocument(name).revision
    }

    public func fetch(
        _ name: DocumentName,
        into destination: any DocumentDestination,
        progress: @Sendable (DocumentProgress) -> Void
    ) async throws(DocumentStoreError) -> DocumentRevision {
        do {
            try checkAvailable()
            // Taken once: what is published from here on does not mix with it.
            let document = try knownDocument(name)
            try await copy(document.contents, of: name, to: destination, progress: progress)
            try await destination.commit()
            return document.revision
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
        try checkAvailable()
        let contents = try await verified(staged, for: name)
        // From here on nothing suspends, so nobody gets between the comparison and the swap.
        try checkAvailable()
        let current = try documents[name] == nil ? nil : knownDocument(name).revision
        switch base {
        case .nothing:
            guard current == nil else { return .conflict(current: current) }
        case .revision(let expected):
            guard let current, current.isSameState(as: expected) else { return .conflict(current: current) }
            guard staged.revision.number > expected.number else {
                throw .damaged(
                    name.fileName,
                    reason: "its revision \(staged.revision.number) does not come after \(expected.number)"
                )
            }
        }
        store(contents, as: name, revision: staged.revision, isConflictCopy: documents[name]?.isConflictCopy ?? false)
        return .published(staged.revision)
    }

    public func createConflictCopy(
        _ staged: StagedDocument,
        named names: ConflictCopyName
    ) async throws(DocumentStoreError) -> DocumentName {
        try checkAvailable()
        let contents = try await verified(staged, for: names.candidate(1))
        try checkAvailable()
        var number = 1
        while documents[names.candidate(number)] != nil { number += 1 }
        let name = names.candidate(number)
        store(contents, as: name, revision: staged.revision, isConflictCopy: true)
        return name
    }
}

extension InMemoryDocumentStore {
    /// Makes the store unavailable for a reason, or available again with nil.
    ///
    /// - Parameter reason: Why calls fail from now on.
    public func setUnavailability(_ reason: DocumentUnavailability?) {
        self.reason = reason
    }

    /// Makes the store unable to tell a document's revision, as a sync program in the middle of its work is.
    ///
    /// - Parameters:
    ///   - isHidden: Whether the revision is unknown from now on.
    ///   - name: The document.
    public func setRevisionHidden(_ isHidden: Bool, of name: DocumentName) {
        documents[name]?.isRevisionHidden = isHidden
        announce()
    }

    /// Replaces a document's files behind the store's back, as another program does: the revision number stays.
    ///
    /// - Parameters:
    ///   - name: The document.
    ///   - contents: The new files.
    /// - Throws: `DocumentStoreError` with the code `notFound`.
    public func overwrite(
        _ name: DocumentName,
        with contents: InMemoryDocumentContents
    ) throws(DocumentStoreError) {
        guard var document = documents[name] else { throw .notFound(name) }
        document.fingerprint = try fingerprint(of: contents.files)
        document.contents = contents
        documents[name] = document
        announce()
    }

    /// Turns over one bit of a stored file, as a bad disk does: the revision stays.
    ///
    /// - Parameters:
    ///   - path: The file inside the package.
    ///   - name: The document.
    public func damage(_ path: String, of name: DocumentName) {
        guard let contents = documents[name]?.contents else { return }
        documents[name]?.contents = contents.damaging(path)
    }
}
