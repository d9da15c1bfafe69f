import DocumentStoreConformance
import Foundation
import MapDocs
import Synchronization
import TransportCore

/// A store that breaks one promise on purpose.
final class CheatingDocumentStore: DocumentStore {
    private struct State {
        var publishes = 0
        var firstListing: [DocumentListing]?
        var known: [DocumentName: DocumentRevision] = [:]
    }

    private let base: any DocumentStore
    private let law: DocumentStoreLaw
    private let digest = SoftwareContentDigest()
    private let state = Mutex(State())

    init(_ base: any DocumentStore, breaking law: DocumentStoreLaw) {
        self.base = base
        self.law = law
    }

    var unavailability: DocumentUnavailability? {
        get async { law == .unavailableSaysSoInEveryCall ? nil : await base.unavailability }
    }

    func list() async throws(DocumentStoreError) -> [DocumentListing] {
        let listing = try await base.list()
        switch law {
        case .listsInByteOrder: return listing.reversed()
        case .listsTheRevisionsThatAreThere:
            let first = state.withLock { state in
                if state.firstListing?.isEmpty != false { state.firstListing = listing }
                return state.firstListing
            }
            return first ?? listing
        case .unknownRevisionIsSaid:
            let known = state.withLock { $0.known }
            return listing.map {
                DocumentListing(name: $0.name, revision: known[$0.name], isDownloaded: true, isConflictCopy: false)
            }
        case .conflictCopyIsMarked:
            return listing.map {
                DocumentListing(name: $0.name, revision: $0.revision, isDownloaded: true, isConflictCopy: false)
            }
        default: return listing
        }
    }

    func watch() async -> AsyncStream<[DocumentListing]> {
        let listing = (try? await base.list()) ?? []
        switch law {
        case .watchGivesThePresentAndThenTheNewest, .watchKeepsTheLastKnownWhileUnavailable:
            let (stream, continuation) = AsyncStream.makeStream(of: [DocumentListing].self)
            continuation.yield(listing)
            continuation.finish()
            return stream
        case .slowWatcherGetsTheNewest:
            let (stream, continuation) = AsyncStream.makeStream(of: [DocumentListing].self)
            for _ in 0..<3 { continuation.yield(listing) }
            return stream
        default: return await base.watch()
        }
    }

    func currentRevision(of name: DocumentName) async throws(DocumentStoreError) -> DocumentRevision {
        switch law {
        case .missingDocumentIsNotFound, .errorsNameTheDocument:
            do throws(DocumentStoreError) {
                return try await base.currentRevision(of: name)
            } catch {
                throw DocumentStoreError(
                    code: law == .errorsNameTheDocument ? error.code : .storage,
                    subject: "it",
                    message: "It failed."
                )
            }
        case .revisionIsThatOfTheContent, .unknownRevisionIsSaid:
            if let known = state.withLock({ $0.known[name] }) { return known }
            return try await base.currentRevision(of: name)
        default: return try await base.currentRevision(of: name)
        }
    }

    func fetch(
        _ name: DocumentName,
        into destination: any DocumentDestination,
        progress: @Sendable (DocumentProgress) -> Void
    ) async throws(DocumentStoreError) -> DocumentRevision {
        switch law {
        case .fetchGivesWhatWasPublished:
            let revision = try await base.fetch(name, into: destination, progress: progress)
            return DocumentRevision(number: revision.number + 1, fingerprint: revision.fingerprint)
        case .everyFileSurvives:
            return try await base.fetch(name, into: Filter(destination) { !$0.contains("/") }, progress: progress)
        case .progressGrowsToTheWhole:
            return try await base.fetch(name, into: destination) { step in
                progress(
                    DocumentProgress(completedBytes: step.totalBytes - step.completedBytes, totalBytes: step.totalBytes)
                )
            }
        case .fetchIsWholeWhileSomebodyPublishes:
            let first = Filter(destination, isTransaction: false) { $0 == "data.gpkg" }
            _ = try await base.fetch(name, into: first) { _ in }
            let rest = Filter(destination) { $0 != "data.gpkg" }
            return try await base.fetch(name, into: rest, progress: progress)
        case .damagedDocumentIsNeverCommitted, .destinationIsCommittedOnce:
            let careless = Filter(destination, isTransaction: false) { _ in true }
            let revision: DocumentRevision
            do throws(DocumentStoreError) {
                revision = try await base.fetch(name, into: careless, progress: progress)
            } catch {
                try await destination.commit()
                throw error
            }
            try await destination.commit()
            try await destination.commit()
            return revision
        case .failedDestinationIsDiscarded:
            return try await base.fetch(
                name,
                into: Filter(destination, discards: false) { _ in true },
                progress: progress
            )
        case .cancelledFetchLeavesNothing, .fetchCancelledHalfwayLeavesNothing:
            let base = base
            let whole = InMemoryDocumentDestination()
            let revision = try await Self.uncancelled { () throws(DocumentStoreError) in
                try await base.fetch(name, into: whole) { _ in }
            }
            for (path, bytes) in whole.package ?? [:] { try await destination.append(bytes, to: path) }
            try await destination.commit()
            return revision
        default: return try await base.fetch(name, into: destination, progress: progress)
        }
    }

    func publish(
        _ staged: StagedDocument,
        as name: DocumentName,
        replacing base: PublishBase
    ) async throws(DocumentStoreError) -> PublishOutcome {
        let store = self.base
        var outcome: PublishOutcome
        switch law {
        case .presentDocumentIsNotCreatedAgain, .olderBaseIsAConflict, .otherContentIsAConflict,
            .unknownRevisionRefusesToPublish, .otherStoreCannotOverwrite:
            // The last writer wins.
            outcome = .published(staged.revision)
        case .goneDocumentIsNotBroughtBack:
            outcome = try await store.publish(staged, as: name, replacing: .nothing)
        case .datesDecideNothing:
            outcome = try await store.publish(staged, as: name, replacing: base)
            if let time = staged.revision.publishedAt, time < 0 { outcome = .conflict(current: nil) }
        case .conflictWritesNothing:
            outcome = try await store.publish(staged, as: name, replacing: base)
            if case .conflict(let current?) = outcome {
                _ = try await store.publish(staged, as: name, replacing: .revision(current))
            }
        case .meetingPublishersHaveOneWinner, .racingPublishersHaveOneWinner:
            _ = try await store.publish(staged, as: name, replacing: base)
            outcome = .published(staged.revision)
        case .documentsAreSeparate:
            outcome = try await store.publish(staged, as: name, replacing: base)
            if name.title == "Zoo", let harbour = try? DocumentName(title: "Harbour"),
                let current = try? await store.currentRevision(of: harbour), current.number < staged.revision.number
            {
                _ = try await store.publish(staged, as: harbour, replacing: .revision(current))
            }
        case .wrongFingerprintIsRefused, .wrongBytesAreRefused, .longerBytesAreRefused:
            outcome = .published(staged.revision)
        case .numberMustGrow:
            outcome = .published(staged.revision)
        case .unreadablePackageWritesNothing:
            outcome = .published(staged.revision)
        case .cancelledPublishWritesNothing, .publishCancelledHalfwayWritesNothing:
            var files: [String: [UInt8]] = [:]
            for file in staged.contents.files {
                files[file.path] = try await staged.contents.read(file.path, from: 0, count: file.size + 1)
            }
            let copied = StagedDocument(
                revision: staged.revision,
                contents: try InMemoryDocumentContents(files, digest: digest)
            )
            outcome = try await Self.uncancelled { () throws(DocumentStoreError) in
                try await store.publish(copied, as: name, replacing: base)
            }
        case .publishReportsWhatIsThere:
            _ = try await store.publish(staged, as: name, replacing: base)
            outcome = .published(DocumentRevision(number: 99, fingerprint: staged.revision.fingerprint))
        default: outcome = try await store.publish(staged, as: name, replacing: base)
        }
        if case .published = outcome, law != .cancelledPublishWritesNothing {
            let isFirst = state.withLock { state in
                if state.known[name] == nil { state.known[name] = staged.revision }
                state.publishes += 1
                return state.publishes == 1
            }
            switch law {
            case .presentDocumentIsNotCreatedAgain, .olderBaseIsAConflict, .otherContentIsAConflict,
                .unknownRevisionRefusesToPublish, .wrongFingerprintIsRefused, .wrongBytesAreRefused,
                .longerBytesAreRefused, .numberMustGrow, .otherStoreCannotOverwrite:
                if isFirst { return try await store.publish(staged, as: name, replacing: base) }
            default: break
            }
        }
        return outcome
    }

    func createConflictCopy(
        _ staged: StagedDocument,
        named names: ConflictCopyName
    ) async throws(DocumentStoreError) -> DocumentName {
        switch law {
        case .conflictCopiesAreNeverOverwritten, .racingConflictCopiesAreAllKept:
            _ = try? await base.createConflictCopy(staged, named: names)
            return names.candidate(1)
        case .conflictCopyLeavesTheDocument:
            if let harbour = try? DocumentName(title: "Harbour"),
                let current = try? await base.currentRevision(of: harbour)
            {
                _ = try await base.publish(staged, as: harbour, replacing: .revision(current))
            }
            return try await base.createConflictCopy(staged, named: names)
        case .wrongConflictCopyIsRefused: return names.candidate(1)
        case .cancelledConflictCopyWritesNothing:
            let base = base
            return try await Self.uncancelled { () throws(DocumentStoreError) in
                try await base.createConflictCopy(staged, named: names)
            }
        default: return try await base.createConflictCopy(staged, named: names)
        }
    }

    /// Runs a call where the caller's cancellation does not reach it.
    private static func uncancelled<Result: Sendable>(
        _ body: @escaping @Sendable () async throws(DocumentStoreError) -> Result
    ) async throws(DocumentStoreError) -> Result {
        let result: Swift.Result<Result, DocumentStoreError> = await Task.detached {
            do throws(DocumentStoreError) {
                return .success(try await body())
            } catch {
                return .failure(error)
            }
        }.value
        return try result.get()
    }
}

/// A destination that passes on a part of what is done to it.
private final class Filter: DocumentDestination {
    private let base: any DocumentDestination
    private let isTransaction: Bool
    private let discards: Bool
    private let passes: @Sendable (String) -> Bool

    init(
        _ base: any DocumentDestination,
        isTransaction: Bool = true,
        discards: Bool = true,
        passes: @escaping @Sendable (String) -> Bool
    ) {
        self.base = base
        self.isTransaction = isTransaction
        self.discards = discards
        self.passes = passes
    }

    func append(_ bytes: [UInt8], to path: String) async throws(DocumentStoreError) {
        if passes(path) { try await base.append(bytes, to: path) }
    }

    func commit() async throws(DocumentStoreError) {
        if isTransaction { try await base.commit() }
    }

    func discard() async {
        if isTransaction && discards { await base.discard() }
    }
}
