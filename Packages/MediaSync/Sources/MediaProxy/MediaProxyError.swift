/// Why something cannot be shared with a local player.
public enum MediaProxyError: Error, Hashable, Sendable {
    /// The address is not an absolute `http` or `https` one, or has a user name in it; credentials go into a header field.
    case invalidAddress
    /// A header field of this name cannot be sent, or is one that the proxy writes itself.
    case invalidHeader(name: String)
    /// The session was closed before.
    case sessionClosed
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension MediaProxyError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidAddress:
            "The media's address cannot be used; write it as https://host/path, with credentials in a header field."
        case .invalidHeader(let name):
            "The header field “\(name)” cannot be sent with requests for media; leave it out or correct its value."
        case .sessionClosed:
            "The session that shares media with the player is closed; open another one."
        }
    }
}
