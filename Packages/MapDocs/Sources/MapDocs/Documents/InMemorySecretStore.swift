import Synchronization

/// Secrets that are forgotten when the program ends.
public final class InMemorySecretStore: Sendable {
    private let secrets: Mutex<[String: String]>

    /// Makes a store.
    ///
    /// - Parameter secrets: What it has, by name.
    public init(_ secrets: [String: String] = [:]) {
        self.secrets = Mutex(secrets)
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension InMemorySecretStore: SecretStore {
    public func names() throws(SecretStoreError) -> [String] {
        secrets.withLock { $0.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
    }

    public func secret(named name: String) throws(SecretStoreError) -> String? {
        secrets.withLock { $0[name] }
    }

    public func setSecret(_ secret: String?, named name: String) throws(SecretStoreError) {
        secrets.withLock { $0[name] = secret }
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension InMemorySecretStore: CustomStringConvertible, CustomReflectable {
    public var description: String { "InMemorySecretStore" }

    /// Shows nothing: a dump of whoever has the store must not have its secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
