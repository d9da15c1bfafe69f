internal import Glibc

/// A folder with media files in it, which nothing that is asked for leads out of.
///
/// Every part of a path is opened by itself and without following links, so neither a name nor a link made at the last
/// moment reaches a file elsewhere.
struct MediaFolder: Hashable, Sendable {
    /// A media file, as it was seen.
    struct File: Hashable, Sendable {
        /// The path from the folder, without a slash in front.
        var path: String
        var size: Int
        /// Nanoseconds since 1970.
        var modified: Int

        var name: String { Self.name(of: path) }
        /// The path without the ending.
        var stem: String { path.lastIndex(of: ".").map { String(path[..<$0]) } ?? path }
        var folder: String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "" }

        /// What stands behind the last slash.
        static func name(of path: String) -> String {
            path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
        }
    }

    /// What is in the folder.
    struct Contents: Sendable {
        var files: [File] = []
        /// The cover pictures, by the folder that they lie in.
        var covers: [String: File] = [:]
        /// How many names could not be read as text.
        var unreadableNames = 0
        /// Whether there is more than is looked at.
        var isCut = false
    }

    /// Names that hidden files begin with, the folder of removed files among them.
    static let trash = ".trash"
    static let maximumDepth = 32
    static let maximumFiles = 100_000

    private static let coverNames: Set<String> = [
        "cover.jpg", "cover.jpeg", "cover.png", "folder.jpg", "folder.jpeg", "folder.png", "front.jpg", "front.png",
    ]

    /// The real path of the folder.
    let path: String

    /// - Throws: `notFound` where there is nothing, `unusable` for what is no folder or cannot be read.
    init(_ path: String) throws(MediaLibraryError) {
        guard let real = realpath(path, nil) else {
            let reason = AtomicFile.reason()
            throw MediaLibraryError(
                errno == ENOENT ? .notFound : .unusable,
                "The library folder “\(path)” cannot be opened: \(reason); name one that is there."
            )
        }
        defer { free(real) }
        self.path = String(cString: real)
        let descriptor = Glibc.open(self.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw MediaLibraryError(
                .unusable,
                "The library “\(path)” cannot be read: \(AtomicFile.reason()); name a folder that you may read."
            )
        }
        close(descriptor)
    }

    /// Looks at everything in the folder; hidden names, links and what is no media file's name are left out.
    ///
    /// - Returns: The files in the order of their paths' bytes; nil when the folder itself cannot be read any more.
    func contents() -> Contents? {
        var contents = Contents()
        guard let root = openFolder([]) else { return nil }
        walk(root, "", 0, &contents)
        contents.files.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        return contents
    }

    private func walk(_ descriptor: Int32, _ prefix: String, _ depth: Int, _ contents: inout Contents) {
        guard let folder = fdopendir(descriptor) else {
            close(descriptor)
            return
        }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            guard contents.files.count < Self.maximumFiles else {
                contents.isCut = true
                return
            }
            let first = entry.pointee.d_name.0
            guard first != CChar(bitPattern: UInt8(ascii: ".")) else { continue }
            let kind = Int32(entry.pointee.d_type)
            guard [DT_REG, DT_DIR, DT_UNKNOWN].contains(where: { Int32($0) == kind }) else { continue }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
                    String(validatingCString: $0)
                }
            }
            guard let name else {
                contents.unreadableNames += 1
                continue
            }
            let suggestsMedia = MediaFileType(name: name) != nil
            let isCover = !suggestsMedia && Self.coverNames.contains(name.lowercased())
            if kind == Int32(DT_REG), !suggestsMedia, !isCover { continue }
            var status = stat()
            guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR where depth < Self.maximumDepth:
                let inner = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                if inner >= 0 { walk(inner, "\(prefix)\(name)/", depth + 1, &contents) }
            case S_IFDIR: contents.isCut = true
            case S_IFREG where suggestsMedia || isCover:
                let file = File(
                    path: prefix + name,
                    size: Int(status.st_size),
                    modified: status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
                )
                if suggestsMedia {
                    contents.files.append(file)
                } else {
                    // Which of several counts must not depend on the order in which the system names them.
                    let earlier = contents.covers[file.folder]
                    if earlier.map({ file.path < $0.path }) ?? true { contents.covers[file.folder] = file }
                }
            default: break
            }
        }
    }

    /// Opens a file for reading; nil when it is not there, or is anything but a plain file in this folder.
    func open(_ path: String) -> MediaFile? {
        guard let (folder, name) = openParent(of: path) else { return nil }
        defer { close(folder) }
        // Without O_NONBLOCK a pipe that took the file's place would be waited for.
        return MediaFile(descriptor: openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK))
    }

    /// Moves a file into the hidden folder `.trash`, under the same path, where a person finds it again.
    ///
    /// - Returns: Nil when it was moved, else what the system says.
    func moveToTrash(_ path: String) -> String? {
        guard let (folder, name) = openParent(of: path) else { return String(cString: strerror(ENOENT)) }
        defer { close(folder) }
        guard var trash = openFolder([]) else { return AtomicFile.reason() }
        defer { close(trash) }
        for part in [Self.trash] + path.split(separator: "/").dropLast().map(String.init) {
            guard mkdirat(trash, part, 0o700) == 0 || errno == EEXIST else { return AtomicFile.reason() }
            let inner = openat(trash, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard inner >= 0 else { return AtomicFile.reason() }
            close(trash)
            trash = inner
        }
        var candidate = name
        for number in 2...10_000 {
            // Unlike a rename, a link never takes the place of what was removed earlier under the same name.
            if linkat(folder, name, trash, candidate, 0) == 0 {
                return unlinkat(folder, name, 0) == 0 ? nil : AtomicFile.reason()
            }
            if errno != EEXIST {
                // Some file systems know no second name for a file.
                guard errno == EPERM || errno == EOPNOTSUPP, faccessat(trash, candidate, F_OK, 0) != 0 else {
                    return AtomicFile.reason()
                }
                return renameat(folder, name, trash, candidate) == 0 ? nil : AtomicFile.reason()
            }
            let dot = name.lastIndex(of: ".") ?? name.endIndex
            candidate = "\(name[..<dot]) \(number)\(name[dot...])"
        }
        return String(cString: strerror(EEXIST))
    }

    private func openParent(of path: String) -> (folder: Int32, name: String)? {
        var parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let name = parts.popLast(), Self.isPlain(name), let folder = openFolder(parts) else { return nil }
        return (folder, name)
    }

    private func openFolder(_ parts: [String]) -> Int32? {
        var folder = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        for part in parts where folder >= 0 {
            let inner =
                Self.isPlain(part) ? openat(folder, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1
            close(folder)
            folder = inner
        }
        return folder >= 0 ? folder : nil
    }

    private static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix(".") && !name.utf8.contains(0)
    }
}
