import Glibc
public import TransportCore

/// A small file with a secret, which nobody but its owner may read.
public struct OwnerOnlyFile: Sendable {
    /// Where the file is.
    public let path: String
    /// What it holds and what a new one would be called, for messages: `a private key` and `key`.
    private let words: (holds: String, new: String)
    private let maximumBytes: Int

    /// Names a file; its folder is made when something is kept.
    ///
    /// - Parameters:
    ///   - path: Where the file is.
    ///   - holds: What it holds, for messages.
    ///   - new: What would be made in its place, for messages.
    ///   - maximumBytes: How many bytes are looked at, at most.
    public init(path: String, holding holds: String = "a secret", or new: String = "one", maximumBytes: Int = 4096) {
        self.path = path
        words = (holds, new)
        self.maximumBytes = maximumBytes
    }

    /// Returns the file's bytes, `nil` where there is no file.
    ///
    /// - Throws: `unavailable` when it cannot be read, or when others can read it, which says what to do.
    public func read() throws(TransportError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        if descriptor < 0 {
            if errno == ENOENT { return nil }
            throw failure("cannot be opened", errno)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("cannot be examined", errno) }
        guard status.st_mode & 0o077 == 0, status.st_uid == geteuid() else {
            throw TransportError(
                .unavailable,
                "\(path) holds \(words.holds), but is not its owner's alone; run chmod 600 on it, or remove it to get a new "
                    + "\(words.new)."
            )
        }
        var bytes: [UInt8] = []
        while bytes.count < maximumBytes {
            let part = [UInt8](unsafeUninitializedCapacity: min(maximumBytes, 65_536)) { buffer, used in
                used = max(0, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
            }
            if part.isEmpty { break }
            bytes += part
        }
        return bytes
    }

    /// Makes the file, whole or not at all.
    ///
    /// - Parameter bytes: What it is to hold.
    /// - Returns: False when there is one already, which stays as it is.
    /// - Throws: `unavailable` when it cannot be written.
    public func create(_ bytes: [UInt8]) throws(TransportError) -> Bool {
        let draft = try writeDraft(bytes)
        defer { unlink(draft) }
        // Unlike a rename, a link never takes the place of what somebody else has made meanwhile.
        if link(draft, path) == 0 { return true }
        if errno == EEXIST { return false }
        throw failure("cannot be written", errno)
    }

    /// Makes the file, or puts it in the place of the one that is there, whole or not at all.
    ///
    /// - Parameter bytes: What it is to hold.
    /// - Throws: `unavailable` when it cannot be written.
    public func replace(_ bytes: [UInt8]) throws(TransportError) {
        // Written beside and moved over, so that a reader finds the old secret or the new one, and never half of one.
        let draft = try writeDraft(bytes)
        guard rename(draft, path) == 0 else {
            let reason = errno
            unlink(draft)
            throw failure("cannot be written", reason)
        }
    }

    private func writeDraft(_ bytes: [UInt8]) throws(TransportError) -> String {
        try makeFolder(path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "")
        let draft = "\(path).\(getpid()).new"
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure("cannot be written", errno) }
        var isWritten = true
        var rest = bytes[...]
        while isWritten, !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count <= 0 { isWritten = false } else { rest = rest.dropFirst(count) }
        }
        isWritten = isWritten && fsync(descriptor) == 0
        let reason = errno
        close(descriptor)
        guard isWritten else {
            unlink(draft)
            throw failure("cannot be written", reason)
        }
        return draft
    }

    private func makeFolder(_ folder: String) throws(TransportError) {
        if folder.isEmpty || access(folder, F_OK) == 0 { return }
        if let slash = folder.lastIndex(of: "/") { try makeFolder(String(folder[..<slash])) }
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw failure("has a folder that cannot be made", errno)
        }
    }

    private func failure(_ what: String, _ code: Int32) -> TransportError {
        TransportError(.unavailable, "\(path) \(what): \(String(cString: strerror(code))).")
    }
}
