public import Foundation
import TransportCore

/// Publishes what was changed in a session, without ever overwriting somebody else's work.
///
/// A publish stages a clean package beside the working copy, checks it, and hands it to the store's compare-and-swap.
/// Whatever fails, and wherever the process is stopped, the working copy keeps every change, and the next publish or
/// opening finds out from the store how the last publish ended.
public struct DocumentPublisher: Sendable {
    private static let mostAttempts = 5
    /// The largest revision number that every reader of JSON takes as it is (RFC 7493).
    private static let largestNumber = (1 << 53) - 1

    private let copies: WorkingCopies
    private let secrets: any SecretStore
    private let timeZone: TimeZone

    /// Makes a publisher.
    ///
    /// - Parameters:
    ///   - copies: The working copies that the sessions come from.
    ///   - secrets: The secrets that must not be in a package.
    ///   - timeZone: The time zone of the date in the names of conflict copies.
    public init(copies: WorkingCopies, secrets: any SecretStore, timeZone: TimeZone) {
        self.copies = copies
        self.secrets = secrets
        self.timeZone = timeZone
    }

    // MARK: Publishing

    /// Publishes the changes of a session.
    ///
    /// When the store's package has other bytes but the same data as the base, as after a look with another program, the
    /// publish goes on over it.
    ///
    /// - Parameters:
    ///   - session: The session; edits can go on meanwhile and are then the next changes.
    ///   - store: The store that its source names.
    ///   - progress: Called with growing numbers of bytes while the store takes the package.
    /// - Returns: How it ended.
    /// - Throws: `MapSessionError`: `unfit` with the places when the package has faults or secrets, `store` when the store
    ///   failed or cannot tell its revision, `publishing`, `locked`, `full`, `storage`, `cancelled`, `closed`. Nothing is
    ///   lost.
    @concurrent
    public func publish(
        _ session: EditSession,
        to store: any DocumentStore,
        progress: @escaping @Sendable (DocumentProgress) -> Void = { _ in }
    ) async throws(MapSessionError) -> PublishReport {
        try await session.beginPublish()
        do {
            try await settle(session, with: store)
        } catch {
            await session.didLosePublish()
            throw error
        }
        guard await session.changeCount > 0 else {
            let base = await session.base
            await session.didNotPublish()
            return .nothingToPublish(base)
        }
        let place = copies.place(of: session.source)
        defer { removeTemporaries(place) }
        let staged: Staged
        do {
            staged = try await stage(session, at: place, progress)
            try check(staged)
        } catch {
            await session.didNotPublish()
            throw MapSessionError(error)
        }
        return try await swap(staged, of: session, in: store)
    }

    private func removeTemporaries(_ place: WorkingCopyPlace) {
        try? copies.files.remove(place.staged)
        try? copies.files.remove(place.theirs)
    }

    private func settle(_ session: EditSession, with store: any DocumentStore) async throws(MapSessionError) {
        guard await session.hasUnsettledPublish else { return }
        do {
            try await session.settle(storeHas: try await store.currentRevision(of: session.source.name))
        } catch let error as DocumentStoreError where error.code == .notFound {
            try await session.settle(storeHas: nil)
        } catch {
            throw MapSessionError(error)
        }
    }

    /// A package that is ready but for the revision in its project.
    private struct Staged {
        let folder: String
        let basis: EditSession.Basis
        let project: MapProject
        let contents: StagedContents
        let fingerprint: DocumentFingerprint
    }

    private func stage(
        _ session: EditSession,
        at place: WorkingCopyPlace,
        _ progress: @escaping @Sendable (DocumentProgress) -> Void
    ) async throws -> Staged {
        try copies.files.remove(place.staged)
        try copies.files.createDirectory(place.staged, isPrivate: true)
        let basis = try await session.stage(in: place.staged)
        let project = basis.working.project
        try write(project, to: place.staged)
        let contents = try StagedContents(
            place.staged,
            over: place.package(basis.working.record),
            own: [PublishedFile.projectPath, copies.format.databaseName],
            in: copies.files,
            digest: copies.digest,
            progress: progress
        )
        return Staged(
            folder: place.staged,
            basis: basis,
            project: project,
            contents: contents,
            fingerprint: try DocumentFingerprint(of: contents.files, digest: copies.digest)
        )
    }

    private func write(_ project: MapProject, to folder: String) throws(FileSystemError) {
        let path = "\(folder)/\(PublishedFile.projectPath)"
        try copies.files.remove(path)
        try copies.files.write(project.bytes, toNew: path, isPrivate: false)
    }

    /// Gives a staged package its revision; the fingerprint does not depend on it.
    private func revise(_ staged: Staged, after number: Int) throws -> DocumentRevision {
        guard number < Self.largestNumber else {
            let name = staged.basis.working.record.base.source.name
            throw MapSessionError(
                code: .unfit,
                subject: name.fileName,
                message: "“\(name.title)” was not published, and nothing was lost: \(PublishedFile.projectPath) says "
                    + "that it is revision \(number), after which there is none. Correct the number there and publish "
                    + "again."
            )
        }
        let revision = DocumentRevision(
            number: number + 1,
            fingerprint: staged.fingerprint,
            publishedAt: copies.now(),
            publishedBy: copies.device
        )
        var project = staged.project
        project.setRevision(revision)
        try write(project, to: staged.folder)
        return revision
    }

    private func swap(
        _ staged: Staged,
        of session: EditSession,
        in store: any DocumentStore
    ) async throws(MapSessionError) -> PublishReport {
        let name = session.source.name
        var base = staged.basis.working.record.base.revision
        var attempt = 1
        while true {
            let revision: DocumentRevision
            do {
                revision = try revise(staged, after: base.number)
                try await session.willPublish(.init(revision: revision, files: staged.contents.files))
            } catch {
                await session.didNotPublish()
                throw MapSessionError(error)
            }
            // While the store is busy: the digest is only needed for the next publish.
            async let contentDigest = copies.contentDigest(of: staged.folder, for: .reading)
            let outcome: PublishOutcome
            do {
                outcome = try await store.publish(
                    StagedDocument(revision: revision, contents: staged.contents),
                    as: name,
                    replacing: .revision(base)
                )
            } catch {
                // An answer can get lost on its way: what the store has tells.
                guard let found = await copies.found(name, in: store) else {
                    await session.didLosePublish()
                    throw MapSessionError(error)
                }
                guard found.revision?.isSameState(as: revision) == true else {
                    await session.didNotPublish()
                    throw MapSessionError(error)
                }
                outcome = .published(revision)
            }
            switch outcome {
            case .published(let published):
                await session.didPublish(contentDigest: await contentDigest)
                return .published(published)
            case .conflict(let current):
                let found = await look(at: current, of: staged.basis, in: store)
                if found.isSameContent, let current = found.current, attempt < Self.mostAttempts {
                    base = current
                    attempt += 1
                    continue
                }
                await session.didNotPublish()
                return .conflict(await conflict(session, found))
            }
        }
    }

    // MARK: Checking

    private func check(_ staged: Staged) throws {
        let database = copies.format.databaseName
        var faults = try copies.format.findFaults(in: staged.folder)
        if faults.isEmpty {
            let package = try copies.format.open(staged.folder, for: .reading)
            defer { package.close() }
            let tables = Set(try package.tables().map(\.name))
            for layer in staged.project.layers where !tables.contains(layer.table) {
                faults.append(
                    "\(PublishedFile.projectPath): the layer “\(layer.name)” has no table “\(layer.table)” in \(database)"
                )
            }
            let findings = try SecretScan(secrets).findings(
                in: staged.contents,
                package: package,
                project: staged.project.json,
                files: copies.files
            )
            faults += findings.map(\.words)
        }
        try Task.checkCancellation()
        guard faults.isEmpty else {
            let name = staged.basis.working.record.base.source.name
            let reasons = faults.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 }.joined(separator: "; ")
            throw MapSessionError(
                code: .unfit,
                subject: name.fileName,
                message:
                    "“\(name.title)” was not published, and nothing was lost: \(reasons). Correct this and publish "
                    + "again."
            )
        }
    }

    // MARK: Conflicts

    /// What the store has instead of the base.
    private struct Look {
        var current: DocumentRevision?
        var isSameContent = false
        var comparison: RevisionComparison?
    }

    private func look(
        at current: DocumentRevision?,
        of basis: EditSession.Basis,
        in store: any DocumentStore
    ) async -> Look {
        var look = Look(current: current)
        guard current != nil else { return look }
        let folder = basis.place.theirs
        let base = basis.working.record.base
        do {
            try copies.files.remove(folder)
            let theirs = try await copies.fetchPackage(base.source.name, into: folder, from: store) { _ in }
            look.current = theirs.revision
            look.isSameContent = RevisionComparer.isSameContent(base, theirs, copies.format.databaseName)
            if !look.isSameContent {
                let package = try copies.format.open(folder, for: .reading)
                defer { package.close() }
                var comparer = RevisionComparer(
                    basis,
                    with: theirs,
                    package: package,
                    databaseName: copies.format.databaseName
                )
                look.comparison = try comparer.compare()
            }
        } catch {
            // The comparison informs the choice; without it the choice is still there.
        }
        return look
    }

    private func conflict(_ session: EditSession, _ look: Look) async -> DocumentConflict {
        DocumentConflict(
            source: session.source,
            base: await session.base,
            current: look.current,
            comparison: look.comparison,
            losses: await session.losses()
        )
    }

    /// Returns the conflict that publishing would meet, or nil when there is none.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - store: The store that its source names.
    /// - Returns: The conflict with its comparison.
    /// - Throws: `MapSessionError`: `store` when it cannot be asked, `storage`, `cancelled`.
    @concurrent
    public func conflict(
        of session: EditSession,
        in store: any DocumentStore
    ) async throws(MapSessionError) -> DocumentConflict? {
        guard await session.changeCount > 0 else { return nil }
        let current: DocumentRevision?
        do {
            current = try await store.currentRevision(of: session.source.name)
        } catch {
            guard error.code == .notFound else { throw MapSessionError(error) }
            current = nil
        }
        guard await current?.isSameState(as: session.base) != true else { return nil }
        let basis = await session.basis()
        defer { try? copies.files.remove(basis.place.theirs) }
        let found = await look(at: current, of: basis, in: store)
        return found.isSameContent ? nil : await conflict(session, found)
    }

    /// Keeps the local work of a session as a document of its own, and reloads what the store has.
    ///
    /// - Parameters:
    ///   - session: The session; closed when this returns, usable as before when it throws.
    ///   - store: The store that its source names.
    /// - Returns: The name of the copy, and a session on the document as the store has it.
    /// - Throws: `MapSessionError` as `publish`; when only reloading failed it says so and names the copy.
    @concurrent
    public func saveConflictCopy(
        _ session: EditSession,
        in store: any DocumentStore
    ) async throws(MapSessionError) -> (copy: DocumentName, session: EditSession) {
        let name = session.source.name
        try await session.freeze(expecting: nil)
        let place = copies.place(of: session.source)
        defer { removeTemporaries(place) }
        let copy: DocumentName
        do {
            try await settle(session, with: store)
            let staged = try await stage(session, at: place) { _ in }
            try check(staged)
            let number = staged.basis.working.record.base.revision.number
            let revision = try revise(staged, after: min(number, Self.largestNumber - 1))
            copy = try await store.createConflictCopy(
                StagedDocument(revision: revision, contents: staged.contents),
                named: ConflictCopyName(
                    of: name,
                    device: copies.device,
                    at: Date(timeIntervalSince1970: copies.now()),
                    in: timeZone
                )
            )
        } catch {
            await session.didNotPublish()
            await session.unfreeze()
            throw MapSessionError(error)
        }
        await session.didNotPublish()
        do {
            return (copy, try await copies.replace(session, from: store) { _ in })
        } catch {
            throw MapSessionError(
                code: error.code,
                subject: error.subject,
                message: "Your changes are kept as “\(copy.title)”, but “\(name.title)” could not be reloaded: "
                    + error.message
            )
        }
    }
}
