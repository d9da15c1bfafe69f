internal import Glibc
internal import TransportCore

/// A small file with a secret, which nobody but its owner may read.
struct OwnerOnlyFile: Sendable {
    let path: String

    /// The file's bytes; nil where there is no file.
    func read() throws(TransportError) -> [UInt8]? {
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
                "\(path) holds a secret, but is not its owner's alone; run chmod 600 on it, or remove it to get a new one."
            )
        }
        var bytes: [UInt8] = []
        while bytes.count < 4096 {
            let part = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, used in
                used = max(0, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
            }
            if part.isEmpty { break }
            bytes += part
        }
        return bytes
    }

    /// Makes the file, whole or not at all; false when it is there already.
    func create(_ bytes: [UInt8]) throws(TransportError) -> Bool {
        try makeFolder(path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "")
        let draft = "\(path).\(getpid()).new"
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure("cannot be written", errno) }
        defer { unlink(draft) }
        var isWritten = true
        var rest = bytes[...]
        while isWritten, !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count <= 0 { isWritten = false } else { rest = rest.dropFirst(count) }
        }
        isWritten = isWritten && fsync(descriptor) == 0
        let code = errno
        close(descriptor)
        guard isWritten else { throw failure("cannot be written", code) }
        // Unlike a rename, a link never takes the place of what somebody else has made meanwhile.
        if link(draft, path) == 0 { return true }
        if errno == EEXIST { return false }
        throw failure("cannot be written", errno)
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
