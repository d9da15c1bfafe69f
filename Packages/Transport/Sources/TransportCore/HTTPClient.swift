/// A list of header fields that keeps its order and ignores the case of names.
public struct HTTPHeaders: Hashable, Sendable {
    /// One field.
    public struct Field: Hashable, Sendable {
        /// The name as it was written.
        public var name: String
        /// The value without surrounding white space.
        public var value: String

        /// Creates a field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// All fields, in order; a name may stand more than once.
    public private(set) var fields: [Field]

    /// Creates headers from fields.
    public init(_ fields: [Field] = []) {
        self.fields = fields
    }

    /// The first value of a name; setting replaces all of them, `nil` removes them.
    public subscript(name: String) -> String? {
        get { fields.first { Self.matches($0.name, name) }?.value }
        set {
            let index = fields.firstIndex { Self.matches($0.name, name) }
            fields.removeAll { Self.matches($0.name, name) }
            guard let newValue else { return }
            fields.insert(Field(name: name, value: newValue), at: index ?? fields.count)
        }
    }

    /// All values of a name, in order.
    public func values(of name: String) -> [String] {
        fields.filter { Self.matches($0.name, name) }.map(\.value)
    }

    /// Adds a field behind those that are there.
    public mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    private static func matches(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && left.lowercased() == right.lowercased()
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Creates headers from name and value pairs, in order.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { Field(name: $0.0, value: $0.1) })
    }
}

/// A body that is produced or received piece by piece; the reader sets the pace.
public protocol HTTPBodyStream: Sendable {
    /// Waits for the next bytes; `nil` at the end, never an empty array.
    ///
    /// - Throws: `closed` when the other side broke off before the end, `timedOut` or `cancelled`.
    func next() async throws(TransportError) -> [UInt8]?

    /// Says that no more will be read, which frees the connection; harmless after the end.
    func cancel()
}

/// What is sent with a request.
public enum HTTPRequestBody: Sendable {
    /// Nothing.
    case none
    /// These bytes.
    case bytes([UInt8])
    /// A stream, of this many bytes where that is known, else chunked.
    case stream(any HTTPBodyStream, length: Int?)
}

/// A request to an HTTP server.
public struct HTTPRequest: Sendable {
    /// The method, in capitals.
    public var method: String
    /// The absolute address, `http` or `https`.
    public var url: String
    /// Header fields; the client adds those that the protocol needs.
    public var headers: HTTPHeaders
    /// What is sent.
    public var body: HTTPRequestBody
    /// How long the server may be silent before and while it answers.
    public var timeout: Duration
    /// Whether the client goes where a redirect leads; when false, the redirect is the answer.
    public var followsRedirects: Bool

    /// Creates a request.
    public init(
        _ method: String = "GET",
        _ url: String,
        headers: HTTPHeaders = [:],
        body: HTTPRequestBody = .none,
        timeout: Duration = .seconds(30),
        followsRedirects: Bool = true
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.followsRedirects = followsRedirects
    }
}

/// The beginning of an answer, with its body still to be read.
public struct HTTPStreamedResponse: Sendable {
    /// The status code.
    public var status: Int
    /// Header fields.
    public var headers: HTTPHeaders
    /// The body, which has to be read to its end or cancelled.
    public var body: any HTTPBodyStream

    /// Creates an answer.
    public init(status: Int, headers: HTTPHeaders, body: any HTTPBodyStream) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// A whole answer.
public struct HTTPResponse: Hashable, Sendable {
    /// The status code.
    public var status: Int
    /// Header fields.
    public var headers: HTTPHeaders
    /// The whole body.
    public var body: [UInt8]

    /// Creates an answer.
    public init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// Something that can talk to HTTP servers.
///
/// Conformers hand over any status as an answer, and throw only when there is none. A redirect keeps credentials on the
/// same host only, and is handed over as an answer where ``HTTPRequest/followsRedirects`` is false. Cancelling the calling
/// task closes the connection. An Apple backend would be a `URLSession`, whose delegate decides on redirects.
public protocol HTTPClient: Sendable {
    /// Sends a request and returns as soon as the answer's head is there.
    ///
    /// - Throws: `timedOut`, `nameNotFound`, `unreachable`, `pinMismatch`, `protocolViolation`, `invalidURL`, `closed`
    ///   or `cancelled`.
    func open(_ request: HTTPRequest) async throws(TransportError) -> HTTPStreamedResponse
}

extension HTTPClient {
    /// Sends a request and reads the whole answer.
    ///
    /// - Parameters:
    ///   - request: What to send.
    ///   - maximumBytes: The largest body to accept.
    /// - Returns: The answer with its body.
    /// - Throws: As ``open(_:)``, and `payloadTooLarge` when the body is larger.
    public func send(
        _ request: HTTPRequest,
        maximumBytes: Int = 16 * 1024 * 1024
    ) async throws(TransportError) -> HTTPResponse {
        let answer = try await open(request)
        var body: [UInt8] = []
        while let bytes = try await answer.body.next() {
            if body.count + bytes.count > maximumBytes {
                answer.body.cancel()
                throw TransportError(
                    .payloadTooLarge(limit: maximumBytes),
                    "The answer of \(request.url) is larger than \(maximumBytes) bytes."
                )
            }
            body += bytes
        }
        return HTTPResponse(status: answer.status, headers: answer.headers, body: body)
    }
}
