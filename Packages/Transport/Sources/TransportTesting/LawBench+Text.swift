import TransportCore

extension LawBench {
    private func collectText(_ seat: Seat) async throws -> [TextStreamPart] {
        try await seat.observer.collect(until: "The end of a text stream") { $0.endsText }.compactMap(\.textPart)
    }

    private func text(of parts: [TextStreamPart]) -> String {
        parts.reduce(into: "") { text, part in
            if case .chunk(let chunk) = part.content { text += chunk }
        }
    }

    func textComesWhole() async throws {
        let (ada, bob) = try await joinPair()
        let text = String(repeating: "Grüße 👩‍👩‍👧 an alle, ", count: 2000)
        let id = try await ada.transport.sendText(text, topic: "lk.chat", attributes: ["a": "1"], to: [])
        let parts = try await collectText(bob)
        try require(self.text(of: parts) == text, "A long text came changed.")
        try require(parts.first?.content == .opened, "A text stream did not begin with its opening.")
        try require(parts.last?.content.isEnded == true, "A text stream did not end.")
        try require(
            parts.allSatisfy {
                $0.header.id == id && $0.header.topic == "lk.chat" && $0.header.sender == "ada"
                    && $0.header.attributes == ["a": "1"]
            },
            "A part came with another id, topic, sender or other attributes than it was sent with."
        )
        try require(parts.allSatisfy { $0.header.timestamp != nil }, "A text stream came without a time stamp.")
    }

    func textComesAsItIsWritten() async throws {
        let (ada, bob) = try await joinPair()
        let writer = try await ada.transport.openText(topic: "law")
        for word in ["one ", "two ", "three"] {
            try await writer.write(word)
            let event = try await bob.observer.wait(for: "The chunk “\(word)”") { event in
                if case .chunk = event.textPart?.content { true } else { false }
            }
            try require(event.textPart?.content == .chunk(word), "A chunk came changed.")
        }
        try await writer.close()
        try await bob.observer.wait(for: "The end of the text") { $0.endsText }
    }

    func textEndsWithItsLastAttributes() async throws {
        let (ada, bob) = try await joinPair()
        let writer = try await ada.transport.openText(topic: "law", attributes: ["final": "false"])
        try await writer.write("done")
        try await writer.close(attributes: ["final": "true"])
        let parts = try await collectText(bob)
        try require(
            parts.last?.content == .ended(attributes: ["final": "true"]),
            "The attributes that came with the end are missing."
        )
    }

    func brokenTextSaysSo() async throws {
        let (ada, bob) = try await joinPair()
        let writer = try await ada.transport.openText(topic: "law")
        try await writer.write("half")
        await writer.fail("out of memory")
        let parts = try await collectText(bob)
        try require(text(of: parts) == "half", "What was written before a text broke off is missing.")
        try require(parts.last?.content == .failed("out of memory"), "A text that broke off did not say so.")
    }

    func leavingBreaksTextOff() async throws {
        let (ada, bob) = try await joinPair()
        let writer = try await ada.transport.openText(topic: "law")
        try await writer.write("half")
        await ada.transport.disconnect()
        let parts = try await collectText(bob)
        try require(parts.last?.content.isFailure == true, "A text whose sender left did not break off.")
    }

    func endedTextTakesNoMore() async throws {
        let (ada, bob) = try await joinPair()
        let writer = try await ada.transport.openText(topic: "law")
        try await writer.close()
        let code = await codeThrown { () async throws(TransportError) in try await writer.write("more") }
        try require(code == .closed, "Writing after the end gave \(code.map { "\($0)" } ?? "no error").")
        try await writer.close()
        await writer.fail("too late")
        try await ada.sendFence()
        let ends = try await bob.collectUntilFence().filter(\.endsText)
        try require(ends.count == 1, "A text ended \(ends.count) times.")
    }

    func messageKindsStayApart() async throws {
        let (ada, bob) = try await joinPair()
        try await ada.transport.sendText("{}", topic: "conversation-control")
        try await ada.transport.publish(Array("{}".utf8), topic: "conversation-control")
        try await ada.sendFence()
        let events = try await bob.collectUntilFence()
        try require(
            events.compactMap(\.packet).count == 1,
            "A text stream came as a data packet, or a packet is missing."
        )
        try require(
            events.filter(\.endsText).count == 1,
            "A data packet came as a text stream, or a stream is missing."
        )
    }

    func addressedTextReachesOnlyTheNamed() async throws {
        let (ada, bob) = try await joinPair()
        let cyd = try await join("cyd")
        try await ada.observer.wait(for: "cyd's join") { $0.isJoin(of: "cyd") }
        try await ada.transport.sendText("for bob", topic: "law", attributes: [:], to: ["bob"])
        try await ada.sendFence()
        try require(
            try await !bob.collectUntilFence().compactMap(\.textPart).isEmpty,
            "The named receiver got no text."
        )
        try require(try await cyd.collectUntilFence().compactMap(\.textPart).isEmpty, "Another receiver got the text.")
    }

    func onlyAgentsSpeakForOthers() async throws {
        let ada = try await join("ada")
        let agent = try await join("agent-1", kind: .agent)
        try await ada.observer.wait(for: "the agent's join") { $0.isJoin(of: "agent-1") }
        let writer = try await agent.transport.openText(topic: "law", attributes: [:], to: [], id: nil, speaker: "ada")
        try await writer.write("as ada said")
        try await writer.close()
        let parts = try await collectText(ada)
        try require(
            parts.allSatisfy { $0.header.sender == "ada" },
            "What an agent sent for a speaker did not come with the speaker as its sender, to the speaker too."
        )
        var code: TransportError.Code?
        do {
            _ = try await ada.transport.openText(topic: "law", attributes: [:], to: [], id: nil, speaker: "agent-1")
        } catch {
            code = error.code
        }
        try require(code == .notPermitted, "Somebody who is no agent could speak for somebody else.")
    }
}

extension TextStreamPart.Content {
    fileprivate var isEnded: Bool {
        if case .ended = self { true } else { false }
    }

    fileprivate var isFailure: Bool {
        if case .failed = self { true } else { false }
    }
}
