import Synchronization
import TransportCore

/// Keeps connections that have been used for further requests to the same origin.
final class HTTPConnectionPool: Sendable {
    private struct Kept {
        let connection: SocketConnection
        let since: Duration
    }

    private struct State {
        var kept: [HTTPURL.Origin: [Kept]] = [:]
        var isClosed = false
    }

    private let deadlines: DeadlineQueue
    private let idleTimeout: Duration
    private let limit: Int
    private let state = Mutex(State())

    init(deadlines: DeadlineQueue, idleTimeout: Duration, limit: Int) {
        self.deadlines = deadlines
        self.idleTimeout = idleTimeout
        self.limit = limit
    }

    deinit {
        close()
    }

    /// A connection that is fit for another request, the one that was used last.
    func take(_ origin: HTTPURL.Origin) -> SocketConnection? {
        while let kept = state.withLock({ $0.kept[origin]?.popLast() }) {
            if deadlines.now - kept.since < idleTimeout, kept.connection.isQuiet { return kept.connection }
            kept.connection.close()
        }
        return nil
    }

    /// Keeps a connection, or closes it when there are enough.
    func put(_ connection: SocketConnection, for origin: HTTPURL.Origin) {
        let now = deadlines.now
        let superfluous = state.withLock { state -> SocketConnection? in
            if state.isClosed { return connection }
            state.kept[origin, default: []].append(Kept(connection: connection, since: now))
            guard let list = state.kept[origin], list.count > limit else { return nil }
            return state.kept[origin]?.removeFirst().connection
        }
        superfluous?.close()
        deadlines.schedule(self, at: now + idleTimeout)
    }

    /// Closes what is kept, and keeps nothing any more.
    func close() {
        let all = state.withLock { state in
            state.isClosed = true
            defer { state.kept = [:] }
            return state.kept.values.flatMap { $0 }
        }
        for kept in all { kept.connection.close() }
    }
}

extension HTTPConnectionPool: DeadlineTarget {
    func deadlineReached(now: Duration) {
        let old = state.withLock { state in
            var old: [Kept] = []
            for origin in Array(state.kept.keys) {
                old += state.kept[origin]?.filter { now - $0.since >= idleTimeout } ?? []
                state.kept[origin]?.removeAll { now - $0.since >= idleTimeout }
                if state.kept[origin]?.isEmpty == true { state.kept[origin] = nil }
            }
            return old
        }
        for kept in old { kept.connection.close() }
    }
}
