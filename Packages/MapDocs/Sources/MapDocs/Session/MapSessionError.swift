/// What opening, editing and publishing a project can fail with.
public struct MapSessionError: Error, Hashable, Sendable {
    /// The kind of failure, by which a program decides.
    public enum Code: Hashable, Sendable {
        /// Another window or program has the project open; close it there.
        case inUse
        /// There is no working copy of the document; open it first.
        case noWorkingCopy
        /// The project has no such layer.
        case noLayer
        /// The layer has no such feature or note.
        case noFeature
        /// The project has no such bookmark.
        case noBookmark
        /// The layer or project cannot be changed, for the reason given.
        case locked
        /// A value cannot be written; correct it.
        case invalid
        /// What would be lost is not what was named; look at it again.
        case lossesChanged
        /// The project is being published or replaced; wait for it.
        case publishing
        /// What would be published has faults or secrets; correct them, nothing was lost.
        case unfit
        /// The working copy or the package cannot be read.
        case damaged
        /// The disk is full; nothing was changed.
        case full
        /// The session was closed.
        case closed
        /// The task was cancelled; nothing was changed.
        case cancelled
        /// The store failed.
        case store(DocumentStoreError.Code)
        /// Reading or writing failed.
        case storage
    }

    /// The kind of failure.
    public let code: Code
    /// What it is about: the document, layer, feature, column or file.
    public let subject: String
    /// A sentence for people: the thing, the reason, the way out; never a secret.
    public let message: String

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - subject: What it is about.
    ///   - message: A whole sentence without secrets: the thing, the reason, the way out.
    public init(code: Code, subject: String, message: String) {
        self.code = code
        self.subject = subject
        self.message = message
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension MapSessionError: CustomStringConvertible {
    public var description: String { message }
}

extension MapSessionError {
    /// Takes the failure of something below a session.
    init(_ error: any Error) {
        switch error {
        case let error as MapSessionError: self = error
        case let error as MapPackageError:
            let code: Code =
                switch error.code {
                case .noDatabase, .damaged: .damaged
                case .noTable: .noLayer
                case .noFeature: .noFeature
                case .noColumn, .refused: .invalid
                case .readOnly: .locked
                case .full: .full
                case .closed: .closed
                case .storage: .storage
                }
            self.init(code: code, subject: error.subject, message: error.message)
        case let error as FileSystemError:
            self.init(code: error.code == .full ? .full : .storage, subject: error.path, message: error.message)
        case let error as DocumentStoreError:
            self.init(
                code: error.code == .cancelled ? .cancelled : .store(error.code),
                subject: error.subject,
                message: error.message
            )
        case is CancellationError:
            self.init(code: .cancelled, subject: "project", message: "It was cancelled; nothing was changed.")
        case let error as SecretStoreError:
            self.init(code: .storage, subject: "secrets", message: error.message)
        default: self.init(code: .storage, subject: "project", message: "The project cannot be used: \(error).")
        }
    }

    /// Runs what throws errors of the seams and takes them over.
    static func taking<Result>(_ body: () throws -> Result) throws(MapSessionError) -> Result {
        do {
            return try body()
        } catch {
            throw MapSessionError(error)
        }
    }

    static func inUse(_ name: DocumentName) -> Self {
        Self(
            code: .inUse,
            subject: name.fileName,
            message: "“\(name.title)” is open in another window or program; close it there first."
        )
    }

    static func noWorkingCopy(_ name: DocumentName) -> Self {
        Self(
            code: .noWorkingCopy,
            subject: name.fileName,
            message: "“\(name.title)” is not on this device; open it first."
        )
    }
}
