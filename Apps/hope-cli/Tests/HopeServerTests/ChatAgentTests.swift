import HopeServer
import PresenceKit
import Testing
import TransportCore
import TransportHTTP

/// What the agent does with a server over real connections.
@Suite(.timeLimit(.minutes(1))) struct ChatAgentTests {
    /// A conversation of Ada's with the agent.
    private struct Conversation {
        let ada: InMemoryTransport
        let hub: InMemoryHub
        var listener: RoomListener

        func say(_ text: String) async throws {
            try await ada.sendText(text, topic: ConversationTopic.chat)
        }
    }

    /// Lets an agent talk with Ada.
    private func converse(
        with url: String,
        apiKey: String? = nil,
        clientClock: any Clock<Duration> = ContinuousClock(),
        configure: (inout ChatAgent) -> Void = { _ in },
        _ body: (inout Conversation) async throws -> Void
    ) async throws {
        let client = try SocketHTTPClient(loops: SocketLoopGroup(clock: clientClock))
        defer { client.close() }
        var agent = ChatAgent(endpoint: try ChatEndpoint(url, client: client, apiKey: apiKey))
        configure(&agent)
        let clock = ContinuousClock()
        let hub = InMemoryHub(clock: clock, startedAt: testTimeOfDay)
        let ada = try await hub.join(InMemoryHub.Grant(room: "r", identity: "ada"))
        let seat = try await hub.join(InMemoryHub.Grant(room: "r", identity: "agent-1", kind: .agent))
        try await withThrowingTaskGroup(of: Void.self) { [agent] group in
            group.addTask { try await agent.serve(seat, timeOfDay: testTimeOfDay, clock: clock) }
            var conversation = Conversation(ada: ada, hub: hub, listener: RoomListener(ada))
            do {
                await conversation.listener.wait { $0.messages.contains(.agentReady) }
                try await body(&conversation)
            } catch {
                group.cancelAll()
                throw error
            }
            await seat.disconnect()
            try await group.waitForAll()
        }
    }

    @Test func offersTheModelsAndAnswersInPieces() async throws {
        let server = LanguageModelServer { _, _ in LanguageModelServer.events(["Good ", "", "morning."]) }
        try await server.run { url in
            try await converse(with: url) { conversation in
                let greeted = await conversation.listener.wait { $0.messages.count >= 3 }
                #expect(greeted.messages == [.agentReady, .models(["small", "large"]), .modelChanged("small")])
                try await conversation.say("Hello")
                let heard = await conversation.listener.wait { !$0.whole.isEmpty && $0.states.last == "listening" }
                #expect(heard.whole == ["Good morning."])
                #expect(heard.texts.map(\.sender) == ["agent-1"])
                #expect(heard.states == ["listening", "thinking", "speaking", "listening"])
            }
        }
        let question = try #require(server.questions.first)
        #expect(question.body["model"]?.stringValue == "small")
        #expect(question.body["stream"]?.boolValue == true)
        #expect(question.messages == ["system: \(ChatAgent.defaultInstructions)", "user: Hello"])
        #expect(question.authorization == nil)
    }

    @Test func tellsTheModelWhatWasSaidAndForgetsTheOldest() async throws {
        let server = LanguageModelServer { _, number in LanguageModelServer.events(["Answer \(number)"]) }
        try await server.run { url in
            try await converse(
                with: url,
                configure: { agent in
                    agent.maximumMessages = 3
                    agent.instructions = ""
                }
            ) { conversation in
                for number in 1...3 {
                    try await conversation.say("Question \(number)")
                    await conversation.listener.wait {
                        $0.whole.count == number && $0.states.last == "listening"
                    }
                }
            }
        }
        #expect(server.questions[1].messages == ["user: Question 1", "assistant: Answer 1", "user: Question 2"])
        #expect(server.questions[2].messages == ["user: Question 2", "assistant: Answer 2", "user: Question 3"])
    }

    @Test func usesTheModelThatIsChosen() async throws {
        let server = LanguageModelServer { _, _ in LanguageModelServer.events(["Yes."]) }
        try await server.run { url in
            try await converse(with: url) { conversation in
                await conversation.listener.wait { $0.messages.contains(.modelChanged("small")) }
                for model in ["huge", "large"] {
                    try await conversation.ada.publish(
                        ControlMessage.setModel(model).payload,
                        topic: ConversationTopic.voiceControl
                    )
                }
                let heard = await conversation.listener.wait { $0.messages.contains(.modelChanged("large")) }
                #expect(heard.whole == ["There is no model “huge” here; choose one of the list."])
                #expect(!heard.messages.contains(.modelChanged("huge")))
                try await conversation.say("Hello")
                await conversation.listener.wait { $0.whole.count == 2 }
            }
        }
        #expect(server.questions.map { $0.body["model"]?.stringValue } == ["large"])
    }

    @Test func aNewMessageInterruptsTheAnswer() async throws {
        let slow = PiecedBody([LanguageModelServer.event("Once upon a time")])
        let server = LanguageModelServer { _, number in
            number == 1 ? LanguageModelServer.events(slow) : LanguageModelServer.events(["Of course."])
        }
        try await server.run { url in
            try await converse(with: url) { conversation in
                try await conversation.say("Tell me a story")
                let speaking = await conversation.listener.wait {
                    $0.texts.first?.text == "Once upon a time" && $0.levels.contains { $0 > 0 }
                }
                #expect(speaking.states.last == "speaking", "its voice is heard while the answer comes")
                try await conversation.say("Stop")
                let heard = await conversation.listener.wait { !$0.whole.isEmpty }
                #expect(heard.texts.first?.end == "Interrupted.")
                #expect(heard.whole == ["Of course."])
                // The server is not kept at work.
                for await _ in slow.whileRead {}
            }
        }
        #expect(
            server.questions.last?.messages.dropFirst() == [
                "user: Tell me a story", "assistant: Once upon a time", "user: Stop",
            ]
        )
    }

    @Test func aVoiceInterruptsTheAnswer() async throws {
        let slow = PiecedBody([LanguageModelServer.event("Once upon a time")])
        let server = LanguageModelServer { _, _ in LanguageModelServer.events(slow) }
        try await server.run { url in
            try await converse(with: url) { conversation in
                try await conversation.ada.setMicrophone(enabled: true)
                try await conversation.say("Tell me a story")
                await conversation.listener.wait { $0.texts.first?.text == "Once upon a time" }
                try await conversation.ada.publishLevel(0.3)
                let heard = await conversation.listener.wait { $0.states.last == "listening" && $0.states.count > 2 }
                #expect(heard.texts.map(\.end) == ["Interrupted."])
                for await _ in slow.whileRead {}
            }
        }
    }

    @Test func whoeverLeavesIsNotAnsweredAnyMore() async throws {
        let slow = PiecedBody([LanguageModelServer.event("Once upon a time")])
        let server = LanguageModelServer { _, _ in LanguageModelServer.events(slow) }
        try await server.run { url in
            try await converse(with: url) { conversation in
                try await conversation.say("Tell me a story")
                await conversation.listener.wait { $0.texts.first?.text == "Once upon a time" }
                await conversation.ada.disconnect()
                for await _ in slow.whileRead {}
            }
        }
    }

    @Test func anAnswerThatBreaksOffIsSaidAndTheNextOneIsWhole() async throws {
        let server = LanguageModelServer { _, number in
            guard number == 1 else { return LanguageModelServer.events(["Whole."]) }
            let body = PiecedBody([LanguageModelServer.event("Half an ")], breaksOff: true)
            body.finish()
            return LanguageModelServer.events(body)
        }
        try await server.run { url in
            try await converse(with: url) { conversation in
                try await conversation.say("Hello")
                let heard = await conversation.listener.wait { !$0.whole.isEmpty && $0.states.last == "listening" }
                #expect(heard.texts.first?.text == "Half an ")
                #expect(heard.texts.first?.end == "The answer broke off.")
                let name = url.dropFirst("http://".count)
                #expect(heard.whole == ["I cannot answer. The language model's server \(name) broke its answer off."])
                try await conversation.say("Again")
                let later = await conversation.listener.wait { $0.whole.count == 2 }
                #expect(later.whole.last == "Whole.")
            }
        }
    }

    @Test func messagesWithoutAnAnswerAreToldAsOne() async throws {
        let server = LanguageModelServer { _, number in
            number == 1 ? .text("", status: 500) : LanguageModelServer.events(["Yes."])
        }
        try await server.run { url in
            try await converse(with: url) { conversation in
                try await conversation.say("Hello")
                await conversation.listener.wait { $0.whole.count == 1 && $0.states.last == "listening" }
                try await conversation.say("Again")
                await conversation.listener.wait { $0.whole.count == 2 }
            }
        }
        #expect(server.questions.last?.messages.dropFirst() == ["user: Hello\nAgain"])
    }

    @Test func aStreamThatEndsEarlyIsNotWhole() async throws {
        let server = LanguageModelServer { _, _ in
            let body = PiecedBody([LanguageModelServer.event("Half an ")])
            body.finish()
            return LanguageModelServer.events(body)
        }
        try await server.run { url in
            try await converse(with: url) { conversation in
                try await conversation.say("Hello")
                let heard = await conversation.listener.wait { !$0.whole.isEmpty }
                #expect(heard.whole.first?.hasSuffix("broke its answer off.") == true)
            }
        }
    }

    @Test func aServerThatFallsSilentIsNotWaitedForForever() async throws {
        let clock = ManualClock()
        let slow = PiecedBody([LanguageModelServer.event("Well, ")])
        let server = LanguageModelServer { _, _ in LanguageModelServer.events(slow) }
        try await server.run { url in
            try await converse(with: url, clientClock: clock) { conversation in
                try await conversation.say("Hello")
                await conversation.listener.wait { $0.texts.first?.text == "Well, " }
                await clock.advance(by: .seconds(61))
                let heard = await conversation.listener.wait { !$0.whole.isEmpty }
                #expect(heard.whole.first?.hasSuffix("did not answer in time.") == true)
            }
        }
    }

    @Test func aServerThatIsNotThereIsSaidAndTheConversationGoesOn() async throws {
        var url = ""
        let server = LanguageModelServer { _, _ in LanguageModelServer.events(["Here I am."]) }
        try await server.run { url = $0 }
        try await converse(with: url) { conversation in
            try await conversation.say("Hello")
            let heard = await conversation.listener.wait { !$0.whole.isEmpty && $0.states.last == "listening" }
            #expect(heard.whole.first?.hasSuffix("cannot be reached; check that it runs.") == true)
            try await conversation.say("Still there?")
            await conversation.listener.wait { $0.whole.count == 2 }
        }
    }

    @Test func theKeyIsSentAndNeverShown() async throws {
        let server = LanguageModelServer { question, _ in
            // As OpenAI does, which repeats a part of the key.
            let message = "Incorrect API key provided: \(question.authorization ?? ""). You can find yours online."
            let error = JSONValue.object(["error": ["message": .string(message)]])
            return HTTPServerResponse(
                status: 401,
                headers: ["Content-Type": "application/json"],
                body: .bytes(error.bytes)
            )
        }
        try await server.run { url in
            try await converse(with: url, apiKey: "sk-secret") { conversation in
                try await conversation.say("Hello")
                let heard = await conversation.listener.wait { !$0.whole.isEmpty }
                #expect(heard.whole.first?.contains("did not accept the key") == true)
                #expect(heard.whole.first?.contains("Incorrect API key provided: Bearer …") == true)
            }
        }
        #expect(server.questions.first?.authorization == "Bearer sk-secret")
        let client = CannedHTTPClient()
        let endpoint = try ChatEndpoint("https://llm.example", client: client, apiKey: "sk-secret")
        #expect(!"\(endpoint)\(String(reflecting: endpoint))".contains("sk-secret"))
        var dumped = ""
        dump(ChatAgent(endpoint: endpoint), to: &dumped)
        #expect(!dumped.contains("sk-secret"))
    }
}
