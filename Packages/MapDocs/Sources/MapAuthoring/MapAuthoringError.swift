import MapDocs

/// What making a package and importing into it can fail with; nothing is left of a package that failed.
public struct MapAuthoringError: Error, Hashable, Sendable {
    /// The kind of failure, by which a program decides.
    public enum Code: Hashable, Sendable {
        /// Something is at the place of the package already.
        case exists
        /// The name cannot be that of a package.
        case invalidName
        /// The document to import is not there or may not be read.
        case notFound
        /// The document is not what it should be.
        case invalidDocument
        /// The document has something that cannot be kept.
        case unsupported
        /// The document has no layer of that name.
        case noLayer
        /// Whoever watched the progress ended it.
        case cancelled
        /// The disk is full.
        case full
        /// Reading or writing failed.
        case storage
    }

    /// The kind of failure.
    public let code: Code
    /// The file, layer or place in a document it is about.
    public let subject: String
    /// A sentence for people: what it is about, why it failed and what to do.
    public let message: String

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - subject: The file, layer or place it is about.
    ///   - message: A whole sentence: the thing, the reason, the way out.
    public init(code: Code, subject: String, message: String) {
        self.code = code
        self.subject = subject
        self.message = message
    }

    init(_ error: MapPackageError) {
        let code: Code =
            switch error.code {
            case .noDatabase: .notFound
            case .damaged: .invalidDocument
            case .full: .full
            case .refused: .unsupported
            case .noTable: .noLayer
            case .noColumn, .noFeature, .readOnly, .closed, .storage: .storage
            }
        self.init(code: code, subject: error.subject, message: error.message)
    }

    static func cancelled(_ subject: String) -> MapAuthoringError {
        MapAuthoringError(
            code: .cancelled,
            subject: subject,
            message: "Making “\(subject)” was ended before it was done; nothing is left of it."
        )
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension MapAuthoringError: CustomStringConvertible {
    public var description: String { message }
}
