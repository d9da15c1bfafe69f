import Synchronization
import TransportCore
import TransportHTTP

/// A body that a test sends piece by piece, and breaks off when it likes.
final class PiecedBody: HTTPBodyStream {
    private let pieces: AsyncStream<String>
    private let writing: AsyncStream<String>.Continuation
    private let breaksOff: Bool
    private let ends: AsyncStream<Void>.Continuation
    /// Ends when nobody reads any more.
    let whileRead: AsyncStream<Void>

    /// Makes a body that begins with pieces; the end of one that breaks off is a connection that is cut.
    init(_ first: [String] = [], breaksOff: Bool = false) {
        (pieces, writing) = AsyncStream.makeStream(of: String.self)
        (whileRead, ends) = AsyncStream.makeStream(of: Void.self)
        self.breaksOff = breaksOff
        for piece in first { writing.yield(piece) }
    }

    func send(_ piece: String) { writing.yield(piece) }

    func finish() { writing.finish() }

    func next() async throws(TransportError) -> [UInt8]? {
        for await piece in pieces { return Array(piece.utf8) }
        if Task.isCancelled { ends.finish() }
        if breaksOff || Task.isCancelled { throw TransportError(.closed) }
        return nil
    }

    func cancel() { ends.finish() }
}

/// A small server that speaks OpenAI's interface as far as a test needs it.
final class LanguageModelServer: Sendable {
    /// What it was asked.
    struct Question: Sendable {
        var body: JSONValue
        var authorization: String?

        /// Role and text of each message.
        var messages: [String] {
            (body["messages"]?.elements ?? []).map {
                "\($0["role"]?.stringValue ?? "?"): \($0["content"]?.stringValue ?? "?")"
            }
        }
    }

    private let http = Mutex<HTTPServer?>(nil)
    private let asked = Mutex<[Question]>([])
    private let models: [String]
    private let answer: @Sendable (Question, Int) async throws -> HTTPServerResponse

    /// - Parameters:
    ///   - models: What it lists.
    ///   - answer: What it answers to a question, and to which one in order.
    init(
        models: [String] = ["small", "large"],
        answer: @escaping @Sendable (Question, Int) async throws -> HTTPServerResponse
    ) {
        self.models = models
        self.answer = answer
    }

    /// What it has been asked so far.
    var questions: [Question] { asked.withLock { $0 } }

    /// Runs the server while a test uses it.
    func run(_ body: (_ url: String) async throws -> Void) async throws {
        let server = try HTTPServer(HTTPServerConfiguration()) { try await self.handle($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await server.run() }
            defer { group.cancelAll() }
            try await body(server.url)
        }
    }

    private func handle(_ request: HTTPServerRequest) async throws -> HTTPServerResponse {
        switch (request.method, request.path) {
        case ("GET", "/v1/models"):
            let list = models.map { JSONValue.object(["id": .string($0), "object": "model"]) }
            let body = JSONValue.object(["object": "list", "data": .array(list)])
            return HTTPServerResponse(headers: ["Content-Type": "application/json"], body: .bytes(body.bytes))
        case ("POST", "/v1/chat/completions"):
            let bytes = try await request.body.bytes(limit: 1 << 20)
            let question = Question(
                body: try JSONValue(parsing: bytes),
                authorization: request.headers["Authorization"]
            )
            let number = asked.withLock { asked in
                asked.append(question)
                return asked.count
            }
            return try await answer(question, number)
        default: return .text("Not found", status: 404)
        }
    }

    /// An answer in events.
    static func events(_ body: PiecedBody) -> HTTPServerResponse {
        HTTPServerResponse(headers: ["Content-Type": "text/event-stream"], body: .stream(body, length: nil))
    }

    /// The events of an answer: one for each piece of text, and the end.
    static func events(_ pieces: [String]) -> HTTPServerResponse {
        let body = PiecedBody(pieces.map(event) + [last, "data: [DONE]\n\n"])
        body.finish()
        return events(body)
    }

    /// The event of a piece of text, as OpenAI sends it.
    static func event(_ text: String) -> String {
        let delta = JSONValue.object(["content": .string(text)])
        let choice = JSONValue.object(["index": 0, "delta": delta, "finish_reason": .null])
        let chunk = JSONValue.object(["object": "chat.completion.chunk", "choices": .array([choice])])
        return "data: \(chunk.text)\n\n"
    }

    /// The event that says why the model has stopped.
    static let last = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
}
