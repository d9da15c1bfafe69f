import HopeServer
import PresenceKit
import Testing
import TransportCore

/// What the agent makes of answers, whatever the pieces they come in, on virtual time.
@Suite struct ChatEndpointTests {
    /// Lets the agent answer one message with prepared bytes, and returns the texts in the room.
    private func heard(
        _ body: [UInt8],
        type: String = "text/event-stream",
        status: Int = 200,
        chunkBytes: Int = 64 * 1024
    ) async throws -> [Heard.Text] {
        let client = CannedHTTPClient(chunkBytes: chunkBytes)
        let answer = HTTPResponse(status: status, headers: ["Content-Type": type], body: body)
        client.answer("POST", "http://127.0.0.1:9/v1/chat/completions", with: .success(answer))
        let endpoint = try ChatEndpoint("http://127.0.0.1:9", client: client)
        let clock = ManualClock()
        return try await clock.run {
            let room = EmbeddedRoom(name: "r", timeOfDay: testTimeOfDay, clock: clock)
            let ada = try await room.hub.join(InMemoryHub.Grant(room: "r", identity: "ada"))
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await room.serve(ChatAgent(endpoint: endpoint, model: "m")) }
                try await clock.sleep(for: .seconds(1))
                try await ada.sendText("Hello", topic: ConversationTopic.chat)
                try await clock.sleep(for: .seconds(5))
                group.cancelAll()
                while (try? await group.next()) != nil {}
                var heard = Heard()
                for event in ada.events.takeAvailable() { heard.take(event) }
                return heard.texts
            }
        }
    }

    private func answer(_ stream: String, chunkBytes: Int = 64 * 1024) async throws -> String? {
        try await heard(Array(stream.utf8), chunkBytes: chunkBytes).last?.text
    }

    private func choice(_ content: String, _ finish: String = "null") -> String {
        #"{"choices":[{"index":0,"delta":{"content":\#(content)},"finish_reason":\#(finish)}]}"#
    }

    @Test(arguments: [1, 2, 3, 7, 100_000])
    func readsEventsInAnyPieces(_ chunkBytes: Int) async throws {
        let stream =
            "\u{FEFF}: a comment\r\n\r\nevent: message\ndata:\(choice(#""Grüß""#))\r\rid: 7\r\n"
            + "data: {\"choices\":\r\ndata: [{\"delta\":{\"content\":\" Gott 🙂\"}}]}\n\n"
            + "data: {\"choices\":[],\"usage\":{\"total_tokens\":9}}\n\ndata: [DONE]\n\n"
        let texts = try await heard(Array(stream.utf8), chunkBytes: chunkBytes)
        #expect(texts.map(\.text) == ["Grüß Gott 🙂"])
        #expect(texts.map(\.end) == [""])
    }

    @Test func anAnswerEndsWithItsReasonToo() async throws {
        let stream = "data: \(choice(#""Yes.""#))\n\ndata: \(choice("null", #""length""#))\n\n"
        #expect(try await answer(stream) == "Yes.")
    }

    @Test func anAnswerInOnePieceIsRead() async throws {
        let body = #"{"choices":[{"message":{"role":"assistant","content":"Whole."},"finish_reason":"stop"}]}"#
        let texts = try await heard(Array(body.utf8), type: "application/json; charset=utf-8")
        #expect(texts.map(\.text) == ["Whole."])
    }

    @Test(
        arguments: [
            ("data: nonsense\n\n", "sent a piece of an answer that cannot be read."),
            ("data: {\"choices\":[{}]\n\n", "sent a piece of an answer that cannot be read."),
            ("data: 7\n\n", "sent a piece of an answer without choices."),
            ("data: [DONE]\n\n", "gave an answer without text."),
            ("data: {\"error\":{\"message\":\"Out of memory.\"}}\n\n", "reported an error: Out of memory."),
            ("data: {\"error\":\"\\u001b[2J\"}\n\n", "reported an error: [2J."),
            ("", "broke its answer off."),
        ]
    )
    func saysWhatIsWrongWithAStream(_ stream: String, _ sentence: String) async throws {
        #expect(
            try await answer(stream) == "I cannot answer. The language model's server 127.0.0.1:9 \(sentence)"
        )
    }

    @Test func textThatIsNotUTF8IsRefused() async throws {
        let texts = try await heard(Array("data: ".utf8) + [0xFF, 0xFE] + Array("\n\n".utf8))
        #expect(texts.last?.text.hasSuffix("sent text that is not UTF-8.") == true)
    }

    @Test func anEventWithoutEndIsNotKept() async throws {
        let stream = "data: " + String(repeating: "x", count: 1_100_000)
        #expect(try await answer(stream)?.hasSuffix("sent more than 1048576 bytes at once.") == true)
    }

    @Test(
        arguments: [
            (400, #"{"error":{"message":"Bad model"}}"#, "answered with status 400: Bad model."),
            (404, "Not found", "does not know the model or has no such interface."),
            (429, "{}", "has too much to do or the account's limit is reached; try again later."),
            (500, "", "answered with status 500."),
        ]
    )
    func saysHowItWasRefused(_ status: Int, _ body: String, _ sentence: String) async throws {
        let texts = try await heard(Array(body.utf8), type: "application/json", status: status)
        #expect(
            texts.map(\.text) == ["I cannot answer. The language model's server 127.0.0.1:9 \(sentence)"]
        )
    }

    @Test func aPageInsteadOfAnAnswerIsRefused() async throws {
        let texts = try await heard(Array("<html>".utf8), type: "text/html")
        #expect(texts.last?.text.hasSuffix("answered with “text/html” instead of a stream of events.") == true)
    }

    @Test(
        arguments: [
            ("localhost:11434", "http://localhost:11434/v1"),
            ("https://api.openai.com/v1/", "https://api.openai.com/v1"),
            ("HTTPS://api.example.com", "https://api.example.com/v1"),
            ("https://example.com/api/openai", "https://example.com/api/openai"),
        ]
    )
    func understandsAddresses(_ typed: String, _ base: String) throws {
        #expect(try ChatEndpoint(typed, client: CannedHTTPClient()).baseURL == base)
    }

    @Test(
        arguments: [
            ("http://10.0.0.7", nil), ("http://localhost:1", "Bearer k"), ("https://llm.example", "Bearer k"),
        ] as [(String, String?)]
    )
    func theKeyIsNotSentInTheClear(_ address: String, _ field: String?) async throws {
        let client = CannedHTTPClient()
        let endpoint = try ChatEndpoint(address, client: client, apiKey: "k")
        await #expect(throws: ChatError.self) { try await endpoint.models() }
        #expect(client.received.map { $0.headers["Authorization"] } == [field])
    }

    @Test func listsModels() async throws {
        let client = CannedHTTPClient()
        let body = #"{"data":[{"id":"b"},{"id":"a"},{"id":"b"},{"name":"c"},{"id":""}]}"#
        client.answer(
            "GET",
            "http://localhost/v1/models",
            with: .success(HTTPResponse(status: 200, body: Array(body.utf8)))
        )
        #expect(try await ChatEndpoint("localhost", client: client).models() == ["b", "a"])
    }

    @Test func theKeyComesFromTheEnvironment() {
        #expect(ChatEndpoint.apiKey(in: ["OPENAI_API_KEY": "a"]) == "a")
        #expect(ChatEndpoint.apiKey(in: ["OPENAI_API_KEY": "a", "HOPE_LLM_KEY": "b"]) == "b")
        #expect(ChatEndpoint.apiKey(in: ["HOPE_LLM_KEY": ""]) == nil)
    }
}
