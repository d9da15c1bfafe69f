extension FileSystem {
    /// Returns all bytes of a file; for files that are known to be small.
    ///
    /// - Parameter path: The file.
    /// - Returns: Its bytes.
    /// - Throws: `FileSystemError`: `notFound`, `isDirectory`, and others.
    public func contents(of path: String) throws(FileSystemError) -> [UInt8] {
        let file = try openForReading(path)
        defer { file.close() }
        var bytes: [UInt8] = []
        while true {
            let chunk = try file.read(from: bytes.count, count: 1 << 20)
            if chunk.isEmpty { return bytes }
            bytes += chunk
        }
    }
}
