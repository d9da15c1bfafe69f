import MapDocs
import Testing
import TransportCore

/// Packages in folders, as contents and as destinations.
struct PackageFolderTests {
    private let files = InMemoryFileSystem()
    private let digest = SoftwareContentDigest()

    private func put(_ bytes: [UInt8], _ path: String) throws {
        try files.createDirectories(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]))
        try files.create(path, isPrivate: false).write(bytes)
    }

    private func destination() -> FolderDocumentDestination {
        FolderDocumentDestination("/phone/Harbour.gispad", in: files)
    }

    @Test("A folder has the same files as the same package in memory")
    func contents() async throws {
        let package: [String: [UInt8]] = [
            "data.gpkg": [1, 2, 3], "project.json": Array(#"{ "b": 1, "a": 2, "revision": {"number": 4} }"#.utf8),
            "tiles/b": [], "tiles.txt": [7],
        ]
        for (path, bytes) in package { try put(bytes, "/p/\(path)") }
        try put([9], "/p/data.gpkg-wal")
        try files.createDirectories("/p/empty")
        let contents = try FolderDocumentContents("/p", in: files, digest: digest)
        #expect(contents.files == (try InMemoryDocumentContents(package, digest: digest)).files)
        #expect(try await contents.read("data.gpkg", from: 1, count: 9) == [2, 3])
        #expect(try await contents.read("data.gpkg", from: 3, count: 9) == [])
        for path in ["data.gpkg-wal", "no", "../p/data.gpkg"] {
            let error = await #expect(throws: DocumentStoreError.self) {
                try await contents.read(path, from: 0, count: 1)
            }
            #expect(error?.code == .notFound)
        }
    }

    @Test("Contents that cannot be told apart or kept are an error that names the file")
    func unreadable() throws {
        try put([1], "/p/data.gpkg")
        try files.createLink("/p/link", to: "/p/data.gpkg")
        let linked = #expect(throws: DocumentStoreError.self) {
            try FolderDocumentContents("/p", in: files, digest: digest)
        }
        #expect(linked?.code == .damaged)
        #expect(linked?.subject == "link")
        let missing = #expect(throws: DocumentStoreError.self) {
            try FolderDocumentContents("/no", in: files, digest: digest)
        }
        #expect(missing?.code == .storage)
        try files.createDirectories("/deep/" + Array(repeating: "d", count: 40).joined(separator: "/"))
        let deep = #expect(throws: DocumentStoreError.self) {
            try FolderDocumentContents("/deep", in: files, digest: digest)
        }
        #expect(deep?.code == .damaged)
    }

    @Test(
        "Work files of programs are not published, whatever else there is is",
        arguments: [
            ("data.gpkg", true), ("data.gpkg-wal", false), ("sub/DATA.GPKG-SHM", false), ("x.sqlite-journal", false),
            ("my-journal", true), ("notes-wal", true), (".DS_Store", false), ("sub/Thumbs.db", false), ("._x", false),
            (".hidden", true), (".nfs0001", false), (".~lock.a.ods#", false), (".syncthing.a.tmp", false),
            ("a.tmp", true), ("project.json", true),
        ]
    )
    func published(path: String, isPublished: Bool) {
        #expect(PublishedFile.isPublished(path) == isPublished)
    }

    @Test("A package appears whole when it is committed, and not before")
    func commits() async throws {
        try files.createDirectory("/phone")
        let destination = destination()
        try await destination.append([1], to: "a")
        try await destination.append([2], to: "b/c")
        try await destination.append([3], to: "a")
        try await destination.append([], to: "b/empty")
        #expect(try files.entry(at: "/phone/Harbour.gispad") == nil)
        try await destination.commit()
        await destination.discard()
        #expect(try files.entries(in: "/phone").map(\.name) == ["Harbour.gispad"])
        #expect(try files.openForReading("/phone/Harbour.gispad/a").read(from: 0, count: 9) == [1, 3])
        #expect(try files.entries(in: "/phone/Harbour.gispad/b").map(\.size) == [1, 0])
        await #expect(throws: DocumentStoreError.self) { try await destination.append([4], to: "a") }
    }

    @Test("What is thrown away, or was left by a program that ended, is gone")
    func discards() async throws {
        try files.createDirectory("/phone")
        let ended = destination()
        try await ended.append([1], to: "left")
        let second = destination()
        try await second.append([1], to: "a")
        #expect(try files.entries(in: "/phone/Harbour.gispad.partial").map(\.name) == ["a"])
        await second.discard()
        #expect(try files.entries(in: "/phone").isEmpty)
        await #expect(throws: DocumentStoreError.self) { try await second.append([1], to: "a") }
    }

    @Test("A package that is there is not replaced")
    func occupied() async throws {
        try put([9], "/phone/Harbour.gispad/mine")
        let destination = destination()
        try await destination.append([1], to: "a")
        let error = await #expect(throws: DocumentStoreError.self) { try await destination.commit() }
        #expect(error?.code == .storage)
        await destination.discard()
        #expect(try files.entries(in: "/phone").map(\.name) == ["Harbour.gispad"])
        #expect(try files.entries(in: "/phone/Harbour.gispad").map(\.name) == ["mine"])
    }

    @Test("A path that leads out of the package is refused", arguments: ["../x", "/x", "a/../../x", "", "a//b", "."])
    func traversal(path: String) async throws {
        try files.createDirectory("/phone")
        let destination = destination()
        let error = await #expect(throws: DocumentStoreError.self) { try await destination.append([1], to: path) }
        #expect(error?.code == .invalidPath)
        #expect(try files.entries(in: "/phone").isEmpty)
    }

    @Test("Secrets in memory are kept by name and never shown")
    func secrets() throws {
        let store = InMemorySecretStore(["b": "s3cret"])
        try store.setSecret("other", named: "a")
        #expect(try store.names() == ["a", "b"])
        #expect(try store.secret(named: "b") == "s3cret")
        try store.setSecret(nil, named: "b")
        #expect(try store.secret(named: "b") == nil)
        var text = ""
        dump(InMemorySecretStore(["b": "s3cret"]), to: &text)
        #expect(!text.contains("s3cret") && !"\(InMemorySecretStore(["b": "s3cret"]))".contains("s3cret"))
    }
}
