/// Why a WebSocket connection failed, or could not be used.
public struct WebSocketError: Error, Hashable, Sendable {
    /// The kind of fault, for programs.
    public enum Code: String, Hashable, Sendable {
        /// A frame that RFC 6455 does not allow.
        case protocolViolation
        /// Text that is not UTF-8.
        case invalidText
        /// A frame or message above the limits.
        case messageTooLarge
        /// The connection was lost without a close frame.
        case connectionLost
        /// The connection is closing or closed, so nothing can be sent.
        case notOpen
        /// What was to be sent is not allowed: a long ping, a code that cannot be sent, a text frame within a message.
        case invalidArgument
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

    /// The code of the close frame that tells the other side.
    public var closeCode: WebSocketCloseCode {
        switch code {
        case .protocolViolation: .protocolError
        case .invalidText: .invalidPayload
        case .messageTooLarge: .messageTooBig
        case .connectionLost: .abnormal
        case .notOpen, .invalidArgument: .internalError
        }
    }
}

extension WebSocketError: CustomStringConvertible {
    /// The sentence for people.
    public var description: String { message }
}
