import PresenceKit
import Testing
import TransportCore

@Suite struct SessionRoomTests {
    @Test("On joining, the voice is told, then the model, then text mode", arguments: [false, true])
    func synchronizes(_ isTextMode: Bool) async throws {
        let settings = Settings(voiceID: "en-US-JennyNeural", modelID: "sage", isTextMode: isTextMode)
        let world = SessionWorld(settings: settings)
        let expected =
            [#"{"type":"set_voice","voice":"en-US-JennyNeural"}"#, #"{"type":"set_model","model":"sage"}"#]
            + (isTextMode ? [#"{"type":"set_mode","mode":"text"}"#] : [])
        try await world.run { world in
            let agent = try await world.becomeReady()
            #expect(agent.packets == expected)
            world.hub.loseSignal(of: "me", in: SessionWorld.room)
            await world.advance(1)
            world.hub.restoreSignal(of: "me", in: SessionWorld.room)
            await world.settle()
            #expect(agent.packets == expected + expected)
        }
    }

    @Test("A stored voice that is not in the catalog is told as the default; a model that the agent lacks is not told")
    func unknownChoices() async throws {
        let world = SessionWorld(settings: Settings(voiceID: "gone", modelID: "gone"))
        try await world.run { world in
            await world.session.start()
            await world.settle()
            let agent = try await world.joinAgent()
            try await agent.say(.models(["sage", "swift"]))
            try await agent.say(.agentReady)
            await world.settle()
            #expect(agent.packets == [#"{"type":"set_voice","voice":"\#(VoiceCatalog.defaultVoice.id)"}"#])
            #expect(await world.session.snapshot.models == ["sage", "swift"])
            try await agent.say(.models(["sage", "gone"]))
            await world.settle()
            #expect(agent.packets.last == #"{"type":"set_model","model":"gone"}"#)
        }
    }

    @Test("A choice is stored and told at once when ready; the model counts as selected when the agent confirms it")
    func choices() async throws {
        let world = SessionWorld()
        try await world.run { world in
            await world.session.selectVoice("en-US-JennyNeural")
            let agent = try await world.becomeReady()
            #expect(agent.packets == [#"{"type":"set_voice","voice":"en-US-JennyNeural"}"#])
            await world.session.selectModel("sage")
            await world.settle()
            #expect(agent.packets.last == #"{"type":"set_model","model":"sage"}"#)
            #expect(await world.session.snapshot.confirmedModel == nil)
            try await agent.say(.modelChanged("sage"))
            await world.settle()
            #expect(await world.session.snapshot.confirmedModel == "sage")
            await world.session.hangUp()
            #expect(await world.session.snapshot.confirmedModel == nil)
            #expect(await world.session.snapshot.models == nil)
        }
        let stored = try world.settings.load().settings
        #expect(stored.voiceID == "en-US-JennyNeural")
        #expect(stored.modelID == "sage")
    }

    @Test("V6: an agent that leaves is waited for, then the session fails with nothing left behind")
    func agentLeaves() async throws {
        let world = SessionWorld()
        try await world.run { world in
            let agent = try await world.becomeReady()
            await agent.transport.disconnect()
            await world.settle()
            #expect(await world.session.state == .waitingAgent)
            #expect(!world.microphone.isOpen)
            #expect(world.wakeLock.isHeld)
            await world.advance(30)
            #expect(await world.session.failure == .agentLeft(after: .seconds(30)))
            #expect(!world.wakeLock.isHeld)
            #expect(world.hub.roomNames.isEmpty)
            await world.advance(5)
            let count = world.log.changes.count
            await world.advance(120)
            #expect(world.log.changes.count == count)
        }
    }

    @Test("V6: an agent that leaves while thinking takes the chip with it")
    func agentLeavesThinking() async throws {
        let world = SessionWorld()
        try await world.run { world in
            let agent = try await world.becomeReady()
            try await agent.transport.setAttributes(["lk.agent.state": "thinking"])
            await world.advance(3)
            #expect(await world.session.snapshot.showsThinkingChip)
            await agent.transport.disconnect()
            await world.settle()
            #expect(await world.session.snapshot.phase == .connecting)
            #expect(await !world.session.snapshot.showsThinkingChip)
        }
    }

    @Test("An agent that comes in time goes on, and a later departure is given its own 30 s")
    func agentComesBack() async throws {
        let world = SessionWorld()
        try await world.run { world in
            let first = try await world.becomeReady("agent-1")
            await first.transport.disconnect()
            await world.advance(20)
            let second = try await world.joinAgent("agent-2")
            try await second.say(.agentReady)
            await world.settle()
            #expect(await world.session.state == .ready)
            #expect(second.packets.count == 1)
            await second.transport.disconnect()
            await world.advance(29.9)
            #expect(await world.session.state == .waitingAgent)
            await world.advance(0.1)
            #expect(await world.session.failure == .agentLeft(after: .seconds(30)))
        }
    }

    @Test("Reconnecting is a flag beside ready, also where the room lets everybody leave and join again")
    func reconnecting() async throws {
        let world = SessionWorld()
        try await world.run { world in
            _ = try await world.becomeReady()
            world.hub.loseSignal(of: "me", in: SessionWorld.room)
            await world.advance(2)
            #expect(await world.session.snapshot.isReconnecting)
            #expect(await world.session.state == .ready)
            world.hub.restoreSignal(of: "me", in: SessionWorld.room, resuming: false)
            await world.settle()
            #expect(await !world.session.snapshot.isReconnecting)
            #expect(await world.session.state == .ready)
        }
        #expect(world.log.states == [.connecting, .waitingAgent, .ready, .idle])
    }

    @Test("An agent that left while the connection was away is waited for when it is back")
    func leftMeanwhile() async throws {
        let world = SessionWorld()
        try await world.run { world in
            let agent = try await world.becomeReady()
            world.hub.loseSignal(of: "me", in: SessionWorld.room)
            await world.advance(1)
            await agent.transport.disconnect()
            world.hub.restoreSignal(of: "me", in: SessionWorld.room, resuming: false)
            await world.settle()
            #expect(await world.session.state == .waitingAgent)
        }
    }

    @Test("A return to voice that the agent missed while the connection was away is told again")
    func modeAfterReconnecting() async throws {
        let world = SessionWorld(settings: Settings(isTextMode: true))
        try await world.run { world in
            let agent = try await world.becomeReady()
            world.hub.loseSignal(of: "me", in: SessionWorld.room)
            await world.settle()
            await world.session.setTextMode(false)
            await world.advance(1)
            world.hub.restoreSignal(of: "me", in: SessionWorld.room)
            await world.settle()
            #expect(agent.packets.last == #"{"type":"set_mode","mode":"voice"}"#)
        }
    }

    @Test(
        "A connection that is lost for good fails the session with its reason, torn down",
        arguments: [DisconnectReason.duplicateIdentity, .roomDeleted, .removed]
    )
    func lost(_ reason: DisconnectReason) async throws {
        let world = SessionWorld()
        try await world.run { world in
            _ = try await world.becomeReady()
            world.hub.remove("me", from: SessionWorld.room, reason: reason)
            await world.settle()
            #expect(await world.session.state == .failed(reason: reason.message))
            #expect(!world.wakeLock.isHeld)
            #expect(!world.microphone.isOpen)
            await world.session.start()
            await world.settle()
            #expect(await world.session.state == .waitingAgent)
        }
    }

    @Test("Packets and streams on topics that nobody handles are counted, and unreadable control messages too")
    func unknownTopics() async throws {
        let world = SessionWorld()
        try await world.run { world in
            let agent = try await world.becomeReady()
            try await agent.transport.publish([1, 2], topic: "weather")
            try await agent.transport.sendText("hello", topic: "weather")
            try await agent.transport.publish(Array("{}".utf8), topic: ConversationTopic.voiceControl)
            try await agent.transport.publish(
                Array(#"{"type":"set_fire"}"#.utf8),
                topic: ConversationTopic.conversationControl
            )
            await world.settle()
            let statistics = await world.session.statistics
            #expect(statistics.ignoredPackets == 1)
            #expect(statistics.ignoredStreams == 1)
            #expect(statistics.ignoredControlMessages == 2)
            #expect(await world.session.state == .ready)
        }
    }

    @Test("Task packets are passed on as they came")
    func taskPackets() async throws {
        let world = SessionWorld()
        let payload = Array(#"{"type":"task_event"}"#.utf8)
        try await world.run { world in
            let agent = try await world.becomeReady()
            try await agent.transport.publish(payload, topic: ConversationTopic.tasks)
            await world.settle()
        }
        let packets = world.log.changes.compactMap { change in
            if case .packet(let packet) = change.kind { packet } else { nil }
        }
        #expect(packets == [DataPacket(topic: "tasks", sender: "agent-1", payload: payload)])
    }

    @Test("V11: a connection that drops in mid segment and gets everything again doubles no row and leaves none open")
    func replayedSegments() async throws {
        let world = SessionWorld()
        try await world.run { world in
            let agent = try await world.becomeReady()
            for number in 1...6 {
                try await agent.transcribe("Sentence \(number)", segment: "s\(number)")
                await world.advance(4)
            }
            let writer = try await agent.transport.openText(
                topic: ConversationTopic.transcription,
                attributes: [TranscriptAttribute.segment: "s7"]
            )
            try await writer.write("Sentence")
            await world.settle()
            world.hub.loseSignal(of: "me", in: SessionWorld.room)
            await world.advance(1)
            world.hub.restoreSignal(of: "me", in: SessionWorld.room, resuming: false)
            await world.settle()
            for number in 1...7 { try await agent.transcribe("Sentence \(number)", segment: "s\(number)") }
            await world.settle()
            let rows = await world.session.snapshot.rows
            #expect(rows.map(\.text) == (1...7).map { "Sentence \($0)" })
            #expect(rows.map(\.isFinal) == rows.map { _ in true })
        }
    }

    @Test("V11: what the room of an ended conversation says later does not reach the next one")
    func oldRoom() async throws {
        let world = SessionWorld()
        try await world.run { world in
            let agent = try await world.becomeReady()
            let writer = try await agent.transport.openText(
                topic: ConversationTopic.transcription,
                attributes: [TranscriptAttribute.segment: "s1"]
            )
            try await writer.write("Half a")
            await world.settle()
            await world.session.hangUp()
            try await writer.write(" sentence")
            try await writer.close()
            await world.settle()
            let rows = await world.session.snapshot.rows
            #expect(rows.map(\.text) == ["Half a"])
            #expect(rows.map(\.isInterrupted) == [true])
        }
    }

    @Test("The agent heard is speaking, the silence after it is thinking, and both are announced as told")
    func phases() async throws {
        let world = SessionWorld(policy: .web)
        try await world.run { world in
            let agent = try await world.becomeReady()
            try await agent.transport.setMicrophone(enabled: true)
            await world.advance(1)
            try await agent.transport.publishLevel(0.5)
            await world.advance(0.5)
            #expect(await world.session.snapshot.phase == .speaking)
            await world.advance(2)
            #expect(await world.session.snapshot.phase == .thinking)
        }
        let said = world.log.changes.compactMap { if case .announce(let text) = $0.kind { text } else { nil } }
        #expect(said == ["Speaking"])
    }
}
