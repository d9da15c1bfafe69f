/// What a package's folder has at one moment, as its folders list it.
package struct PackageFolderScan: Hashable, Sendable {
    /// One published file.
    package struct File: Hashable, Sendable {
        package let path: String
        package let size: Int
        package let stamp: FileStamp?
    }

    private static let deepestFolder = 32

    /// The published files in byte order of their paths.
    package private(set) var files: [File] = []

    /// Lists a folder and those in it.
    ///
    /// - Parameters:
    ///   - folder: The package's folder.
    ///   - fileSystem: Where it is.
    /// - Throws: `DocumentStoreError`: `damaged` for links and other things that a package cannot keep, `storage`.
    package init(_ folder: String, in fileSystem: any FileSystem) throws(DocumentStoreError) {
        try add(folder, prefix: "", depth: 0, fileSystem)
        files.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    private mutating func add(
        _ folder: String,
        prefix: String,
        depth: Int,
        _ fileSystem: any FileSystem
    ) throws(DocumentStoreError) {
        let package = FilePath.name(of: folder)
        guard depth < Self.deepestFolder else {
            throw .damaged(package, reason: "its folders are nested deeper than \(Self.deepestFolder)")
        }
        let entries: [FileEntry]
        do throws(FileSystemError) {
            entries = try fileSystem.entries(in: folder)
        } catch {
            throw DocumentStoreError(error, about: package)
        }
        for entry in entries {
            let path = prefix + entry.name
            guard PublishedFile.isPublished(path) else { continue }
            switch entry.kind {
            case .file: files.append(File(path: path, size: entry.size, stamp: entry.stamp))
            case .directory:
                try add("\(folder)/\(entry.name)", prefix: path + "/", depth: depth + 1, fileSystem)
            case .other:
                throw .damaged(
                    path,
                    reason: "it is a link or a device, or its name is not text, which a package cannot keep"
                )
            }
        }
    }
}
