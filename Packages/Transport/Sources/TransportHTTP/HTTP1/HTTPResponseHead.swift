public import TransportCore

/// The first line and the header fields of an answer.
public struct HTTPResponseHead: Hashable, Sendable {
    /// The status, 100 to 999.
    public var status: Int
    /// The reason in words, which programs ignore.
    public var reason: String
    /// The version.
    public var version: HTTPVersion
    /// The header fields in order.
    public var headers: HTTPHeaders

    /// Creates a head; it is checked when it is written.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - reason: The reason in words; `nil` for the usual one.
    ///   - version: The version.
    ///   - headers: The header fields.
    public init(status: Int, reason: String? = nil, version: HTTPVersion = .http11, headers: HTTPHeaders = [:]) {
        self.status = status
        self.reason = reason ?? Self.reason(for: status)
        self.version = version
        self.headers = headers
    }

    /// Whether this only precedes the answer proper; 101 is an answer.
    public var isInterim: Bool { (100..<200).contains(status) && status != 101 }

    /// How the end of the body is told (RFC 9112, section 6.3).
    ///
    /// - Parameter method: The method of the request that is answered.
    /// - Returns: `empty` for HEAD, 1xx, 204, 304 and a CONNECT that succeeded, whatever the fields say.
    /// - Throws: `ambiguousLength`, `invalidLength` or `unsupportedTransferCoding`.
    public func bodyFraming(answering method: String) throws(HTTPMessageError) -> HTTPBodyFraming {
        let told = try HTTPBodyFraming(headers, version: version)
        let isTunnel = method == "CONNECT" && (200..<300).contains(status)
        if method == "HEAD" || status < 200 || status == 204 || status == 304 || isTunnel { return .empty }
        return told ?? .untilClose
    }

    /// Whether the sender will go on using the connection, were it not for a body that lasts until it is closed.
    public var keepsAlive: Bool {
        version.keepsAlive(headers.tokens(of: "Connection"))
    }

    /// The bytes to send, up to and with the empty line.
    ///
    /// - Throws: An error when any part could be read as something else: a line end in a value or in the reason, a
    ///   status that has not three digits, two lengths, a length where the status forbids a body.
    public func serialized() throws(HTTPMessageError) -> [UInt8] {
        guard (100...999).contains(status), reason.utf8.allSatisfy(HTTPSyntax.isFieldContent) else {
            throw HTTPMessageError(.invalidStartLine, "The status has not three digits, or its reason a line end.")
        }
        let told = try HTTPBodyFraming(headers, version: version)
        if told != nil, status < 200 || status == 204 {
            throw HTTPMessageError(.ambiguousLength, "An answer with status \(status) has no body to give a length of.")
        }
        var bytes = Array("\(version.rawValue) \(status) \(reason)\r\n".utf8)
        try HTTPSyntax.write(headers, to: &bytes)
        bytes += [HTTPSyntax.carriageReturn, HTTPSyntax.lineFeed]
        return bytes
    }

    /// Reads the first line of an answer.
    init(startLine line: ArraySlice<UInt8>) throws(HTTPMessageError) {
        // Some servers leave out the space before a reason that is empty.
        let parts = line.split(separator: HTTPSyntax.space, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2 else {
            throw HTTPMessageError(.invalidStartLine, "The status line is not a version, a status and a reason.")
        }
        version = try HTTPVersion(parts[0])
        guard parts[1].count == 3, let number = HTTPSyntax.saturatingNumber(parts[1]), number >= 100 else {
            throw HTTPMessageError(.invalidStartLine, "The status has not three digits.")
        }
        status = number
        let words = parts.count == 3 ? parts[2] : []
        guard words.allSatisfy(HTTPSyntax.isFieldContent) else {
            throw HTTPMessageError(.invalidStartLine, "The reason has a control character in it.")
        }
        reason = HTTPSyntax.text(words)
        headers = [:]
    }

    /// The usual words for a status (RFC 9110, section 15).
    static func reason(for status: Int) -> String {
        switch status {
        case 100: "Continue"
        case 101: "Switching Protocols"
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 206: "Partial Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 411: "Length Required"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 416: "Range Not Satisfiable"
        case 417: "Expectation Failed"
        case 421: "Misdirected Request"
        case 422: "Unprocessable Content"
        case 426: "Upgrade Required"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 505: "HTTP Version Not Supported"
        default: ""
        }
    }
}
