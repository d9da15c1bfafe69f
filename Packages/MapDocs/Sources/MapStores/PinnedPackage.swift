import MapDocs

/// One whole state of a package that stays readable while somebody replaces it.
///
/// Its files are open from the start, so they are those of one state whatever the folder's name leads to later. Only a
/// package with more files than a process may have open can be caught by a replacement, and then says so.
final class PinnedPackage: Sendable {
    private static let mostOpenFiles = 256

    let folder: PackageFolder
    let scan: PackageFolderScan
    private let pinned: [[UInt8]: any ReadableFile]

    init(_ name: DocumentName, in store: FolderDocumentStore) throws(DocumentStoreError) {
        for _ in 0..<PackageFolder.mostAttempts {
            let folder = try store.findDownloaded(name)
            let scan = try PackageFolderScan(folder.path, in: store.fileSystem)
            guard let pinned = try Self.pin(scan, in: folder) else { continue }
            if try PackageFolderScan(folder.path, in: store.fileSystem) == scan {
                self.folder = folder
                self.scan = scan
                self.pinned = pinned
                return
            }
            for file in pinned.values { file.close() }
        }
        throw .damaged(name.fileName, reason: "another program keeps changing it; try again when that has finished")
    }

    /// Opens the files of a state, or returns nil when they are not those of the state any more.
    private static func pin(
        _ scan: PackageFolderScan,
        in folder: PackageFolder
    ) throws(DocumentStoreError) -> [[UInt8]: any ReadableFile]? {
        var pinned: [[UInt8]: any ReadableFile] = [:]
        do throws(FileSystemError) {
            for file in scan.files.prefix(mostOpenFiles) {
                let open = try folder.fileSystem.openForReading("\(folder.path)/\(file.path)")
                pinned[Array(file.path.utf8)] = open
                let entry = try open.entry()
                guard entry.size == file.size, entry.stamp == file.stamp else {
                    for file in pinned.values { file.close() }
                    return nil
                }
            }
            return pinned
        } catch {
            for file in pinned.values { file.close() }
            if error.code == .notFound { return nil }
            throw DocumentStoreError(error, about: folder.name.fileName)
        }
    }

    func open(_ file: PackageFolderScan.File) throws(DocumentStoreError) -> any ReadableFile {
        if let open = pinned[Array(file.path.utf8)] { return open }
        do throws(FileSystemError) {
            let open = try folder.fileSystem.openForReading("\(folder.path)/\(file.path)")
            if try open.entry().stamp == file.stamp { return open }
            open.close()
        } catch {
            if error.code != .notFound { throw DocumentStoreError(error, about: folder.name.fileName) }
        }
        throw changed()
    }

    func closeUnpinned(_ open: any ReadableFile, of file: PackageFolderScan.File) {
        if pinned[Array(file.path.utf8)] == nil { open.close() }
    }

    /// Throws when a file was written to while it was read.
    func checkUnchanged() throws(DocumentStoreError) {
        for file in scan.files {
            do throws(FileSystemError) {
                // Moving and removing change what a stamp says last, writing what it says before.
                let entry =
                    if let open = pinned[Array(file.path.utf8)] {
                        try open.entry()
                    } else {
                        try folder.fileSystem.entry(at: "\(folder.path)/\(file.path)")
                    }
                guard let entry, entry.size == file.size, entry.stamp?.number == file.stamp?.number,
                    entry.stamp?.modified == file.stamp?.modified
                else { throw FileSystemError(.notFound, path: file.path) }
            } catch {
                if error.code != .notFound { throw DocumentStoreError(error, about: folder.name.fileName) }
                throw changed()
            }
        }
    }

    func close() {
        for file in pinned.values { file.close() }
    }

    private func changed() -> DocumentStoreError {
        .damaged(folder.name.fileName, reason: "another program changed it while it was fetched; fetch it again")
    }
}
