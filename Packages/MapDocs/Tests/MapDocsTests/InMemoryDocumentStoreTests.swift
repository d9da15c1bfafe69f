import Foundation
import MapDocs
import Synchronization
import Testing
import TransportCore

struct InMemoryDocumentStoreTests {
    private let digest = SoftwareContentDigest()
    private let store = InMemoryDocumentStore(digest: SoftwareContentDigest())
    private let harbour: DocumentName

    init() throws {
        harbour = try DocumentName(title: "Harbour")
    }

    private func contents(_ data: String) throws -> InMemoryDocumentContents {
        let project = Array(#"{"format":"gispad","version":1}"#.utf8)
        return try InMemoryDocumentContents(["project.json": project, "data.gpkg": Array(data.utf8)], digest: digest)
    }

    private func staged(_ number: Int, _ data: String, at time: Double? = nil) throws -> StagedDocument {
        let contents = try contents(data)
        let fingerprint = try DocumentFingerprint(of: contents.files, digest: digest)
        return StagedDocument(
            revision: DocumentRevision(number: number, fingerprint: fingerprint, publishedAt: time),
            contents: contents
        )
    }

    /// Publishes the first revisions up to a number and returns the last.
    private func published(_ number: Int, _ data: String) async throws -> DocumentRevision {
        let staged = try staged(number, data)
        #expect(try await store.publish(staged, as: harbour, replacing: .nothing) == .published(staged.revision))
        return staged.revision
    }

    private func fetched() async throws -> String? {
        let destination = InMemoryDocumentDestination()
        _ = try await store.fetch(harbour, into: destination) { _ in }
        return destination.package?["data.gpkg"].map { String(decoding: $0, as: UTF8.self) }
    }

    private func code(_ body: () async throws -> Void) async -> DocumentStoreError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? DocumentStoreError)?.code
        }
    }

    @Test("What was published is fetched, with progress that grows to the whole")
    func readsBack() async throws {
        let data = String(repeating: "parcel ", count: 40_000)
        let revision = try await published(1, data)
        let destination = InMemoryDocumentDestination()
        let progress = Mutex<[Int]>([])
        let total = Mutex(0)
        let fetched = try await store.fetch(harbour, into: destination) { step in
            progress.withLock { $0.append(step.completedBytes) }
            total.withLock { $0 = step.totalBytes }
        }
        #expect(fetched == revision)
        #expect(destination.package?["data.gpkg"] == Array(data.utf8))
        #expect(progress.withLock { $0 == $0.sorted() && $0.count > 4 && $0.last == total.withLock { $0 } })
    }

    @Test("Two conflict copies within the same second are two packages (case 1)")
    func conflictCopies() async throws {
        let base = try await published(1, "base")
        let names = ConflictCopyName(
            of: harbour,
            device: "Phone",
            at: Date(timeIntervalSince1970: 1_795_961_025),
            in: .gmt
        )
        let first = try await store.createConflictCopy(staged(2, "mine"), named: names)
        let second = try await store.createConflictCopy(staged(2, "mine too"), named: names)
        #expect(first.title == "Harbour (conflict copy, Phone, 2026-11-29 14.03)")
        #expect(second.title == "Harbour (conflict copy, Phone, 2026-11-29 14.03) 2")
        let third = try await store.createConflictCopy(staged(2, "mine as well"), named: names)
        #expect(third == names.candidate(3))
        let listed = try await store.list()
        #expect(listed.map(\.name) == [second, third, first, harbour])
        #expect(listed.map(\.isConflictCopy) == [true, true, true, false])
        #expect(try await store.currentRevision(of: harbour) == base)
    }

    /// Contents that let another publisher in while they are read.
    private struct InterruptedContents: DocumentContents {
        let inner: InMemoryDocumentContents
        let interruption: @Sendable () async -> Void

        var files: [PublishedFile] { inner.files }

        func read(_ path: String, from offset: Int, count: Int) async throws(DocumentStoreError) -> [UInt8] {
            await interruption()
            return try await inner.read(path, from: offset, count: count)
        }
    }

    @Test("Of two publishers that meet in the middle of publishing one wins and the other gets a conflict (case 2)")
    func meeting() async throws {
        let base = try await published(5, "base")
        let rival = try staged(6, "rival")
        let mine = try staged(6, "mine")
        let store = store
        let harbour = harbour
        let interrupted = InterruptedContents(inner: try contents("mine")) {
            _ = try? await store.publish(rival, as: harbour, replacing: .revision(base))
        }
        let outcome = try await store.publish(
            StagedDocument(revision: mine.revision, contents: interrupted),
            as: harbour,
            replacing: .revision(base)
        )
        #expect(outcome == .conflict(current: rival.revision))
        #expect(try await fetched() == "rival")
    }

    @Test("Of twenty publishers at once exactly one wins")
    func race() async throws {
        let base = try await published(5, "base")
        let outcomes = try await withThrowingTaskGroup(of: PublishOutcome.self) { group in
            for index in 0..<20 {
                let staged = try staged(6, "edit \(index)")
                group.addTask { [store, harbour] in
                    try await store.publish(staged, as: harbour, replacing: .revision(base))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let winners = outcomes.filter { if case .published = $0 { true } else { false } }
        #expect(winners.count == 1)
        let current = try await store.currentRevision(of: harbour)
        #expect(winners.first == .published(current))
        #expect(outcomes.count { $0 == .conflict(current: current) } == 19)
    }

    @Test("A store that cannot tell its revision refuses to publish (case 3)")
    func unknownRevision() async throws {
        let base = try await published(5, "base")
        await store.setRevisionHidden(true, of: harbour)
        #expect(await code { _ = try await store.currentRevision(of: harbour) } == .revisionUnknown)
        for publishBase in [PublishBase.revision(base), .nothing] {
            let result = await code {
                _ = try await store.publish(staged(6, "mine"), as: harbour, replacing: publishBase)
            }
            #expect(result == .revisionUnknown)
        }
        #expect(try await store.list().map(\.revision) == [nil])
        await store.setRevisionHidden(false, of: harbour)
        #expect(try await fetched() == "base")
    }

    @Test("Other content of the same size, number and time is a conflict (case 4)")
    func replacedBehindTheBack() async throws {
        let base = try await published(5, "base")
        try await store.overwrite(harbour, with: contents("BASE"))
        let outcome = try await store.publish(staged(6, "mine"), as: harbour, replacing: .revision(base))
        guard case .conflict(let current) = outcome else {
            Issue.record("published over a change")
            return
        }
        #expect(current?.number == 5)
        #expect(current?.fingerprint != base.fingerprint)
        #expect(try await fetched() == "BASE")
    }

    @Test("Dates decide nothing: content does (case 5)", arguments: [-86_400, 4_000_000_000.0])
    func dates(time: Double) async throws {
        let first = try staged(5, "base", at: time)
        #expect(try await store.publish(first, as: harbour, replacing: .nothing) == .published(first.revision))
        let base = DocumentRevision(number: 5, fingerprint: first.revision.fingerprint, publishedAt: 0)
        let next = try staged(6, "mine", at: 1)
        #expect(try await store.publish(next, as: harbour, replacing: .revision(base)) == .published(next.revision))
    }

    @Test("An edit from an older revision is a conflict, even with the same content (case 7)")
    func olderBase() async throws {
        let sixth = try await published(6, "base")
        let seventh = try staged(7, "base")
        _ = try await store.publish(seventh, as: harbour, replacing: .revision(sixth))
        let outcome = try await store.publish(staged(8, "mine"), as: harbour, replacing: .revision(sixth))
        #expect(outcome == .conflict(current: seventh.revision))
    }

    @Test("A document that is there is not created again, one that is gone is not brought back")
    func presence() async throws {
        let base = try await published(1, "base")
        #expect(
            try await store.publish(staged(1, "other"), as: harbour, replacing: .nothing) == .conflict(current: base)
        )
        let elsewhere = try DocumentName(title: "Elsewhere")
        let outcome = try await store.publish(staged(2, "other"), as: elsewhere, replacing: .revision(base))
        #expect(outcome == .conflict(current: nil))
        #expect(await code { _ = try await store.currentRevision(of: elsewhere) } == .notFound)
    }

    @Test("A staged package that is not what it says is refused and nothing is written")
    func staging() async throws {
        let base = try await published(1, "base")
        let other = try staged(2, "other").revision
        let wrong = StagedDocument(revision: other, contents: try contents("mine"))
        #expect(await code { _ = try await store.publish(wrong, as: harbour, replacing: .revision(base)) } == .damaged)
        let same = try staged(1, "mine")
        #expect(await code { _ = try await store.publish(same, as: harbour, replacing: .revision(base)) } == .damaged)
        #expect(try await fetched() == "base")
    }

    @Test("A damaged document is named and never becomes visible")
    func damage() async throws {
        _ = try await published(1, "base")
        await store.damage("data.gpkg", of: harbour)
        let destination = InMemoryDocumentDestination()
        let error = await #expect(throws: DocumentStoreError.self) {
            try await store.fetch(harbour, into: destination) { _ in }
        }
        #expect(error?.code == .damaged)
        #expect(error?.message.contains("Harbour.gispad/data.gpkg") == true)
        #expect(destination.package == nil)
    }

    /// A destination that is full, written against the seam alone, and remembers how it was left.
    private final class FullDestination: DocumentDestination {
        let wasDiscarded = Mutex(false)

        func append(_ bytes: [UInt8], to path: String) async throws(DocumentStoreError) {}

        func commit() async throws(DocumentStoreError) {
            throw DocumentStoreError(code: .storage, subject: "disk", message: "The disk is full; make room.")
        }

        func discard() async { wasDiscarded.withLock { $0 = true } }
    }

    @Test("A destination that cannot be committed is discarded and its error comes through")
    func discards() async throws {
        _ = try await published(1, "base")
        let destination = FullDestination()
        let error = await #expect(throws: DocumentStoreError.self) {
            try await store.fetch(harbour, into: destination) { _ in }
        }
        #expect(error?.code == .storage)
        #expect(destination.wasDiscarded.withLock { $0 })
    }

    @Test("A cancelled fetch leaves nothing, a cancelled publish writes nothing")
    func cancellation() async throws {
        let base = try await published(1, "base")
        let destination = InMemoryDocumentDestination()
        let next = try staged(2, "mine")
        let (store, harbour) = (store, harbour)
        let codes = await withTaskGroup(of: DocumentStoreError.Code?.self) { group in
            group.cancelAll()
            group.addTask { await code { _ = try await store.fetch(harbour, into: destination) { _ in } } }
            group.addTask {
                await code { _ = try await store.publish(next, as: harbour, replacing: .revision(base)) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes == [.cancelled, .cancelled])
        #expect(destination.package == nil)
        #expect(try await store.currentRevision(of: harbour) == base)
    }

    @Test("An unavailable store says why in every call")
    func unavailable() async throws {
        let base = try await published(1, "base")
        await store.setUnavailability(.signedOut)
        #expect(await store.unavailability == .signedOut)
        let expected = DocumentStoreError.Code.unavailable(.signedOut)
        #expect(await code { _ = try await store.list() } == expected)
        #expect(await code { _ = try await store.currentRevision(of: harbour) } == expected)
        #expect(await code { _ = try await fetched() } == expected)
        let next = try staged(2, "mine")
        #expect(await code { _ = try await store.publish(next, as: harbour, replacing: .revision(base)) } == expected)
        await store.setUnavailability(nil)
        #expect(try await fetched() == "base")
        #expect(DocumentStoreError.unavailable(.signedOut).message.contains("signed out"))
    }

    @Test("A watcher gets the present listing and then the newest after changes")
    func watching() async throws {
        var listings = await store.watch().makeAsyncIterator()
        #expect(await listings.next() == [])
        let revision = try await published(1, "base")
        #expect(await listings.next()?.map(\.revision) == [revision])
        try await store.overwrite(harbour, with: contents("once"))
        try await store.overwrite(harbour, with: contents("twice"))
        let newest = await listings.next()?.first?.revision
        #expect(try await newest == store.currentRevision(of: harbour))
    }
}
