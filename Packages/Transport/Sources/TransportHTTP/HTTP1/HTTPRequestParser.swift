public import TransportCore

/// What a server reads from a connection, in order: a head, the pieces of its body, an end, and so on.
public enum HTTPRequestEvent: Hashable, Sendable {
    /// The head of a request; the body's limit may be set before the next event is asked for.
    case head(HTTPRequestHead)
    /// Bytes of the body, never empty; how they are cut depends on how they arrived.
    case body(ArraySlice<UInt8>)
    /// The end of the request, with what stood behind a chunked body.
    case end(trailers: HTTPHeaders)
}

/// Reads requests out of the bytes of one connection, in any split (RFC 9112).
///
/// It reads only when asked, so a caller that does not ask sets the pace, and one that accepts an upgrade finds the bytes
/// of the other protocol in ``takeUnread()``. Whatever could be understood in two ways is refused, and a refusal is
/// final: every later call throws it again. After a request that ends the connection nothing more is read.
public struct HTTPRequestParser: Sendable {
    private enum Phase {
        case startLine
        case headers(HTTPRequestHead)
        case body(keepsAlive: Bool)
        case closed
        case failed(HTTPMessageError)
    }

    private var reader: HTTPMessageReader
    private var phase = Phase.startLine
    private var hasSkippedEmptyLine = false

    /// Creates a parser for one connection.
    public init(limits: HTTPLimits = HTTPLimits()) {
        reader = HTTPMessageReader(limits: limits)
    }

    /// The largest body of the request at hand in bytes; each head sets it back to the limits' value.
    public var bodyLimit: Int {
        get { reader.bodyLimit }
        set { reader.bodyLimit = newValue }
    }

    /// Whether no byte of an unfinished request has been received, so that the connection may be closed without loss.
    public var isIdle: Bool {
        if case .startLine = phase { return reader.isEmpty }
        if case .closed = phase { return true }
        return false
    }

    /// Takes in what was received.
    public mutating func push(_ bytes: [UInt8]) {
        if case .closed = phase { return }
        reader.push(bytes)
    }

    /// Says that the other side will send nothing more.
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
    /// - Throws: Why the request is refused, with the status to answer; `truncated` when the connection ended within it.
    public mutating func next() throws(HTTPMessageError) -> HTTPRequestEvent? {
        do throws(HTTPMessageError) {
            return try read()
        } catch {
            phase = .failed(error)
            throw error
        }
    }

    private mutating func read() throws(HTTPMessageError) -> HTTPRequestEvent? {
        while true {
            switch phase {
            case .failed(let error): throw error
            case .closed: return nil
            case .startLine:
                if reader.isEmpty { return nil }
                guard let line = try reader.startLine() else { return nil }
                // Old clients send an empty line after a body; one is passed over (RFC 9112, section 2.2).
                if line.isEmpty, !hasSkippedEmptyLine {
                    hasSkippedEmptyLine = true
                    continue
                }
                hasSkippedEmptyLine = false
                phase = .headers(try HTTPRequestHead(startLine: line))
            case .headers(var head):
                guard let headers = try reader.headers() else { return nil }
                head.headers = headers
                try head.validate()
                reader.beginBody(try head.bodyFraming())
                phase = .body(keepsAlive: head.keepsAlive)
                return .head(head)
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
}
