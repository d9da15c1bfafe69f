public import TransportCore

// What goes to the room, one after the other.
extension VoiceSession {
    /// Says a typed message: a row of the transcript at once, and a text stream to the agent.
    ///
    /// A message that cannot be sent keeps its row, which then says why; see ``retry(_:)``.
    ///
    /// - Parameter text: What was typed; a blank text does nothing.
    public func send(_ text: String) {
        guard text.contains(where: { !$0.isWhitespace }) else { return }
        recorder?.record(.action(name: "send_text", value: .text(text)))
        typedCount += 1
        let id = "typed-\(Int((timeOfDay * 1000).rounded()))-\(typedCount)"
        apply(transcript.addTyped(id: id, text: text, time: timeOfDay))
        sendTyped(id, text)
        changed()
    }

    /// Tries again to send a typed message whose row says that it was not sent.
    ///
    /// - Parameter id: The row's id; any other row's does nothing.
    public func retry(_ id: String) {
        guard let row = transcript.row(id: id), case .failed = row.delivery else { return }
        apply(transcript.setDelivery(.sending, ofTyped: id))
        sendTyped(id, row.text)
        changed()
    }

    /// Publishes a data packet on a topic that the conversation itself does not use, such as what is playing.
    ///
    /// - Parameters:
    ///   - payload: The message.
    ///   - topic: What it is about.
    ///   - reliability: Whether it may be lost.
    /// - Throws: `notConnected` while no room is joined, else as ``TransportCore/Transport/publish(_:topic:reliability:to:)``.
    public func publish(
        _ payload: [UInt8],
        topic: String,
        reliability: Reliability = .reliable
    ) async throws(TransportError) {
        guard state.isActive, let link, !isReconnecting else { throw TransportError(.notConnected) }
        try await link.transport.publish(payload, topic: topic, reliability: reliability, to: [])
        if isCurrent(link.id) { emit(.sent(topic: topic, payload: payload)) }
    }

    private func sendTyped(_ id: String, _ text: String) {
        guard state == .ready else {
            let reason =
                state.isActive ? "Hope is not there yet; try again when it is." : "There is no conversation; start one."
            apply(transcript.setDelivery(.failed(reason: reason), ofTyped: id))
            return
        }
        link?.unsentTyped.append(id)
        enqueue(.typed(id: id, text: text))
    }

    /// Marks what is still on its way as not sent, since nobody will hear what became of it.
    func giveUpTyped() {
        for id in link?.unsentTyped ?? [] {
            let reason = "The conversation ended before this was sent; start one and try again."
            apply(transcript.setDelivery(.failed(reason: reason), ofTyped: id))
        }
        link?.unsentTyped = []
        link?.outbox = []
    }

    /// Tells an agent that has just come, or that may have missed something, what was chosen.
    func synchronize() {
        tell(.setVoice(settings.voice.id))
        tellModel()
        if microphone.isTextMode {
            tell(.setMode(.text))
        } else if link?.agentMayBeInText == true {
            // It may not have heard that the person went back to voice while the connection was away.
            tell(.setMode(.voice))
        }
    }

    /// Whether the chosen model is one that the agent offers, as far as it has said.
    var isModelKnown: Bool {
        guard let model = settings.modelID, let models else { return true }
        return models.contains(model)
    }

    /// Tells the agent the model that is chosen, if there is one and the agent does not lack it.
    func tellModel() {
        if let model = settings.modelID, isModelKnown { tell(.setModel(model)) }
    }

    /// Sends a control message, in its turn.
    func tell(_ message: ControlMessage) {
        guard let topic = message.topic else { return }
        if message == .setMode(.text) { link?.agentMayBeInText = true }
        enqueue(.control(message, topic: topic))
    }

    private func enqueue(_ item: RoomLink.Outgoing) {
        link?.outbox.append(item)
        link?.outboxBell.ring()
    }

    /// Sends what is enqueued, in order, until it is cancelled.
    func deliver(over transport: any Transport, _ id: Int) async {
        guard let bell = link?.outboxBell else { return }
        while await bell.wait() {
            while isCurrent(id), link?.outbox.isEmpty == false, let item = link?.outbox.removeFirst() {
                await deliver(item, over: transport, id)
            }
        }
    }

    private func deliver(_ item: RoomLink.Outgoing, over transport: any Transport, _ id: Int) async {
        switch item {
        case .control(let message, let topic):
            let payload = message.payload
            do throws(TransportError) {
                try await transport.publish(payload, topic: topic, reliability: .reliable, to: [])
                guard isCurrent(id) else { return }
                if message == .setMode(.voice) { link?.agentMayBeInText = false }
                emit(.sent(topic: topic, payload: payload))
            } catch {
                // Whatever it was, coming back from a lost connection tells it again.
                statistics.unsentControlMessages += 1
            }
        case .typed(let typed, let text):
            var outcome = TranscriptRow.Delivery.sent
            do throws(TransportError) {
                try await transport.sendText(text, topic: ConversationTopic.chat, attributes: [:], to: [])
            } catch {
                outcome = .failed(reason: error.message)
            }
            guard isCurrent(id) else { return }
            link?.unsentTyped.removeAll { $0 == typed }
            apply(transcript.setDelivery(outcome, ofTyped: typed))
            if outcome == .sent { emit(.sent(topic: ConversationTopic.chat, payload: Array(text.utf8))) }
        }
        changed()
    }
}
