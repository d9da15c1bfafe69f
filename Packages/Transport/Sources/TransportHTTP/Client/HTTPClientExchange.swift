import Synchronization
import TransportCore

/// One request and its answer on one connection, and the answer's body as a stream.
final class HTTPClientExchange: HTTPBodyStream {
    private struct State {
        var parser: HTTPResponseParser
        var upload: Task<Void, Never>?
        var isUploading = false
        var isOver = false
        var hasReceived = false
        var keepsAlive = true
    }

    private let connection: SocketConnection
    private let timeout: Duration
    private let origin: HTTPURL.Origin
    private let pool: HTTPConnectionPool
    private let state: Mutex<State>

    init(
        _ connection: SocketConnection,
        method: String,
        origin: HTTPURL.Origin,
        timeout: Duration,
        limits: HTTPLimits,
        pool: HTTPConnectionPool
    ) {
        self.connection = connection
        self.timeout = timeout
        self.origin = origin
        self.pool = pool
        var parser = HTTPResponseParser(limits: limits)
        parser.expect(method)
        state = Mutex(State(parser: parser))
    }

    deinit {
        cancel()
    }

    // MARK: Request

    /// Sends the request's head and body; a body that streams goes on beside the answer.
    func start(_ head: [UInt8], _ body: HTTPRequestBody, framing: HTTPBodyFraming) async throws(TransportError) {
        switch body {
        case .none: try await connection.send(head, patience: timeout)
        case .bytes(let bytes) where bytes.count <= 64 * 1024:
            try await connection.send(head + bytes, patience: timeout)
        case .bytes(let bytes):
            try await connection.send(head, patience: timeout)
            upload(CannedBodyStream(bytes, chunkBytes: 128 * 1024), framing)
        case .stream(let stream, _):
            try await connection.send(head, patience: timeout)
            upload(stream, framing)
        }
    }

    private func upload(_ stream: any HTTPBodyStream, _ framing: HTTPBodyFraming) {
        let connection = connection
        let timeout = timeout
        state.withLock { state in
            state.isUploading = true
            state.upload = Task { [weak self] in
                switch await Self.send(stream, framing, to: connection, timeout: timeout) {
                case .sent: self?.uploadDidEnd()
                // The answer may tell why, and be there already.
                case .stopped: stream.cancel()
                case .sourceFailed(let error):
                    // Half a body must not look like a whole one.
                    stream.cancel()
                    connection.fail(with: error)
                }
            }
        }
    }

    private enum UploadEnd {
        case sent
        case stopped
        case sourceFailed(TransportError)
    }

    private static func send(
        _ stream: any HTTPBodyStream,
        _ framing: HTTPBodyFraming,
        to connection: SocketConnection,
        timeout: Duration
    ) async -> UploadEnd {
        var writer = HTTPBodyWriter(framing)
        while true {
            let bytes: [UInt8]
            let isLast: Bool
            do throws(TransportError) {
                let piece = try await stream.next()
                isLast = piece == nil
                bytes = try encode(piece, &writer)
            } catch {
                return error.code == .cancelled ? .stopped : .sourceFailed(error)
            }
            if Task.isCancelled { return .stopped }
            do throws(TransportError) {
                if !bytes.isEmpty { try await connection.send(bytes, patience: timeout) }
            } catch {
                return .stopped
            }
            if isLast { return .sent }
        }
    }

    private static func encode(_ piece: [UInt8]?, _ writer: inout HTTPBodyWriter) throws(TransportError) -> [UInt8] {
        do throws(HTTPMessageError) {
            if let piece { return try writer.encode(piece) }
            return try writer.finish()
        } catch {
            throw TransportError(.protocolViolation, error.message)
        }
    }

    private func uploadDidEnd() {
        state.withLock { $0.isUploading = false }
        // From now on it is the server's turn, so its silence counts.
        connection.limitWait(until: connection.group.deadlines.now + timeout)
    }

    // MARK: Answer

    /// Waits for the head of the answer proper.
    ///
    /// - Throws: `closed` when the connection ended before; ``isUnanswered`` tells whether sending again may help.
    func head() async throws(TransportError) -> HTTPResponseHead {
        while true {
            switch try await event() {
            case .head(let head):
                let mustStop = state.withLock { state in
                    state.keepsAlive = head.keepsAlive
                    return state.isUploading && head.status >= 300
                }
                if mustStop { state.withLock { $0.upload }?.cancel() }
                return head
            case .interim, .body: continue
            case .end, nil:
                throw TransportError(.closed, "\(connection.peer) closed the connection before it answered.")
            }
        }
    }

    func next() async throws(TransportError) -> [UInt8]? {
        if state.withLock({ $0.isOver }) { return nil }
        do throws(TransportError) {
            while true {
                switch try await event() {
                case .body(let bytes): return Array(bytes)
                case .head, .interim: continue
                case .end, nil:
                    finish()
                    return nil
                }
            }
        } catch {
            cancel()
            throw error
        }
    }

    private func event() async throws(TransportError) -> HTTPResponseEvent? {
        while true {
            if let event = try ready() { return event }
            let isUploading = state.withLock { $0.isUploading }
            let due = isUploading ? nil : connection.group.deadlines.now + timeout
            let bytes = try await connection.receive(due: due)
            state.withLock { state in
                guard let bytes else { return state.parser.pushEnd() }
                state.hasReceived = true
                state.parser.push(bytes)
            }
            if bytes == nil { return try ready() }
        }
    }

    private func ready() throws(TransportError) -> HTTPResponseEvent? {
        try state.withLock { state throws(TransportError) in
            do throws(HTTPMessageError) {
                return try state.parser.next()
            } catch {
                switch error.code {
                case .truncated, .closedBeforeResponse:
                    throw TransportError(.closed, "\(connection.peer): \(error.message)")
                case .bodyTooLarge: throw TransportError(.payloadTooLarge(limit: 0), error.message)
                default:
                    throw TransportError(.protocolViolation, "\(connection.peer) sent a bad answer: \(error.message)")
                }
            }
        }
    }

    /// Whether not a byte of an answer has come, as when a server closed a kept connection at the same moment.
    var isUnanswered: Bool { state.withLock { !$0.hasReceived } }

    private func finish() {
        let (isReusable, upload) = state.withLock { state in
            defer {
                state.isOver = true
                state.upload = nil
            }
            return (!state.isOver && state.keepsAlive && state.parser.isReusable && !state.isUploading, state.upload)
        }
        upload?.cancel()
        if isReusable { pool.put(connection, for: origin) } else { connection.close() }
    }

    func cancel() {
        let (isOver, upload) = state.withLock { state in
            defer {
                state.isOver = true
                state.upload = nil
            }
            return (state.isOver, state.upload)
        }
        upload?.cancel()
        if !isOver { connection.close() }
    }
}
