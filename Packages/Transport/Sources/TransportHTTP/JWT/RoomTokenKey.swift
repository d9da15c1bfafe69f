/// A key that signs room tokens, with the name under which it is known.
///
/// Printing it never shows the secret.
public struct RoomTokenKey: Sendable {
    /// The name, which stands in the tokens as their issuer.
    public let id: String
    let secret: [UInt8]

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - id: The name.
    ///   - secret: The secret; 32 random bytes or more (RFC 7518, section 3.2).
    public init(id: String, secret: [UInt8]) {
        self.id = id
        self.secret = secret
    }
}

extension RoomTokenKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name, without the secret.
    public var description: String { "RoomTokenKey(\(id))" }

    /// The name, without the secret.
    public var debugDescription: String { description }

    /// The name, without the secret.
    public var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}
