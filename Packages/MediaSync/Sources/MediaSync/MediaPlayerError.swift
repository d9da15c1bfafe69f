/// Why a player cannot do what it was asked to.
public struct MediaPlayerError: Error, Hashable, Sendable {
    /// The kind of failure, by which a program decides.
    public enum Code: Hashable, Sendable {
        /// The bytes cannot be decoded; other bytes are needed.
        case undecodable
        /// The bytes cannot be fetched; the address or the connection is at fault.
        case unreachable
        /// The player itself is not there any more.
        case playerGone
        /// The task was cancelled.
        case cancelled
    }

    /// The kind of failure.
    public let code: Code
    /// A sentence for people: what failed, why, and what to do; never an address with secrets in it.
    public let message: String

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: A sentence for people.
    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension MediaPlayerError: CustomStringConvertible {
    public var description: String { message }
}
