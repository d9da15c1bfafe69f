internal import PresenceKit
internal import Synchronization
public import TransportCore

/// An agent that lets a language model answer what is typed.
///
/// The model's text is a stream in the room, as it comes. Whoever writes or speaks while it comes interrupts it. What goes
/// wrong with the model is said in the room as a sentence, and the next message is a new attempt.
public struct ChatAgent: Sendable {
    /// Where the models are.
    public var endpoint: ChatEndpoint
    /// The model to begin with; nil for the first one that the endpoint lists.
    public var model: String?
    /// How the model is told to behave.
    public var instructions: String
    /// The most messages of a conversation that the model is told again.
    public var maximumMessages: Int
    /// The most bytes of a conversation that the model is told again.
    public var maximumBytes: Int

    /// How the model is told to behave, unless told otherwise.
    public static let defaultInstructions =
        "You are Hope, a friendly voice assistant. Answer in a few plain sentences, without Markdown, as one speaks."

    /// Makes an agent.
    public init(
        endpoint: ChatEndpoint,
        model: String? = nil,
        instructions: String = Self.defaultInstructions,
        maximumMessages: Int = 40,
        maximumBytes: Int = 32_000
    ) {
        self.endpoint = endpoint
        self.model = model
        self.instructions = instructions
        self.maximumMessages = maximumMessages
        self.maximumBytes = maximumBytes
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ChatAgent: Agent {
    public func serve(_ room: any Transport, timeOfDay: Double, clock: any Clock<Duration>) async throws {
        let part = ChatPart(self, room: room, clock: clock)
        try await room.setAttributes([
            ConversationState.AgentState.attributeName: ConversationState.AgentState.listening.rawValue
        ])
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await part.offerModels() }
            await part.listen()
            group.cancelAll()
        }
        try Task.checkCancellation()
    }
}

/// The agent's part in one room.
private final class ChatPart: Sendable {
    /// The longest message that is taken, in bytes.
    static let maximumMessageBytes = 64 * 1024
    /// From which level on, and for how long, a person's voice interrupts.
    static let audibleLevel = 0.035
    static let interruptingTime = Duration.milliseconds(300)

    private struct State {
        var history: ChatHistory
        var model: String?
        var models: [String]?
        var people: Set<String> = []
    }

    /// An answer that is being given.
    private struct Answering {
        var person: String
        var task: Task<Void, Never>
    }

    private let agent: ChatAgent
    private let room: any Transport
    private let clock: any Clock<Duration>
    private let time: Stopwatch
    private let state: Mutex<State>

    init(_ agent: ChatAgent, room: any Transport, clock: any Clock<Duration>) {
        self.agent = agent
        self.room = room
        self.clock = clock
        time = Stopwatch(clock: clock)
        state = Mutex(
            State(
                history: ChatHistory(maximumMessages: agent.maximumMessages, maximumBytes: agent.maximumBytes),
                model: agent.model
            )
        )
    }

    // MARK: Listening

    /// Reads the room to its end.
    func listen() async {
        var texts: [String: String] = [:]
        var answering: Answering?
        var voices: [String: Duration] = [:]
        for await event in room.events {
            switch event {
            case .participantJoined(let participant) where participant.kind != .agent:
                state.withLock { _ = $0.people.insert(participant.identity) }
                await greet(participant.identity)
            case .participantLeft(let identity):
                state.withLock { _ = $0.people.remove(identity) }
                voices[identity] = nil
                if answering?.person == identity {
                    await interrupt(&answering)
                    await publish(.listening)
                }
            case .text(let part) where part.header.topic == ConversationTopic.chat:
                guard let message = Self.message(part, &texts) else { continue }
                await interrupt(&answering)
                let person = part.header.sender
                answering = Answering(
                    person: person,
                    task: Task(executorPreference: ManualClock.runExecutor) { await self.answer(message) }
                )
            case .speakers(let levels):
                if isInterrupting(levels, &voices), answering != nil {
                    await interrupt(&answering)
                    await publish(.listening)
                }
            case .data(let packet) where packet.topic == ConversationTopic.voiceControl:
                if case .setModel(let model)? = try? ControlMessage(payload: packet.payload) { await choose(model) }
            default: break
            }
        }
        await interrupt(&answering)
    }

    /// What somebody has written, once it is complete; empty messages are none.
    private static func message(_ part: TextStreamPart, _ texts: inout [String: String]) -> String? {
        switch part.content {
        case .opened: return nil
        case .chunk(let chunk):
            let text = texts[part.header.id, default: ""]
            if text.utf8.count + chunk.utf8.count <= maximumMessageBytes { texts[part.header.id] = text + chunk }
            return nil
        case .failed:
            texts[part.header.id] = nil
            return nil
        case .ended:
            let text = texts.removeValue(forKey: part.header.id) ?? ""
            return text.allSatisfy(\.isWhitespace) ? nil : text
        }
    }

    /// Whether a person has been heard for long enough to mean it.
    private func isInterrupting(_ levels: [String: Double], _ voices: inout [String: Duration]) -> Bool {
        let now = time.elapsed
        var isInterrupting = false
        let people = state.withLock { $0.people }
        for person in people {
            if levels[person] ?? 0 > Self.audibleLevel {
                let start = voices[person] ?? now
                voices[person] = start
                isInterrupting = isInterrupting || now - start >= Self.interruptingTime
            } else {
                voices[person] = nil
            }
        }
        return isInterrupting
    }

    /// Ends an answer, and returns when nothing more of it can come.
    private func interrupt(_ answering: inout Answering?) async {
        guard let current = answering else { return }
        answering = nil
        current.task.cancel()
        await current.task.value
    }

    // MARK: Models

    /// Finds out which models there are, and says so to everybody.
    func offerModels() async {
        guard let models = try? await agent.endpoint.models() else { return }
        take(models)
        for person in state.withLock({ $0.people.sorted() }) { await tellModels(to: person) }
    }

    private func take(_ models: [String]) {
        state.withLock { state in
            var models = models
            // A model that the endpoint does not list, but was chosen at the start, may still be one.
            if let model = state.model, !models.contains(model) { models.insert(model, at: 0) }
            state.models = models
            state.model = state.model ?? models.first
        }
    }

    private func greet(_ person: String) async {
        await tell(.agentReady, to: person)
        await tellModels(to: person)
    }

    private func tellModels(to person: String) async {
        let (models, model) = state.withLock { ($0.models, $0.model) }
        guard let models, !models.isEmpty else { return }
        await tell(.models(models), to: person)
        if let model { await tell(.modelChanged(model), to: person) }
    }

    private func choose(_ model: String) async {
        let isKnown = state.withLock { state in
            guard state.models?.contains(model) ?? true else { return false }
            state.model = model
            return true
        }
        guard isKnown else { return await say("There is no model “\(model)” here; choose one of the list.") }
        for person in state.withLock({ $0.people.sorted() }) { await tell(.modelChanged(model), to: person) }
    }

    /// The model to ask; the list is asked for again where there was none.
    private func currentModel() async throws -> String {
        if let model = state.withLock({ $0.model }) { return model }
        let models = try await agent.endpoint.models()
        take(models)
        for person in state.withLock({ $0.people.sorted() }) { await tellModels(to: person) }
        guard let model = state.withLock({ $0.model }) else {
            throw ChatError(.noModel, "has no models; add one to it, or name one").of(agent.endpoint.name)
        }
        return model
    }

    // MARK: Answering

    private func answer(_ message: String) async {
        state.withLock { $0.history.append(.user, message) }
        await publish(.thinking)
        var writer: (any TextStreamWriter)?
        var said = ""
        var failure: String?
        do {
            let model = try await currentModel()
            let messages = state.withLock { $0.history.messages }
            let voice = RoomVoice(room: room)
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { group.cancelAll() }
                try await agent.endpoint.answer(with: model, instructions: agent.instructions, to: messages) { text in
                    try Task.checkCancellation()
                    if writer == nil {
                        await publish(.speaking)
                        writer = try await room.openText(topic: ConversationTopic.transcription)
                        let seed = UInt64(messages.count)
                        group.addTask { [clock] in
                            let source = SyntheticAudioLevelSource(seed: seed, owner: .agent, clock: clock)
                            // Without its level the agent can still be read.
                            try? await voice.forward(source)
                        }
                    }
                    try await writer?.write(text)
                    said += text
                }
            }
            try await writer?.close(attributes: [TranscriptAttribute.isFinal: "true"])
        } catch {
            if Task.isCancelled {
                await writer?.fail("Interrupted.")
            } else {
                await writer?.fail("The answer broke off.")
                failure =
                    (error as? ChatError)?.message ?? (error as? TransportError)?.message ?? "Something went wrong."
            }
        }
        state.withLock { $0.history.append(.assistant, said) }
        // Whoever interrupted says what comes next.
        if Task.isCancelled { return }
        if let failure { await say("I cannot answer. \(failure)") }
        await publish(.listening)
    }

    private func say(_ sentence: String) async {
        // A room that takes nothing any more ends the reading of its events, and with it the agent.
        let writer = try? await room.openText(topic: ConversationTopic.transcription)
        try? await writer?.write(sentence)
        try? await writer?.close(attributes: [TranscriptAttribute.isFinal: "true"])
    }

    private func publish(_ agentState: ConversationState.AgentState) async {
        try? await room.setAttributes([ConversationState.AgentState.attributeName: agentState.rawValue])
    }

    private func tell(_ message: ControlMessage, to person: String) async {
        guard let topic = message.topic else { return }
        // They may have gone again, which the next events tell.
        try? await room.publish(message.payload, topic: topic, reliability: .reliable, to: [person])
    }
}
