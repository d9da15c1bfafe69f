import TransportCore

extension LawBench {
    func connectingThenConnected() async throws {
        let guest = try await factory.makeGuest(grant("ada"))
        let observer = TransportObserver(guest.transport, clock: factory.clock)
        let joined = try await guest.transport.connect(to: guest.url, token: guest.token)
        let first = await observer.next(within: .seconds(5))
        let second = await observer.next(within: .seconds(5))
        try require(first == .connection(.connecting), "The first event is \(shown(first)), not connecting.")
        try require(second == .connection(.connected), "The second event is \(shown(second)), not connected.")
        try require(joined.name == Self.room, "Joining said that the room is “\(joined.name)”.")
        try require(joined.local.identity == "ada", "Joining said that this is “\(joined.local.identity)”.")
        await guest.transport.disconnect()
    }

    func presentParticipantsAreTold() async throws {
        let agent = Participant(
            identity: "agent-1",
            kind: .agent,
            name: "Hope",
            metadata: "{}",
            attributes: ["lk.agent.state": "listening"]
        )
        let host = try await join(InMemoryHub.Grant(room: Self.room, participant: agent))
        let ada = try await join("ada")
        let event = try await ada.observer.wait(for: "The agent who was there") { $0.isJoin(of: "agent-1") }
        guard case .participantJoined(var told) = event else { return }
        told.joinedAt = nil
        try require(told == agent, "The agent was told as \(told).")
        await host.transport.disconnect()
    }

    func joinsAndLeavesAreTold() async throws {
        let ada = try await join("ada")
        let bob = try await join("bob")
        try await ada.observer.wait(for: "bob's join") { $0.isJoin(of: "bob") }
        await bob.transport.disconnect()
        let events = try await ada.observer.collect(until: "bob's leaving") { $0 == .participantLeft(identity: "bob") }
        try require(!events.contains { $0.isJoin(of: "bob") }, "A join was told twice.")
    }

    func attributesAreTold() async throws {
        let (ada, bob) = try await joinPair()
        try await ada.transport.setAttributes(["lk.agent.state": "thinking", "mood": "calm"])
        let first = try await bob.observer.wait(for: "Changed attributes") { $0.attributes != nil }
        try require(
            first.attributes == ["lk.agent.state": "thinking", "mood": "calm"],
            "Changed attributes were told as \(first)."
        )
        try await ada.transport.setAttributes(["mood": ""])
        let second = try await bob.observer.wait(for: "A removed attribute") { $0.attributes != nil }
        try require(second.attributes == ["mood": ""], "A removed attribute was told as \(second).")
        let cyd = try await join("cyd")
        let event = try await cyd.observer.wait(for: "ada") { $0.isJoin(of: "ada") }
        guard case .participantJoined(let told) = event else { return }
        try require(
            told.attributes == ["lk.agent.state": "thinking"],
            "A newcomer was told the attributes \(told.attributes)."
        )
    }

    func duplicateIdentityReplaces() async throws {
        let (ada, bob) = try await joinPair()
        let second = try await join("ada")
        let end = try await ada.observer.wait(for: "The first one's end") { $0.disconnectReason != nil }
        try require(end.disconnectReason == .duplicateIdentity, "The first one ended with \(end).")
        try await bob.observer.wait(for: "The first one's leaving") { $0 == .participantLeft(identity: "ada") }
        try await bob.observer.wait(for: "The second one's join") { $0.isJoin(of: "ada") }
        try await second.sendFence()
        let events = try await bob.collectUntilFence()
        try require(events.isEmpty, "After a replacement came \(events).")
        await ada.transport.disconnect()
        try await second.sendFence()
        try require(try await bob.collectUntilFence().isEmpty, "The replaced one's hanging up put the second one out.")
    }

    private func shown(_ event: TransportEvent?) -> String {
        event.map { "\($0)" } ?? "missing"
    }
}

extension TransportEvent {
    fileprivate var attributes: [String: String]? {
        if case .attributesChanged(_, let changed) = self { changed } else { nil }
    }
}
