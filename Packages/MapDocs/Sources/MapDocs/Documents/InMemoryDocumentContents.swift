public import TransportCore

/// The files of a package kept in memory.
public struct InMemoryDocumentContents: Sendable {
    /// The published files in byte order of their paths, each once.
    public let files: [PublishedFile]
    private let bytes: [String: [UInt8]]

    /// Makes contents from files.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of each file by its path.
    ///   - digest: What computes SHA-256.
    /// - Throws: `DocumentStoreError` when a path cannot be one or `project.json` is not JSON.
    public init(_ bytes: [String: [UInt8]], digest: any ContentDigest) throws(DocumentStoreError) {
        var files: [PublishedFile] = []
        for path in bytes.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            files.append(try PublishedFile(path: path, contents: bytes[path] ?? [], digest: digest))
        }
        self.files = files
        self.bytes = bytes
    }

    /// Makes contents whose entries were computed before, right or wrong.
    init(files: [PublishedFile], bytes: [String: [UInt8]]) {
        self.files = files
        self.bytes = bytes
    }

    func all(of path: String) throws(DocumentStoreError) -> [UInt8] {
        guard let file = bytes[path] else {
            throw DocumentStoreError(
                code: .notFound,
                subject: path,
                message: "“\(path)” is not in the package; look at its list of files."
            )
        }
        return file
    }

    /// Returns the same entries with one bit of a file turned over.
    func damaging(_ path: String) -> InMemoryDocumentContents {
        var damaged = bytes
        if let first = damaged[path]?.first { damaged[path]?[0] = first ^ 1 }
        return InMemoryDocumentContents(files: files, bytes: damaged)
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension InMemoryDocumentContents: DocumentContents {
    public func read(_ path: String, from offset: Int, count: Int) async throws(DocumentStoreError) -> [UInt8] {
        let file = try all(of: path)
        let start = min(max(offset, 0), file.count)
        return Array(file[start..<start + min(max(count, 0), file.count - start)])
    }
}
