import DocumentStoreConformance
import MapDocs
import Testing

struct InMemoryFileSystemTests {
    private let files = InMemoryFileSystem()

    private func write(_ text: String, _ path: String) throws {
        let file = try files.create(path, isPrivate: false)
        try file.write(Array(text.utf8))
        try file.close()
    }

    private func read(_ path: String) throws -> String {
        String(decoding: try files.openForReading(path).read(from: 0, count: 1 << 16), as: UTF8.self)
    }

    @Test("It keeps every promise", arguments: FileSystemLaw.allCases)
    func laws(_ law: FileSystemLaw) {
        law.check(FileSystemSubject(files, root: "/") { [files] in try files.createLink($0, to: $1) })
    }

    @Test("Each law notices a file system that breaks it", arguments: FileSystemLaw.allCases)
    func cheating(_ law: FileSystemLaw) {
        let cheat = CheatingFileSystem(base: files, law: law)
        let subject = FileSystemSubject(cheat, root: "/") { [files] in try files.createLink($0, to: $1) }
        #expect(law.violation(in: subject) != nil)
    }

    @Test("What was synchronized outlives every crash", arguments: 0..<20)
    func safe(seed: Int) throws {
        try files.createDirectories("/d/e")
        try write("safe", "/d/e/a")
        try files.synchronizeTree("/")
        try write("more", "/d/e/b")
        files.crash(seed: UInt64(seed))
        #expect(try read("/d/e/a") == "safe")
    }

    @Test("What was synchronized before more was appended outlives a crash that cuts the rest", arguments: 0..<40)
    func appended(seed: Int) throws {
        let file = try files.create("/a", isPrivate: false)
        try file.write(Array("safe".utf8))
        try file.synchronize()
        try files.synchronize("/")
        try file.write(Array("more".utf8))
        files.crash(seed: UInt64(seed))
        #expect(try read("/a").hasPrefix("safe"))
    }

    @Test("A file whose folder was not synchronized can be gone, one that was not synchronized empty")
    func unsafe() throws {
        try write("one", "/a")
        try files.synchronize("/a")
        try write("two", "/b")
        files.crash(seed: 0)
        #expect(try files.entries(in: "/").isEmpty)
        try write("two", "/b")
        try files.synchronize("/")
        files.crash(seed: 0)
        #expect(try read("/b") == "")
        try write("three", "/c")
        files.crash(seed: 1)
        #expect(try read("/c") == "three")
    }

    @Test("A crash can take one change and leave a later one, and leave files cut or zeroed")
    func adversary() throws {
        var outcomes: Set<[String]> = []
        var texts: Set<String> = []
        for seed in 2..<80 {
            let files = InMemoryFileSystem()
            for name in ["a", "b", "c"] { _ = try files.create("/\(name)", isPrivate: false) }
            let file = try files.create("/text", isPrivate: false)
            try files.synchronize("/")
            for name in ["a", "b", "c"] { try files.remove("/\(name)") }
            try file.write(Array("text".utf8))
            files.crash(seed: UInt64(seed))
            outcomes.insert(try files.entries(in: "/").map(\.name).filter { $0 != "text" })
            texts.insert(String(decoding: try files.openForReading("/text").read(from: 0, count: 9), as: UTF8.self))
        }
        #expect(outcomes.contains(["a", "b"]) && outcomes.contains(["b"]) && outcomes.contains([]))
        #expect(outcomes.count == 8)
        #expect(texts.isSuperset(of: ["", "t", "text", "te\0\0"]))
    }

    @Test("A move is in both folders or in neither", arguments: 0..<30)
    func moves(seed: Int) throws {
        try files.createDirectories("/from")
        try files.createDirectories("/to")
        try write("x", "/from/a")
        try files.synchronizeTree("/")
        try files.move("/from/a", to: "/to/b")
        if seed > 15 { try files.synchronize(seed.isMultiple(of: 2) ? "/to" : "/from") }
        files.crash(seed: UInt64(seed))
        let here = try files.entry(at: "/from/a") != nil
        let there = try files.entry(at: "/to/b") != nil
        #expect(here != there)
        if seed > 15 { #expect(there) }
    }

    @Test("The same seed leaves the same, and open files and locks are gone")
    func restart() throws {
        func remains() throws -> [FileEntry] {
            let files = InMemoryFileSystem()
            for name in 0..<20 { try files.create("/\(name)", isPrivate: false).write([1, 2, 3]) }
            files.crash(seed: 7)
            return try files.entries(in: "/")
        }
        #expect(try remains() == remains())
        try write("x", "/a")
        let open = try files.openForReading("/a")
        let lock = try files.lock("/lock")
        #expect(lock != nil)
        files.crash(seed: 1)
        #expect(throws: FileSystemError.self) { try open.read(from: 0, count: 1) }
        let again = try files.lock("/lock")
        #expect(again != nil)
        lock?.unlock()
        #expect(try files.lock("/lock") == nil)
        again?.unlock()
    }

    @Test("A read-only medium refuses every change")
    func readOnly() throws {
        try write("x", "/a")
        files.setReadOnly(true)
        let changes: [() throws -> Void] = [
            { _ = try files.create("/b", isPrivate: false) }, { _ = try files.openForAppending("/a") },
            { try files.remove("/a") }, { try files.createDirectory("/d") }, { try files.move("/a", to: "/b") },
            { try files.copyFile("/a", to: "/b") }, { _ = try files.lock("/a") },
        ]
        for change in changes {
            #expect((#expect(throws: FileSystemError.self) { try change() })?.code == .readOnly)
        }
        #expect(try read("/a") == "x")
    }
}
