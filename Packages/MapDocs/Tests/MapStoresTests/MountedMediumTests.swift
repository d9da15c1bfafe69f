import Foundation
import MapDocs
import MapStores
import Testing

/// Media that only an administrator can make: a small one and a read-only one.
@Suite(.serialized)
struct MountedMediumTests {
    /// Whether this process may mount.
    static let mayMount: Bool = {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mapstores-mount-\(getpid())").path
        mkdir(folder, 0o700)
        defer { rmdir(folder) }
        guard run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder) else { return false }
        return run("umount", folder)
    }()

    private static func run(_ program: String, _ arguments: String...) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    private func withMedium(_ options: String, _ body: (String) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            try #require(Self.run("mount", "-t", "tmpfs", "-o", options, "tmpfs", folder))
            defer { #expect(Self.run("umount", folder)) }
            try await body(folder)
        }
    }

    private func harbour() throws -> DocumentName { try DocumentName(title: "Harbour") }

    @Test(
        "A publish that does not fit leaves the old package and no rest",
        .enabled(if: mayMount, "mounting a small tmpfs needs an administrator")
    )
    func full() async throws {
        try await withMedium("size=1m") { folder in
            let store = FolderDocumentStore(folder, digest: TestPackage.digest)
            let half = [UInt8](repeating: 7, count: 600_000)
            let old = try TestPackage(data: "old", extra: ["half": half]).staged(1)
            let harbour = try harbour()
            #expect(try await store.publish(old, as: harbour, replacing: .nothing) == .published(old.revision))
            let new = try TestPackage(data: "new", extra: ["half": half]).staged(2)
            let error = await #expect(throws: DocumentStoreError.self) {
                try await store.publish(new, as: harbour, replacing: .revision(old.revision))
            }
            #expect(error?.code == .storage)
            #expect(error?.message.contains("make room") == true)
            #expect(try await store.currentRevision(of: harbour) == old.revision)
            #expect(try PosixFileSystem().entries(in: folder).map(\.name) == ["Harbour.gispad"])
            let small = try TestPackage(data: "small").staged(2)
            let outcome = try await store.publish(small, as: harbour, replacing: .revision(old.revision))
            #expect(outcome == .published(small.revision))
        }
    }

    @Test(
        "A read-only medium is listed and fetched, and says why it cannot be written",
        .enabled(if: mayMount, "mounting a read-only tmpfs needs an administrator")
    )
    func readOnly() async throws {
        try await withMedium("size=1m") { folder in
            let store = FolderDocumentStore(folder, digest: TestPackage.digest)
            let old = try TestPackage(data: "old").staged(1)
            let harbour = try harbour()
            _ = try await store.publish(old, as: harbour, replacing: .nothing)
            #expect(Self.run("mount", "-o", "remount,ro", folder))
            #expect(try await store.list().map(\.revision) == [old.revision])
            let destination = InMemoryDocumentDestination()
            #expect(try await store.fetch(harbour, into: destination) { _ in } == old.revision)
            let new = try TestPackage(data: "new").staged(2)
            let error = await #expect(throws: DocumentStoreError.self) {
                try await store.publish(new, as: harbour, replacing: .revision(old.revision))
            }
            #expect(error?.message.contains("read-only") == true)
            #expect(try await store.currentRevision(of: harbour) == old.revision)
        }
    }
}
