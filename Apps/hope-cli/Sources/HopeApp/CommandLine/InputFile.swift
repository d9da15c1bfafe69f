internal import Glibc

/// A file, or standard input as `-`, that is read whole.
struct InputFile {
    /// The most bytes that are read; what is larger is no file of ours.
    static let limit = 1 << 30

    let path: String

    /// Reads the file.
    ///
    /// - Throws: `.notFound` when it does not exist, `.failed` for anything else that keeps it from being read.
    func read() throws(CommandError) -> [UInt8] {
        guard path != "-" else { return try readAll(STDIN_FILENO) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(errno) }
        defer { close(descriptor) }
        return try readAll(descriptor)
    }

    private func readAll(_ descriptor: Int32) throws(CommandError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count > 0 {
                bytes += buffer[..<count]
                guard bytes.count <= Self.limit else {
                    throw CommandError(.failed, "\(quoted(path)) is larger than 1 GiB; cut it into smaller files")
                }
            } else if count == 0 {
                return bytes
            } else if errno != EINTR {
                throw failure(errno)
            }
        }
    }

    private func failure(_ code: Int32) -> CommandError {
        switch code {
        case ENOENT, ENOTDIR: CommandError(.notFound, "\(quoted(path)) does not exist; check its path")
        case EISDIR: CommandError(.failed, "\(quoted(path)) is a folder; name a file in it")
        default: CommandError(.failed, "\(quoted(path)) cannot be read: \(String(cString: strerror(code)))")
        }
    }
}
