import MapDocs

/// What laws do to a file system.
struct FileSystemBench {
    let subject: FileSystemSubject

    private var files: any FileSystem { subject.fileSystem }

    private func path(_ name: String) -> String { "\(subject.root)/\(name)" }

    private func write(_ text: String, _ name: String) throws {
        let file = try files.create(path(name), isPrivate: false)
        try file.write(Array(text.utf8))
        try file.close()
    }

    private func read(_ name: String) throws -> String {
        let file = try files.openForReading(path(name))
        defer { file.close() }
        return String(decoding: try file.read(from: 0, count: 1 << 16), as: UTF8.self)
    }

    private func code(_ call: String, _ body: () throws -> Void) throws -> FileSystemError.Code {
        let failure: FileSystemError
        do {
            try body()
            throw LawViolation(message: "\(call) did not fail")
        } catch let error as FileSystemError {
            failure = error
        }
        let namesThePath = failure.message.contains(failure.path)
        try require(namesThePath, "“\(failure.message)” does not name the path")
        return failure.code
    }

    private func requireCode(_ expected: FileSystemError.Code, _ call: String, _ body: () throws -> Void) throws {
        let found = try code(call, body)
        try require(found == expected, "\(call) fails with \(found) and not \(expected)")
    }

    func nothingIsNil() throws {
        try require(try files.entry(at: path("a")) == nil, "something is where nothing is")
        try require(try files.entry(at: path("a/b/c")) == nil, "something is in a folder that is not there")
        try write("x", "a")
        try require(try files.entry(at: path("a"))?.name == "a", "nothing is where something is")
        try requireCode(.notFound, "listing a folder that is not there") { _ = try files.entries(in: path("b")) }
        try requireCode(.notFound, "opening a file that is not there") { _ = try files.openForReading(path("b")) }
    }

    func entriesAreInByteOrder() throws {
        let names = ["zoo", "Zoo 2", "ä", "a b", ".hidden", "b"]
        for name in names { try write(name, name) }
        let found = try files.entries(in: subject.root).map(\.name)
        let expected = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        try require(found == expected, "the entries are \(found)")
    }

    func entriesSayWhatTheyAre() throws {
        try write("four", "file")
        try files.createDirectory(path("folder"))
        let found = try files.entries(in: subject.root)
        try require(found.map(\.kind) == [.file, .directory], "a file and a folder are \(found.map(\.kind))")
        try require(found.map(\.size) == [4, 0], "a file of 4 bytes and a folder have \(found.map(\.size))")
        try require(try files.entry(at: path("file")) == found.first, "a list and a look differ")
    }

    func createRefusesWhatIsThere() throws {
        try write("x", "a")
        try files.createDirectory(path("d"))
        for name in ["a", "d"] {
            try requireCode(.exists, "making a file that is there") {
                _ = try files.create(path(name), isPrivate: false)
            }
            try requireCode(.exists, "making a folder that is there") { try files.createDirectory(path(name)) }
        }
        try require(try read("a") == "x", "what was there is gone")
    }

    func createNeedsItsFolder() throws {
        try requireCode(.notFound, "making a file in no folder") {
            _ = try files.create(path("no/a"), isPrivate: false)
        }
        try requireCode(.notFound, "making a folder in no folder") { try files.createDirectory(path("no/d")) }
        try requireCode(.notFound, "appending in no folder") { _ = try files.openForAppending(path("no/a")) }
        try files.createDirectories(path("deep/er/est"))
        try files.createDirectories(path("deep/er/est"))
        try require(try files.entry(at: path("deep/er/est"))?.kind == .directory, "folders were not made")
    }

    func writtenBytesAreRead() throws {
        let file = try files.create(path("a"), isPrivate: false)
        for piece in [[1, 2, 3], [], [4, 5]] as [[UInt8]] { try file.write(piece) }
        try file.synchronize()
        try file.close()
        try file.close()
        let reading = try files.openForReading(path("a"))
        defer { reading.close() }
        try require(try reading.read(from: 0, count: 100) == [1, 2, 3, 4, 5], "the bytes are others")
        try require(try reading.read(from: 1, count: 2) == [2, 3], "a piece has other bytes")
        try require(try reading.read(from: 5, count: 2).isEmpty, "there are bytes at the end")
        try require(try reading.read(from: 99, count: 2).isEmpty, "there are bytes behind the end")
        try require(try reading.entry().size == 5, "the open file has another size")
    }

    func appendingWritesBehindTheEnd() throws {
        for text in ["one ", "two"] {
            let file = try files.openForAppending(path("a"))
            try file.write(Array(text.utf8))
            try file.close()
        }
        try require(try read("a") == "one two", "what was appended twice is not both")
    }

    func copyIsItsOwn() throws {
        try write("one", "a")
        try files.copyFile(path("a"), to: path("b"))
        let file = try files.openForAppending(path("a"))
        try file.write([33])
        try file.close()
        try require(try read("b") == "one", "the copy has other bytes")
        try require(try read("a") == "one!", "the original has other bytes")
    }

    func copyRefusesWhatIsThere() throws {
        try write("one", "a")
        try write("two", "b")
        try requireCode(.exists, "copying over a file") { try files.copyFile(path("a"), to: path("b")) }
        try require(try read("b") == "two", "what was there is gone")
        try requireCode(.notFound, "copying nothing") { try files.copyFile(path("no"), to: path("c")) }
        try require(try files.entry(at: path("c")) == nil, "a copy of nothing is left")
    }

    func moveRefusesWhatIsThere() throws {
        try write("one", "a")
        try write("two", "b")
        try files.createDirectory(path("d"))
        try files.createDirectory(path("e"))
        for (source, target) in [("a", "b"), ("d", "e"), ("a", "e"), ("d", "b")] {
            try requireCode(.exists, "moving over something") { try files.move(path(source), to: path(target)) }
        }
        let names = try files.entries(in: subject.root).map(\.name)
        try require(names == ["a", "b", "d", "e"], "what was moved over something is gone: \(names)")
        try requireCode(.notFound, "moving nothing") { try files.move(path("no"), to: path("c")) }
        try require(try read("b") == "two", "what was there is gone")
    }

    func moveTakesAllAlong() throws {
        try files.createDirectories(path("d/inner"))
        try write("one", "d/inner/a")
        try files.move(path("d"), to: path("e"))
        try require(try read("e/inner/a") == "one", "what was in the folder is gone")
        try require(try files.entry(at: path("d")) == nil, "the folder is still where it was")
    }

    func replaceFileReplaces() throws {
        try write("one", "a")
        try write("two", "b")
        try files.replaceFile(path("b"), with: path("a"))
        try require(try read("b") == "one", "the file was not replaced")
        try require(try files.entry(at: path("a")) == nil, "the new file is still where it was")
        try files.createDirectory(path("d"))
        try requireCode(.isDirectory, "replacing with a folder") { try files.replaceFile(path("b"), with: path("d")) }
        try requireCode(.notFound, "replacing with nothing") { try files.replaceFile(path("b"), with: path("no")) }
    }

    func exchangeSwapsFolders() throws {
        for name in ["one", "two"] {
            try files.createDirectory(path(name))
            try write(name, "\(name)/a")
        }
        guard try isExchanged("one", "two") else {
            return try requireTexts("one", "two", "what it cannot do it has begun")
        }
        try requireTexts("two", "one", "the folders are not swapped")
        let first = path("one")
        let nothing = path("no")
        try requireCode(.notFound, "exchanging with nothing") { try files.exchange(first, with: nothing) }
        try requireTexts("two", "one", "what was exchanged with nothing has changed")
    }

    /// Exchanges two folders, or says that the file system cannot.
    private func isExchanged(_ first: String, _ second: String) throws -> Bool {
        do {
            try files.exchange(path(first), with: path(second))
            return true
        } catch let error where error.code == .unsupported {
            return false
        }
    }

    private func requireTexts(_ first: String, _ second: String, _ message: String) throws {
        let texts = [try read("one/a"), try read("two/a")]
        try require(texts == [first, second], message)
    }

    func removeTakesAll() throws {
        try files.createDirectories(path("d/inner"))
        for name in ["d/a", "d/inner/b", "c"] { try write(name, name) }
        try files.remove(path("d"))
        try files.remove(path("c"))
        let left = try files.entries(in: subject.root).map(\.name)
        try require(left.isEmpty, "\(left) is left")
    }

    func removingNothingIsNoError() throws {
        try files.remove(path("no"))
        try files.remove(path("no/no"))
    }

    func foldersAreNoFiles() throws {
        try files.createDirectory(path("d"))
        try write("x", "a")
        try requireCode(.isDirectory, "reading a folder") { _ = try files.openForReading(path("d")) }
        try requireCode(.isDirectory, "appending to a folder") { _ = try files.openForAppending(path("d")) }
        try requireCode(.notDirectory, "listing a file") { _ = try files.entries(in: path("a")) }
        try requireCode(.notDirectory, "making a file in a file") {
            _ = try files.create(path("a/b"), isPrivate: false)
        }
    }

    func linksAreNotFollowed() throws {
        guard let createLink = subject.createLink else { return }
        try files.createDirectory(path("target"))
        try write("safe", "target/a")
        try files.createDirectory(path("d"))
        try createLink(path("d/file"), path("target/a"))
        try createLink(path("d/folder"), path("target"))
        let kinds = try files.entries(in: path("d")).map(\.kind)
        try require(kinds == [.other, .other], "links are listed as \(kinds)")
        _ = try code("reading through a link") { _ = try files.openForReading(path("d/file")) }
        _ = try code("appending through a link") { _ = try files.openForAppending(path("d/file")) }
        _ = try code("listing through a link") { _ = try files.entries(in: path("d/folder")) }
        _ = try code("locking through a link") { _ = try files.lock(path("d/file")) }
        try files.remove(path("d"))
        try require(try read("target/a") == "safe", "removing followed a link")
    }

    func openFileOutlivesItsName() throws {
        try write("one", "a")
        let before = try files.openForReading(path("a"))
        defer { before.close() }
        let modified = try before.entry().stamp?.modified
        try files.move(path("a"), to: path("b"))
        try require(try before.read(from: 0, count: 9) == Array("one".utf8), "a moved file cannot be read")
        try files.remove(path("b"))
        try write("two", "a")
        try require(try before.read(from: 0, count: 9) == Array("one".utf8), "a removed file cannot be read")
        try require(try before.entry().stamp?.modified == modified, "removing a file counts as writing to it")
    }

    func lockExcludes() throws {
        let first = try files.lock(path("lock"))
        try require(first != nil, "a free lock cannot be taken")
        try require(try files.lock(path("lock")) == nil, "a lock is taken twice")
        try require(try files.lock(path("other")) != nil, "a lock excludes another one")
        first?.unlock()
    }

    func lockComesBack() throws {
        let first = try files.lock(path("lock"))
        first?.unlock()
        let second = try files.lock(path("lock"))
        try require(second != nil, "a lock that was given back cannot be taken")
        first?.unlock()
        try require(try files.lock(path("lock")) == nil, "giving a lock back twice frees somebody else's")
        second?.unlock()
    }

    func lockOfARemovedFileIsAnother() throws {
        let first = try files.lock(path("lock"))
        try files.remove(path("lock"))
        let second = try files.lock(path("lock"))
        try require(second != nil, "a lock whose file was removed is not free")
        try require(try files.entry(at: path("lock")) != nil, "a lock has no file")
        first?.unlock()
        try require(try files.lock(path("lock")) == nil, "giving the old lock back frees the new one")
        second?.unlock()
    }

    func stampsTellStatesApart() throws {
        try write("one", "a")
        guard let first = try files.entry(at: path("a"))?.stamp else { return }
        try files.move(path("a"), to: path("b"))
        try require(try files.entry(at: path("b"))?.stamp?.number == first.number, "a moved file has another number")
        try write("one", "a")
        try require(try files.entry(at: path("a"))?.stamp != first, "a new file of the same size has the same stamp")
        let file = try files.openForAppending(path("b"))
        try file.write([1])
        try file.close()
        try require(try files.entry(at: path("b"))?.stamp != first, "a changed file has the same stamp")
    }

    func privateIsPrivate() throws {
        try files.create(path("file"), isPrivate: true).close()
        try files.createDirectory(path("folder"), isPrivate: true)
        try write("x", "open")
        let found = try files.entries(in: subject.root).map(\.isPrivate)
        try require(found == [true, true, false], "two private ones and one that is not are \(found)")
    }

    func synchronizeNeedsWhatIsThere() throws {
        try files.createDirectory(path("d"))
        try write("x", "d/a")
        try files.synchronize(path("d/a"))
        try files.synchronize(path("d"))
        try files.synchronizeTree(subject.root)
        try requireCode(.notFound, "synchronizing nothing") { try files.synchronize(path("no")) }
    }
}
