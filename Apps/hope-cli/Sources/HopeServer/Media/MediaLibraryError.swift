/// Why a folder cannot be a media library.
public struct MediaLibraryError: Error, Hashable, Sendable {
    /// The kind of failure, for programs.
    public enum Code: Hashable, Sendable {
        /// There is nothing at the path.
        case notFound
        /// What is there is no folder, or cannot be read.
        case unusable
    }

    /// The kind of failure, for programs.
    public var code: Code
    /// A sentence for people: the thing, the reason and the way out.
    public var message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension MediaLibraryError: CustomStringConvertible {
    public var description: String { message }
}
