public import TransportCore

/// What a client reads from a connection, in order.
public enum HTTPResponseEvent: Hashable, Sendable {
    /// An answer that only precedes the one proper, such as `100 Continue`; it has no end of its own.
    case interim(HTTPResponseHead)
    /// The head of the answer; the body's limit may be set before the next event is asked for.
    case head(HTTPResponseHead)
    /// Bytes of the body, never empty; how they are cut depends on how they arrived.
    case body(ArraySlice<UInt8>)
    /// The end of the answer, with what stood behind a chunked body.
    case end(trailers: HTTPHeaders)
}

/// Reads answers out of the bytes of one connection, in any split (RFC 9112).
///
/// Each request that is sent has to be announced, since the body of an answer depends on the request's method. Refusals
/// are final, as with ``HTTPRequestParser``.
public struct HTTPResponseParser: Sendable {
    private enum Phase {
        case startLine
        case headers(HTTPResponseHead)
        case body(keepsAlive: Bool)
        case closed
        case failed(HTTPMessageError)
    }

    /// More of them in front of one answer would only keep a client waiting.
    private static let interimLimit = 16

    private var reader: HTTPMessageReader
    private var phase = Phase.startLine
    private var methods: [String] = []
    private var interimCount = 0

    /// Creates a parser for one connection.
    public init(limits: HTTPLimits = HTTPLimits()) {
        reader = HTTPMessageReader(limits: limits)
    }

    /// The largest body of the answer at hand in bytes; each head sets it back to the limits' value.
    public var bodyLimit: Int {
        get { reader.bodyLimit }
        set { reader.bodyLimit = newValue }
    }

    /// Whether another request may be sent: every answer has been read, and the connection stays open.
    public var isReusable: Bool {
        if case .startLine = phase { return methods.isEmpty && reader.isEmpty && !reader.hasEnded }
        return false
    }

    /// Says that a request with this method has been sent.
    public mutating func expect(_ method: String) {
        methods.append(method)
    }

    /// Takes in what was received.
    public mutating func push(_ bytes: [UInt8]) {
        reader.push(bytes)
    }

    /// Says that the other side will send nothing more, which ends a body that lasts until then.
    public mutating func pushEnd() {
        reader.end()
    }

    /// The bytes that no event has covered, for the protocol that takes over; the parser is done after it.
    public mutating func takeUnread() -> [UInt8] {
        phase = .closed
        return reader.takeUnread()
    }

    /// The next event, or `nil` when more bytes are needed or the connection is over.
    ///
    /// - Throws: Why the answer is refused; `truncated` or `closedBeforeResponse` when the connection ended too early.
    public mutating func next() throws(HTTPMessageError) -> HTTPResponseEvent? {
        do throws(HTTPMessageError) {
            return try read()
        } catch {
            phase = .failed(error)
            throw error
        }
    }

    private mutating func read() throws(HTTPMessageError) -> HTTPResponseEvent? {
        while true {
            switch phase {
            case .failed(let error): throw error
            case .closed: return nil
            case .startLine:
                if reader.isEmpty {
                    guard reader.hasEnded, !methods.isEmpty else { return nil }
                    throw HTTPMessageError(.closedBeforeResponse, "The connection ended before the answer.")
                }
                guard !methods.isEmpty else {
                    throw HTTPMessageError(.unexpectedResponse, "Something came that no request asked for.")
                }
                guard let line = try reader.startLine() else { return nil }
                phase = .headers(try HTTPResponseHead(startLine: line))
            case .headers(var head):
                guard let headers = try reader.headers() else { return nil }
                head.headers = headers
                return try begin(head)
            case .body(let keepsAlive):
                switch try reader.bodyPart() {
                case nil: return nil
                case .bytes(let bytes): return .body(bytes)
                case .end(let trailers):
                    phase = keepsAlive ? .startLine : .closed
                    return .end(trailers: trailers)
                }
            }
        }
    }

    private mutating func begin(_ head: HTTPResponseHead) throws(HTTPMessageError) -> HTTPResponseEvent {
        if head.isInterim {
            interimCount += 1
            guard interimCount <= Self.interimLimit else {
                throw HTTPMessageError(.unexpectedResponse, "There are too many interim answers.")
            }
            phase = .startLine
            return .interim(head)
        }
        interimCount = 0
        let method = methods.isEmpty ? "" : methods.removeFirst()
        let framing = try head.bodyFraming(answering: method)
        reader.beginBody(framing)
        let changesProtocol = head.status == 101 || method == "CONNECT" && (200..<300).contains(head.status)
        phase = .body(keepsAlive: head.keepsAlive && framing != .untilClose && !changesProtocol)
        return .head(head)
    }
}
