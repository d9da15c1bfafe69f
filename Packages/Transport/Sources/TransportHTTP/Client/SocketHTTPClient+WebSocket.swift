public import TransportCore

extension SocketHTTPClient {
    /// Opens a WebSocket, with the pins and trust of this client.
    ///
    /// - Parameters:
    ///   - address: `ws://…` or `wss://…`; `http` and `https` mean the same.
    ///   - headers: Fields to add, such as a token or an Origin.
    ///   - subprotocols: What the client would like to speak, best first.
    ///   - limits: The largest frame and message to accept.
    ///   - keepAlive: How the server is asked whether it is there.
    ///   - timeout: How long the server may take to answer, after connecting.
    ///   - random: Where masks and keys come from; has to be unpredictable outside of tests.
    /// - Returns: An open connection, which the caller closes.
    /// - Throws: `refused` with the server's status, `unauthorized` for 401, `timedOut`, `nameNotFound`, `unreachable`,
    ///   `pinMismatch`, `protocolViolation`, `invalidURL`, `closed` or `cancelled`.
    public func openWebSocket(
        _ address: String,
        headers: HTTPHeaders = [:],
        subprotocols: [String] = [],
        limits: WebSocketLimits = WebSocketLimits(),
        keepAlive: WebSocketConnection.KeepAlive = WebSocketConnection.KeepAlive(),
        timeout: Duration = .seconds(15),
        random: @escaping @Sendable () -> UInt32 = { UInt32.random(in: 0 ... .max) }
    ) async throws(TransportError) -> WebSocketConnection {
        let url = try HTTPURL(address)
        var nonce: [UInt8] = []
        for _ in 0..<4 {
            let number = random()
            for shift in [0, 8, 16, 24] { nonce.append(UInt8(truncatingIfNeeded: number >> UInt32(shift))) }
        }
        let request = WebSocketHandshake.request(
            target: url.target,
            host: url.hostField,
            nonce: nonce,
            subprotocols: subprotocols,
            headers: headers
        )
        let bytes: [UInt8]
        do throws(HTTPMessageError) {
            bytes = try request.serialized()
        } catch {
            throw TransportError(.protocolViolation, "The request cannot be sent: \(error.message)")
        }
        let connection = try await connect(url.origin)
        do throws(TransportError) {
            try await connection.send(bytes, patience: timeout)
            let due = group.deadlines.now + timeout
            let (head, unread) = try await Self.answer(connection, limits: configuration.limits, due: due)
            let subprotocol: String?
            do throws(WebSocketHandshake.Failure) {
                subprotocol = try WebSocketHandshake.verify(head, answering: request)
            } catch {
                switch error.status {
                case 101: throw TransportError(.protocolViolation, error.message)
                case 401: throw TransportError(.unauthorized)
                default: throw TransportError(.refused(status: error.status), error.message)
                }
            }
            return WebSocketConnection(
                connection,
                role: .client(maskingKey: random),
                limits: limits,
                keepAlive: keepAlive,
                subprotocol: subprotocol,
                unread: unread
            )
        } catch {
            connection.close()
            throw error
        }
    }

    private static func answer(
        _ connection: SocketConnection,
        limits: HTTPLimits,
        due: Duration
    ) async throws(TransportError) -> (HTTPResponseHead, unread: [UInt8]) {
        var parser = HTTPResponseParser(limits: limits)
        parser.expect("GET")
        while true {
            do throws(HTTPMessageError) {
                while let event = try parser.next() {
                    if case .head(let head) = event { return (head, parser.takeUnread()) }
                }
            } catch {
                throw TransportError(
                    error.code == .closedBeforeResponse || error.code == .truncated ? .closed : .protocolViolation,
                    "\(connection.peer): \(error.message)"
                )
            }
            if let bytes = try await connection.receive(due: due) { parser.push(bytes) } else { parser.pushEnd() }
        }
    }
}
