/// Why a message was refused, read or written.
///
/// The sentences never quote a value of a header field, since that may be a secret.
public struct HTTPMessageError: Error, Hashable, Sendable {
    /// The kind of fault, for programs.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The request or status line has not the three parts it must have.
        case invalidStartLine
        /// The method is not a token.
        case invalidMethod
        /// The target is none of the forms a request may ask for, or has a forbidden character.
        case invalidTarget
        /// The version is not HTTP/1.
        case unsupportedVersion
        /// The request or status line is longer than the limit.
        case startLineTooLong
        /// A line does not end in CR LF, or has a CR in it.
        case invalidLineEnd
        /// A header field is malformed: its name, its value, or a line that continues the one before.
        case invalidHeader
        /// The header fields are larger, or more, than the limits.
        case headersTooLarge
        /// There is no Host field, or more than one.
        case hostCount
        /// The Host field is no host, or not the one of the target.
        case invalidHost
        /// The length of the body is given twice, or both as a number and by chunks.
        case ambiguousLength
        /// The Content-Length is not a number.
        case invalidLength
        /// The body has a transfer coding other than chunked.
        case unsupportedTransferCoding
        /// An expectation other than 100-continue.
        case unsupportedExpectation
        /// The body is larger than the limit.
        case bodyTooLarge
        /// A chunk's size or end is malformed.
        case invalidChunk
        /// The connection ended within a message.
        case truncated
        /// The connection ended before the first byte of an answer; the request may not have been read.
        case closedBeforeResponse
        /// Something came that no request asked for, or too many interim answers.
        case unexpectedResponse
        /// The caller wrote more or less of a body than its head says.
        case bodyLengthMismatch
    }

    /// The kind of fault, for programs.
    public var code: Code
    /// A sentence for people: the thing, the reason and the way out.
    public var message: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of fault.
    ///   - message: The sentence to show, without any field's value.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The status with which a server refuses the request; the connection has to be closed after it.
    public var status: Int {
        switch code {
        case .startLineTooLong: 414
        case .headersTooLarge: 431
        case .bodyTooLarge: 413
        case .unsupportedExpectation: 417
        case .unsupportedTransferCoding: 501
        case .unsupportedVersion: 505
        default: 400
        }
    }
}

extension HTTPMessageError: CustomStringConvertible {
    /// The sentence for people.
    public var description: String { message }
}
