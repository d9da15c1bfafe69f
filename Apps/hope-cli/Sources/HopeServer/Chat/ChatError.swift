/// Why a language model gave no answer, or only part of one; never with the key.
public struct ChatError: Error, Hashable, Sendable {
    /// The kind of failure, for programs.
    public enum Code: Hashable, Sendable {
        /// The server cannot be reached, or nothing came in time.
        case unreachable
        /// The server did not accept the key, or wants one.
        case unauthorized
        /// The server answered with another status than 200, or with an error in the middle of its answer.
        case refused
        /// The answer broke off.
        case broken
        /// The answer cannot be read.
        case malformed
        /// There was nothing in the answer.
        case empty
        /// There is no model to ask.
        case noModel
        /// The caller was cancelled.
        case cancelled
    }

    /// The kind of failure, for programs.
    public var code: Code
    /// A sentence for people: the thing, the reason and the way out.
    public var message: String

    /// Makes an error that says what the server did, in words that follow its name.
    init(_ code: Code, _ what: String) {
        self.code = code
        message = what
    }

    /// The same failure with the server's name in front, as a sentence.
    func of(_ server: String) -> ChatError {
        ChatError(code, "The language model's server \(server) \(message).")
    }
}

extension ChatError: CustomStringConvertible {
    /// The sentence for people.
    public var description: String { message }
}
