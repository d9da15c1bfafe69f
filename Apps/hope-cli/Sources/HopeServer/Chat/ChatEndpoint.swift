public import TransportCore

/// A server with language models that speaks OpenAI's interface, as many programs that run models do.
///
/// Printing it never shows the key.
public struct ChatEndpoint: Sendable {
    /// The address that the interface's paths are appended to, such as `http://localhost:11434/v1`.
    public let baseURL: String
    /// The server's host and port, for messages.
    let name: String
    private let client: any HTTPClient
    private let apiKey: String?
    private let patience: Duration

    /// The most bytes of a list of models, or of an answer that does not come in pieces.
    private static let maximumBytes = 4 << 20

    /// Names a server.
    ///
    /// - Parameters:
    ///   - typed: Its address; without a path, `/v1` is meant.
    ///   - client: What requests are sent with.
    ///   - apiKey: The key to send; it never goes to another machine unencrypted.
    ///   - patience: How long the server may be silent, before its answer and within.
    /// - Throws: What is wrong with the address.
    public init(
        _ typed: String,
        client: any HTTPClient,
        apiKey: String? = nil,
        patience: Duration = .seconds(60)
    ) throws(ServerConfigError) {
        let server = try ServerConfig(typed)
        baseURL = server.baseURL + (server.pathPrefix.isEmpty ? "/v1" : "")
        name = server.host.contains(":") ? "[\(server.host)]:\(server.port)" : "\(server.host):\(server.port)"
        let isHere = server.host == "localhost" || server.host == "::1" || server.host.hasPrefix("127.")
        self.apiKey = server.isSecure || isHere ? apiKey : nil
        self.client = client
        self.patience = patience
    }

    /// The key for language models in a process's environment: `HOPE_LLM_KEY`, else `OPENAI_API_KEY`.
    public static func apiKey(in environment: [String: String]) -> String? {
        for name in ["HOPE_LLM_KEY", "OPENAI_API_KEY"] {
            if let key = environment[name], !key.isEmpty { return key }
        }
        return nil
    }

    /// Asks which models there are.
    ///
    /// - Returns: Their ids, as the server orders them, without repetitions.
    /// - Throws: Why there is no answer.
    public func models() async throws(ChatError) -> [String] {
        do throws(ChatError) {
            let answer = try await open(
                HTTPRequest("GET", baseURL + "/models", headers: headers, timeout: .seconds(15))
            )
            let body = try await all(of: answer.body)
            guard answer.status == 200 else { throw refusal(answer.status, body) }
            guard let entries = (try? JSONValue(parsing: body))?["data"]?.elements else {
                throw ChatError(
                    .malformed,
                    "sent a list of models that cannot be read; check that its address is right"
                )
            }
            var ids: [String] = []
            for entry in entries {
                if let id = entry["id"]?.stringValue, !id.isEmpty, !ids.contains(id) { ids.append(id) }
            }
            return ids
        } catch {
            throw error.code == .cancelled ? error : error.of(name)
        }
    }

    /// Lets a model answer, and hands its text on as it comes.
    ///
    /// - Parameters:
    ///   - model: The model's id.
    ///   - instructions: How it is to behave.
    ///   - messages: What has been said.
    ///   - onText: Takes each piece of text; never empty. An error of its own ends the answer.
    /// - Throws: ``ChatError`` when the answer is not whole, and what `onText` throws.
    func answer(
        with model: String,
        instructions: String,
        to messages: [ChatHistory.Message],
        onText: (String) async throws -> Void
    ) async throws {
        do {
            try await stream(model, instructions, messages, onText)
        } catch let error as ChatError where error.code != .cancelled {
            throw error.of(name)
        }
    }

    private func stream(
        _ model: String,
        _ instructions: String,
        _ messages: [ChatHistory.Message],
        _ onText: (String) async throws -> Void
    ) async throws {
        var list: [JSONValue] = []
        if !instructions.isEmpty { list.append(Self.message("system", instructions)) }
        list += messages.map { Self.message($0.role.rawValue, $0.text) }
        let body = JSONValue.object(["model": .string(model), "messages": .array(list), "stream": true])
        var headers = headers
        headers["Content-Type"] = "application/json"
        headers["Accept"] = "text/event-stream, application/json"
        let answer = try await open(
            HTTPRequest(
                "POST",
                baseURL + "/chat/completions",
                headers: headers,
                body: .bytes(body.bytes),
                timeout: patience
            )
        )
        guard answer.status == 200 else { throw refusal(answer.status, try await all(of: answer.body, limit: 1 << 16)) }
        var hasText = false
        let type = answer.headers["Content-Type"]?.lowercased() ?? ""
        if type.hasPrefix("application/json") {
            // Some servers do not stream.
            let piece = try Self.piece(Array(try await all(of: answer.body)))
            if !piece.text.isEmpty { try await onText(piece.text) }
            hasText = !piece.text.isEmpty
        } else {
            guard type.hasPrefix("text/event-stream") else {
                answer.body.cancel()
                throw ChatError(.malformed, "answered with “\(Self.shown(type))” instead of a stream of events")
            }
            defer { answer.body.cancel() }
            hasText = try await read(answer.body, onText)
        }
        guard hasText else { throw ChatError(.empty, "gave an answer without text") }
    }

    /// Reads a stream of events to its end.
    ///
    /// - Returns: Whether there was any text.
    private func read(
        _ body: any HTTPBodyStream,
        _ onText: (String) async throws -> Void
    ) async throws -> Bool {
        var events = ServerSentEvents()
        var hasText = false
        var isFinished = false
        while let bytes = try await next(of: body) {
            for event in try events.push(bytes) {
                if event == "[DONE]" { return hasText }
                let piece = try Self.piece(Array(event.utf8))
                if !piece.text.isEmpty {
                    hasText = true
                    try await onText(piece.text)
                }
                isFinished = isFinished || piece.isLast
            }
        }
        // Not every server says [DONE], but each one says why a model has stopped.
        guard isFinished else { throw ChatError(.broken, "broke its answer off") }
        return hasText
    }

    private var headers: HTTPHeaders {
        apiKey.map { ["Authorization": "Bearer \($0)"] } ?? [:]
    }

    private static func message(_ role: String, _ text: String) -> JSONValue {
        .object(["role": .string(role), "content": .string(text)])
    }

    /// Reads a piece of an answer, or a whole one.
    private static func piece(_ json: [UInt8]) throws(ChatError) -> (text: String, isLast: Bool) {
        guard let value = try? JSONValue(parsing: json) else {
            throw ChatError(.malformed, "sent a piece of an answer that cannot be read")
        }
        if let error = value["error"], error != .null {
            throw ChatError(.refused, "reported an error" + (message(in: error).map { ": \($0)" } ?? ""))
        }
        guard let choices = value["choices"]?.elements else {
            throw ChatError(.malformed, "sent a piece of an answer without choices")
        }
        // A piece that only counts what was used has no choice in it.
        guard let choice = choices.first else { return ("", false) }
        let text = ["delta", "message"].compactMap { choice[$0]?["content"]?.stringValue }.joined()
        return (text, choice["finish_reason"]?.stringValue != nil)
    }

    // MARK: Failures

    private func refusal(_ status: Int, _ body: [UInt8]) -> ChatError {
        var reason = (try? JSONValue(parsing: body))?["error"].flatMap { Self.message(in: $0) }
        // A server may repeat the key it did not accept.
        if let apiKey, !apiKey.isEmpty { reason = reason?.replacing(apiKey, with: "…") }
        let suffix = reason.map { ": \($0)" } ?? ""
        switch status {
        case 401, 403:
            return ChatError(.unauthorized, "did not accept the key (set HOPE_LLM_KEY to one that it knows)" + suffix)
        case 404:
            return ChatError(.refused, "does not know the model or has no such interface" + suffix)
        case 429:
            return ChatError(.refused, "has too much to do or the account's limit is reached; try again later" + suffix)
        default:
            return ChatError(.refused, "answered with status \(status)" + suffix)
        }
    }

    private static func message(in error: JSONValue) -> String? {
        (error.stringValue ?? error["message"]?.stringValue).map { shown($0) }
    }

    /// Words of somebody else's, short and without control characters; without the full stop that follows.
    private static func shown(_ text: String) -> String {
        var text = String(
            String.UnicodeScalarView(
                text.unicodeScalars.prefix(200).filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
            )
        )
        while text.hasSuffix(".") || text.hasSuffix(" ") { text.removeLast() }
        return text
    }

    private func open(_ request: HTTPRequest) async throws(ChatError) -> HTTPStreamedResponse {
        do throws(TransportError) {
            return try await client.open(request)
        } catch {
            throw Self.failure(error)
        }
    }

    private func next(of body: any HTTPBodyStream) async throws(ChatError) -> [UInt8]? {
        do throws(TransportError) {
            return try await body.next()
        } catch {
            throw Self.failure(error)
        }
    }

    private func all(
        of body: any HTTPBodyStream,
        limit: Int = Self.maximumBytes
    ) async throws(ChatError) -> [UInt8] {
        var all: [UInt8] = []
        while let bytes = try await next(of: body) {
            all += bytes
            guard all.count <= limit else {
                body.cancel()
                throw ChatError(.malformed, "sent more than \(limit) bytes")
            }
        }
        return all
    }

    private static func failure(_ error: TransportError) -> ChatError {
        switch error.code {
        case .cancelled: ChatError(.cancelled, "Cancelled.")
        case .timedOut: ChatError(.unreachable, "did not answer in time")
        case .closed: ChatError(.broken, "broke its answer off")
        case .nameNotFound: ChatError(.unreachable, "has a name that is not known; check its spelling")
        case .unreachable: ChatError(.unreachable, "cannot be reached; check that it runs")
        case .protocolViolation: ChatError(.malformed, "does not speak HTTP as it should")
        default: ChatError(.unreachable, "cannot be asked (\(shown(error.message)))")
        }
    }
}

extension ChatEndpoint: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The address, without the key.
    public var description: String { "ChatEndpoint(\(baseURL))" }

    /// The address, without the key.
    public var debugDescription: String { description }

    /// The address, without the key.
    public var customMirror: Mirror { Mirror(self, children: ["baseURL": baseURL]) }
}
