/// The files and folders below stores and working copies, one call for each step that can fail.
///
/// Publishing without loss is a sequence of these calls, so a test can make any of them fail, or stop the process
/// there, and look at what is left.
///
/// For implementers:
///
/// - Paths are absolute, with `/` between their parts. Symbolic links are not followed at a path's end, and listed as
///   `other`.
/// - A call has either happened or not when it throws; `write` is the only one that can have happened in part.
/// - What was written is safe from a crash of the machine after `synchronize` of the file and of its folder.
/// - Calls block and can come from several tasks.
///
/// An Apple backend is the same one, with NSFileCoordinator around what a sync program shares.
public protocol FileSystem: Sendable {
    /// Returns what is at a path, or nil when nothing is.
    ///
    /// - Parameter path: The path.
    /// - Returns: The entry; nil also when a folder above is not there.
    /// - Throws: `FileSystemError`.
    func entry(at path: String) throws(FileSystemError) -> FileEntry?

    /// Returns what a folder has, in byte order of the names.
    ///
    /// - Parameter path: The folder.
    /// - Returns: The entries; names that are not text are listed as `other`.
    /// - Throws: `FileSystemError`: `notFound`, `notDirectory`, and others.
    func entries(in path: String) throws(FileSystemError) -> [FileEntry]

    /// Opens a file to read pieces of it.
    ///
    /// - Parameter path: The file.
    /// - Returns: The open file.
    /// - Throws: `FileSystemError`: `notFound`, `isDirectory`, and others.
    func openForReading(_ path: String) throws(FileSystemError) -> any ReadableFile

    /// Makes a file that is not there yet and opens it to write.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - isPrivate: Whether only its owner may read it.
    /// - Returns: The open file, empty.
    /// - Throws: `FileSystemError`: `exists`, `notFound` for its folder, and others.
    func create(_ path: String, isPrivate: Bool) throws(FileSystemError) -> any WritableFile

    /// Opens a file to write behind its end, making it when it is not there.
    ///
    /// - Parameter path: The file.
    /// - Returns: The open file.
    /// - Throws: `FileSystemError`: `notFound` for its folder, `isDirectory`, and others.
    func openForAppending(_ path: String) throws(FileSystemError) -> any WritableFile

    /// Copies a file to a path where nothing is, sharing blocks where the file system can.
    ///
    /// - Parameters:
    ///   - source: The file.
    ///   - destination: Where to.
    /// - Throws: `FileSystemError`: `notFound`, `exists`, `full`, and others; then nothing is left at `destination`.
    func copyFile(_ source: String, to destination: String) throws(FileSystemError)

    /// Makes a folder whose parent is there.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - isPrivate: Whether only its owner may look into it.
    /// - Throws: `FileSystemError`: `exists`, `notFound` for its parent, and others.
    func createDirectory(_ path: String, isPrivate: Bool) throws(FileSystemError)

    /// Moves a file or folder within one file system to a path where nothing is, in one step.
    ///
    /// - Parameters:
    ///   - source: What to move.
    ///   - destination: Where to.
    /// - Throws: `FileSystemError`: `exists`, `notFound`, `unsupported` across file systems, and others.
    func move(_ source: String, to destination: String) throws(FileSystemError)

    /// Moves a file to a path, replacing the file that is there, in one step.
    ///
    /// - Parameters:
    ///   - destination: Where to.
    ///   - source: The file.
    /// - Throws: `FileSystemError`: `notFound`, `isDirectory`, and others.
    func replaceFile(_ destination: String, with source: String) throws(FileSystemError)

    /// Swaps two files or folders of one file system in one step.
    ///
    /// - Parameters:
    ///   - first: The one.
    ///   - second: The other.
    /// - Throws: `FileSystemError`: `notFound`; `unsupported` where the file system cannot; and others.
    func exchange(_ first: String, with second: String) throws(FileSystemError)

    /// Removes a file, or a folder with everything in it; does nothing when nothing is there.
    ///
    /// - Parameter path: What to remove. Links inside are removed, not followed.
    /// - Throws: `FileSystemError`; a folder can then be left with a part of what it had.
    func remove(_ path: String) throws(FileSystemError)

    /// Makes what was written to a file, or which names a folder has, safe from a crash of the machine.
    ///
    /// - Parameter path: The file or folder.
    /// - Throws: `FileSystemError`.
    func synchronize(_ path: String) throws(FileSystemError)

    /// Makes a folder and everything in it safe from a crash of the machine; its own name needs its parent's.
    ///
    /// A backend may do better than the default, which synchronizes one after the other.
    ///
    /// - Parameter path: The folder.
    /// - Throws: `FileSystemError`.
    func synchronizeTree(_ path: String) throws(FileSystemError)

    /// Takes the lock of a path or says that somebody else has it, at once.
    ///
    /// The lock is advisory, holds between processes and between calls of one process, and is free when its process
    /// ends, however it does. Whoever holds it may remove the file before unlocking: whoever then takes the lock has
    /// that of the file which is at the path by then.
    ///
    /// - Parameter path: A file that is made when it is not there.
    /// - Returns: The lock, or nil when somebody else has it.
    /// - Throws: `FileSystemError`.
    func lock(_ path: String) throws(FileSystemError) -> (any FileLock)?
}

extension FileSystem {
    /// Makes a folder whose parent is there, which others may look into.
    ///
    /// - Parameter path: The folder.
    /// - Throws: `FileSystemError`: `exists`, `notFound` for its parent, and others.
    public func createDirectory(_ path: String) throws(FileSystemError) {
        try createDirectory(path, isPrivate: false)
    }

    /// Makes a folder and those above it as far as they are not there.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - isPrivate: Whether only the owner may look into those that are made.
    /// - Throws: `FileSystemError`: `notDirectory`, and others.
    public func createDirectories(_ path: String, isPrivate: Bool = false) throws(FileSystemError) {
        if let entry = try entry(at: path) {
            guard entry.kind == .directory else { throw FileSystemError(.notDirectory, path: path) }
            return
        }
        let parent = FilePath.parent(of: path)
        if parent != path { try createDirectories(parent, isPrivate: isPrivate) }
        do {
            try createDirectory(path, isPrivate: isPrivate)
        } catch let error where error.code == .exists {
            // Somebody else made it in between.
        }
    }

    /// Synchronizes what is in the folder, deepest first, and then the folder.
    ///
    /// - Parameter path: The folder.
    /// - Throws: `FileSystemError`.
    public func synchronizeTree(_ path: String) throws(FileSystemError) {
        for entry in try entries(in: path) {
            switch entry.kind {
            case .file: try synchronize("\(path)/\(entry.name)")
            case .directory: try synchronizeTree("\(path)/\(entry.name)")
            case .other: break
            }
        }
        try synchronize(path)
    }
}

/// A file that is open to read.
///
/// It stays readable, with what it has, when it is moved or removed.
public protocol ReadableFile: Sendable {
    /// Returns what the open file is now, wherever it has been moved to; its name is empty.
    ///
    /// - Throws: `FileSystemError`.
    func entry() throws(FileSystemError) -> FileEntry

    /// Returns bytes of the file.
    ///
    /// - Parameters:
    ///   - offset: The first byte, from 0.
    ///   - count: The most bytes to return.
    /// - Returns: Between 1 and `count` bytes, or none at and after the end.
    /// - Throws: `FileSystemError`.
    func read(from offset: Int, count: Int) throws(FileSystemError) -> [UInt8]

    /// Closes it; closing again does nothing.
    func close()
}

/// A file that is open to write.
public protocol WritableFile: Sendable {
    /// Writes bytes behind what was written before.
    ///
    /// - Parameter bytes: The bytes.
    /// - Throws: `FileSystemError`: `full`, and others; a part can then be written.
    func write(_ bytes: [UInt8]) throws(FileSystemError)

    /// Makes what was written safe from a crash of the machine.
    ///
    /// - Throws: `FileSystemError`.
    func synchronize() throws(FileSystemError)

    /// Closes it; closing again does nothing.
    ///
    /// - Throws: `FileSystemError` when the system says only now that writing failed.
    func close() throws(FileSystemError)
}

/// A lock that somebody has.
public protocol FileLock: Sendable {
    /// Gives the lock back; doing so again does nothing.
    func unlock()
}

/// A file or folder as its folder lists it.
public struct FileEntry: Hashable, Sendable {
    /// What it is.
    public enum Kind: Hashable, Sendable {
        /// A file.
        case file
        /// A folder.
        case directory
        /// Something else: a symbolic link, a device, a socket.
        case other
    }

    /// The name without its folder.
    public let name: String
    /// What it is.
    public let kind: Kind
    /// The number of bytes of a file; 0 for others.
    public let size: Int
    /// When it was last changed, in seconds since 1970; only for showing.
    public let modifiedAt: Double
    /// Whether only its owner may read or change it.
    public let isPrivate: Bool
    /// What tells this state of the file from others, or nil when the file system has nothing for it.
    public let stamp: FileStamp?

    /// Makes an entry.
    ///
    /// - Parameters:
    ///   - name: The name without its folder.
    ///   - kind: What it is.
    ///   - size: The number of bytes.
    ///   - modifiedAt: When it was last changed, in seconds since 1970.
    ///   - isPrivate: Whether only its owner may read or change it.
    ///   - stamp: What tells this state of the file from others.
    public init(
        name: String,
        kind: Kind,
        size: Int,
        modifiedAt: Double,
        isPrivate: Bool = false,
        stamp: FileStamp? = nil
    ) {
        self.name = name
        self.kind = kind
        self.size = size
        self.modifiedAt = modifiedAt
        self.isPrivate = isPrivate
        self.stamp = stamp
    }
}

/// What tells states of a file apart without reading it: programs can set a file's date, but not these together.
///
/// A file with another stamp may have other content. One with the same stamp has the same content as far as the file
/// system's clock ticks finely enough, so a stamp can save reading for a list; what decides a publish reads.
public struct FileStamp: Hashable, Sendable {
    /// The number of the file within its file system: the same after a move, another one after a replacement.
    public let number: UInt64
    /// When its content was changed, in nanoseconds since 1970 as the file system says; programs can set it.
    public let modified: Int64
    /// When anything about it was changed, in nanoseconds; programs cannot set it.
    public let changed: Int64

    /// Makes a stamp.
    ///
    /// - Parameters:
    ///   - number: The number of the file within its file system.
    ///   - modified: When its content was changed, in nanoseconds.
    ///   - changed: When anything about it was changed, in nanoseconds.
    public init(number: UInt64, modified: Int64, changed: Int64) {
        self.number = number
        self.modified = modified
        self.changed = changed
    }
}
