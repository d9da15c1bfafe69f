/// Keeps the secrets of this device, such as the key of a map provider: never in a package, never shown.
///
/// For implementers: only the user's own programs can read what is kept; errors and descriptions never contain a
/// secret. An Apple backend would be the keychain.
public protocol SecretStore: Sendable {
    /// Returns the names of what is kept, in byte order.
    ///
    /// - Throws: `SecretStoreError`.
    func names() throws(SecretStoreError) -> [String]

    /// Returns a secret, or nil when there is none of that name.
    ///
    /// - Parameter name: What it is for.
    /// - Returns: The secret.
    /// - Throws: `SecretStoreError`.
    func secret(named name: String) throws(SecretStoreError) -> String?

    /// Keeps a secret, replacing the one of that name.
    ///
    /// - Parameters:
    ///   - secret: The secret; nil removes it.
    ///   - name: What it is for.
    /// - Throws: `SecretStoreError`.
    func setSecret(_ secret: String?, named name: String) throws(SecretStoreError)
}

/// A secret store that cannot be read or written.
public struct SecretStoreError: Error, Hashable, Sendable {
    /// A sentence for people: the thing, the reason, the way out; never a secret.
    public let message: String

    /// Makes an error.
    ///
    /// - Parameter message: The sentence.
    public init(message: String) {
        self.message = message
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SecretStoreError: CustomStringConvertible {
    public var description: String { message }
}
