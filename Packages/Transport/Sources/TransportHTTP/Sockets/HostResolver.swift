import Dispatch
import Synchronization
import TransportCore

/// Looks hosts up without making a loop or a task wait in a blocking call.
enum HostResolver {
    private final class Lookup: DeadlineTarget {
        private struct State {
            var result: Result<[SocketAddress], TransportError>?
            var continuation: CheckedContinuation<Void, Never>?
        }

        let host: String
        private let state = Mutex(State())

        init(host: String) {
            self.host = host
        }

        func finish(_ result: Result<[SocketAddress], TransportError>) {
            let continuation = state.withLock { state in
                if state.result == nil { state.result = result }
                defer { state.continuation = nil }
                return state.continuation
            }
            continuation?.resume()
        }

        func deadlineReached(now: Duration) {
            finish(.failure(TransportError(.timedOut, "The name \(host) could not be looked up in time.")))
        }

        func result() async throws(TransportError) -> [SocketAddress] {
            await withTaskCancellationHandler {
                await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                    let isParked = state.withLock { state in
                        guard state.result == nil else { return false }
                        state.continuation = continuation
                        return true
                    }
                    if !isParked { continuation.resume() }
                }
            } onCancel: {
                finish(.failure(TransportError(.cancelled)))
            }
            return try state.withLock { $0.result ?? .failure(TransportError(.cancelled)) }.get()
        }
    }

    /// Returns the addresses of a host, in the order to try them.
    ///
    /// - Parameters:
    ///   - host: A name, or an address without brackets.
    ///   - port: The port to put into the addresses.
    ///   - due: When to give up.
    ///   - deadlines: What `due` is measured by.
    /// - Returns: At least one address.
    /// - Throws: `nameNotFound`, `timedOut` or `cancelled`.
    static func resolve(
        host: String,
        port: Int,
        due: Duration,
        deadlines: DeadlineQueue
    ) async throws(TransportError) -> [SocketAddress] {
        // The machine itself is never asked for elsewhere (RFC 6761, 6.3).
        if host == "localhost" || host.hasSuffix(".localhost") {
            return SocketAddress.resolve(host: "127.0.0.1", port: port, numericOnly: true)
                + SocketAddress.resolve(host: "::1", port: port, numericOnly: true)
        }
        let numeric = SocketAddress.resolve(host: host, port: port, numericOnly: true)
        if !numeric.isEmpty { return numeric }
        let lookup = Lookup(host: host)
        deadlines.schedule(lookup, at: due)
        // A serial queue has a thread of its own while it works; on a global one a look-up that hangs would keep the
        // threads from Swift's tasks, which run on the same ones.
        DispatchQueue(label: "hope.name-lookup").async {
            let found = SocketAddress.resolve(host: host, port: port, numericOnly: false)
            lookup.finish(
                found.isEmpty
                    ? .failure(
                        TransportError(
                            .nameNotFound,
                            "The name \(host) is not known; check its spelling and the network."
                        )
                    )
                    : .success(found)
            )
        }
        return try await lookup.result()
    }
}
