import DocumentStoreConformance
import Foundation
import MapDocs
import MapStores
import Synchronization
import Testing

/// Every call of the file system below the store is a point where something goes wrong.
struct FolderDocumentStoreCrashTests {
    /// What is done while something goes wrong.
    enum Action: String, CaseIterable, Sendable {
        case publish
        case publishWithoutExchange
        case create
        case conflictCopy
        case conflict
        case fetch
        case recovery
        case recoveryWithoutExchange

        var faults: [FaultyFileSystem.Fault] {
            self == .publishWithoutExchange || self == .recoveryWithoutExchange ? [.noExchange] : []
        }
    }

    /// What goes wrong at a step.
    enum Trouble: Hashable, Sendable, CaseIterable, CustomStringConvertible {
        case failing
        case full
        case stopping
        case crash(seed: UInt64)

        static var allCases: [Self] { [.failing, .full, .stopping] + (0..<5).map { .crash(seed: $0) } }

        var description: String {
            switch self {
            case .failing: "a failing step"
            case .full: "a full disk"
            case .stopping: "a stopped program"
            case .crash(let seed): "a crashed machine, seed \(seed)"
            }
        }
    }

    private static let old = TestPackage(data: "old")
    private static let new = TestPackage(data: "new")
    private static let zoo = TestPackage(data: "zoo")

    private func store(_ files: any FileSystem) -> FolderDocumentStore {
        FolderDocumentStore("/store", in: files, digest: TestPackage.digest, clock: ContinuousClock())
    }

    private func harbour() throws -> DocumentName { try DocumentName(title: "Harbour") }

    private func copies() throws -> ConflictCopyName {
        ConflictCopyName(of: try harbour(), device: "Phone", at: Date(timeIntervalSince1970: 0), in: .gmt)
    }

    /// A machine with two documents, or one when the other is going to be made, all of it safe.
    private func prepare(_ action: Action) async throws -> InMemoryFileSystem {
        let files = InMemoryFileSystem()
        try files.createDirectory("/store")
        try files.createDirectory("/phone")
        let store = store(files)
        if action != .create {
            _ = try await store.publish(try Self.old.staged(1), as: try harbour(), replacing: .nothing)
        }
        _ = try await store.publish(try Self.zoo.staged(1), as: try DocumentName(title: "Zoo"), replacing: .nothing)
        try files.synchronizeTree("/")
        if action == .recovery || action == .recoveryWithoutExchange { try await interrupt(files, action) }
        return files
    }

    /// Stops a publish right behind the swap, or between its two halves.
    private func interrupt(_ files: InMemoryFileSystem, _ action: Action) async throws {
        let counting = FaultyFileSystem(InMemoryFileSystem(copyOf: files), faults: action.faults)
        try await publish(counting)
        let last = counting.steps.last { action == .recovery ? $0.operation == .exchange : $0.operation == .move }
        let step = try #require(last).number + (action == .recovery ? 1 : 0)
        await #expect(throws: DocumentStoreError.self) {
            try await publish(FaultyFileSystem(files, faults: action.faults + [.stopping(step: step)]))
        }
        try files.synchronizeTree("/")
    }

    private func publish(_ files: any FileSystem) async throws {
        let base = try Self.old.staged(1).revision
        let outcome = try await store(files).publish(
            try Self.new.staged(2),
            as: try harbour(),
            replacing: .revision(base)
        )
        guard case .published = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    private func act(_ action: Action, _ files: any FileSystem) async throws {
        switch action {
        case .publish, .publishWithoutExchange: try await publish(files)
        case .create:
            _ = try await store(files).publish(try Self.new.staged(1), as: try harbour(), replacing: .nothing)
        case .conflictCopy:
            _ = try await store(files).createConflictCopy(try Self.new.staged(2), named: try copies())
        case .conflict:
            let other = try Self.zoo.staged(1).revision
            _ = try await store(files).publish(try Self.new.staged(2), as: try harbour(), replacing: .revision(other))
        case .fetch:
            let destination = FolderDocumentDestination("/phone/Harbour.gispad", in: files)
            _ = try await store(files).fetch(try harbour(), into: destination) { _ in }
        case .recovery, .recoveryWithoutExchange: _ = try await store(files).list()
        }
    }

    /// Which of the two states a document is in, reading all of it.
    private func state(of name: DocumentName, _ files: any FileSystem) async throws -> String {
        do {
            let revision = try await store(files).currentRevision(of: name)
            for package in [Self.old, Self.new, Self.zoo] {
                let staged = try package.staged(0).revision
                if staged.fingerprint == revision.fingerprint { return "\(package.data) \(revision.number)" }
            }
            return "torn"
        } catch let error as DocumentStoreError where error.code == .notFound {
            return "none"
        }
    }

    private func check(
        _ action: Action,
        _ files: InMemoryFileSystem,
        finished: Bool,
        failedOnly: Bool,
        _ context: String
    )
        async throws
    {
        let opened = store(files)
        let listed = try await opened.list().map(\.name.fileName)
        let harbour = try harbour()
        let found = try await state(of: harbour, files)
        let copy = try copies().candidate(1)
        switch action {
        case .publish, .publishWithoutExchange:
            #expect(
                finished ? found == "new 2" : failedOnly ? found == "old 1" : ["old 1", "new 2"].contains(found),
                "\(context): \(found)"
            )
        case .recovery, .recoveryWithoutExchange: #expect(["old 1", "new 2"].contains(found), "\(context): \(found)")
        case .create:
            #expect(
                finished ? found == "new 1" : failedOnly ? found == "none" : ["none", "new 1"].contains(found),
                "\(context): \(found)"
            )
        case .conflictCopy:
            #expect(found == "old 1", "\(context): \(found)")
            let kept = try await state(of: copy, files)
            #expect(
                finished ? kept == "new 2" : failedOnly ? kept == "none" : ["none", "new 2"].contains(kept),
                "\(context): \(kept)"
            )
        case .conflict: #expect(found == "old 1", "\(context): \(found)")
        case .fetch:
            #expect(found == "old 1", "\(context): \(found)")
            if try files.entry(at: "/phone/Harbour.gispad") != nil {
                let fetched = try FolderDocumentContents("/phone/Harbour.gispad", in: files, digest: TestPackage.digest)
                let whole = try Self.old.staged(1).contents.files
                #expect(fetched.files == whole, "\(context): a part was fetched")
            } else {
                #expect(!finished, "\(context): what was fetched is gone")
                let again = FolderDocumentDestination("/phone/Harbour.gispad", in: files)
                _ = try await opened.fetch(harbour, into: again) { _ in }
                let left = try files.entries(in: "/phone").map(\.name)
                #expect(left == ["Harbour.gispad"], "\(context): \(left)")
            }
        }
        #expect(try await state(of: try DocumentName(title: "Zoo"), files) == "zoo 1", "\(context)")
        let left = try files.entries(in: "/store").map(\.name)
        #expect(left == listed, "\(context): \(left) is left behind")
        // What is there can be published over.
        if let number = found.split(separator: " ").last.flatMap({ Int($0) }) {
            let base = try await opened.currentRevision(of: harbour)
            let next = try TestPackage(data: "next").staged(number + 1)
            let outcome = try await opened.publish(next, as: harbour, replacing: .revision(base))
            #expect(outcome == .published(next.revision), "\(context)")
        }
    }

    @Test("Whatever goes wrong at whatever step, documents stay whole", arguments: Action.allCases)
    func troubles(_ action: Action) async throws {
        let prepared = try await prepare(action)
        let counting = FaultyFileSystem(InMemoryFileSystem(copyOf: prepared), faults: action.faults)
        try await act(action, counting)
        let steps = counting.steps
        #expect(steps.count > 10)
        for step in steps {
            for trouble in Trouble.allCases {
                if case .crash = trouble, !step.isChange { continue }
                if trouble == .full, !step.isChange { continue }
                let files = InMemoryFileSystem(copyOf: prepared)
                let fault: FaultyFileSystem.Fault =
                    switch trouble {
                    case .failing: .failing(step: step.number, .failed)
                    case .full: .failing(step: step.number, .full)
                    case .stopping, .crash: .stopping(step: step.number)
                    }
                let faulty = FaultyFileSystem(files, faults: action.faults + [fault])
                var isFinished = true
                do {
                    try await act(action, faulty)
                } catch is DocumentStoreError {
                    isFinished = false
                }
                if case .crash(let seed) = trouble { files.crash(seed: seed) }
                let failedOnly = trouble == .failing || trouble == .full
                try await check(
                    action,
                    files,
                    finished: isFinished,
                    failedOnly: failedOnly,
                    "\(action.rawValue), \(trouble) at \(step)"
                )
            }
        }
        print(
            "crash points of \(action.rawValue): \(steps.count) steps, \(steps.count { $0.isChange }) of them changes"
        )
    }

    @Test("A crash does not bring back the journal of what was cleared away", arguments: [0, 1, 2, 3, 5, 7, 9, 11])
    func cleared(seed: Int) async throws {
        let prepared = try await prepare(.publish)
        let counting = FaultyFileSystem(InMemoryFileSystem(copyOf: prepared))
        try await publish(counting)
        let forgotten = try #require(
            counting.steps.first { $0.operation == .remove && $0.path.hasSuffix(".journal") }
        ).number
        // Stopped between removing the journal and making that safe; then somebody else clears away, and the machine
        // crashes at any step of that.
        var step = 1
        var isDone = false
        while !isDone {
            let files = InMemoryFileSystem(copyOf: prepared)
            try await publish(FaultyFileSystem(files, faults: [.stopping(step: forgotten + 1)]))
            let clearing = FaultyFileSystem(files, faults: [.stopping(step: step)])
            isDone = (try? await store(clearing).list()) != nil && clearing.steps.count < step
            files.crash(seed: UInt64(seed))
            try await check(
                .publish,
                files,
                finished: true,
                failedOnly: false,
                "seed \(seed), cleared until step \(step)"
            )
            step += 1
        }
        #expect(step > 10)
    }

    @Test("What a publish has reported outlives a crash of the machine", arguments: 0..<12)
    func reported(seed: Int) async throws {
        for action in [Action.publish, .publishWithoutExchange, .create, .conflictCopy, .fetch] {
            let files = InMemoryFileSystem(copyOf: try await prepare(action))
            try await act(action, FaultyFileSystem(files, faults: action.faults))
            files.crash(seed: UInt64(seed))
            try await check(action, files, finished: true, failedOnly: false, "\(action.rawValue), seed \(seed)")
        }
    }
}
