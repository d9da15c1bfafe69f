/// Why a room token was refused or could not be made; never with any part of the token.
public struct RoomTokenError: Error, Hashable, Sendable {
    /// The kind of fault, for programs.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The token is longer than ``RoomTokenCodec/maximumBytes``.
        case tooLarge
        /// It is not three parts in base64url, or its JSON cannot be read in one way only.
        case malformed
        /// It is not signed with HS256, or is another type of token.
        case unsupportedAlgorithm
        /// The signature was not made with any of the keys.
        case badSignature
        /// It is no longer valid.
        case expired
        /// It is not valid yet.
        case notYetValid
        /// A claim is missing, or has a value that it cannot have.
        case invalidClaim
        /// It does not allow joining this room.
        case notAllowed
    }

    /// The kind of fault, for programs.
    public var code: Code
    /// A sentence for people: the thing, the reason and the way out.
    public var message: String

    /// Creates an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension RoomTokenError: CustomStringConvertible {
    /// The sentence for people.
    public var description: String { message }
}
