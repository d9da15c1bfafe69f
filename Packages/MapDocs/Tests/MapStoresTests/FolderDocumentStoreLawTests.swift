import DocumentStoreConformance
import Foundation
import MapDocs
import MapStores
import Testing
import TransportTLS

/// The promises of every document store, kept in folders.
struct FolderDocumentStoreLawTests {
    private func subject(
        over root: String,
        in files: any FileSystem,
        overwrite: @escaping @Sendable (String, [UInt8]) async throws -> Void
    ) -> DocumentStoreSubject {
        func store() -> FolderDocumentStore {
            FolderDocumentStore(root, in: files, digest: OpenSSLContentDigest(), pollInterval: .milliseconds(5))
        }
        var subject = DocumentStoreSubject(store(), digest: OpenSSLContentDigest())
        subject.otherStore = store()
        subject.overwrite = { name, path, bytes in try await overwrite("\(root)/\(name.fileName)/\(path)", bytes) }
        subject.setUnavailability = { reason in
            if reason != nil {
                try files.move(root, to: root + "-gone")
            } else {
                try files.move(root + "-gone", to: root)
            }
        }
        subject.hideRevision = { name in try files.remove("\(root)/\(name.fileName)/project.json") }
        subject.damage = { name in
            try files.put(Array(#"{"format":"#.utf8), at: "\(root)/\(name.fileName)/project.json")
        }
        return subject
    }

    @Test("A folder in memory", arguments: DocumentStoreLaw.allCases)
    func inMemory(_ law: DocumentStoreLaw) async {
        await law.check {
            let files = InMemoryFileSystem()
            try files.createDirectory("/store")
            return subject(over: "/store", in: files) { try files.overwrite($0, at: 0, with: $1) }
        }
    }

    @Test("A folder of a file system that cannot exchange two folders", arguments: DocumentStoreLaw.allCases)
    func withoutExchange(_ law: DocumentStoreLaw) async {
        await law.check {
            let files = InMemoryFileSystem()
            try files.createDirectory("/store")
            return subject(over: "/store", in: FaultyFileSystem(files, faults: [.noExchange])) {
                try files.overwrite($0, at: 0, with: $1)
            }
        }
    }

    @Test("A folder of this machine", arguments: DocumentStoreLaw.allCases)
    func onDisk(_ law: DocumentStoreLaw) async throws {
        try await withTemporaryFolder { folder in
            await law.check {
                let root = folder + "/store"
                try PosixFileSystem().createDirectory(root)
                return subject(over: root, in: PosixFileSystem()) { path, bytes in
                    let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
                    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
                    try handle.write(contentsOf: Data(bytes))
                    try handle.close()
                    try FileManager.default.setAttributes([.modificationDate: date ?? Date()], ofItemAtPath: path)
                }
            }
        }
    }
}
