import Synchronization
public import TransportCore
import TransportTLS

/// A small, strict HTTP/1.1 server: one handler for all requests, on a few threads for any number of connections.
///
/// Requests that could be understood in two ways, name a foreign host or come from a foreign page never reach the handler.
/// A handler runs on the thread of its connection: it must not block, and hands long computations to somebody else.
/// When the client goes away, the handler's task is cancelled.
public final class HTTPServer: Sendable {
    /// What answers a request; an error is answered with 500, or with what was wrong with the request's body.
    public typealias Handler = @Sendable (HTTPServerRequest) async throws -> HTTPServerResponse

    private struct State {
        var nextNumber: UInt64 = 0
        var tasks: [UInt64: Task<Void, Never>] = [:]
        var idle: [UInt64: SocketConnection] = [:]
        var isStopping = false
        var waiter: (level: Int, continuation: CheckedContinuation<Void, Never>)?
    }

    private let configuration: HTTPServerConfiguration
    private let handler: Handler
    private let group: SocketLoopGroup
    private let tls: TLSServerContext?
    private let listener: SocketListener
    private let state = Mutex(State())

    /// Begins to listen; ``run()`` has to be called for anybody to be answered.
    ///
    /// - Parameters:
    ///   - configuration: Where, for whom, how much.
    ///   - loops: The threads to use; `nil` makes one for this server alone.
    ///   - handler: What answers.
    /// - Throws: `unavailable` when the address cannot be listened at, `invalidURL` when it is none, `protocolViolation` for
    ///   a certificate that cannot be used.
    public init(
        _ configuration: HTTPServerConfiguration = HTTPServerConfiguration(),
        loops: SocketLoopGroup? = nil,
        handler: @escaping Handler
    ) throws(TransportError) {
        self.configuration = configuration
        self.handler = handler
        let group = if let loops { loops } else { try SocketLoopGroup() }
        self.group = group
        tls = if let identity = configuration.identity { try TLSServerContext(identity: identity) } else { nil }
        listener = try SocketListener(
            host: configuration.host,
            port: configuration.port,
            backlog: 1024,
            group: group
        )
    }

    /// The port it listens at, also when the system chose it.
    public var port: Int { listener.port }

    /// The address that a client on this machine uses, without a trailing slash.
    public var url: String {
        let host =
            switch listener.host {
            case "0.0.0.0": "127.0.0.1"
            case "::": "[::1]"
            case let host where host.contains(":"): "[\(host)]"
            case let host: host
            }
        return "\(tls == nil ? "http" : "https")://\(host):\(port)"
    }

    /// Answers until ``shutdown(grace:)`` is called or the task is cancelled, which closes all connections at once.
    public func run() async {
        await withTaskCancellationHandler {
            while let connection = await listener.accept() {
                start(connection)
                await waitForTasks(below: configuration.maximumConnections)
            }
            await waitForTasks(below: 1)
        } onCancel: {
            stopListening()
            cancelTasks()
        }
    }

    /// Stops: no new connections, idle ones are closed, answers that have begun are finished.
    ///
    /// - Parameter grace: How long those may take before they are cut.
    public func shutdown(grace: Duration = .seconds(10)) {
        stopListening()
        group.deadlines.schedule(self, at: group.deadlines.now + grace)
    }

    private func stopListening() {
        let idle = state.withLock { state in
            state.isStopping = true
            return Array(state.idle.values)
        }
        listener.close()
        for connection in idle { connection.close() }
    }

    private func cancelTasks() {
        let tasks = state.withLock { Array($0.tasks.values) }
        for task in tasks { task.cancel() }
    }

    private func start(_ connection: SocketConnection) {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        let conversation = HTTPServerConversation(
            connection: connection,
            configuration: configuration,
            tls: tls,
            handler: handler,
            idle: { [weak self] isIdle in self?.setIdle(number, isIdle ? connection : nil) ?? false },
            cancel: { [weak self] in self?.state.withLock { $0.tasks[number] }?.cancel() }
        )
        // The task is kept until it ends; what it does at its end waits for the lock that is held here.
        let isStopping = state.withLock { state in
            state.tasks[number] = Task(executorPreference: connection.loop.executor) {
                await conversation.run()
                self.didEnd(number)
            }
            return state.isStopping
        }
        if isStopping { cancelTasks() }
    }

    private func setIdle(_ number: UInt64, _ connection: SocketConnection?) -> Bool {
        state.withLock { state in
            if state.isStopping { return false }
            state.idle[number] = connection
            return true
        }
    }

    private func didEnd(_ number: UInt64) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.tasks[number] = nil
            state.idle[number] = nil
            guard let waiter = state.waiter, state.tasks.count < waiter.level else { return nil }
            state.waiter = nil
            return waiter.continuation
        }
        waiter?.resume()
    }

    private func waitForTasks(below level: Int) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isParked = state.withLock { state in
                if state.tasks.count < level { return false }
                state.waiter = (level, continuation)
                return true
            }
            if !isParked { continuation.resume() }
        }
    }
}

extension HTTPServer: DeadlineTarget {
    /// Cuts what has not ended within the grace of a shutdown.
    package func deadlineReached(now: Duration) {
        cancelTasks()
    }
}
