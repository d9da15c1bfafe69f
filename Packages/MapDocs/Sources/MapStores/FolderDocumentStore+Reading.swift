import MapDocs
import Synchronization
import TransportCore

extension FolderDocumentStore {
    // MARK: Listing

    @concurrent
    func listNow() async throws(DocumentStoreError) -> [DocumentListing] {
        try checkAvailable()
        let entries = try await settledEntries()
        var found: [DocumentName: DocumentListing] = [:]
        for entry in entries where entry.kind == .directory {
            guard let name = try? DocumentName(fileName: entry.name), found[name] == nil else { continue }
            found[name] = DocumentListing(
                name: name,
                revision: try knownRevision(of: package(name, at: "\(root)/\(entry.name)")),
                isDownloaded: true,
                isConflictCopy: SyncProgramNames.isConflictCopy(name)
            )
        }
        for entry in entries where entry.kind == .file {
            guard let name = SyncProgramNames.document(ofPlaceholder: entry.name), found[name] == nil else { continue }
            found[name] = DocumentListing(
                name: name,
                revision: nil,
                isDownloaded: false,
                isConflictCopy: SyncProgramNames.isConflictCopy(name)
            )
        }
        let listing = found.values.sorted {
            $0.name.fileName.utf8.lexicographicallyPrecedes($1.name.fileName.utf8)
        }
        let present = Set(found.keys.map { Array($0.fileName.utf8) })
        state.withLock { state in
            state.lastListing = listing
            state.readings = state.readings.filter { present.contains($0.key) }
        }
        return listing
    }

    /// Returns what the store's folder has once everything that was interrupted is finished or undone.
    private func settledEntries() async throws(DocumentStoreError) -> [FileEntry] {
        let entries = try entriesOfRoot()
        let leftovers = PublishLayout.leftovers(among: entries, root: root)
        guard !leftovers.isEmpty else { return entries }
        for leftover in leftovers { try await settle(leftover) }
        return try entriesOfRoot()
    }

    private func entriesOfRoot() throws(DocumentStoreError) -> [FileEntry] {
        do throws(FileSystemError) {
            return try fileSystem.entries(in: root)
        } catch {
            throw DocumentStoreError(error, about: "store")
        }
    }

    /// Returns the revision of a package for showing, reading it only when one of its stamps has changed.
    private func knownRevision(of package: PackageFolder) throws(DocumentStoreError) -> DocumentRevision? {
        let key = Array(package.name.fileName.utf8)
        do throws(DocumentStoreError) {
            let scan = try PackageFolderScan(package.path, in: fileSystem)
            let known = state.withLock { $0.readings[key] }
            if let known, known.scan == scan, scan.files.allSatisfy({ $0.stamp != nil }) { return known.revision }
            let reading = try package.read()
            state.withLock { $0.readings[key] = reading }
            return reading.revision
        } catch {
            // One package that cannot be read does not hide the others.
            if error.code == .cancelled { throw error }
            return nil
        }
    }

    // MARK: Watching

    func makeWatch() -> AsyncStream<[DocumentListing]> {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.lastWatcher += 1
            state.watchers[state.lastWatcher] = continuation
            return state.lastWatcher
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.watchers[number] = nil }
        }
        let watch = FolderWatch(store: self, signals: signals, end: continuation)
        return AsyncStream(unfolding: { await watch.next() }, onCancel: { continuation.finish() })
    }

    /// Lists again, or returns the last known listing while the store is unavailable.
    func listForWatch() async -> [DocumentListing] {
        (try? await listNow()) ?? state.withLock { $0.lastListing }
    }

    func waitForChange(_ signals: AsyncStream<Void>) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [clock, pollInterval] in
                try? await Stopwatch(clock: clock).sleep(until: pollInterval)
            }
            group.addTask {
                for await _ in signals { return }
            }
            await group.next()
            group.cancelAll()
        }
    }

    // MARK: Fetching

    @concurrent
    func readRevision(of name: DocumentName) async throws(DocumentStoreError) -> DocumentRevision {
        try checkAvailable()
        try await settle(name)
        return try findDownloaded(name).read().revision
    }

    @concurrent
    func copy(
        _ name: DocumentName,
        into destination: any DocumentDestination,
        progress: @Sendable (DocumentProgress) -> Void
    ) async throws(DocumentStoreError) -> DocumentRevision {
        try checkAvailable()
        try await settle(name)
        if try find(name) == nil, try isPlaceholder(name) {
            throw notDownloaded(name, .unavailable(.other("not downloaded yet")))
        }
        let package = try PinnedPackage(name, in: self)
        defer { package.close() }
        let total = package.scan.files.reduce(0) { $0 + $1.size }
        var completed = 0
        var files: [PublishedFile] = []
        var project: [UInt8]?
        for file in package.scan.files {
            var hasher = digest.makeHasher()
            var bytes: [UInt8] = []
            let isProject = file.path == PublishedFile.projectPath
            var size = 0
            let source = try package.open(file)
            defer { package.closeUnpinned(source, of: file) }
            while true {
                if Task.isCancelled { throw .cancelled(name) }
                let chunk = try onDisk(name) { () throws(FileSystemError) in
                    try source.read(from: size, count: Self.chunkBytes)
                }
                if !chunk.isEmpty || size == 0 { try await destination.append(chunk, to: file.path) }
                if chunk.isEmpty { break }
                hasher.update(chunk)
                if isProject { bytes += chunk }
                size += chunk.count
                completed += chunk.count
                progress(DocumentProgress(completedBytes: min(completed, total), totalBytes: total))
            }
            if isProject {
                project = bytes
                files.append(try PublishedFile(path: file.path, contents: bytes, digest: digest))
            } else {
                files.append(
                    try PublishedFile(
                        path: file.path,
                        size: size,
                        sha256: FolderDocumentContents.hexadecimal(hasher.finalize())
                    )
                )
            }
        }
        try package.checkUnchanged()
        progress(DocumentProgress(completedBytes: total, totalBytes: total))
        if Task.isCancelled { throw .cancelled(name) }
        let fingerprint = try DocumentFingerprint(of: files, digest: digest)
        do throws(DocumentStoreError) {
            return try package.folder.revision(project, fingerprint: fingerprint)
        } catch {
            throw .damaged(name.fileName, reason: error.message)
        }
    }
}

/// What one reader of a store's changes has seen.
private actor FolderWatch {
    private let store: FolderDocumentStore
    private let signals: AsyncStream<Void>
    /// Ends with the watch, so that the store forgets it.
    private let end: AsyncStream<Void>.Continuation
    private var last: [DocumentListing]?

    init(store: FolderDocumentStore, signals: AsyncStream<Void>, end: AsyncStream<Void>.Continuation) {
        self.store = store
        self.signals = signals
        self.end = end
    }

    deinit { end.finish() }

    func next() async -> [DocumentListing]? {
        while !Task.isCancelled {
            let listing = await store.listForWatch()
            if Task.isCancelled { break }
            if listing != last {
                last = listing
                return listing
            }
            await store.waitForChange(signals)
        }
        return nil
    }
}
