internal import Glibc

/// A file that is replaced whole or not at all, and that its owner alone may read.
struct AtomicFile: Sendable {
    let path: String

    /// The file's bytes; nil where there is none, or it cannot be read.
    func read(atMost limit: Int = 64 * 1024 * 1024) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size <= limit else { return nil }
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            let part = [UInt8](unsafeUninitializedCapacity: 256 * 1024) { buffer, used in
                used = max(0, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
            }
            if part.isEmpty { return bytes }
            bytes += part
        }
        return nil
    }

    /// Replaces the file.
    ///
    /// - Returns: What the system says went wrong, nil when nothing did; then the earlier file is gone.
    func write(_ bytes: [UInt8]) -> String? {
        let draft = "\(path).\(getpid()).new"
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return Self.reason() }
        var rest = bytes[...]
        var failure: String?
        while failure == nil, !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count <= 0 { failure = Self.reason() } else { rest = rest.dropFirst(count) }
        }
        if failure == nil, fsync(descriptor) != 0 { failure = Self.reason() }
        close(descriptor)
        if failure == nil, rename(draft, path) != 0 { failure = Self.reason() }
        if failure != nil { unlink(draft) }
        return failure
    }

    /// Makes a folder and those that it is in.
    ///
    /// - Returns: Whether it is there now.
    static func makeFolder(_ folder: String) -> Bool {
        if folder.isEmpty || access(folder, F_OK) == 0 { return true }
        if let slash = folder.lastIndex(of: "/"), !makeFolder(String(folder[..<slash])) { return false }
        return mkdir(folder, 0o700) == 0 || errno == EEXIST
    }

    static func reason() -> String { String(cString: strerror(errno)) }
}
