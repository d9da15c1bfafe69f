import Synchronization
import TransportCore

/// What is published: the database and `project.json` as staged, everything else as it lies in the working copy.
///
/// Nobody changes the rest there; a store would notice, because it checks every byte it reads.
final class StagedContents: Sendable {
    private static let chunkBytes = 1 << 20

    /// The published files in byte order of their paths.
    let files: [PublishedFile]
    private let staged: String
    private let package: String
    private let own: Set<String>
    private let fileSystem: any FileSystem
    /// How many bytes the files before each one have.
    private let starts: [String: Int]
    private let totalBytes: Int
    private let progress: @Sendable (DocumentProgress) -> Void
    private let completed = Mutex(0)

    /// Reads every file once to know its SHA-256; `own` are the paths of the two that are staged.
    init(
        _ staged: String,
        over package: String,
        own: [String],
        in fileSystem: any FileSystem,
        digest: any ContentDigest,
        progress: @escaping @Sendable (DocumentProgress) -> Void
    ) throws {
        let others = try PackageFolderScan(package, in: fileSystem).files.map(\.path).filter { !own.contains($0) }
        let paths = (others + own).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        var files: [PublishedFile] = []
        var starts: [String: Int] = [:]
        var total = 0
        for path in paths {
            let folder = own.contains(path) ? staged : package
            let file = try Self.published(path, at: "\(folder)/\(path)", in: fileSystem, digest: digest)
            files.append(file)
            starts[path] = total
            total += file.size
        }
        self.files = files
        self.staged = staged
        self.package = package
        self.own = Set(own)
        self.fileSystem = fileSystem
        self.starts = starts
        self.progress = progress
        totalBytes = total
    }

    private static func published(
        _ path: String,
        at place: String,
        in fileSystem: any FileSystem,
        digest: any ContentDigest
    ) throws -> PublishedFile {
        if path == PublishedFile.projectPath {
            return try PublishedFile(path: path, contents: try fileSystem.contents(of: place), digest: digest)
        }
        let file = try fileSystem.openForReading(place)
        defer { file.close() }
        var hasher = digest.makeHasher()
        var size = 0
        while true {
            try Task.checkCancellation()
            let chunk = try file.read(from: size, count: chunkBytes)
            if chunk.isEmpty { break }
            hasher.update(chunk)
            size += chunk.count
        }
        return try PublishedFile(
            path: path,
            size: size,
            sha256: FolderDocumentContents.hexadecimal(hasher.finalize())
        )
    }

    /// Where a file is.
    func place(of path: String) -> String { "\(own.contains(path) ? staged : package)/\(path)" }
}

extension StagedContents: DocumentContents {
    func read(_ path: String, from offset: Int, count: Int) async throws(DocumentStoreError) -> [UInt8] {
        guard let start = starts[path] else {
            throw DocumentStoreError(
                code: .notFound,
                subject: path,
                message: "“\(path)” is not in the package; look at its list of files."
            )
        }
        let bytes: [UInt8]
        do throws(FileSystemError) {
            let file = try fileSystem.openForReading(place(of: path))
            defer { file.close() }
            bytes = try file.read(from: offset, count: count)
        } catch {
            throw DocumentStoreError(error, about: path)
        }
        let reached = min(start + offset + bytes.count, totalBytes)
        // Stores may read in any order, and twice.
        let isNews = completed.withLock { completed in
            guard reached > completed else { return false }
            completed = reached
            return true
        }
        if isNews { progress(DocumentProgress(completedBytes: reached, totalBytes: totalBytes)) }
        return bytes
    }
}
