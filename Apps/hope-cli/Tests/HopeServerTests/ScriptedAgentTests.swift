import HopeServer
import PresenceKit
import TaskFeed
import Testing
import TransportCore

@Suite struct ScriptedAgentTests {
    /// Runs an agent in a room beside a person, on virtual time, and returns what the person got.
    private func events(
        of agent: ScriptedAgent,
        for duration: Duration,
        while body: @escaping @Sendable (InMemoryTransport, ManualClock) async throws -> Void = { _, _ in }
    ) async throws -> [TransportEvent] {
        let clock = ManualClock()
        return try await clock.run {
            let room = EmbeddedRoom(name: "test", timeOfDay: 1_756_540_000, clock: clock)
            let person = try await room.hub.join(InMemoryHub.Grant(room: "test", identity: "me"))
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await room.serve(agent) }
                try await clock.sleep(for: .seconds(1))
                try await body(person, clock)
                try await clock.sleep(for: duration)
                group.cancelAll()
                return person.events.takeAvailable()
            }
        }
    }

    private func text(of events: [TransportEvent], from sender: String) -> String {
        var text = ""
        for case .text(let part) in events where part.header.sender == sender {
            if case .chunk(let chunk) = part.content { text += chunk }
        }
        return text
    }

    @Test func saysThatItListens() async throws {
        let events = try await events(of: ScriptedAgent(models: ["a", "b"]), for: .seconds(1))
        let messages = events.compactMap { event -> ControlMessage? in
            if case .data(let packet) = event { try? ControlMessage(payload: packet.payload) } else { nil }
        }
        #expect(messages == [.agentReady, .models(["a", "b"])])
        #expect(events.contains(.attributesChanged(identity: "agent-1", changed: ["lk.agent.state": "listening"])))
    }

    @Test func playsItsScriptWordByWord() async throws {
        let agent = ScriptedAgent(script: [.init(at: .seconds(2), .say("One two three", over: .seconds(3)))])
        let events = try await events(of: agent, for: .seconds(10))
        #expect(text(of: events, from: "agent-1") == "One two three")
        let chunks = events.count { event in
            if case .text(let part) = event, case .chunk = part.content { true } else { false }
        }
        #expect(chunks == 3)
    }

    @Test func sendsWhatItHeardInThePersonsName() async throws {
        let agent = ScriptedAgent(script: [.init(at: .seconds(2), .hear("Hello Hope", over: .seconds(1)))])
        let events = try await events(of: agent, for: .seconds(10))
        #expect(text(of: events, from: "me") == "HelloHello Hope", "a stream for each state, replacing the one before")
        #expect(text(of: events, from: "agent-1").isEmpty)
    }

    @Test func answersWhatIsTyped() async throws {
        let events = try await events(of: ScriptedAgent(), for: .seconds(10)) { person, _ in
            try await person.sendText("Good morning", topic: ConversationTopic.chat)
        }
        #expect(text(of: events, from: "agent-1") == "You wrote: Good morning")
    }

    @Test func researchesInEightEvents() async throws {
        let events = try await events(of: ScriptedAgent(), for: .seconds(20)) { person, _ in
            try await person.sendText("Please research the history of jazz.", topic: ConversationTopic.chat)
        }
        var store = TaskStore()
        var count = 0
        for case .data(let packet) in events where packet.topic == ConversationTopic.tasks {
            try store.fold(packet, at: 1_756_540_000)
            count += 1
        }
        #expect(count == 8)
        let task = try #require(store.sortedTasks.first)
        #expect(task.status == .completed)
        #expect(task.steps.count == 6)
        #expect(task.description == "Research: the history of jazz")
    }

    @Test func confirmsTheChosenModel() async throws {
        let events = try await events(of: ScriptedAgent(), for: .seconds(1)) { person, _ in
            try await person.publish(ControlMessage.setModel("b").payload, topic: ConversationTopic.voiceControl)
        }
        #expect(
            events.contains { event in
                if case .data(let packet) = event {
                    packet.payload == ControlMessage.modelChanged("b").payload
                } else {
                    false
                }
            }
        )
    }

    @Test(arguments: [true, false]) func answersAloudWhenItIsTold(_ isAloud: Bool) async throws {
        let events = try await events(of: ScriptedAgent(answersAloud: isAloud), for: .seconds(10)) { person, _ in
            try await person.sendText("Good morning to all of you", topic: ConversationTopic.chat)
        }
        let levels = events.compactMap { event -> Double? in
            if case .speakers(let levels) = event { levels["agent-1"] ?? 0 } else { nil }
        }
        #expect(((levels.max() ?? 0) > 0.1) == isAloud)
        #expect(levels.last ?? 0 == 0)
    }

    @Test func itsVoiceIsHeardInTheRoom() async throws {
        let agent = ScriptedAgent { clock in
            SyntheticAudioLevelSource(seed: 3, owner: .agent, duration: .seconds(3), clock: clock)
        }
        let events = try await events(of: agent, for: .seconds(5))
        let levels = events.compactMap { event -> Double? in
            if case .speakers(let levels) = event { levels["agent-1"] ?? 0 } else { nil }
        }
        #expect((levels.max() ?? 0) > 0.1)
        #expect(levels.last == 0)
    }
}
