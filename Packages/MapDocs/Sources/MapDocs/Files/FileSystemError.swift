/// What a file system can fail with.
public struct FileSystemError: Error, Hashable, Sendable {
    /// The kind of failure, by which a program decides.
    public enum Code: Hashable, Sendable {
        /// Nothing is at the path, or at that of its folder.
        case notFound
        /// Something is at the path already.
        case exists
        /// A folder was expected.
        case notDirectory
        /// A file was expected.
        case isDirectory
        /// No room is left on the medium, or in a quota.
        case full
        /// The medium is read-only.
        case readOnly
        /// The user may not.
        case denied
        /// The file system cannot do this.
        case unsupported
        /// Anything else: a medium that fails or is gone.
        case failed
    }

    /// The kind of failure.
    public let code: Code
    /// The path it is about.
    public let path: String
    /// A sentence for people: the path, the reason and the way out.
    public let message: String

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - path: The path it is about.
    ///   - message: A whole sentence: the path, the reason, the way out.
    public init(code: Code, path: String, message: String) {
        self.code = code
        self.path = path
        self.message = message
    }

    /// Makes an error with the usual sentence for its kind.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - path: The path it is about.
    ///   - reason: What the system says about a failure without a kind of its own, without a full stop.
    public init(_ code: Code, path: String, reason: String? = nil) {
        let rest =
            switch code {
            case .notFound: "is not there, or its folder is not; look where it has gone."
            case .exists: "is there already; choose another name."
            case .notDirectory: "is not a folder; choose one."
            case .isDirectory: "is a folder; choose a file."
            case .full: "could not be written because no room is left; make room and try again."
            case .readOnly: "could not be changed because its medium is read-only; choose another place."
            case .denied: "may not be used by this user; change its permissions or choose another place."
            case .unsupported: "does not allow this on its file system; choose another place."
            case .failed: "could not be used; look whether its medium is still there and try again."
            }
        self.init(code: code, path: path, message: "“\(path)” \(rest)" + (reason.map { " (\($0))" } ?? ""))
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension FileSystemError: CustomStringConvertible {
    public var description: String { message }
}
