import Synchronization

/// Answers requests with prepared responses, and remembers what was asked.
public final class CannedHTTPClient: HTTPClient {
    /// A request as it arrived, with the whole of its body.
    public struct Received: Hashable, Sendable {
        /// The method.
        public var method: String
        /// The absolute address.
        public var url: String
        /// Header fields.
        public var headers: HTTPHeaders
        /// The whole body.
        public var body: [UInt8]
    }

    private struct State {
        var answers: [String: [Result<HTTPResponse, TransportError>]] = [:]
        var received: [Received] = []
    }

    private let chunkBytes: Int
    private let state = Mutex(State())

    /// Creates a client that answers 404 to everything.
    ///
    /// - Parameter chunkBytes: How many bytes of a body come at once.
    public init(chunkBytes: Int = 64 * 1024) {
        self.chunkBytes = max(1, chunkBytes)
    }

    /// What has been asked so far, in order.
    public var received: [Received] {
        state.withLock { $0.received }
    }

    /// Prepares an answer; several for the same request are given in order, and the last one is repeated.
    ///
    /// - Parameters:
    ///   - method: The method, in capitals.
    ///   - url: The address exactly as it will be asked for.
    ///   - answer: The response, or the error to throw.
    public func answer(_ method: String, _ url: String, with answer: Result<HTTPResponse, TransportError>) {
        state.withLock { $0.answers["\(method) \(url)", default: []].append(answer) }
    }

    /// Reads the request's body and gives the next prepared answer.
    ///
    /// - Throws: The prepared error, or what the request's body stream throws.
    public func open(_ request: HTTPRequest) async throws(TransportError) -> HTTPStreamedResponse {
        var body: [UInt8] = []
        switch request.body {
        case .none: break
        case .bytes(let bytes): body = bytes
        case .stream(let stream, _):
            while let bytes = try await stream.next() { body += bytes }
        }
        let received = Received(method: request.method, url: request.url, headers: request.headers, body: body)
        let answer = state.withLock { state -> Result<HTTPResponse, TransportError> in
            state.received.append(received)
            let key = "\(request.method) \(request.url)"
            guard var answers = state.answers[key], let first = answers.first else {
                return .success(HTTPResponse(status: 404))
            }
            if answers.count > 1 {
                answers.removeFirst()
                state.answers[key] = answers
            }
            return first
        }
        let response = try answer.get()
        return HTTPStreamedResponse(
            status: response.status,
            headers: response.headers,
            body: CannedBodyStream(request.method == "HEAD" ? [] : response.body, chunkBytes: chunkBytes)
        )
    }
}

/// Bytes that are in memory already, as a stream.
public final class CannedBodyStream: HTTPBodyStream {
    private let chunkBytes: Int
    private let rest: Mutex<ArraySlice<UInt8>>

    /// Creates a stream of bytes.
    ///
    /// - Parameters:
    ///   - bytes: All that is to be read.
    ///   - chunkBytes: How many come at once.
    public init(_ bytes: [UInt8], chunkBytes: Int = 64 * 1024) {
        self.chunkBytes = max(1, chunkBytes)
        rest = Mutex(bytes[...])
    }

    /// Returns the next bytes, `nil` at the end.
    ///
    /// - Throws: `cancelled` when the task is.
    public func next() async throws(TransportError) -> [UInt8]? {
        if Task.isCancelled { throw TransportError(.cancelled) }
        return rest.withLock { rest in
            if rest.isEmpty { return nil }
            let chunk = Array(rest.prefix(chunkBytes))
            rest = rest.dropFirst(chunk.count)
            return chunk
        }
    }

    /// Forgets what has not been read.
    public func cancel() {
        rest.withLock { $0 = [] }
    }
}
