/// What a document store or a document in it can fail with.
public struct DocumentStoreError: Error, Hashable, Sendable {
    /// The kind of failure, by which a program decides.
    public enum Code: Hashable, Sendable {
        /// There is no such document; list the store again.
        case notFound
        /// The name cannot be a document's; choose another.
        case invalidName
        /// A path inside a package is not one, or occurs twice.
        case invalidPath
        /// Content does not match its fingerprint or cannot be read; fetch again or ask for another copy.
        case damaged
        /// The store cannot tell which revision it has; nothing was written, try again later.
        case revisionUnknown
        /// The store cannot be used now, for the reason given.
        case unavailable(DocumentUnavailability)
        /// The task was cancelled; nothing was written or shown.
        case cancelled
        /// Reading or writing failed below the store.
        case storage
    }

    /// The kind of failure.
    public let code: Code
    /// The document or file it is about.
    public let subject: String
    /// A sentence for people: what it is about, why it failed and what to do.
    public let message: String

    /// Makes an error; stores of other packages use this.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - subject: The document or file it is about.
    ///   - message: A whole sentence without secrets: the thing, the reason, the way out.
    public init(code: Code, subject: String, message: String) {
        self.code = code
        self.subject = subject
        self.message = message
    }

    /// Returns the error for a document that is not in the store.
    ///
    /// - Parameter name: The document it is about.
    /// - Returns: The error with the code `notFound`.
    public static func notFound(_ name: DocumentName) -> Self {
        Self(
            code: .notFound,
            subject: name.fileName,
            message: "“\(name.title)” is not in the store any more; refresh the list."
        )
    }

    /// Returns the error for content that is not what its fingerprint says.
    ///
    /// - Parameters:
    ///   - subject: The document or file.
    ///   - reason: What is wrong with it, as the end of a sentence without its full stop.
    /// - Returns: The error with the code `damaged`.
    public static func damaged(_ subject: String, reason: String) -> Self {
        let end = reason.hasSuffix(".") ? "" : "."
        return Self(code: .damaged, subject: subject, message: "“\(subject)” is damaged: \(reason)\(end)")
    }

    /// Returns the error for a store that cannot say which revision it has.
    ///
    /// - Parameter name: The document it is about.
    /// - Returns: The error with the code `revisionUnknown`.
    public static func revisionUnknown(_ name: DocumentName) -> Self {
        Self(
            code: .revisionUnknown,
            subject: name.fileName,
            message:
                "The store cannot tell whether “\(name.title)” has changed, so nothing was written; try again later."
        )
    }

    /// Returns the error for a store that cannot be used now.
    ///
    /// - Parameter reason: Why.
    /// - Returns: The error with the code `unavailable`.
    public static func unavailable(_ reason: DocumentUnavailability) -> Self {
        Self(
            code: .unavailable(reason),
            subject: "store",
            message: "The store cannot be used: \(reason.words). Projects can still be opened from Files."
        )
    }

    /// Returns the error for a task that was cancelled.
    ///
    /// - Parameter name: The document it is about.
    /// - Returns: The error with the code `cancelled`.
    public static func cancelled(_ name: DocumentName) -> Self {
        Self(code: .cancelled, subject: name.fileName, message: "“\(name.title)” was cancelled; nothing was changed.")
    }

    static func invalidName(_ name: String) -> Self {
        Self(
            code: .invalidName,
            subject: name,
            message: "“\(name)” cannot be a project's name; use up to \(DocumentName.maximumBytes) bytes ending in "
                + "\(DocumentName.fileExtension), without slashes, control characters or a dot in front."
        )
    }

    static func invalidPath(_ path: String) -> Self {
        Self(
            code: .invalidPath,
            subject: path,
            message:
                "“\(path)” cannot be a file of a package: paths are relative, have no empty part, `.` or `..`, and "
                + "occur once."
        )
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension DocumentStoreError: CustomStringConvertible {
    public var description: String { message }
}
