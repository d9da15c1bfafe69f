public import TransportCore

/// The published files of a package folder, each read once to know its SHA-256.
///
/// Whoever makes contents keeps the folder as it is while somebody holds them; a store that publishes them notices a
/// change, because it checks every byte it reads.
public struct FolderDocumentContents: Sendable {
    private static let chunkBytes = 1 << 18
    /// `project.json` is read as a whole, so it must fit in memory.
    private static let largestProject = 64 << 20

    /// The published files in byte order of their paths, each once.
    public let files: [PublishedFile]
    private let folder: String
    private let fileSystem: any FileSystem

    /// Lists a package folder and reads its files.
    ///
    /// What is published is said by `PublishedFile.isPublished`. Empty folders are not.
    ///
    /// - Parameters:
    ///   - folder: The package's folder.
    ///   - fileSystem: Where it is.
    ///   - digest: What computes SHA-256.
    /// - Throws: `DocumentStoreError`: `damaged` when `project.json` is not JSON or the folder has links, `storage`,
    ///   `cancelled`.
    public init(
        _ folder: String,
        in fileSystem: any FileSystem,
        digest: any ContentDigest
    ) throws(DocumentStoreError) {
        let scan = try PackageFolderScan(folder, in: fileSystem)
        try self.init(folder, scan: scan, in: fileSystem, digest: digest)
    }

    package init(
        _ folder: String,
        scan: PackageFolderScan,
        in fileSystem: any FileSystem,
        digest: any ContentDigest
    ) throws(DocumentStoreError) {
        self.folder = folder
        self.fileSystem = fileSystem
        var files: [PublishedFile] = []
        for file in scan.files {
            files.append(try Self.read(file.path, of: folder, in: fileSystem, digest: digest))
        }
        self.files = files
    }

    /// Reads all of `project.json`, or nothing when the package has none.
    ///
    /// - Parameters:
    ///   - folder: The package's folder.
    ///   - fileSystem: Where it is.
    /// - Returns: The bytes as they are kept.
    /// - Throws: `DocumentStoreError`: `damaged` when it is too large, `storage`.
    package static func project(
        of folder: String,
        in fileSystem: any FileSystem
    ) throws(DocumentStoreError) -> [UInt8]? {
        do throws(FileSystemError) {
            guard try fileSystem.entry(at: "\(folder)/\(PublishedFile.projectPath)") != nil else { return nil }
            let file = try fileSystem.openForReading("\(folder)/\(PublishedFile.projectPath)")
            defer { file.close() }
            var bytes: [UInt8] = []
            while true {
                let chunk = try file.read(from: bytes.count, count: chunkBytes)
                if chunk.isEmpty { return bytes }
                bytes += chunk
                if bytes.count > largestProject { break }
            }
        } catch {
            throw DocumentStoreError(error, about: PublishedFile.projectPath)
        }
        throw .damaged(PublishedFile.projectPath, reason: "it is larger than \(largestProject >> 20) MiB")
    }

    private static func read(
        _ path: String,
        of folder: String,
        in fileSystem: any FileSystem,
        digest: any ContentDigest
    ) throws(DocumentStoreError) -> PublishedFile {
        if path == PublishedFile.projectPath {
            // It was listed: gone by now, it is no empty file but a package that is being replaced.
            guard let contents = try project(of: folder, in: fileSystem) else {
                throw DocumentStoreError(FileSystemError(.notFound, path: "\(folder)/\(path)"), about: path)
            }
            return try PublishedFile(path: path, contents: contents, digest: digest)
        }
        var hasher = digest.makeHasher()
        var size = 0
        do throws(FileSystemError) {
            let file = try fileSystem.openForReading("\(folder)/\(path)")
            defer { file.close() }
            while true {
                if Task.isCancelled { break }
                let chunk = try file.read(from: size, count: chunkBytes)
                if chunk.isEmpty { break }
                hasher.update(chunk)
                size += chunk.count
            }
        } catch {
            throw DocumentStoreError(error, about: path)
        }
        if Task.isCancelled {
            throw DocumentStoreError(
                code: .cancelled,
                subject: path,
                message: "Reading “\(path)” was cancelled; nothing was changed."
            )
        }
        return try PublishedFile(path: path, size: size, sha256: hexadecimal(hasher.finalize()))
    }

    /// Returns bytes as lower-case hexadecimal digits.
    package static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension FolderDocumentContents: DocumentContents {
    public func read(_ path: String, from offset: Int, count: Int) async throws(DocumentStoreError) -> [UInt8] {
        guard files.contains(where: { $0.path.utf8.elementsEqual(path.utf8) }) else {
            throw DocumentStoreError(
                code: .notFound,
                subject: path,
                message: "“\(path)” is not in the package; look at its list of files."
            )
        }
        do throws(FileSystemError) {
            let file = try fileSystem.openForReading("\(folder)/\(path)")
            defer { file.close() }
            return try file.read(from: offset, count: count)
        } catch {
            throw DocumentStoreError(error, about: path)
        }
    }
}
