import Foundation
import MapDocs
import Synchronization
import TransportCore

/// A promise that was not kept, as a sentence.
struct LawViolation: Error {
    let message: String
}

/// Throws a violation unless a condition holds.
func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw LawViolation(message: message()) }
}

/// What laws do to a store.
struct LawBench: Sendable {
    let subject: DocumentStoreSubject

    var digest: any ContentDigest { subject.digest }
    var store: any DocumentStore { subject.store }

    func name(_ title: String = "Harbour") throws -> DocumentName { try DocumentName(title: title) }

    func copies() throws -> ConflictCopyName {
        ConflictCopyName(of: try name(), device: "Phone", at: Date(timeIntervalSince1970: 1_795_961_025), in: .gmt)
    }

    // MARK: Packages

    func package(_ data: String) -> [String: [UInt8]] {
        [
            "data.gpkg": Array(data.utf8),
            "project.json": Array(#"{"format":"gispad","version":1,"name":"Harbour"}"#.utf8),
        ]
    }

    func staged(_ number: Int, _ package: [String: [UInt8]], at time: Double? = nil) throws -> StagedDocument {
        let contents = try InMemoryDocumentContents(package, digest: digest)
        let revision = DocumentRevision(
            number: number,
            fingerprint: try DocumentFingerprint(of: contents.files, digest: digest),
            publishedAt: time,
            publishedBy: time == nil ? nil : "Phone"
        )
        return StagedDocument(revision: revision, contents: contents)
    }

    func staged(_ number: Int, _ data: String, at time: Double? = nil) throws -> StagedDocument {
        try staged(number, package(data), at: time)
    }

    // MARK: Doing and looking

    @discardableResult
    func publish(_ staged: StagedDocument, over base: PublishBase = .nothing) async throws -> DocumentRevision {
        let outcome = try await store.publish(staged, as: try name(), replacing: base)
        guard case .published(let revision) = outcome else {
            throw LawViolation(message: "a publish with the right base ended as \(outcome)")
        }
        return revision
    }

    @discardableResult
    func publish(_ number: Int, _ data: String) async throws -> DocumentRevision {
        try await publish(try staged(number, data))
    }

    /// Fetches a document; `project.json` comes in canonical form without its revision.
    func fetch(
        _ name: DocumentName,
        from store: (any DocumentStore)? = nil
    ) async throws -> (revision: DocumentRevision, package: [String: [UInt8]]) {
        let destination = InMemoryDocumentDestination()
        let revision = try await (store ?? self.store).fetch(name, into: destination) { _ in }
        guard let package = destination.package else {
            throw LawViolation(message: "a fetch returned without committing its destination")
        }
        return (revision, try canonical(package))
    }

    func canonical(_ package: [String: [UInt8]]) throws -> [String: [UInt8]] {
        var package = package
        if let project = package[PublishedFile.projectPath] {
            package[PublishedFile.projectPath] = try CanonicalJSON.canonicalize(project, omitting: ["revision"])
        }
        return package
    }

    /// Requires that a document is the whole of what was published with some data.
    func requireContent(_ data: String, _ when: String, of name: DocumentName? = nil) async throws {
        let found = try await fetch(try name ?? self.name()).package
        try require(
            try found == canonical(package(data)),
            "\(when) the document has \(found.mapValues { String(decoding: $0.prefix(40), as: UTF8.self) })"
        )
    }

    func requireNothingThere(_ when: String) async throws {
        let listed = try await store.list()
        try require(listed.isEmpty, "\(when) the store has \(listed.map(\.name.fileName))")
    }

    /// Returns the code with which a call fails; a call that works is a violation.
    func code(of call: String, _ body: () async throws -> Void) async throws -> DocumentStoreError.Code {
        try await error(of: call, body).code
    }

    func error(of call: String, _ body: () async throws -> Void) async throws -> DocumentStoreError {
        do {
            try await body()
        } catch let error as DocumentStoreError {
            return error
        }
        throw LawViolation(message: "\(call) did not fail")
    }

    /// Runs a call in a task that is cancelled already and requires that it says so.
    func requireCancelled(_ call: String, _ body: @escaping @Sendable () async throws -> Void) async throws {
        let result: Result<Void, any Error> = await withTaskGroup(of: Result<Void, any Error>.self) { group in
            group.cancelAll()
            group.addTask { await ending(of: body) }
            return await group.next() ?? .success(())
        }
        try requireCancelled(call, result)
    }

    /// Runs a call in a task of its own, which something it calls cancels, and requires that it says so.
    func requireCancelling(_ call: String, _ body: @escaping @Sendable () async throws -> Void) async throws {
        let result: Result<Void, any Error> = await withTaskGroup(of: Result<Void, any Error>.self) { group in
            group.addTask { await ending(of: body) }
            return await group.next() ?? .success(())
        }
        try requireCancelled(call, result)
    }

    private func ending(of body: @Sendable () async throws -> Void) async -> Result<Void, any Error> {
        do {
            return .success(try await body())
        } catch {
            return .failure(error)
        }
    }

    private func requireCancelled(_ call: String, _ result: Result<Void, any Error>) throws {
        switch result {
        case .success: throw LawViolation(message: "\(call) worked although its task was cancelled")
        case .failure(let error):
            try require(
                (error as? DocumentStoreError)?.code == .cancelled,
                "\(call) in a cancelled task failed with: \(error)"
            )
        }
    }
}

/// Contents at which something happens while they are read.
struct InterruptedContents: DocumentContents {
    let inner: InMemoryDocumentContents
    let interruption: @Sendable () async throws(DocumentStoreError) -> Void

    var files: [PublishedFile] { inner.files }

    func read(_ path: String, from offset: Int, count: Int) async throws(DocumentStoreError) -> [UInt8] {
        try await interruption()
        return try await inner.read(path, from: offset, count: count)
    }
}

/// Contents that announce the files of one package and have the bytes of another.
struct LyingContents: DocumentContents {
    let files: [PublishedFile]
    let inner: InMemoryDocumentContents

    func read(_ path: String, from offset: Int, count: Int) async throws(DocumentStoreError) -> [UInt8] {
        try await inner.read(path, from: offset, count: count)
    }
}

/// A destination that remembers what was done to it, at which something can happen.
final class WatchedDestination: DocumentDestination {
    struct State {
        var commits = 0
        var discards = 0
        var received: [String: [UInt8]] = [:]
        var appends = 0
    }

    let state = Mutex(State())
    private let onAppend: @Sendable (_ count: Int) async throws(DocumentStoreError) -> Void
    private let onCommit: @Sendable () async throws(DocumentStoreError) -> Void

    init(
        onAppend: @escaping @Sendable (_ count: Int) async throws(DocumentStoreError) -> Void = { _ in },
        onCommit: @escaping @Sendable () async throws(DocumentStoreError) -> Void = {}
    ) {
        self.onAppend = onAppend
        self.onCommit = onCommit
    }

    func append(_ bytes: [UInt8], to path: String) async throws(DocumentStoreError) {
        let count = state.withLock { state in
            state.received[path, default: []] += bytes
            state.appends += 1
            return state.appends
        }
        try await onAppend(count)
    }

    func commit() async throws(DocumentStoreError) {
        try await onCommit()
        state.withLock { $0.commits += 1 }
    }

    func discard() async { state.withLock { $0.discards += 1 } }
}
