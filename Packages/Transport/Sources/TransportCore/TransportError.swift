/// Why a transport, a token endpoint or an HTTP client could not do what was asked.
public struct TransportError: Error, Hashable, Sendable {
    /// The kind of failure, for programs.
    public enum Code: Hashable, Sendable {
        /// No answer within the time that was given.
        case timedOut
        /// The other side answered with this HTTP status.
        case refused(status: Int)
        /// The token or credentials were not accepted.
        case unauthorized
        /// The server's certificate is not one of the pinned ones; fingerprints in hex.
        case pinMismatch(expected: [String], found: String)
        /// The host's name is not known.
        case nameNotFound
        /// The host does not answer on this address.
        case unreachable
        /// The other side, or a file, broke the rules of the format.
        case protocolViolation
        /// The caller was cancelled.
        case cancelled
        /// The connection is over, or was used before.
        case closed
        /// There is no connection at the moment: before `connect`, or while reconnecting.
        case notConnected
        /// The payload is larger than this many bytes.
        case payloadTooLarge(limit: Int)
        /// The token does not grant this.
        case notPermitted
        /// A receiver is not in the room.
        case unknownReceiver(identity: String)
        /// The address cannot be used as it is written.
        case invalidURL
        /// The device or the library that this needs is not there.
        case unavailable
    }

    /// The kind of failure, for programs.
    public var code: Code
    /// A sentence for people: the thing, the reason and the way out.
    public var message: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: The sentence to show; `nil` for one that fits the kind. Must not contain a token.
    public init(_ code: Code, _ message: String? = nil) {
        self.code = code
        self.message = message ?? code.defaultMessage
    }

    /// Whether a new attempt with a new connection may succeed without anything else having changed.
    public var isTimeout: Bool {
        code == .timedOut
    }
}

extension TransportError: CustomStringConvertible {
    /// The sentence for people.
    public var description: String { message }
}

extension TransportError.Code {
    fileprivate var defaultMessage: String {
        switch self {
        case .timedOut: "The server did not answer in time; check the connection and try again."
        case .refused(let status): "The server refused with status \(status)."
        case .unauthorized: "The server did not accept the token; ask for a new one."
        case .pinMismatch(let expected, let found):
            "The server's certificate has the fingerprint \(found), expected \(expected.joined(separator: " or ")); "
                + "if the certificate was renewed on purpose, store the new pin."
        case .nameNotFound: "The server's name is not known; check its spelling."
        case .unreachable: "The server cannot be reached; check that it runs and that the network is there."
        case .protocolViolation: "The server sent something that is not allowed."
        case .cancelled: "Cancelled."
        case .closed: "The connection is closed; make a new one."
        case .notConnected: "There is no connection at the moment; wait until it is back."
        case .payloadTooLarge(let limit): "The payload is larger than \(limit) bytes; send it in parts or as text."
        case .notPermitted: "The token does not allow this; ask for one with that grant."
        case .unknownReceiver(let identity): "Nobody called “\(identity)” is in the room."
        case .invalidURL: "The address cannot be used; write it as wss://host:port."
        case .unavailable: "What this needs is not available here."
        }
    }
}
