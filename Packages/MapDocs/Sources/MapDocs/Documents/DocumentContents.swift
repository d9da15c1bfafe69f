/// The files of a package that can be read piece by piece, whatever they are kept in.
///
/// For implementers: contents are a snapshot and never change while somebody holds them; `read` can be called from
/// several tasks at once, in any order.
public protocol DocumentContents: Sendable {
    /// The published files in byte order of their paths, each once.
    var files: [PublishedFile] { get }

    /// Returns bytes of a file.
    ///
    /// - Parameters:
    ///   - path: The path of one of `files`.
    ///   - offset: The first byte, from 0; `project.json` is read as it is kept, not in canonical form.
    ///   - count: The most bytes to return, above 0.
    /// - Returns: Between 1 and `count` bytes, or none at and after the end of the file.
    /// - Throws: `DocumentStoreError`: `notFound` for a path that is not there, `storage` when reading fails,
    ///   `cancelled` when the task is.
    func read(_ path: String, from offset: Int, count: Int) async throws(DocumentStoreError) -> [UInt8]
}

/// Where a fetched package is put: a working copy, a folder, memory.
///
/// For implementers: a destination takes one package. Until `commit` returns nothing of it can be seen; after
/// `discard`, or when neither is called because the program ended, nothing of it is left.
public protocol DocumentDestination: Sendable {
    /// Appends bytes to a file, making it and its folders when they are not there yet.
    ///
    /// - Parameters:
    ///   - bytes: The next bytes; none makes an empty file.
    ///   - path: A path that `PublishedFile` accepts.
    /// - Throws: `DocumentStoreError` with the code `storage`, when the disk is full for example.
    func append(_ bytes: [UInt8], to path: String) async throws(DocumentStoreError)

    /// Makes the whole package visible in one step.
    ///
    /// - Throws: `DocumentStoreError` with the code `storage`; the package is then not visible.
    func commit() async throws(DocumentStoreError)

    /// Throws away everything that was appended; does nothing after `commit`.
    func discard() async
}
