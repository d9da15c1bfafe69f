public import TransportCore

/// The first line and the header fields of a request.
public struct HTTPRequestHead: Hashable, Sendable {
    /// The method, whose case matters.
    public var method: String
    /// What is asked for, as it stands in the first line.
    public var target: String
    /// The version.
    public var version: HTTPVersion
    /// The header fields in order.
    public var headers: HTTPHeaders

    /// Creates a head; it is checked when it is written.
    public init(method: String, target: String, version: HTTPVersion = .http11, headers: HTTPHeaders = [:]) {
        self.method = method
        self.target = target
        self.version = version
        self.headers = headers
    }

    /// How the end of the body is told.
    ///
    /// - Returns: Never `untilClose`, which requests cannot have.
    /// - Throws: `ambiguousLength`, `invalidLength` or `unsupportedTransferCoding`.
    public func bodyFraming() throws(HTTPMessageError) -> HTTPBodyFraming {
        try HTTPBodyFraming(headers, version: version) ?? .empty
    }

    /// Whether the sender wants to go on using the connection.
    public var keepsAlive: Bool {
        version.keepsAlive(headers.tokens(of: "Connection"))
    }

    /// Whether the sender waits for `100 Continue` before it sends its body.
    public var expectsContinue: Bool {
        version == .http11 && headers.tokens(of: "Expect") == ["100-continue"]
    }

    /// The protocols the sender would like to change to, in small letters; empty unless Connection names Upgrade.
    public var upgrades: [String] {
        headers.tokens(of: "Connection").contains("upgrade") ? headers.tokens(of: "Upgrade") : []
    }

    /// The host the request is for, from the Host field.
    public var authority: HTTPAuthority? {
        headers["Host"].flatMap { HTTPAuthority($0) }
    }

    /// The bytes to send, up to and with the empty line.
    ///
    /// - Throws: An error when any part could be read as something else: a line end in a value, a method that is not a
    ///   token, a missing Host, two lengths.
    public func serialized() throws(HTTPMessageError) -> [UInt8] {
        try validate()
        var bytes = Array("\(method) \(target) \(version.rawValue)\r\n".utf8)
        try HTTPSyntax.write(headers, to: &bytes)
        bytes += [HTTPSyntax.carriageReturn, HTTPSyntax.lineFeed]
        return bytes
    }

    /// What both the parser and the serialiser demand of a whole head.
    func validate() throws(HTTPMessageError) {
        guard HTTPSyntax.isToken(method.utf8) else {
            throw HTTPMessageError(.invalidMethod, "The method is empty or has a character that methods cannot have.")
        }
        let target = try HTTPTarget(target, method: method)
        let hosts = headers.values(of: "Host")
        guard hosts.count == 1 || hosts.isEmpty && version == .http10 else {
            throw HTTPMessageError(.hostCount, "A request needs exactly one Host field.")
        }
        if let host = hosts.first {
            guard let authority = HTTPAuthority(host) else {
                throw HTTPMessageError(.invalidHost, "The Host field is not a host with or without a port.")
            }
            // Two different hosts in one request are a way around checks of either of them.
            guard target.authority == nil || target.authority == authority else {
                throw HTTPMessageError(.invalidHost, "The Host field and the target name different hosts.")
            }
        }
        let expectations = headers.tokens(of: "Expect")
        guard expectations.isEmpty || expectations == ["100-continue"] else {
            throw HTTPMessageError(.unsupportedExpectation, "The only expectation that is understood is 100-continue.")
        }
        _ = try bodyFraming()
    }

    /// Reads the first line of a request.
    init(startLine line: ArraySlice<UInt8>) throws(HTTPMessageError) {
        let parts = line.split(separator: HTTPSyntax.space, maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            throw HTTPMessageError(.invalidStartLine, "The request line is not a method, a target and a version.")
        }
        guard HTTPSyntax.isToken(parts[0]) else {
            throw HTTPMessageError(.invalidMethod, "The method is empty or has a character that methods cannot have.")
        }
        version = try HTTPVersion(parts[2])
        method = String(decoding: parts[0], as: UTF8.self)
        target = String(decoding: parts[1], as: UTF8.self)
        headers = [:]
        // Checked here as well as with the whole head, so that nothing unclean is ever in a property.
        _ = try HTTPTarget(target, method: method)
    }
}
