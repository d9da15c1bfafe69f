import DocumentStoreConformance
import MapDocs
import Testing

struct FaultyFileSystemTests {
    private let base = InMemoryFileSystem()

    private func write(_ files: any FileSystem, _ path: String, _ bytes: [UInt8]) throws {
        let file = try files.create(path, isPrivate: false)
        try file.write(bytes)
        try file.synchronize()
        try file.close()
    }

    @Test("Without faults it keeps every promise of what it is over", arguments: FileSystemLaw.allCases)
    func laws(_ law: FileSystemLaw) {
        law.check(FileSystemSubject(FaultyFileSystem(base), root: "/") { [base] in try base.createLink($0, to: $1) })
    }

    @Test("Steps are counted and named, those of open files too")
    func counts() throws {
        let files = FaultyFileSystem(base)
        try write(files, "/a", [1, 2])
        _ = try files.openForReading("/a").read(from: 0, count: 9)
        #expect(
            files.steps.map(\.description) == [
                "1 create /a", "2 write /a", "3 synchronize /a", "4 close /a", "5 openForReading /a", "6 read /a",
            ]
        )
        #expect(files.steps.map(\.isChange) == [true, true, true, false, false, false])
    }

    @Test("A step that fails does so alone, with the code that was chosen")
    func failing() throws {
        let files = FaultyFileSystem(base, faults: [.failing(step: 2, .full)])
        let file = try files.create("/a", isPrivate: false)
        let error = #expect(throws: FileSystemError.self) { try file.write([1, 2, 3, 4]) }
        #expect(error?.code == .full)
        #expect(try base.entry(at: "/a")?.size == 2)
        try file.write([5])
        #expect(try base.entry(at: "/a")?.size == 3)
    }

    @Test("A program that stops does nothing more and holds no lock")
    func stopping() throws {
        let files = FaultyFileSystem(base, faults: [.stopping(step: 2)])
        let lock = try files.lock("/lock")
        #expect(try base.lock("/lock") == nil)
        #expect(throws: FileSystemError.self) { try files.createDirectory("/d") }
        #expect(throws: FileSystemError.self) { try files.entries(in: "/") }
        #expect(try base.entry(at: "/d") == nil)
        let other = try base.lock("/lock")
        #expect(other != nil)
        lock?.unlock()
        #expect(try base.lock("/lock") == nil)
        #expect(files.steps.count == 2)
    }

    @Test("A folder that could not be removed has lost a part")
    func removing() throws {
        try base.createDirectory("/d")
        for name in ["a", "b"] { try write(base, "/d/\(name)", []) }
        let files = FaultyFileSystem(base, faults: [.failing(step: 1, .failed)])
        #expect(throws: FileSystemError.self) { try files.remove("/d") }
        #expect(try base.entries(in: "/d").map(\.name) == ["b"])
    }

    @Test("A medium is full after so many bytes, whoever writes them")
    func full() throws {
        let files = FaultyFileSystem(base, faults: [.full(afterBytes: 5)])
        try write(files, "/a", [1, 2, 3])
        let error = #expect(throws: FileSystemError.self) { try files.copyFile("/a", to: "/b") }
        #expect(error?.code == .full)
        #expect(try base.entry(at: "/b") == nil)
        #expect(throws: FileSystemError.self) { try write(files, "/c", [1, 2, 3]) }
    }

    @Test("Another program can act before any step")
    func acting() throws {
        let files = FaultyFileSystem(base) { [base] step in
            if step.operation == .create { try? base.createDirectory("/a") }
        }
        let error = #expect(throws: FileSystemError.self) { try files.create("/a", isPrivate: false) }
        #expect(error?.code == .exists)
    }
}
