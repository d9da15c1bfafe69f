import Synchronization

/// A destination that keeps the fetched package in memory.
public final class InMemoryDocumentDestination: Sendable {
    private struct State {
        var received: [String: [UInt8]] = [:]
        var isCommitted = false
    }

    private let state = Mutex(State())

    /// Makes an empty destination.
    public init() {}

    /// The bytes of each file by its path, or nil until the package is complete.
    public var package: [String: [UInt8]]? {
        state.withLock { $0.isCommitted ? $0.received : nil }
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension InMemoryDocumentDestination: DocumentDestination {
    public func append(_ bytes: [UInt8], to path: String) async throws(DocumentStoreError) {
        state.withLock { $0.received[path, default: []] += bytes }
    }

    public func commit() async throws(DocumentStoreError) {
        state.withLock { $0.isCommitted = true }
    }

    public func discard() async {
        state.withLock { if !$0.isCommitted { $0.received = [:] } }
    }
}
