import Foundation
import Glibc
import MapDocs
import MapStores
import Testing

/// Programs that know nothing of the store's locks, in the same folder.
struct SyncProgramTests {
    private let files = InMemoryFileSystem()
    private let harbour: DocumentName

    init() throws {
        harbour = try DocumentName(title: "Harbour")
        try files.createDirectory("/store")
    }

    private func store(_ files: (any FileSystem)? = nil) -> FolderDocumentStore {
        FolderDocumentStore("/store", in: files ?? self.files, digest: TestPackage.digest)
    }

    private func publish(_ package: TestPackage, _ number: Int = 1) async throws -> DocumentRevision {
        let staged = try package.staged(number)
        #expect(try await store().publish(staged, as: harbour, replacing: .nothing) == .published(staged.revision))
        return staged.revision
    }

    private func code(_ body: () async throws -> Void) async -> DocumentStoreError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? DocumentStoreError)?.code
        }
    }

    @Test("A placeholder is a document that is not downloaded yet (case 23)")
    func placeholder() async throws {
        try files.put([], at: "/store/.Harbour.gispad.icloud")
        let listing = DocumentListing(name: harbour, revision: nil, isDownloaded: false, isConflictCopy: false)
        #expect(try await store().list() == [listing])
        #expect(await code { _ = try await store().currentRevision(of: harbour) } == .revisionUnknown)
        let destination = InMemoryDocumentDestination()
        let fetched = await code { _ = try await store().fetch(harbour, into: destination) { _ in } }
        #expect(fetched == .unavailable(.other("not downloaded yet")))
        let base = try TestPackage(data: "x").staged(1).revision
        for base in [PublishBase.nothing, .revision(base)] {
            let staged = try TestPackage(data: "mine").staged(2)
            #expect(
                await code { _ = try await store().publish(staged, as: harbour, replacing: base) } == .revisionUnknown
            )
        }
        #expect(try files.entries(in: "/store").map(\.name) == [".Harbour.gispad.icloud"])
    }

    @Test(
        "Conflict copies of sync programs are marked",
        arguments: [
            ("Harbour (Anna's conflicted copy 2026-11-29)", true),
            ("Harbour.sync-conflict-20261129-140300-ABCDEFG", true),
            ("Harbour (conflict copy, Phone, 2026-11-29 14.03)", true),
            ("Harbour (copy)", false),
        ]
    )
    func conflictCopies(title: String, isCopy: Bool) async throws {
        try files.put(Array("{}".utf8), at: "/store/\(title).gispad/project.json")
        try files.put([], at: "/store/notes.txt")
        let listed = try await store().list()
        #expect(listed.map(\.name.title) == [title])
        #expect(listed.map(\.isConflictCopy) == [isCopy])
        #expect(listed.first?.revision?.number == 0)
    }

    @Test(
        "A program that writes between reading and swapping keeps its work and makes a conflict",
        arguments: [false, true]
    )
    func writesInBetween(withoutExchange: Bool) async throws {
        let base = try await publish(TestPackage(data: "old"))
        let others = files
        let meddling = FaultyFileSystem(files, faults: withoutExchange ? [.noExchange] : []) { step in
            guard step.operation == .exchange else { return }
            try? others.overwrite("/store/Harbour.gispad/tiles/1/a.pbf", at: 0, with: Array("OLD".utf8))
        }
        // The attempt at an exchange is a step even where it is refused; there the move is what it leads to.
        let moving = FaultyFileSystem(files, faults: [.noExchange]) { step in
            guard step.operation == .move, step.path.hasSuffix(".aside") else { return }
            try? others.overwrite("/store/Harbour.gispad/tiles/1/a.pbf", at: 0, with: Array("OLD".utf8))
        }
        let outcome = try await store(withoutExchange ? moving : meddling).publish(
            try TestPackage(data: "mine").staged(2),
            as: harbour,
            replacing: .revision(base)
        )
        guard case .conflict(let current) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(current?.number == 1)
        #expect(current?.fingerprint != base.fingerprint)
        #expect(try files.bytes(of: "/store/Harbour.gispad/tiles/1/a.pbf") == Array("OLD".utf8))
        #expect(try files.entries(in: "/store").map(\.name) == ["Harbour.gispad"])
    }

    @Test("What another program wrote before a crash right behind the swap is put back")
    func writesBeforeCrash() async throws {
        let base = try await publish(TestPackage(data: "old"))
        let others = files
        let swapped = Flag()
        let stopping = FaultyFileSystem(files, faults: []) { step in
            if step.operation == .exchange {
                try? others.overwrite("/store/Harbour.gispad/tiles/1/a.pbf", at: 0, with: Array("OLD".utf8))
                swapped.set()
            }
        }
        let counted = FaultyFileSystem(InMemoryFileSystem(copyOf: files))
        _ = try await store(counted).publish(
            try TestPackage(data: "mine").staged(2),
            as: harbour,
            replacing: .revision(base)
        )
        let swap = try #require(counted.steps.first { $0.operation == .exchange }?.number)
        let stopped = FaultyFileSystem(stopping, faults: [.stopping(step: swap + 1)])
        let mine = try TestPackage(data: "mine").staged(2)
        #expect(
            await code { _ = try await store(stopped).publish(mine, as: harbour, replacing: .revision(base)) }
                == .storage
        )
        #expect(swapped.isSet)
        #expect(try await store().currentRevision(of: harbour).number == 1)
        #expect(try files.bytes(of: "/store/Harbour.gispad/tiles/1/a.pbf") == Array("OLD".utf8))
    }

    @Test("A document that was made anew while the old one lay aside is kept, and so is the old one")
    func madeAnew() async throws {
        let base = try await publish(TestPackage(data: "old"))
        let counted = FaultyFileSystem(InMemoryFileSystem(copyOf: files), faults: [.noExchange])
        let mine = try TestPackage(data: "mine").staged(2)
        _ = try await store(counted).publish(mine, as: harbour, replacing: .revision(base))
        let move = try #require(counted.steps.last { $0.operation == .move }?.number)
        let stopped = FaultyFileSystem(files, faults: [.noExchange, .stopping(step: move)])
        _ = await code { _ = try await store(stopped).publish(mine, as: harbour, replacing: .revision(base)) }
        try files.put(Array(#"{"theirs":1}"#.utf8), at: "/store/Harbour.gispad/project.json")
        let names = try await store().list().map(\.name.title)
        #expect(names == ["Harbour (conflict copy, recovered)", "Harbour"])
        #expect(
            try files.bytes(of: "/store/Harbour (conflict copy, recovered).gispad/tiles/1/a.pbf") == Array("old".utf8)
        )
        #expect(try files.bytes(of: "/store/Harbour.gispad/project.json") == Array(#"{"theirs":1}"#.utf8))
    }

    @Test("Companions of a database are neither part of a document nor fetched (case 11)")
    func companions() async throws {
        let base = try await publish(TestPackage(data: "old"))
        for name in [
            "data.gpkg-wal", "data.gpkg-shm", "data.gpkg-journal", ".DS_Store", "._data.gpkg", ".~lock.a.ods#",
        ] {
            try files.put([1, 2, 3], at: "/store/Harbour.gispad/\(name)")
        }
        #expect(try await store().currentRevision(of: harbour) == base)
        let destination = InMemoryDocumentDestination()
        #expect(try await store().fetch(harbour, into: destination) { _ in } == base)
        #expect(destination.package?.keys.sorted() == ["data.gpkg", "project.json", "tiles/1/a.pbf"])
        let mine = try TestPackage(data: "mine").staged(2)
        #expect(try await store().publish(mine, as: harbour, replacing: .revision(base)) == .published(mine.revision))
        #expect(try files.entries(in: "/store/Harbour.gispad").map(\.name) == ["data.gpkg", "project.json", "tiles"])
        let planted = try TestPackage(data: "mine", extra: ["data.gpkg-wal": [1]]).staged(3)
        #expect(
            await code { _ = try await store().publish(planted, as: harbour, replacing: .revision(mine.revision)) }
                == .damaged
        )
    }

    @Test("What other programs put into a package survives publishing, to the letter (case 25)")
    func unknownParts() async throws {
        let project = #"{"zebra": [1.50, 9007199254740993], "revision": {"number": 3, "by": "x"}, "Ä": null}"#
        let package = TestPackage(
            data: "old",
            extra: ["project.json": Array(project.utf8), "notes/Ängström.txt": Array("kept".utf8), "empty": []]
        )
        _ = try await publish(package, 4)
        let text = String(decoding: try files.bytes(of: "/store/Harbour.gispad/project.json"), as: UTF8.self)
        for part in ["1.50", "9007199254740993", "\"zebra\"", "\"by\"", "\"number\": 4", "\"Ä\": null"] {
            #expect(text.contains(part), "\(part) is not in \(text)")
        }
        #expect(try files.bytes(of: "/store/Harbour.gispad/notes/Ängström.txt") == Array("kept".utf8))
        #expect(try files.entry(at: "/store/Harbour.gispad/empty")?.size == 0)
    }

    @Test(
        "A package whose revision cannot be told is listed and never overwritten (case 3)",
        arguments: [
            nil, "{", "[]", #"{"revision":{"number":"seven"}}"#, #"{"revision":{"number":-1}}"#,
        ]
    )
    func unknownRevision(project: String?) async throws {
        let base = try await publish(TestPackage(data: "old"))
        try files.remove("/store/Harbour.gispad/project.json")
        if let project { try files.put(Array(project.utf8), at: "/store/Harbour.gispad/project.json") }
        #expect(await code { _ = try await store().currentRevision(of: harbour) } == .revisionUnknown)
        let mine = try TestPackage(data: "mine").staged(2)
        #expect(
            await code { _ = try await store().publish(mine, as: harbour, replacing: .revision(base)) }
                == .revisionUnknown
        )
        #expect(try await store().list().map(\.revision) == [nil])
        let destination = InMemoryDocumentDestination()
        #expect(await code { _ = try await store().fetch(harbour, into: destination) { _ in } } == .damaged)
    }

    @Test("A link in a package is neither followed nor lost")
    func links() async throws {
        _ = try await publish(TestPackage(data: "old"))
        try files.put(Array("secret".utf8), at: "/secret")
        try files.createLink("/store/Harbour.gispad/link", to: "/secret")
        #expect(await code { _ = try await store().currentRevision(of: harbour) } == .revisionUnknown)
        let destination = InMemoryDocumentDestination()
        #expect(await code { _ = try await store().fetch(harbour, into: destination) { _ in } } == .damaged)
        #expect(destination.package == nil)
        #expect(try await store().list().map(\.name) == [harbour])
    }

    @Test("A name that differs only in case is not created beside the other")
    func cases() async throws {
        let base = try await publish(TestPackage(data: "old"))
        let mine = try TestPackage(data: "mine").staged(2)
        let shouting = try DocumentName(title: "HARBOUR")
        #expect(try await store().publish(mine, as: shouting, replacing: .nothing) == .conflict(current: base))
        let copies = ConflictCopyName(of: harbour, device: "Phone", at: Date(timeIntervalSince1970: 0), in: .gmt)
        let taken = copies.candidate(1).fileName.uppercased()
        try files.put(Array("{}".utf8), at: "/store/\(taken)/project.json")
        #expect(try await store().createConflictCopy(mine, named: copies) == copies.candidate(2))
        // The ending counts in any case, and so do letters that are composed in another way.
        try files.put(Array("{}".utf8), at: "/store/Cafe\u{301}.GISPAD/project.json")
        #expect(try await store().currentRevision(of: try DocumentName(title: "Caf\u{e9}")).number == 0)
    }

    @Test("A read-only medium can be read and says why it cannot be written")
    func readOnly() async throws {
        let base = try await publish(TestPackage(data: "old"))
        files.setReadOnly(true)
        #expect(try await store().list().map(\.revision) == [base])
        let destination = InMemoryDocumentDestination()
        #expect(try await store().fetch(harbour, into: destination) { _ in } == base)
        let mine = try TestPackage(data: "mine").staged(2)
        let error = await #expect(throws: DocumentStoreError.self) {
            try await store().publish(mine, as: harbour, replacing: .revision(base))
        }
        #expect(error?.code == .storage)
        #expect(error?.message.contains("read-only") == true)
    }

    @Test("A store whose folder is gone is offline")
    func gone() async throws {
        try files.remove("/store")
        #expect(await store().unavailability == .offline)
        try files.put([], at: "/store")
        #expect(await store().unavailability == .other("its place is not a folder"))
    }

    @Test("A publisher waits for another one, on the clock it was given, and gives up with a reason")
    func patience() async throws {
        let base = try await publish(TestPackage(data: "old"))
        let counted = FaultyFileSystem(InMemoryFileSystem(copyOf: files))
        let mine = try TestPackage(data: "mine").staged(2)
        _ = try await store(counted).publish(mine, as: harbour, replacing: .revision(base))
        let path = try #require(counted.steps.last { $0.operation == .lock }?.path)
        let held = try #require(try files.lock(path))
        let impatient = FolderDocumentStore(
            "/store",
            in: files,
            digest: TestPackage.digest,
            patience: .milliseconds(20)
        )
        let error = await #expect(throws: DocumentStoreError.self) {
            try await impatient.publish(mine, as: harbour, replacing: .revision(base))
        }
        #expect(error?.message.contains("another program") == true)
        held.unlock()
        #expect(try await impatient.publish(mine, as: harbour, replacing: .revision(base)) == .published(mine.revision))
    }

    @Test("A program that copies the folder while it is published to gets whole packages (case 9)")
    func copying() async throws {
        try await withTemporaryFolder { folder in
            let store = FolderDocumentStore(folder, digest: TestPackage.digest)
            let rounds = 100
            var fingerprints: [DocumentFingerprint] = []
            for number in 1...rounds {
                fingerprints.append(try TestPackage(data: "\(number)").staged(number).revision.fingerprint)
            }
            let known = Set(fingerprints)
            _ = try await store.publish(try TestPackage(data: "1").staged(1), as: harbour, replacing: .nothing)
            let isDone = Flag()
            let hasCopied = Flag()
            let copies = try await withThrowingTaskGroup(of: Int.self) { group in
                group.addTask { [harbour] in
                    defer { isDone.set() }
                    for number in 2...rounds {
                        let base = try await store.currentRevision(of: harbour)
                        let staged = try TestPackage(data: "\(number)").staged(number)
                        #expect(
                            try await store.publish(staged, as: harbour, replacing: .revision(base))
                                == .published(staged.revision)
                        )
                        await Task.yield()
                    }
                    // On a busy machine the reader comes to it late.
                    while !hasCopied.isSet { await Task.yield() }
                    return 0
                }
                group.addTask { [harbour] in
                    var whole = 0
                    while !isDone.isSet {
                        // Holds the folder open, as a program does that copies it.
                        let descriptor = open("\(folder)/\(harbour.fileName)", O_RDONLY | O_DIRECTORY)
                        #expect(descriptor >= 0, "for a moment nothing was there")
                        guard descriptor >= 0 else {
                            hasCopied.set()
                            break
                        }
                        defer { close(descriptor) }
                        do {
                            let contents = try FolderDocumentContents(
                                "/proc/self/fd/\(descriptor)/.",
                                in: PosixFileSystem(),
                                digest: TestPackage.digest
                            )
                            guard contents.files.count == 3 else { continue }
                            #expect(
                                known.contains(try DocumentFingerprint(of: contents.files, digest: TestPackage.digest))
                            )
                            whole += 1
                            hasCopied.set()
                        } catch let error as DocumentStoreError where error.code == .storage {
                            // It was replaced and removed while it was being copied: the next copy has the new one.
                        }
                        await Task.yield()
                    }
                    return whole
                }
                return try await group.reduce(0, +)
            }
            #expect(copies > 0)
        }
    }
}
