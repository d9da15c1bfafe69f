public import PresenceKit
internal import Synchronization
internal import TaskFeed
public import TransportCore

/// An agent that needs no model: it plays a script, answers what is typed, researches in the background when asked to,
/// and has media played where it was given a desk.
///
/// The same script and the same messages give the same conversation.
public struct ScriptedAgent: Agent {
    /// Something that happens at a time of the script.
    public struct Cue: Hashable, Sendable {
        /// What can happen.
        public enum Action: Hashable, Sendable {
            /// The agent says a text, word by word over a length of time.
            case say(String, over: Duration)
            /// The agent has understood what the person said over a length of time, first in part, then whole.
            case hear(String, over: Duration)
            /// The agent publishes its state.
            case state(ConversationState.AgentState)
            /// The agent sends a data packet as it is, whatever that may be.
            case publish(String, topic: String)
        }

        /// When, counted from the agent's readiness.
        public var time: Duration
        /// What happens.
        public var action: Action

        /// Makes a cue.
        public init(at time: Duration, _ action: Action) {
            self.time = time
            self.action = action
        }
    }

    /// What happens by itself, in the order of its times; cues may overlap.
    public var script: [Cue]
    /// Makes the voice whose levels the room hears from the agent's readiness on; nil for an agent that is only read.
    public var makeVoice: (@Sendable (_ clock: any Clock<Duration>) -> any AudioLevelSource)?
    /// Whether a made-up voice is heard while it answers, for rooms where ``makeVoice`` is nil.
    public var answersAloud: Bool
    /// The models that it offers.
    public var models: [String]
    /// Where it asks for media in its room; nil for an agent that plays none.
    public var media: (any MediaDesk)?

    /// Makes an agent.
    public init(
        script: [Cue] = [],
        models: [String] = ["scripted"],
        answersAloud: Bool = false,
        media: (any MediaDesk)? = nil,
        makeVoice: (@Sendable (_ clock: any Clock<Duration>) -> any AudioLevelSource)? = nil
    ) {
        self.script = script
        self.models = models
        self.answersAloud = answersAloud
        self.media = media
        self.makeVoice = makeVoice
    }

    /// What a typed message wants to have played; nil for a message that is about something else, empty for anything.
    static func wish(in message: String) -> String? {
        let polite: Set<String> = ["please", "hope", "hey", "ok", "now", "and", "can", "could", "would", "will", "you"]
        let all: Set<String> = ["", "something", "anything", "music", "some music", "a song", "some song"]
        var words = message.split(whereSeparator: \.isWhitespace).map(String.init)[...]
        func plain(_ word: String) -> String { word.lowercased().trimmingSuffix(while: ",.!?") }
        while let first = words.first, polite.contains(plain(first)) { words.removeFirst() }
        if words.prefix(3).map(plain) == ["i", "want", "to"] { words.removeFirst(3) }
        guard words.popFirst().map(plain) == "play" else { return nil }
        if let first = words.first, ["me", "us"].contains(plain(first)) { words.removeFirst() }
        if words.count > 2, plain(words[words.startIndex]) == "the",
            ["song", "track"].contains(plain(words[words.startIndex + 1]))
        {
            words.removeFirst(2)
        }
        if words.last.map(plain) == "please" { words.removeLast() }
        let wish = words.joined(separator: " ").trimmingSuffix(while: ",.!?")
        return all.contains(wish.lowercased()) ? "" : wish
    }

    /// What the agent says about media that it asked for.
    static func words(about offer: MediaOffer, wish: String) -> String {
        switch offer {
        case .plays(let title): "Playing \(title)."
        case .offers(let titles):
            wish.isEmpty
                ? "You could hear \(titles.joined(separator: ", ")). Which one?"
                : "I found \(titles.joined(separator: ", ")). Which one?"
        case .nothing: wish.isEmpty ? "There is nothing in the library." : "There is no \(wish) in the library."
        }
    }

    /// The answer to a typed message.
    ///
    /// - Returns: What the agent says, and what it researches in the background, if anything.
    static func answer(to message: String) -> (text: String, research: String?) {
        let words = message.split(whereSeparator: \.isWhitespace)
        guard let verb = words.firstIndex(where: { $0.lowercased().hasPrefix("research") }) else {
            return ("You wrote: \(message)", nil)
        }
        let topic = words[(verb + 1)...].joined(separator: " ").trimmingSuffix(while: ".!?")
        guard !topic.isEmpty else { return ("What shall I research?", nil) }
        return ("I will research \(topic) in the background.", topic)
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ScriptedAgent {
    public func serve(_ room: any Transport, timeOfDay: Double, clock: any Clock<Duration>) async throws {
        let part = ScriptedPart(room: room, time: Stopwatch(clock: clock), timeOfDay: timeOfDay, clock: clock)
        try await part.publish(.listening)
        // Who is there already is greeted before the script begins, whose times count from then.
        let early = room.events.takeAvailable()
        for case .participantJoined(let participant) in early {
            try await part.welcome(participant, offering: models)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for cue in script {
                group.addTask { try await part.play(cue) }
            }
            if let voice = makeVoice?(clock) {
                group.addTask { try await RoomVoice(room: room).forward(voice) }
            }
            // The room decides how long the conversation is; what is still being said then has nobody to hear it.
            try await part.listen(after: early, offering: models) { message in
                group.addTask { try await part.answer(message, aloud: answersAloud && makeVoice == nil, media: media) }
            }
            group.cancelAll()
        }
    }
}

/// The agent's part in one room.
private struct ScriptedPart: Sendable {
    let room: any Transport
    let time: Stopwatch
    let timeOfDay: Double
    let clock: any Clock<Duration>
    let audience = Audience()

    /// Who can be heard: the people in the room, in the order in which they came.
    final class Audience: Sendable {
        let people = Mutex<[String]>([])
    }

    func tell(_ message: ControlMessage, to identities: [String] = []) async throws {
        guard let topic = message.topic else { return }
        try await room.publish(message.payload, topic: topic, reliability: .reliable, to: identities)
    }

    /// Says to a person who has come that they may speak: whoever joins later has not heard it.
    func welcome(_ participant: Participant, offering models: [String]) async throws {
        guard participant.kind != .agent else { return }
        let person = participant.identity
        audience.people.withLock { $0.append(person) }
        do {
            try await tell(.agentReady, to: [person])
            try await tell(.models(models), to: [person])
        } catch let error as TransportError where error.code == .unknownReceiver(identity: person) {
            // They have gone again, which the next events tell.
        }
    }

    func publish(_ state: ConversationState.AgentState) async throws {
        try await room.setAttributes([ConversationState.AgentState.attributeName: state.rawValue])
    }

    func play(_ cue: ScriptedAgent.Cue) async throws {
        try await wait(until: cue.time)
        switch cue.action {
        case .state(let state): try await publish(state)
        case .publish(let payload, let topic): try await room.publish(Array(payload.utf8), topic: topic)
        case .say(let text, let length): try await say(text, over: length)
        case .hear(let text, let length): try await hear(text, over: length)
        }
    }

    /// Reads the room to its end, and hands out what is typed.
    ///
    /// - Parameters:
    ///   - early: What happened before, of which those who joined have been welcomed.
    ///   - models: What is offered to those who join later.
    ///   - onMessage: Takes what is typed.
    /// - Throws: `TransportError` when the room does not take what is said; `CancellationError`.
    func listen(
        after early: [TransportEvent],
        offering models: [String],
        _ onMessage: (String) -> Void
    ) async throws {
        var texts: [String: String] = [:]
        for event in early { try await take(event, &texts, onMessage) }
        for await event in room.events {
            if case .participantJoined(let participant) = event {
                try await welcome(participant, offering: models)
            } else {
                try await take(event, &texts, onMessage)
            }
        }
        try Task.checkCancellation()
    }

    private func take(
        _ event: TransportEvent,
        _ texts: inout [String: String],
        _ onMessage: (String) -> Void
    ) async throws {
        switch event {
        case .participantLeft(let identity):
            audience.people.withLock { $0.removeAll { $0 == identity } }
        case .text(let part) where part.header.topic == ConversationTopic.chat:
            switch part.content {
            case .chunk(let chunk): texts[part.header.id, default: ""] += chunk
            case .ended: onMessage(texts.removeValue(forKey: part.header.id) ?? "")
            case .failed: texts[part.header.id] = nil
            case .opened: break
            }
        case .data(let packet):
            if case .setModel(let model)? = try? ControlMessage(payload: packet.payload) {
                try await tell(.modelChanged(model))
            }
        default: break
        }
    }

    func answer(_ message: String, aloud: Bool, media: (any MediaDesk)?) async throws {
        var (text, research) = ScriptedAgent.answer(to: message)
        try await publish(.thinking)
        try await clock.sleep(for: .milliseconds(600))
        if let media, let wish = ScriptedAgent.wish(in: message) {
            (text, research) = (ScriptedAgent.words(about: await media.play(wish), wish: wish), nil)
        }
        try await publish(.speaking)
        let length = Duration.milliseconds(120 * text.split(separator: " ").count)
        if aloud {
            // As loud as the words themselves have it, so that the same conversation sounds the same.
            let seed = message.utf8.reduce(UInt64(1)) { $0 &* 31 &+ UInt64($1) }
            try await RoomVoice(room: room).speak(seed: seed, clock: clock) { try await say(text, over: length) }
        } else {
            try await say(text, over: length)
        }
        try await publish(.listening)
        guard let research else { return }
        let start = timeOfDay + time.elapsed.inSeconds
        let events = SampleTasks.research(
            taskID: "research-\(Int((start * 1000).rounded()))",
            topic: research,
            startedAt: start
        )
        for event in events {
            try await wait(until: .milliseconds(Int(((event.receivedAt ?? start) - timeOfDay) * 1000)))
            try await room.publish(event.json, topic: ConversationTopic.tasks)
        }
    }

    private func wait(until moment: Duration) async throws {
        let remaining = moment - time.elapsed
        if remaining > .zero { try await clock.sleep(for: remaining) }
    }

    /// One stream, to which words are appended.
    private func say(_ text: String, over length: Duration) async throws {
        let words = text.split(separator: " ")
        let writer = try await room.openText(topic: ConversationTopic.transcription)
        for (index, word) in words.enumerated() {
            try await writer.write(index == 0 ? String(word) : " \(word)")
            if index < words.count - 1 { try await clock.sleep(for: length / words.count) }
        }
        try await writer.close(attributes: [TranscriptAttribute.isFinal: "true"])
    }

    /// A new stream for each state of the recognition, each of which replaces the one before.
    private func hear(_ text: String, over length: Duration) async throws {
        guard let person = audience.people.withLock({ $0.first }) else { return }
        let words = text.split(separator: " ")
        let segment = "heard-\(Int(time.elapsed.inMilliseconds))"
        for count in 1...max(1, words.count) {
            let isFinal = count >= words.count
            let writer = try await room.openText(
                topic: ConversationTopic.transcription,
                attributes: [
                    TranscriptAttribute.segment: segment, TranscriptAttribute.isFinal: isFinal ? "true" : "false",
                ],
                to: [],
                id: nil,
                speaker: person
            )
            try await writer.write(words.prefix(count).joined(separator: " "))
            try await writer.close()
            if !isFinal { try await clock.sleep(for: length / words.count) }
        }
    }
}

extension String {
    fileprivate func trimmingSuffix(while characters: String) -> String {
        var text = self[...]
        while let last = text.last, characters.contains(last) { text.removeLast() }
        return String(text)
    }
}
