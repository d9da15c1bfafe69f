import DocumentStoreConformance
import MapDocs

/// A file system that breaks one promise on purpose.
struct CheatingFileSystem: FileSystem {
    let base: InMemoryFileSystem
    let law: FileSystemLaw

    func entry(at path: String) throws(FileSystemError) -> FileEntry? {
        let entry = try base.entry(at: path)
        if law == .nothingIsNil, entry == nil { throw FileSystemError(.notFound, path: path) }
        return entry
    }

    func entries(in path: String) throws(FileSystemError) -> [FileEntry] {
        let path = law == .linksAreNotFollowed && path.hasSuffix("/d/folder") ? "/target" : path
        let entries = try base.entries(in: path)
        switch law {
        case .entriesAreInByteOrder: return entries.reversed()
        case .entriesSayWhatTheyAre:
            return entries.map { FileEntry(name: $0.name, kind: $0.kind, size: $0.size + 1, modifiedAt: 0) }
        case .privateIsPrivate:
            return entries.map { FileEntry(name: $0.name, kind: $0.kind, size: $0.size, modifiedAt: 0) }
        default: return entries
        }
    }

    func openForReading(_ path: String) throws(FileSystemError) -> any ReadableFile {
        if law == .foldersAreNoFiles, try base.entry(at: path)?.kind == .directory {
            throw FileSystemError(.notFound, path: path)
        }
        let file = try base.openForReading(path)
        if law == .writtenBytesAreRead { return WrongFile(file: file, base: base, path: nil) }
        if law == .openFileOutlivesItsName { return WrongFile(file: file, base: base, path: path) }
        return file
    }

    func create(_ path: String, isPrivate: Bool) throws(FileSystemError) -> any WritableFile {
        switch law {
        case .createRefusesWhatIsThere: try base.remove(path)
        case .createNeedsItsFolder: try base.createDirectories(parent(path))
        default: break
        }
        return try base.create(path, isPrivate: isPrivate)
    }

    private func parent(_ path: String) -> String {
        let parts = path.split(separator: "/").dropLast()
        return "/" + parts.joined(separator: "/")
    }

    func openForAppending(_ path: String) throws(FileSystemError) -> any WritableFile {
        if law == .appendingWritesBehindTheEnd { try base.remove(path) }
        return try base.openForAppending(path)
    }

    func copyFile(_ source: String, to destination: String) throws(FileSystemError) {
        if law == .copyIsItsOwn { return try base.move(source, to: destination) }
        if law == .copyRefusesWhatIsThere { try base.remove(destination) }
        try base.copyFile(source, to: destination)
    }

    func createDirectory(_ path: String, isPrivate: Bool) throws(FileSystemError) {
        try base.createDirectory(path, isPrivate: isPrivate)
    }

    func move(_ source: String, to destination: String) throws(FileSystemError) {
        if law == .moveRefusesWhatIsThere { try base.remove(destination) }
        if law == .stampsTellStatesApart {
            try base.copyFile(source, to: destination)
            return try base.remove(source)
        }
        try base.move(source, to: destination)
        if law == .moveTakesAllAlong { try base.remove("\(destination)/inner") }
    }

    func replaceFile(_ destination: String, with source: String) throws(FileSystemError) {
        if law == .replaceFileReplaces {
            try base.remove(destination)
            return try base.copyFile(source, to: destination)
        }
        try base.replaceFile(destination, with: source)
    }

    func exchange(_ first: String, with second: String) throws(FileSystemError) {
        if law == .exchangeSwapsFolders {
            try base.remove(second)
            return try base.move(first, to: second)
        }
        try base.exchange(first, with: second)
    }

    func remove(_ path: String) throws(FileSystemError) {
        switch law {
        case .removeTakesAll where try base.entry(at: path)?.kind == .directory: return
        case .removingNothingIsNoError where try base.entry(at: path) == nil:
            throw FileSystemError(.notFound, path: path)
        default: try base.remove(path)
        }
    }

    func synchronize(_ path: String) throws(FileSystemError) {
        if law == .synchronizeNeedsWhatIsThere, try base.entry(at: path) == nil { return }
        try base.synchronize(path)
    }

    func lock(_ path: String) throws(FileSystemError) -> (any FileLock)? {
        switch law {
        case .lockExcludes: return NoLock()
        case .lockComesBack: return try base.entry(at: path) == nil ? base.lock(path) : nil
        case .lockOfARemovedFileIsAnother:
            let lock = try base.lock(path)
            try base.remove(path)
            return lock
        default: return try base.lock(path)
        }
    }

    private struct NoLock: FileLock {
        func unlock() {}
    }

    /// A file that has one byte too many at its end, or is looked up by its name each time.
    private struct WrongFile: ReadableFile {
        let file: any ReadableFile
        let base: InMemoryFileSystem
        let path: String?

        func entry() throws(FileSystemError) -> FileEntry { try file.entry() }

        func read(from offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
            if let path { return try base.openForReading(path).read(from: offset, count: count) }
            return try file.read(from: offset, count: count) + [0]
        }

        func close() { file.close() }
    }
}
