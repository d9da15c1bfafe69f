internal import Glibc

/// A file that is written whole or not at all.
struct OutputFile {
    let path: String

    /// Looks whether a file could stand here, so that work is not done in vain.
    ///
    /// - Throws: `.notFound` when the folder does not exist, `.failed` when a folder stands there.
    func checkPlace() throws(CommandError) {
        guard !path.isEmpty else { throw CommandError(.usage, "a file needs a name") }
        var status = stat()
        if stat(path, &status) == 0 {
            if status.st_mode & S_IFMT == S_IFDIR { throw failure(EISDIR) }
        } else {
            let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
            guard stat(folder, &status) == 0 else { throw failure(errno) }
        }
    }

    /// Replaces the file.
    ///
    /// The bytes go to a new file beside it, which takes its place when they are safely stored; a failure, or a full disk,
    /// leaves what was there. Something that is no file, such as a pipe, is written to directly.
    ///
    /// - Throws: `.notFound` when the folder does not exist, `.failed` for anything else.
    func write(_ bytes: [UInt8]) throws(CommandError) {
        var status = stat()
        let exists = stat(path, &status) == 0
        switch status.st_mode & S_IFMT {
        case S_IFDIR where exists:
            throw failure(EISDIR)
        case S_IFREG where exists:
            try replace(with: bytes, mode: status.st_mode & 0o7777)
        case _ where exists:
            try withDescriptor(open(path, O_WRONLY | O_CLOEXEC)) { descriptor throws(CommandError) in
                try put(bytes, descriptor)
            }
        default:
            try replace(with: bytes, mode: 0o666 & ~currentMask())
        }
    }

    private func replace(with bytes: [UInt8], mode: mode_t) throws(CommandError) {
        // A link stays a link: what it points to is replaced, or made.
        var status = stat()
        let isLink = lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
        let target = realpath(path, nil).map { pointer in
            defer { free(pointer) }
            return String(cString: pointer)
        }
        guard target != nil || !isLink else {
            return try withDescriptor(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)) {
                descriptor throws(CommandError) in
                try put(bytes, descriptor)
            }
        }
        let destination = target ?? path
        // A name of its own length, since the file's own may be as long as names can be.
        let folder = destination.lastIndex(of: "/").map { destination[...$0] } ?? ""
        let temporary = "\(folder).hope-\(getpid()).partial"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        do throws(CommandError) {
            try withDescriptor(descriptor) { descriptor throws(CommandError) in
                try put(bytes, descriptor)
                guard fchmod(descriptor, mode) == 0, fsync(descriptor) == 0 else { throw failure(errno) }
            }
            guard rename(temporary, destination) == 0 else { throw failure(errno) }
        } catch {
            if descriptor >= 0 { unlink(temporary) }
            throw error
        }
    }

    private func withDescriptor(
        _ descriptor: Int32,
        _ body: (Int32) throws(CommandError) -> Void
    ) throws(CommandError) {
        guard descriptor >= 0 else { throw failure(errno) }
        defer { close(descriptor) }
        try body(descriptor)
    }

    private func put(_ bytes: [UInt8], _ descriptor: Int32) throws(CommandError) {
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                start += count
            } else if errno != EINTR {
                throw failure(errno)
            }
        }
    }

    private func currentMask() -> mode_t {
        let mask = umask(0)
        umask(mask)
        return mask
    }

    private func failure(_ code: Int32) -> CommandError {
        switch code {
        case ENOENT, ENOTDIR:
            CommandError(.notFound, "\(quoted(path)) cannot be written: its folder does not exist; make it first")
        case EISDIR:
            CommandError(.failed, "\(quoted(path)) is a folder; name a file in it")
        case ENOSPC, EDQUOT:
            CommandError(.failed, "\(quoted(path)) cannot be written: the disk is full; free some space and try again")
        default:
            CommandError(.failed, "\(quoted(path)) cannot be written: \(String(cString: strerror(code)))")
        }
    }
}
