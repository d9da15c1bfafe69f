/// Why a connection ends (RFC 6455, section 7.4, and IANA's registry).
public struct WebSocketCloseCode: RawRepresentable, Hashable, Sendable {
    /// The number, of which only some may stand in a frame.
    public var rawValue: UInt16

    /// Creates a code from any number.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The purpose is fulfilled.
    public static let normal = Self(rawValue: 1000)
    /// The server stops, or the page was left.
    public static let goingAway = Self(rawValue: 1001)
    /// The other side broke the protocol.
    public static let protocolError = Self(rawValue: 1002)
    /// A kind of message that is not understood.
    public static let unsupportedData = Self(rawValue: 1003)
    /// The close frame named no code; never sent.
    public static let noStatus = Self(rawValue: 1005)
    /// The connection was lost without a close frame; never sent.
    public static let abnormal = Self(rawValue: 1006)
    /// Text that is not UTF-8.
    public static let invalidPayload = Self(rawValue: 1007)
    /// A message that is against the rules of the application.
    public static let policyViolation = Self(rawValue: 1008)
    /// A message that is too large.
    public static let messageTooBig = Self(rawValue: 1009)
    /// The server failed.
    public static let internalError = Self(rawValue: 1011)
    /// The server restarts.
    public static let serviceRestart = Self(rawValue: 1012)
    /// The server has too much to do.
    public static let tryAgainLater = Self(rawValue: 1013)

    /// Whether a close frame may have it: assigned ones, and 3000 to 4999 for libraries and applications.
    public var isSendable: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

extension WebSocketCloseCode: CustomStringConvertible {
    /// The number.
    public var description: String { "\(rawValue)" }
}
