public import MapDocs
public import Testing

/// An empty folder of a file system, for one law.
public struct FileSystemSubject: Sendable {
    /// The file system.
    public var fileSystem: any FileSystem
    /// The absolute path of an empty folder that nobody else uses.
    public var root: String
    /// Makes a symbolic link; nil where a test cannot.
    public var createLink: (@Sendable (_ path: String, _ target: String) throws -> Void)?

    /// Makes a subject.
    ///
    /// - Parameters:
    ///   - fileSystem: The file system.
    ///   - root: The absolute path of an empty folder.
    ///   - createLink: Makes a symbolic link.
    public init(
        _ fileSystem: any FileSystem,
        root: String,
        createLink: (@Sendable (_ path: String, _ target: String) throws -> Void)? = nil
    ) {
        self.fileSystem = fileSystem
        self.root = root
        self.createLink = createLink
    }
}

/// The promises of ``MapDocs/FileSystem`` that can be seen without crashing a machine, one case each.
public enum FileSystemLaw: String, CaseIterable, Sendable {
    case nothingIsNil
    case entriesAreInByteOrder
    case entriesSayWhatTheyAre
    case createRefusesWhatIsThere
    case createNeedsItsFolder
    case writtenBytesAreRead
    case appendingWritesBehindTheEnd
    case copyIsItsOwn
    case copyRefusesWhatIsThere
    case moveRefusesWhatIsThere
    case moveTakesAllAlong
    case replaceFileReplaces
    case exchangeSwapsFolders
    case removeTakesAll
    case removingNothingIsNoError
    case foldersAreNoFiles
    case linksAreNotFollowed
    case openFileOutlivesItsName
    case lockExcludes
    case lockComesBack
    case lockOfARemovedFileIsAnother
    case stampsTellStatesApart
    case privateIsPrivate
    case synchronizeNeedsWhatIsThere

    /// Checks the law in an empty folder.
    ///
    /// - Parameter subject: The folder.
    /// - Returns: How the law was broken, or nil when it was kept or does not apply.
    public func violation(in subject: FileSystemSubject) -> String? {
        do {
            try hold(FileSystemBench(subject: subject))
            return nil
        } catch let violation as LawViolation {
            return violation.message
        } catch {
            return "It ended in an error: \(error)"
        }
    }

    /// Checks the law in an empty folder and records an issue when it is broken.
    ///
    /// - Parameters:
    ///   - subject: The folder.
    ///   - sourceLocation: Where the issue is recorded.
    public func check(_ subject: FileSystemSubject, sourceLocation: SourceLocation = #_sourceLocation) {
        if let violation = violation(in: subject) {
            Issue.record("\(rawValue): \(violation)", sourceLocation: sourceLocation)
        }
    }

    private func hold(_ bench: FileSystemBench) throws {
        switch self {
        case .nothingIsNil: try bench.nothingIsNil()
        case .entriesAreInByteOrder: try bench.entriesAreInByteOrder()
        case .entriesSayWhatTheyAre: try bench.entriesSayWhatTheyAre()
        case .createRefusesWhatIsThere: try bench.createRefusesWhatIsThere()
        case .createNeedsItsFolder: try bench.createNeedsItsFolder()
        case .writtenBytesAreRead: try bench.writtenBytesAreRead()
        case .appendingWritesBehindTheEnd: try bench.appendingWritesBehindTheEnd()
        case .copyIsItsOwn: try bench.copyIsItsOwn()
        case .copyRefusesWhatIsThere: try bench.copyRefusesWhatIsThere()
        case .moveRefusesWhatIsThere: try bench.moveRefusesWhatIsThere()
        case .moveTakesAllAlong: try bench.moveTakesAllAlong()
        case .replaceFileReplaces: try bench.replaceFileReplaces()
        case .exchangeSwapsFolders: try bench.exchangeSwapsFolders()
        case .removeTakesAll: try bench.removeTakesAll()
        case .removingNothingIsNoError: try bench.removingNothingIsNoError()
        case .foldersAreNoFiles: try bench.foldersAreNoFiles()
        case .linksAreNotFollowed: try bench.linksAreNotFollowed()
        case .openFileOutlivesItsName: try bench.openFileOutlivesItsName()
        case .lockExcludes: try bench.lockExcludes()
        case .lockComesBack: try bench.lockComesBack()
        case .lockOfARemovedFileIsAnother: try bench.lockOfARemovedFileIsAnother()
        case .stampsTellStatesApart: try bench.stampsTellStatesApart()
        case .privateIsPrivate: try bench.privateIsPrivate()
        case .synchronizeNeedsWhatIsThere: try bench.synchronizeNeedsWhatIsThere()
        }
    }
}
