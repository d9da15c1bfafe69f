import Synchronization

/// Remembers what the beginnings of addresses mean.
final class HTTPOriginCache: Sendable {
    private static let limit = 64

    private let origins = Mutex<[String: HTTPURL.Origin]>([:])

    /// The origin of everything up to a path, such as `https://host:port`.
    subscript(base: String) -> HTTPURL.Origin? {
        get { origins.withLock { $0[base] } }
        set {
            origins.withLock { origins in
                if origins.count >= Self.limit { origins = [:] }
                origins[base] = newValue
            }
        }
    }
}
