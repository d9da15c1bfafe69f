import Synchronization

/// A destination that makes a package folder: everything is put beside it first and moved in one step at the end.
public final class FolderDocumentDestination: Sendable {
    private struct State {
        var hasBegun = false
        var isOver = false
        /// The file that is being written, which is closed when the next one begins.
        var open: (path: String, file: any WritableFile)?
        var written: Set<[UInt8]> = []
    }

    private let folder: String
    private let partial: String
    private let fileSystem: any FileSystem
    private let state = Mutex(State())

    /// Makes a destination for one package.
    ///
    /// - Parameters:
    ///   - folder: The package's folder, where nothing is yet; its parent is there. Until `commit` the package is in
    ///     the folder of the same name with `.partial` behind it, which is removed when it is there from before.
    ///   - fileSystem: Where it is.
    public init(_ folder: String, in fileSystem: any FileSystem) {
        self.folder = folder
        self.partial = folder + ".partial"
        self.fileSystem = fileSystem
    }

    private func begin(_ state: inout State) throws(FileSystemError) {
        guard !state.hasBegun else { return }
        try fileSystem.remove(partial)
        try fileSystem.createDirectory(partial)
        state.hasBegun = true
    }

    private func append(_ bytes: [UInt8], to path: String, _ state: inout State) throws(FileSystemError) {
        guard !state.isOver else {
            throw FileSystemError(.failed, path: folder, reason: "the package is complete or thrown away")
        }
        try begin(&state)
        if state.open?.path.utf8.elementsEqual(path.utf8) != true {
            try closeFile(&state)
            let place = "\(partial)/\(path)"
            if state.written.insert(Array(path.utf8)).inserted {
                try fileSystem.createDirectories(FilePath.parent(of: place))
                state.open = (path, try fileSystem.create(place, isPrivate: false))
            } else {
                state.open = (path, try fileSystem.openForAppending(place))
            }
        }
        if !bytes.isEmpty { try state.open?.file.write(bytes) }
    }

    private func closeFile(_ state: inout State) throws(FileSystemError) {
        let file = state.open?.file
        state.open = nil
        try file?.close()
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension FolderDocumentDestination: DocumentDestination {
    public func append(_ bytes: [UInt8], to path: String) async throws(DocumentStoreError) {
        // Only to refuse a path that leads out of the package.
        _ = try PublishedFile(path: path, size: 0, sha256: String(repeating: "0", count: 64))
        do throws(FileSystemError) {
            try state.withLock { state throws(FileSystemError) in try append(bytes, to: path, &state) }
        } catch {
            throw DocumentStoreError(error, about: path)
        }
    }

    public func commit() async throws(DocumentStoreError) {
        do throws(FileSystemError) {
            try state.withLock { state throws(FileSystemError) in
                guard !state.isOver else { return }
                try begin(&state)
                try closeFile(&state)
                try fileSystem.synchronizeTree(partial)
                try fileSystem.move(partial, to: folder)
                state.isOver = true
                do throws(FileSystemError) {
                    try fileSystem.synchronize(FilePath.parent(of: folder))
                } catch {
                    // Not visible after all: it could be gone again after a crash although somebody relies on it.
                    try? fileSystem.move(folder, to: partial)
                    state.isOver = false
                    throw error
                }
            }
        } catch {
            throw DocumentStoreError(error, about: FilePath.name(of: folder))
        }
    }

    public func discard() async {
        state.withLock { state in
            guard !state.isOver else { return }
            state.isOver = true
            try? closeFile(&state)
            // What cannot be removed now is removed by the next destination for the same folder.
            if state.hasBegun { try? fileSystem.remove(partial) }
        }
    }
}
