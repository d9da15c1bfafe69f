import CMapLinux
import Glibc
public import MapDocs

/// The files and folders of this machine.
///
/// Folders are swapped with `renameat2(RENAME_EXCHANGE)`, copies share blocks where the file system can (reflink), and
/// locks are those of `flock(2)`, which network file systems of Linux pass on to their server.
public struct PosixFileSystem: Sendable {
    /// From how many files and folders on the whole file system is synchronized at once instead of one by one.
    private static let mostSynchronizedAlone = 32

    /// Makes the file system.
    public init() {}

    static func error(_ number: Int32, _ path: String) -> FileSystemError {
        let code: FileSystemError.Code =
            switch number {
            case ENOENT: .notFound
            case EEXIST, ENOTEMPTY: .exists
            case ENOTDIR: .notDirectory
            case EISDIR: .isDirectory
            case ENOSPC, EDQUOT, EFBIG: .full
            case EROFS: .readOnly
            case EACCES, EPERM: .denied
            case EXDEV, ENOSYS, ENOTSUP, ELOOP: .unsupported
            default: .failed
            }
        return FileSystemError(code, path: path, reason: code == .failed ? String(cString: strerror(number)) : nil)
    }

    /// Repeats a call that a signal interrupts, and throws when it fails.
    @discardableResult
    static func call<Result: SignedInteger>(_ path: String, _ body: () -> Result) throws(FileSystemError) -> Result {
        while true {
            let result = body()
            if result >= 0 { return result }
            let number = errno
            if number != EINTR { throw error(number, path) }
        }
    }

    private static func open(_ path: String, _ flags: Int32, _ mode: mode_t = 0o666) throws(FileSystemError) -> Int32 {
        try call(path) { Glibc.open(path, flags | O_CLOEXEC | O_NOFOLLOW, mode) }
    }

    static func entry(_ status: stat, name: String) -> FileEntry {
        let kind: FileEntry.Kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .directory
            default: .other
            }
        let modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
        let changed = Int64(status.st_ctim.tv_sec) * 1_000_000_000 + Int64(status.st_ctim.tv_nsec)
        return FileEntry(
            name: name,
            kind: kind,
            size: kind == .file ? Int(status.st_size) : 0,
            modifiedAt: Double(modified) / 1e9,
            isPrivate: status.st_mode & 0o077 == 0 && status.st_uid == geteuid(),
            stamp: FileStamp(number: UInt64(status.st_ino), modified: modified, changed: changed)
        )
    }

    /// Returns the entries of an open folder, and the names that are not text as `other`.
    private static func entries(of folder: Int32, path: String) throws(FileSystemError) -> [FileEntry] {
        guard let stream = fdopendir(folder) else {
            let failure = error(errno, path)
            Glibc.close(folder)
            throw failure
        }
        defer { closedir(stream) }
        var entries: [FileEntry] = []
        while true {
            errno = 0
            guard let record = readdir(stream) else {
                if errno != 0 { throw error(errno, path) }
                break
            }
            var status = stat()
            let (name, isText, wasFound) = withUnsafePointer(to: &record.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { characters in
                    let isFound = fstatat(dirfd(stream), characters, &status, AT_SYMLINK_NOFOLLOW) == 0
                    let text = String(validatingCString: characters)
                    return (text ?? String(cString: characters), text != nil, isFound)
                }
            }
            // What is gone by now was never there.
            if name == "." || name == ".." || !wasFound { continue }
            let entry = entry(status, name: name)
            entries.append(
                isText ? entry : FileEntry(name: name, kind: .other, size: 0, modifiedAt: entry.modifiedAt)
            )
        }
        return entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    private static func copy(_ source: Int32, to destination: Int32, path: String) throws(FileSystemError) {
        if hope_clone_file(source, destination) == 0 { return }
        while true {
            let count = hope_copy_file_range(source, destination, 1 << 30)
            if count > 0 { continue }
            if count < 0, errno == EINTR { continue }
            if count < 0, ![EXDEV, EINVAL, ENOSYS, ENOTSUP].contains(errno) { throw error(errno, path) }
            break
        }
        // Where the kernel cannot, and where it says 0 although there is more, as for generated files.
        while true {
            let bytes = try read(source, count: 1 << 20, path: path) { Glibc.read(source, $0, $1) }
            if bytes.isEmpty { return }
            try write(bytes, to: destination, path: path)
        }
    }

    static func read(
        _ file: Int32,
        count: Int,
        path: String,
        _ body: (UnsafeMutableRawPointer, Int) -> Int
    ) throws(FileSystemError) -> [UInt8] {
        var failure: FileSystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, size in
            guard let start = buffer.baseAddress else { return }
            do throws(FileSystemError) {
                size = try call(path) { body(start, count) }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    static func write(_ bytes: [UInt8], to file: Int32, path: String) throws(FileSystemError) {
        var written = 0
        while written < bytes.count {
            written += try call(path) {
                bytes.withUnsafeBytes { buffer in
                    Glibc.write(file, buffer.baseAddress?.advanced(by: written), bytes.count - written)
                }
            }
        }
    }

    /// Removes what a folder has, without following a link that somebody puts in the way.
    private static func removeContents(of folder: Int32, path: String) throws(FileSystemError) {
        let list = try call(path) { openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        for entry in try names(in: list, path: path) {
            try remove(entry, in: folder, path: path)
        }
    }

    private static func remove(_ name: [CChar], in folder: Int32, path: String) throws(FileSystemError) {
        if unlinkat(folder, name, 0) == 0 || errno == ENOENT { return }
        guard errno == EISDIR || errno == EPERM else { throw error(errno, path) }
        let inner = try call(path) { openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW) }
        defer { Glibc.close(inner) }
        try removeContents(of: inner, path: path)
        if unlinkat(folder, name, AT_REMOVEDIR) != 0, errno != ENOENT { throw error(errno, path) }
    }

    /// Returns the names in an open folder as the bytes that they are, and closes it.
    private static func names(in folder: Int32, path: String) throws(FileSystemError) -> [[CChar]] {
        guard let stream = fdopendir(folder) else {
            let failure = error(errno, path)
            Glibc.close(folder)
            throw failure
        }
        defer { closedir(stream) }
        var names: [[CChar]] = []
        while true {
            errno = 0
            guard let record = readdir(stream) else {
                if errno != 0 { throw error(errno, path) }
                return names
            }
            let name = withUnsafePointer(to: &record.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { characters in
                    Array(UnsafeBufferPointer(start: characters, count: strlen(characters) + 1))
                }
            }
            if name != [46, 0] && name != [46, 46, 0] { names.append(name) }
        }
    }

    /// Returns whether a failed `renameat2` may be done in another way.
    private static func isLacking(_ number: Int32) -> Bool {
        [EINVAL, ENOSYS, ENOTSUP].contains(number)
    }

    private func countEntries(in path: String, upTo limit: Int) throws(FileSystemError) -> Int {
        var count = 1
        for entry in try entries(in: path) where count <= limit {
            count += 1
            if entry.kind == .directory { count += try countEntries(in: "\(path)/\(entry.name)", upTo: limit) }
        }
        return count
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension PosixFileSystem: FileSystem {
    public func entry(at path: String) throws(FileSystemError) -> FileEntry? {
        var status = stat()
        do throws(FileSystemError) {
            try Self.call(path) { lstat(path, &status) }
        } catch {
            // A folder above that is not there, or is a file, has nothing either.
            if error.code == .notFound || error.code == .notDirectory { return nil }
            throw error
        }
        return Self.entry(status, name: path.split(separator: "/").last.map(String.init) ?? "/")
    }

    public func entries(in path: String) throws(FileSystemError) -> [FileEntry] {
        try Self.entries(of: try Self.open(path, O_RDONLY | O_DIRECTORY), path: path)
    }

    public func openForReading(_ path: String) throws(FileSystemError) -> any ReadableFile {
        // Without waiting, so that a pipe in a package does not stop the program.
        let file = PosixFile(try Self.open(path, O_RDONLY | O_NONBLOCK), path: path)
        do throws(FileSystemError) {
            switch try file.entry().kind {
            case .file: return file
            case .directory: throw FileSystemError(.isDirectory, path: path)
            case .other: throw FileSystemError(.unsupported, path: path)
            }
        } catch {
            file.close()
            throw error
        }
    }

    public func create(_ path: String, isPrivate: Bool) throws(FileSystemError) -> any WritableFile {
        PosixFile(try Self.open(path, O_WRONLY | O_CREAT | O_EXCL, isPrivate ? 0o600 : 0o666), path: path)
    }

    public func openForAppending(_ path: String) throws(FileSystemError) -> any WritableFile {
        PosixFile(try Self.open(path, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK), path: path)
    }

    public func copyFile(_ source: String, to destination: String) throws(FileSystemError) {
        let from = try Self.open(source, O_RDONLY | O_NONBLOCK)
        defer { Glibc.close(from) }
        let to = try Self.open(destination, O_WRONLY | O_CREAT | O_EXCL)
        do throws(FileSystemError) {
            defer { Glibc.close(to) }
            try Self.copy(from, to: to, path: destination)
        } catch {
            unlink(destination)
            throw error
        }
    }

    public func createDirectory(_ path: String, isPrivate: Bool) throws(FileSystemError) {
        try Self.call(path) { mkdir(path, isPrivate ? 0o700 : 0o777) }
    }

    public func move(_ source: String, to destination: String) throws(FileSystemError) {
        if hope_renameat2(source, destination, HOPE_RENAME_NOREPLACE) == 0 { return }
        let number = errno
        guard Self.isLacking(number) else {
            throw Self.error(number, number == EEXIST ? destination : source)
        }
        guard let entry = try entry(at: source) else { throw FileSystemError(.notFound, path: source) }
        if entry.kind == .directory {
            // Whoever makes the folder has the name; a move onto one's own empty folder replaces it in one step.
            try Self.call(destination) { mkdir(destination, 0o777) }
            do throws(FileSystemError) {
                try Self.call(destination) { rename(source, destination) }
            } catch {
                rmdir(destination)
                throw error
            }
        } else {
            try Self.call(destination) { link(source, destination) }
            do throws(FileSystemError) {
                try Self.call(source) { unlink(source) }
            } catch {
                unlink(destination)
                throw error
            }
        }
    }

    public func replaceFile(_ destination: String, with source: String) throws(FileSystemError) {
        if try entry(at: source)?.kind == .directory { throw FileSystemError(.isDirectory, path: source) }
        try Self.call(destination) { rename(source, destination) }
    }

    public func exchange(_ first: String, with second: String) throws(FileSystemError) {
        if hope_renameat2(first, second, HOPE_RENAME_EXCHANGE) == 0 { return }
        let number = errno
        if Self.isLacking(number) { throw FileSystemError(.unsupported, path: first) }
        throw Self.error(number, first)
    }

    public func remove(_ path: String) throws(FileSystemError) {
        do throws(FileSystemError) {
            try Self.remove(path.utf8CString.map { $0 }, in: AT_FDCWD, path: path)
        } catch {
            if error.code != .notFound && error.code != .notDirectory { throw error }
        }
    }

    public func synchronize(_ path: String) throws(FileSystemError) {
        let file = try Self.open(path, O_RDONLY | O_NONBLOCK)
        defer { Glibc.close(file) }
        var status = stat()
        try Self.call(path) { fstat(file, &status) }
        while fsync(file) != 0 {
            let number = errno
            // Some network file systems know nothing of synchronizing folders and keep names safe by themselves.
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            if isFolder && [EINVAL, ENOTSUP, EBADF].contains(number) { return }
            if number != EINTR { throw Self.error(number, path) }
        }
    }

    public func synchronizeTree(_ path: String) throws(FileSystemError) {
        // One call for all: with many files, one wait for the medium instead of one each.
        if try countEntries(in: path, upTo: Self.mostSynchronizedAlone) > Self.mostSynchronizedAlone {
            let folder = try Self.open(path, O_RDONLY | O_DIRECTORY)
            defer { Glibc.close(folder) }
            if hope_syncfs(folder) == 0 { return }
        }
        for entry in try entries(in: path) {
            switch entry.kind {
            case .file: try synchronize("\(path)/\(entry.name)")
            case .directory: try synchronizeTree("\(path)/\(entry.name)")
            case .other: break
            }
        }
        try synchronize(path)
    }

    public func lock(_ path: String) throws(FileSystemError) -> (any FileLock)? {
        while true {
            let file = PosixFile(try Self.open(path, O_RDWR | O_CREAT | O_NONBLOCK), path: path)
            do throws(FileSystemError) {
                guard try file.tryLock() else {
                    file.close()
                    return nil
                }
                // Whoever had it before may have removed the file: then this lock is of a file that nobody finds.
                if let number = try entry(at: path)?.stamp?.number, try file.entry().stamp?.number == number {
                    return file
                }
                file.close()
            } catch {
                file.close()
                throw error
            }
        }
    }
}
