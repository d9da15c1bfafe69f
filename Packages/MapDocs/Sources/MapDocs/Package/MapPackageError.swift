/// What a map package's database can fail with.
public struct MapPackageError: Error, Hashable, Sendable {
    /// The kind of failure, by which a program decides.
    public enum Code: Hashable, Sendable {
        /// The package has no database.
        case noDatabase
        /// The database is no database, is cut off, or contradicts itself; fetch the project again.
        case damaged
        /// There is no such table.
        case noTable
        /// The table has no such column, or it cannot be written.
        case noColumn
        /// The table has no such feature.
        case noFeature
        /// The table's own rules refuse the value.
        case refused
        /// The package cannot be written to.
        case readOnly
        /// The disk is full; nothing was changed.
        case full
        /// The package was closed.
        case closed
        /// Reading or writing failed below the package.
        case storage
    }

    /// The kind of failure.
    public let code: Code
    /// The file, table, column or feature it is about.
    public let subject: String
    /// A sentence for people: what it is about, why it failed and what to do.
    public let message: String

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - subject: The file, table, column or feature it is about.
    ///   - message: A whole sentence without secrets: the thing, the reason, the way out.
    public init(code: Code, subject: String, message: String) {
        self.code = code
        self.subject = subject
        self.message = message
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension MapPackageError: CustomStringConvertible {
    public var description: String { message }
}
