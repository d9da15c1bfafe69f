import Synchronization

/// Files and folders in memory that forget, when the machine crashes, what was not synchronized.
///
/// It keeps every promise of the seam: links are not followed at a path's end, open files outlive their names, locks
/// exclude each other. What was written and which names folders have is safe only after `synchronize`; ``crash(seed:)``
/// chooses what else is left, as a journal, a disk cache or bad luck might. Dates come from a counter, so that the same
/// calls give the same entries.
public final class InMemoryFileSystem: Sendable {
    private let state: Mutex<InMemoryFileTree>

    /// Makes a file system with nothing but its root folder.
    public init() {
        state = Mutex(InMemoryFileTree())
    }

    /// Makes a file system with what another one has now, as a copy of a disk: safe, closed and unlocked.
    ///
    /// - Parameter other: The file system that is copied.
    public init(copyOf other: InMemoryFileSystem) {
        var tree = other.state.withLock { $0 }
        tree.crash(seed: 1)
        state = Mutex(tree)
    }

    /// Crashes the machine and starts it again: open files and locks are gone, and what was not synchronized may be.
    ///
    /// - Parameter seed: What is left of the rest: nothing for 0, everything for 1; for others a choice, change by
    ///   change, and files with cut or zeroed ends.
    public func crash(seed: UInt64) {
        state.withLock { $0.crash(seed: seed) }
    }

    /// Makes the medium read-only, or writable again.
    ///
    /// - Parameter isReadOnly: Whether changes fail with `readOnly` from now on.
    public func setReadOnly(_ isReadOnly: Bool) {
        state.withLock { $0.isReadOnly = isReadOnly }
    }

    /// Makes a symbolic link, which only other programs do.
    ///
    /// - Parameters:
    ///   - path: The link, where nothing is yet.
    ///   - target: The absolute path it leads to.
    /// - Throws: `FileSystemError`: `exists`, `notFound` for its folder, and others.
    public func createLink(_ path: String, to target: String) throws(FileSystemError) {
        try state.withLock { tree throws(FileSystemError) in
            _ = try tree.make(path, InMemoryFileTree.Node(kind: .link, target: target))
        }
    }

    /// Overwrites bytes of a file where they are and gives it the date it had, as a program that hides its doing.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - offset: The first byte to overwrite.
    ///   - bytes: What to write, within the size that the file has.
    /// - Throws: `FileSystemError`: `notFound`, `isDirectory`, and others.
    public func overwrite(_ path: String, at offset: Int, with bytes: [UInt8]) throws(FileSystemError) {
        try state.withLock { tree throws(FileSystemError) in
            try tree.overwrite(try tree.file(path), at: offset, with: bytes)
        }
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension InMemoryFileSystem: FileSystem {
    public func entry(at path: String) throws(FileSystemError) -> FileEntry? {
        try state.withLock { tree throws(FileSystemError) in
            guard let node = try tree.find(path) else { return nil }
            return tree.entry(of: node, name: FilePath.name(of: path))
        }
    }

    public func entries(in path: String) throws(FileSystemError) -> [FileEntry] {
        try state.withLock { tree throws(FileSystemError) in
            let folder = try tree.directory(path)
            let children = (tree.nodes[folder]?.children ?? [:]).sorted {
                $0.key.bytes.lexicographicallyPrecedes($1.key.bytes)
            }
            return children.compactMap { tree.entry(of: $0.value, name: $0.key.text) }
        }
    }

    public func openForReading(_ path: String) throws(FileSystemError) -> any ReadableFile {
        try state.withLock { tree throws(FileSystemError) in
            let node = try tree.file(path)
            tree.open(node)
            return OpenFile(system: self, node: node, epoch: tree.epoch, path: path)
        }
    }

    public func create(_ path: String, isPrivate: Bool) throws(FileSystemError) -> any WritableFile {
        try state.withLock { tree throws(FileSystemError) in
            let node = try tree.make(path, InMemoryFileTree.Node(kind: .file, isPrivate: isPrivate))
            tree.open(node)
            return OpenFile(system: self, node: node, epoch: tree.epoch, path: path)
        }
    }

    public func openForAppending(_ path: String) throws(FileSystemError) -> any WritableFile {
        try state.withLock { tree throws(FileSystemError) in
            let node: Int
            if try tree.find(path) == nil {
                node = try tree.make(path, InMemoryFileTree.Node(kind: .file))
            } else {
                node = try tree.file(path)
                try tree.checkWritable(path)
            }
            tree.open(node)
            return OpenFile(system: self, node: node, epoch: tree.epoch, path: path)
        }
    }

    public func copyFile(_ source: String, to destination: String) throws(FileSystemError) {
        try state.withLock { tree throws(FileSystemError) in
            let bytes = tree.nodes[try tree.file(source)]?.bytes ?? []
            _ = try tree.make(destination, InMemoryFileTree.Node(kind: .file, bytes: bytes))
        }
    }

    public func createDirectory(_ path: String, isPrivate: Bool) throws(FileSystemError) {
        try state.withLock { tree throws(FileSystemError) in
            _ = try tree.make(path, InMemoryFileTree.Node(kind: .directory, isPrivate: isPrivate))
        }
    }

    public func move(_ source: String, to destination: String) throws(FileSystemError) {
        try state.withLock { tree throws(FileSystemError) in
            try tree.move(source, to: destination, replacing: false)
        }
    }

    public func replaceFile(_ destination: String, with source: String) throws(FileSystemError) {
        try state.withLock { tree throws(FileSystemError) in
            _ = try tree.file(source)
            if try tree.find(destination) != nil { _ = try tree.file(destination) }
            try tree.move(source, to: destination, replacing: true)
        }
    }

    public func exchange(_ first: String, with second: String) throws(FileSystemError) {
        try state.withLock { tree throws(FileSystemError) in
            try tree.exchange(first, with: second)
        }
    }

    public func remove(_ path: String) throws(FileSystemError) {
        try state.withLock { tree throws(FileSystemError) in
            try tree.remove(path)
        }
    }

    public func synchronize(_ path: String) throws(FileSystemError) {
        try state.withLock { tree throws(FileSystemError) in
            guard let node = try tree.find(path) else { throw FileSystemError(.notFound, path: path) }
            tree.synchronize(node)
        }
    }

    public func lock(_ path: String) throws(FileSystemError) -> (any FileLock)? {
        try state.withLock { tree throws(FileSystemError) in
            let node: Int
            if try tree.find(path) == nil {
                node = try tree.make(path, InMemoryFileTree.Node(kind: .file))
            } else {
                node = try tree.file(path)
                try tree.checkWritable(path)
            }
            guard tree.lock(node) else { return nil }
            return HeldLock(system: self, node: node, epoch: tree.epoch)
        }
    }
}

extension InMemoryFileSystem {
    /// A file that is open until it is closed or the machine crashes.
    private final class OpenFile: ReadableFile, WritableFile {
        private let system: InMemoryFileSystem
        private let node: Int
        private let epoch: Int
        private let path: String
        private let isClosed = Mutex(false)

        init(system: InMemoryFileSystem, node: Int, epoch: Int, path: String) {
            self.system = system
            self.node = node
            self.epoch = epoch
            self.path = path
        }

        deinit { close() }

        private func withTree<Result>(
            _ body: (inout InMemoryFileTree) throws(FileSystemError) -> Result
        ) throws(FileSystemError) -> Result {
            let wasClosed = isClosed.withLock { $0 }
            return try system.state.withLock { tree throws(FileSystemError) in
                guard !wasClosed, tree.epoch == epoch else {
                    throw FileSystemError(.failed, path: path, reason: "the file is closed")
                }
                return try body(&tree)
            }
        }

        func entry() throws(FileSystemError) -> FileEntry {
            try withTree { tree throws(FileSystemError) in
                guard let entry = tree.entry(of: node, name: "") else {
                    throw FileSystemError(.notFound, path: path)
                }
                return entry
            }
        }

        func read(from offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
            try withTree { tree throws(FileSystemError) in
                let bytes = tree.nodes[node]?.bytes ?? []
                let start = min(max(offset, 0), bytes.count)
                return Array(bytes[start..<start + min(max(count, 0), bytes.count - start)])
            }
        }

        func write(_ bytes: [UInt8]) throws(FileSystemError) {
            try withTree { tree throws(FileSystemError) in
                try tree.checkWritable(path)
                tree.append(bytes, to: node)
            }
        }

        func synchronize() throws(FileSystemError) {
            try withTree { tree throws(FileSystemError) in tree.synchronize(node) }
        }

        func close() {
            let isFirst = isClosed.withLock { isClosed in
                defer { isClosed = true }
                return !isClosed
            }
            guard isFirst else { return }
            system.state.withLock { tree in
                if tree.epoch == epoch { tree.close(node) }
            }
        }
    }

    /// A lock that is held until it is given back or the machine crashes.
    private final class HeldLock: FileLock {
        private let system: InMemoryFileSystem
        private let node: Int
        private let epoch: Int
        private let isHeld = Mutex(true)

        init(system: InMemoryFileSystem, node: Int, epoch: Int) {
            self.system = system
            self.node = node
            self.epoch = epoch
        }

        deinit { unlock() }

        func unlock() {
            let wasHeld = isHeld.withLock { isHeld in
                defer { isHeld = false }
                return isHeld
            }
            guard wasHeld else { return }
            system.state.withLock { tree in
                if tree.epoch == epoch { tree.unlock(node) }
            }
        }
    }
}
