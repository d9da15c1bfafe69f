import TransportCore

// Joining the room, waiting for the agent, and what comes from the room.
extension VoiceSession {
    // MARK: Joining

    /// Joins with a new connection and a fresh token, again after each time-out while there are attempts left.
    func join(
        _ id: Int,
        _ services: VoiceServices,
        _ server: ServerConfig?
    ) async throws(SessionFailure) -> any Transport {
        var attempt = 1
        while true {
            do throws(TransportError) {
                return try await attemptToJoin(id, services, server)
            } catch {
                guard isCurrent(id), error.isTimeout, attempt < configuration.joinAttempts else {
                    throw .joining(error)
                }
                attempt += 1
            }
        }
    }

    private func attemptToJoin(
        _ id: Int,
        _ services: VoiceServices,
        _ server: ServerConfig?
    ) async throws(TransportError) -> any Transport {
        guard isCurrent(id) else { throw TransportError(.cancelled) }
        statistics.joinAttempts += 1
        let token = try await services.tokens.token(for: configuration.tokenRequest)
        guard isCurrent(id) else { throw TransportError(.cancelled) }

        var options = configuration.transportOptions
        options.renewToken = { () async throws(TransportError) -> String in
            let request = TokenRequest(
                room: token.room,
                identity: token.identity,
                name: token.displayName.isEmpty ? nil : token.displayName
            )
            return try await services.tokens.token(for: request).token
        }
        let transport = try services.transports.makeTransport()
        do throws(TransportError) {
            let url = services.roomURL ?? server?.roomURL(tokenAnswer: token.url) ?? token.url ?? ""
            let room = try await transport.connect(to: url, token: token.token, options: options)
            guard isCurrent(id) else { throw TransportError(.cancelled) }
            link = RoomLink(id: id, transport: transport)
            apply(transcript.beginConversation(localIdentity: room.local.identity))
            return transport
        } catch {
            // It may still come about on the other side; nobody will read from it any more.
            await transport.disconnect(error.isTimeout ? .timedOut : .client)
            throw error
        }
    }

    // MARK: Serving

    /// Runs everything that a joined conversation consists of, until one part of it has a reason to end.
    func serve(_ transport: any Transport, _ id: Int) async {
        waitForAgent(again: false)
        changed()
        link?.holdsWakeLock = true
        // A slow lock must not keep the agent waiting.
        async let isAwake: Void = wakeLock.acquire()
        await withTaskGroup(of: SessionFailure?.self) { group in
            group.addTask { await self.readEvents(of: transport, id) }
            group.addTask { await self.watchAgent(id) }
            group.addTask {
                await self.deliver(over: transport, id)
                return nil
            }
            group.addTask {
                await self.superviseMicrophone(id)
                return nil
            }
            group.addTask {
                await self.tellMicrophone(to: transport, id)
                return nil
            }
            for await reason in group {
                if let reason { fail(reason, id) }
                group.cancelAll()
            }
        }
        await isAwake
    }

    private func readEvents(of transport: any Transport, _ id: Int) async -> SessionFailure? {
        for await event in transport.events {
            guard isCurrent(id) else { return nil }
            if case .connection(.disconnected(let reason)) = event {
                if reason != .client { return .lost(reason) }
                endedHere(id)
                return nil
            }
            handle(event)
            changed()
        }
        return Task.isCancelled ? nil : .lost(.signalLost)
    }

    private func handle(_ event: TransportEvent) {
        switch event {
        case .connection(.reconnecting):
            link?.roster.setAway(true)
            setReconnecting(true)
        case .connection(.reconnected):
            link?.roster.setAway(false)
            setReconnecting(false)
            let wasReady = state == .ready
            reviewAgent()
            if wasReady, state == .ready { synchronize() }
            link?.mustRepeatMicrophone = true
            link?.roomMicrophoneBell.ring()
        case .connection:
            break
        case .participantJoined(let participant):
            link?.roster.joined(participant)
            reviewAgent()
        case .participantLeft(let identity):
            link?.roster.left(identity)
            reviewAgent()
        case .attributesChanged(let identity, let changed):
            link?.roster.attributesChanged(identity, changed)
            reviewAgent()
        case .data(let packet):
            handle(packet)
        case .text(let part):
            handle(part)
        case .speakers(let levels):
            hear(levels)
        }
    }

    // MARK: The agent

    private func waitForAgent(again: Bool) {
        link?.agentDeadline = now + configuration.agentTimeout
        link?.hadAgent = again
        link?.agentMayBeInText = false
        setMicrophoneReady(false)
        setState(.waitingAgent)
        link?.agentBell.ring()
    }

    /// Draws the conclusions from who is in the room.
    private func reviewAgent() {
        guard let link, !isReconnecting else { return }
        let agent = link.roster.readyAgent
        conversation.agentState = link.roster.agentState
        switch state {
        case .waitingAgent where agent != nil:
            self.link?.agentDeadline = nil
            setState(.ready)
            synchronize()
            setMicrophoneReady(true)
        case .ready where agent == nil:
            waitForAgent(again: true)
        default: break
        }
    }

    /// Waits out each wait for the agent; a reason when one was in vain.
    private func watchAgent(_ id: Int) async -> SessionFailure? {
        guard let bell = link?.agentBell else { return nil }
        while await bell.wait() {
            guard let deadline = link?.agentDeadline else { continue }
            guard await sleep(until: deadline) else { return nil }
            // An agent that came and left meanwhile has set a later one, and rung again.
            guard isCurrent(id), link?.agentDeadline == deadline else { continue }
            let time = configuration.agentTimeout
            return link?.hadAgent == true ? .agentLeft(after: time) : .agentTimedOut(after: time)
        }
        return nil
    }

    // MARK: Packets, streams and levels

    private func handle(_ packet: DataPacket) {
        switch packet.topic {
        case ConversationTopic.conversationControl, ConversationTopic.voiceControl:
            guard let message = try? ControlMessage(payload: packet.payload), message.topic == packet.topic,
                link?.roster.mayBeAgent(packet.sender) == true
            else {
                statistics.ignoredControlMessages += 1
                return
            }
            handle(message, from: packet.sender)
        case let topic where configuration.forwardedTopics.contains(topic):
            emit(.packet(packet))
        default:
            statistics.ignoredPackets += 1
        }
    }

    private func handle(_ message: ControlMessage, from sender: String) {
        switch message {
        case .agentReady:
            link?.roster.saidReady(sender)
            reviewAgent()
        case .models(let models):
            let wasKnown = isModelKnown
            setModels(models)
            // One that was chosen before the agent offered it.
            if state == .ready, !wasKnown { tellModel() }
        case .modelChanged(let model):
            setSelectedModel(model)
        case .setMode, .setVoice, .setModel, .unknown:
            statistics.ignoredControlMessages += 1
        }
    }

    private func handle(_ part: TextStreamPart) {
        if part.header.topic == ConversationTopic.transcription {
            apply(transcript.apply(part, receivedAt: timeOfDay))
        } else if part.content == .opened {
            statistics.ignoredStreams += 1
        }
    }

    private func hear(_ levels: [String: Double]) {
        guard let roster = link?.roster else { return }
        let local = transcript.localIdentity
        let agents = levels.filter { $0.key != local && roster.mayBeAgent($0.key) }
        hear(.agent, agents.values.map(AudioLevel.sanitized).max() ?? 0)
        if hearsOwnSpeakerLevel { hear(.microphone, levels[local] ?? 0) }
    }

    /// Takes a level as measured now; what is muted or typed counts as silent all the same.
    func hear(_ owner: AudioLevelOwner, _ level: Double) {
        conversation.hear(AudioLevel(source: owner, level: level, time: now))
    }
}
