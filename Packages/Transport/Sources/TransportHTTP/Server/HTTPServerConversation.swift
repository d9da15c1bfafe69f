import TransportCore
import TransportTLS

/// One client's connection to a server, request after request.
struct HTTPServerConversation: Sendable {
    let connection: SocketConnection
    let configuration: HTTPServerConfiguration
    let tls: TLSServerContext?
    let handler: HTTPServer.Handler
    /// Told when the connection waits for a next request, and when it no longer does; false says to stop.
    let idle: @Sendable (Bool) -> Bool
    /// Cancels the task that this runs in.
    let cancel: @Sendable () -> Void

    private var timeouts: HTTPServerConfiguration.Timeouts { configuration.timeouts }
    private var deadlines: DeadlineQueue { connection.group.deadlines }

    func run() async {
        defer { connection.close() }
        if let tls {
            do throws(TransportError) {
                try await connection.startTLS(tls.makeEngine(), due: deadlines.now + timeouts.handshake)
            } catch {
                return
            }
        }
        let input = HTTPServerInput(connection, limits: configuration.limits)
        var isFirst = true
        while !Task.isCancelled {
            do throws(HTTPServerFault) {
                guard let head = try await nextHead(input, isFirst: isFirst) else { break }
                isFirst = false
                guard try await answer(head, input) else { return }
            } catch {
                await refuse(error)
                return
            }
        }
        await connection.finish(patience: timeouts.send)
    }

    // MARK: Reading

    private func nextHead(_ input: HTTPServerInput, isFirst: Bool) async throws(HTTPServerFault) -> HTTPRequestHead? {
        if let event = try input.ready() { return Self.head(event) }
        // A request that is there already is answered even while the server stops.
        if input.isIdle, !idle(true) { return nil }
        defer { _ = idle(false) }
        let start = deadlines.now
        var headDue = isFirst || !input.isIdle ? start + timeouts.head : nil
        let event = try await input.next {
            if input.isIdle, !isFirst { return start + timeouts.idle }
            // However slowly its bytes come, a head has to be there in time.
            let due = headDue ?? deadlines.now + timeouts.head
            headDue = due
            return due
        }
        return event.flatMap(Self.head)
    }

    private static func head(_ event: HTTPRequestEvent) -> HTTPRequestHead? {
        if case .head(let head) = event { return head }
        return nil
    }

    // MARK: Answering

    /// Answers one request.
    ///
    /// - Returns: Whether the connection can be used for another one.
    private func answer(_ head: HTTPRequestHead, _ input: HTTPServerInput) async throws(HTTPServerFault) -> Bool {
        let framing: HTTPBodyFraming
        let target: HTTPTarget
        do throws(HTTPMessageError) {
            framing = try head.bodyFraming()
            target = try HTTPTarget(head.target, method: head.method)
        } catch {
            throw .message(error)
        }
        if let refusal = configuration.refusal(of: head) {
            await refuse(status: refusal.status, refusal.message)
            return false
        }
        let body = HTTPServerRequestBody(
            input,
            framing: framing,
            expectsContinue: head.expectsContinue,
            timeouts: timeouts
        )
        if body.announcedLength == 0 { _ = try input.ready() }
        let request = HTTPServerRequest(
            head: head,
            target: target,
            body: body,
            peer: connection.peer,
            isSecure: tls != nil
        )
        // Nobody is left to answer when the client has gone, so the handler is told.
        connection.onHangup(cancel)
        let response: HTTPServerResponse
        do {
            response = try await handler(request)
        } catch {
            connection.onHangup(nil)
            body.detach()
            if let fault = body.fault { throw fault }
            return await send(
                .text("The server failed to answer this request.\n", status: 500),
                to: head,
                body: body,
                keepsAlive: false
            )
        }
        defer {
            connection.onHangup(nil)
            body.detach()
        }
        if let upgrade = response.upgrade {
            connection.onHangup(nil)
            await self.upgrade(head, input, upgrade)
            return false
        }
        if let fault = body.fault, case .message = fault, response.status < 400 { throw fault }
        return await send(response, to: head, body: body, keepsAlive: head.keepsAlive)
    }

    /// Sends an answer.
    ///
    /// - Returns: Whether the connection can be used for another request.
    private func send(
        _ response: HTTPServerResponse,
        to head: HTTPRequestHead,
        body: HTTPServerRequestBody,
        keepsAlive: Bool
    ) async -> Bool {
        body.answerBegins()
        var response = response
        var message = HTTPServerAnswer(response, to: head, keepsAlive: keepsAlive)
        var bytes: [UInt8]
        do throws(HTTPMessageError) {
            bytes = try message.head.serialized()
        } catch {
            // A header that would be read as two is the handler's mistake, and never leaves.
            if case .stream(let stream, _) = response.body { stream.cancel() }
            response = .text("The server failed to answer this request.\n", status: 500)
            message = HTTPServerAnswer(response, to: head, keepsAlive: false)
            guard let plain = try? message.head.serialized() else { return false }
            bytes = plain
        }
        var writer = HTTPBodyWriter(message.framing)
        do {
            switch message.body {
            case .none:
                try await connection.send(bytes, patience: timeouts.send)
            case .bytes(let content):
                _ = try writer.encode(content)
                if content.count <= 16 * 1024 {
                    try await connection.send(bytes + content, patience: timeouts.send)
                } else {
                    try await connection.send(bytes, more: true, patience: timeouts.send)
                    try await connection.send(content, patience: timeouts.send)
                }
            case .stream(let stream, _):
                try await send(stream, after: bytes, &writer)
            }
        } catch {
            if case .stream(let stream, _) = message.body { stream.cancel() }
            // The client has to notice that the body is not whole.
            connection.fail(with: TransportError(.closed))
            return false
        }
        if case .stream(let stream, _) = response.body, case .none = message.body { stream.cancel() }
        guard message.keepsAlive, await body.skipRest(atMost: 64 * 1024) else {
            await connection.finishGently(patience: timeouts.send)
            return false
        }
        return true
    }

    private func send(_ stream: any HTTPBodyStream, after head: [UInt8], _ writer: inout HTTPBodyWriter) async throws {
        // The head waits for nothing: an answer whose body comes later is known to have begun.
        try await connection.send(head, patience: timeouts.send)
        while let piece = try await stream.next() {
            let (before, after) = try writer.frame(piece.count)
            if before.isEmpty {
                try await connection.send(piece, patience: timeouts.send)
            } else if piece.count <= 16 * 1024 {
                try await connection.send(before + piece + after, patience: timeouts.send)
            } else {
                try await connection.send(before, more: true, patience: timeouts.send)
                try await connection.send(piece, more: true, patience: timeouts.send)
                try await connection.send(after, patience: timeouts.send)
            }
        }
        let end = try writer.finish()
        if !end.isEmpty { try await connection.send(end, patience: timeouts.send) }
    }

    // MARK: Refusing

    private func refuse(_ fault: HTTPServerFault) async {
        switch fault {
        case .message(let error) where error.code == .truncated: break
        case .message(let error): await refuse(status: error.status, error.message)
        case .transport: break
        }
    }

    private func refuse(status: Int, _ message: String) async {
        let response = HTTPServerResponse.text(message + "\n", status: status)
        let head = HTTPRequestHead(method: "GET", target: "/", headers: ["Host": "localhost"])
        let answer = HTTPServerAnswer(response, to: head, keepsAlive: false)
        guard let bytes = try? answer.head.serialized(), case .bytes(let content) = response.body else { return }
        guard (try? await connection.send(bytes + content, patience: timeouts.send)) != nil else { return }
        await connection.finishGently(patience: timeouts.head)
    }

    // MARK: WebSocket

    private func upgrade(
        _ head: HTTPRequestHead,
        _ input: HTTPServerInput,
        _ upgrade: HTTPServerResponse.Upgrade
    ) async {
        do throws(WebSocketHandshake.Failure) {
            let (response, subprotocol) = try WebSocketHandshake.accept(
                head,
                origins: configuration.origins,
                subprotocols: upgrade.subprotocols
            )
            guard let bytes = try? response.serialized(),
                (try? await connection.send(bytes, patience: timeouts.send)) != nil
            else { return }
            let socket = WebSocketConnection(
                connection,
                role: .server,
                limits: upgrade.limits,
                keepAlive: upgrade.keepAlive,
                subprotocol: subprotocol,
                unread: input.takeUnread()
            )
            await upgrade.handle(socket)
            await socket.close()
        } catch {
            guard let bytes = try? error.response.serialized(),
                (try? await connection.send(bytes, patience: timeouts.send)) != nil
            else { return }
            await connection.finishGently(patience: timeouts.head)
        }
    }
}
