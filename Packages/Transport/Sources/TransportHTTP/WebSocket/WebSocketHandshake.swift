public import TransportCore

/// The opening handshake of RFC 6455, both sides, as heads of HTTP messages.
///
/// Extensions are neither offered nor accepted.
public enum WebSocketHandshake {
    /// Why a handshake failed.
    public struct Failure: Error, Hashable, Sendable {
        /// The status a server answers with; for a client, the status it got.
        public var status: Int
        /// A sentence for people: the thing, the reason and the way out.
        public var message: String

        /// Creates a failure.
        public init(status: Int, _ message: String) {
            self.status = status
            self.message = message
        }

        /// The head of the refusal, without a body, after which the connection is closed.
        public var response: HTTPResponseHead {
            var headers: HTTPHeaders = ["Connection": "close", "Content-Length": "0"]
            if status == 426 {
                headers = [
                    "Connection": "close, Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
                    "Content-Length": "0",
                ]
            }
            return HTTPResponseHead(status: status, headers: headers)
        }
    }

    /// What a server answers to a key (RFC 6455, section 4.2.2).
    ///
    /// - Parameter key: The value of the Sec-WebSocket-Key field.
    /// - Returns: The value of the Sec-WebSocket-Accept field.
    public static func acceptValue(for key: String) -> String {
        Base64.encode(SHA1.digest(Array("\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)), .standard)
    }

    /// The request of a client.
    ///
    /// - Parameters:
    ///   - target: The path and query.
    ///   - host: The value of the Host field.
    ///   - nonce: 16 random bytes, new for each connection.
    ///   - subprotocols: What the client would like to speak, best first.
    ///   - headers: Fields to add, such as a token or an Origin.
    /// - Returns: The head, which has no body.
    public static func request(
        target: String,
        host: String,
        nonce: [UInt8],
        subprotocols: [String] = [],
        headers: HTTPHeaders = [:]
    ) -> HTTPRequestHead {
        var fields: HTTPHeaders = [
            "Host": host,
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Key": Base64.encode(nonce, .standard),
            "Sec-WebSocket-Version": "13",
        ]
        if !subprotocols.isEmpty { fields.append("Sec-WebSocket-Protocol", subprotocols.joined(separator: ", ")) }
        for field in headers.fields { fields.append(field.name, field.value) }
        return HTTPRequestHead(method: "GET", target: target, headers: fields)
    }

    /// Checks a server's answer.
    ///
    /// - Parameters:
    ///   - response: The head of the answer.
    ///   - request: The request it answers.
    /// - Returns: The subprotocol the server chose, `nil` for none.
    /// - Throws: A failure with the answer's status; 101 when it is the answer itself that is wrong.
    public static func verify(
        _ response: HTTPResponseHead,
        answering request: HTTPRequestHead
    ) throws(Failure) -> String? {
        guard response.status == 101 else {
            throw Failure(status: response.status, "The server refused the WebSocket with status \(response.status).")
        }
        func failure(_ reason: String) -> Failure {
            Failure(status: 101, "The server does not speak WebSocket as it should: \(reason).")
        }
        guard response.headers.tokens(of: "Upgrade") == ["websocket"],
            response.headers.tokens(of: "Connection").contains("upgrade")
        else { throw failure("it changed to another protocol") }
        let expected = acceptValue(for: request.headers["Sec-WebSocket-Key"] ?? "")
        guard response.headers.values(of: "Sec-WebSocket-Accept") == [expected] else {
            throw failure("its accept value does not belong to the key")
        }
        guard response.headers.values(of: "Sec-WebSocket-Extensions").isEmpty else {
            throw failure("it uses an extension that nobody offered")
        }
        let chosen = response.headers.values(of: "Sec-WebSocket-Protocol")
        guard let subprotocol = chosen.first else { return nil }
        let offered = request.headers.values(of: "Sec-WebSocket-Protocol").flatMap(HTTPSyntax.elements)
        guard chosen.count == 1, offered.contains(subprotocol) else {
            throw failure("it chose a subprotocol that nobody offered")
        }
        return subprotocol
    }

    /// Checks a client's request and makes the answer of a server.
    ///
    /// - Parameters:
    ///   - request: The head of the request.
    ///   - origins: Which pages may connect.
    ///   - subprotocols: What the server speaks; the client's first one among them is chosen.
    /// - Returns: The head of the answer, and the chosen subprotocol.
    /// - Throws: A failure with the status to answer: 400, 403 for a foreign page, 405, 426 for another version.
    public static func accept(
        _ request: HTTPRequestHead,
        origins: WebSocketOriginPolicy = .sameHost,
        subprotocols: [String] = []
    ) throws(Failure) -> (response: HTTPResponseHead, subprotocol: String?) {
        guard request.method == "GET", request.version == .http11 else {
            throw Failure(status: 405, "A WebSocket is opened with GET and HTTP/1.1.")
        }
        guard request.upgrades.contains("websocket") else {
            throw Failure(status: 426, "Only WebSocket is spoken here; ask with Upgrade: websocket.")
        }
        guard request.headers.values(of: "Sec-WebSocket-Version") == ["13"] else {
            throw Failure(status: 426, "Only version 13 of WebSocket is spoken here.")
        }
        let keys = request.headers.values(of: "Sec-WebSocket-Key")
        guard keys.count == 1, let key = keys.first, Base64.decode(key.utf8, .standard)?.count == 16 else {
            throw Failure(status: 400, "The WebSocket key is not 16 bytes in base64, once.")
        }
        let framing = try? request.bodyFraming()
        guard framing == .empty || framing == .length(0) else {
            throw Failure(status: 400, "The request for a WebSocket has a body.")
        }
        guard origins.allows(request) else {
            throw Failure(status: 403, "Pages of another site may not connect here.")
        }
        let offered = request.headers.values(of: "Sec-WebSocket-Protocol").flatMap(HTTPSyntax.elements)
        let chosen = offered.first { subprotocols.contains($0) }
        var headers: HTTPHeaders = [
            "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": acceptValue(for: key),
        ]
        if let chosen { headers.append("Sec-WebSocket-Protocol", chosen) }
        return (HTTPResponseHead(status: 101, headers: headers), chosen)
    }
}

extension WebSocketHandshake.Failure: CustomStringConvertible {
    /// The sentence for people.
    public var description: String { message }
}
