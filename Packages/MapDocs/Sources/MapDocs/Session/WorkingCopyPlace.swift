import TransportCore

/// Where a working copy and what belongs to it are.
struct WorkingCopyPlace: Sendable {
    static let recordName = "session.jsonl"
    static let packagePrefix = "package-"

    /// The folder with everything.
    let folder: String

    init(_ source: DocumentSource, in home: String, digest: any ContentDigest) {
        var title = ""
        for character in source.name.title where title.utf8.count + character.utf8.count <= 100 {
            title.append(character)
        }
        let identity = digest.sha256Hex(Array("\(source.store)\0\(source.name.fileName)".utf8)).prefix(16)
        folder = "\(home)/\(title)-\(identity)"
    }

    init(folder: String) {
        self.folder = folder
    }

    /// What was there before changes, and what is being published.
    var record: String { "\(folder)/\(Self.recordName)" }
    /// Held by whoever edits.
    var lock: String { "\(folder)/lock" }
    /// Where files are written before they replace others.
    var temporary: String { "\(folder)/new" }
    /// The package that is being published.
    var staged: String { "\(folder)/staged.gispad" }
    /// The package of the store, to be compared.
    var theirs: String { "\(folder)/theirs.gispad" }

    func package(_ record: SessionRecord) -> String { "\(folder)/\(record.base.package)" }

    /// The names of the packages that are there, wanted or left over.
    func packages(in files: any FileSystem) throws(FileSystemError) -> [String] {
        try files.entries(in: folder).map(\.name).filter { $0.hasPrefix(Self.packagePrefix) }
    }

    /// A name for a package that is not taken.
    func nextPackage(in files: any FileSystem) throws(FileSystemError) -> String {
        let numbers = try packages(in: files).compactMap { name in
            Int(name.dropFirst(Self.packagePrefix.count).prefix { $0.isNumber })
        }
        return "\(Self.packagePrefix)\((numbers.max() ?? 0) + 1)"
    }
}
