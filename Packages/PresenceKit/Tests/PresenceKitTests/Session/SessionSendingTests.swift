import PresenceKit
import Testing
import TransportCore

@Suite struct SessionSendingTests {
    private static let ready = Settings(isTextMode: true)

    @Test("A typed message is a final row at once and a text stream to the agent")
    func sends() async throws {
        let world = SessionWorld(settings: Self.ready)
        try await world.run { world in
            let agent = try await world.becomeReady()
            await world.session.send("Where does jazz come from?")
            let row = try #require(await world.session.snapshot.rows.first)
            #expect(row.role == .user)
            #expect(row.isFinal)
            await world.settle()
            #expect(agent.texts(on: ConversationTopic.chat) == ["Where does jazz come from?"])
            #expect(await world.session.snapshot.rows.map(\.delivery) == [.sent])
            await world.session.send(" \n ")
            #expect(await world.session.snapshot.rows.count == 1)
        }
    }

    @Test("The room's echo of a typed message is no second row")
    func echo() async throws {
        let world = SessionWorld(settings: Self.ready)
        try await world.run { world in
            let agent = try await world.becomeReady()
            await world.session.send("Hello there")
            await world.advance(1)
            let echo = try await agent.transport.openText(
                topic: ConversationTopic.transcription,
                attributes: [TranscriptAttribute.isFinal: "true"],
                to: [],
                id: nil,
                speaker: "me"
            )
            try await echo.write("Hello there")
            try await echo.close()
            await world.settle()
            #expect(await world.session.snapshot.rows.map(\.text) == ["Hello there"])
        }
    }

    @Test("A message that cannot be sent says so, and a retry sends the same row")
    func retry() async throws {
        let world = SessionWorld(settings: Self.ready)
        try await world.run { world in
            let agent = try await world.becomeReady()
            world.hub.loseSignal(of: "me", in: SessionWorld.room)
            await world.settle()
            await world.session.send("Hello")
            await world.settle()
            let row = try #require(await world.session.snapshot.rows.first)
            #expect(row.delivery == .failed(reason: TransportError(.notConnected).message))
            world.hub.restoreSignal(of: "me", in: SessionWorld.room)
            await world.settle()
            await world.session.retry(row.id)
            await world.settle()
            #expect(agent.texts(on: ConversationTopic.chat) == ["Hello"])
            let rows = await world.session.snapshot.rows
            #expect(rows.map(\.id) == [row.id])
            #expect(rows.map(\.delivery) == [.sent])
        }
    }

    @Test("What is typed without a conversation is kept, marked as not sent")
    func withoutConversation() async throws {
        let world = SessionWorld()
        try await world.run { world in
            await world.session.send("Hello")
            let row = try #require(await world.session.snapshot.rows.first)
            guard case .failed = row.delivery else {
                Issue.record("The row says \(row.delivery).")
                return
            }
            let agent = try await world.becomeReady()
            await world.session.retry(row.id)
            await world.settle()
            #expect(agent.texts(on: ConversationTopic.chat) == ["Hello"])
        }
    }

    @Test("A message that is on its way when the person hangs up is marked as not sent, and nothing late changes that")
    func hangUpWhileSending() async throws {
        let world = SessionWorld(settings: Self.ready, textDelay: .seconds(2))
        try await world.run { world in
            _ = try await world.becomeReady()
            await world.session.send("Hello")
            await world.session.send("Are you there?")
            await world.advance(1)
            #expect(await world.session.snapshot.rows.map(\.delivery) == [.sending, .sending])
            await world.session.hangUp()
            for _ in 1...2 {
                for row in await world.session.snapshot.rows {
                    guard case .failed = row.delivery else {
                        Issue.record("The row says \(row.delivery).")
                        return
                    }
                }
                await world.advance(5)
            }
        }
    }

    @Test("Messages typed one after the other, and a mode between them, arrive in that order")
    func order() async throws {
        let world = SessionWorld(settings: Self.ready)
        try await world.run { world in
            let agent = try await world.becomeReady()
            for number in 1...5 { await world.session.send("Message \(number)") }
            await world.settle()
            #expect(agent.texts(on: ConversationTopic.chat) == (1...5).map { "Message \($0)" })
        }
    }

    @Test("What is playing is published beside the conversation, but not without one")
    func publishes() async throws {
        let world = SessionWorld()
        try await world.run { world in
            await #expect(throws: TransportError(.notConnected)) {
                try await world.session.publish([1], topic: ConversationTopic.mediaState)
            }
            let agent = try await world.becomeReady()
            try await world.session.publish(Array("{}".utf8), topic: ConversationTopic.mediaState)
            #expect(agent.packets.last == "{}")
        }
    }
}
