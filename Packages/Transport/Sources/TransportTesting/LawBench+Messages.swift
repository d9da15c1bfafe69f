import TransportCore

extension LawBench {
    func reliablePacketsComeOnceAndInOrder() async throws {
        let (ada, bob) = try await joinPair()
        let payloads = (0..<200).map { [UInt8($0)] }
        for payload in payloads { try await ada.transport.publish(payload, topic: "law") }
        try await ada.sendFence()
        let received = try await bob.collectUntilFence().compactMap(\.packet)
        try require(
            received.map(\.payload) == payloads,
            "Of 200 reliable packets came \(received.map { $0.payload.first ?? 0 })."
        )
        try require(
            received.allSatisfy { $0.topic == "law" && $0.sender == "ada" && $0.reliability == .reliable },
            "A packet came under another topic, sender or reliability than it was sent with."
        )
    }

    func payloadsComeUnchanged() async throws {
        let (ada, bob) = try await joinPair()
        let largest = (0..<DataPacket.maximumReliableBytes).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for payload in [[], Array(0...255), largest] {
            try await ada.transport.publish(payload, topic: "law")
            let packet = try await bob.observer.wait(for: "A packet of \(payload.count) bytes") { $0.packet != nil }
            try require(packet.packet?.payload == payload, "A payload of \(payload.count) bytes came changed.")
        }
    }

    func largePayloadIsRefused() async throws {
        let (ada, bob) = try await joinPair()
        let limit = DataPacket.maximumReliableBytes
        let payload = [UInt8](repeating: 1, count: limit + 1)
        let code = await codeThrown { () async throws(TransportError) in
            try await ada.transport.publish(payload, topic: "law")
        }
        try require(code == .payloadTooLarge(limit: limit), "\(limit + 1) bytes gave \(shown(code)).")
        try await ada.sendFence()
        let received = try await bob.collectUntilFence().compactMap(\.packet)
        try require(received.isEmpty, "A packet that was refused came all the same.")
    }

    func everybodyElseReceives() async throws {
        let (ada, bob) = try await joinPair()
        let cyd = try await join("cyd")
        try await ada.transport.publish([7], topic: "law")
        for seat in [bob, cyd] {
            try await seat.observer.wait(for: "\(seat.identity)'s packet") { $0.packet?.payload == [7] }
        }
    }

    func senderNeverReceivesItsOwn() async throws {
        let (ada, bob) = try await joinPair()
        try await ada.transport.publish([7], topic: "law")
        try await ada.transport.publish([8], topic: "law", reliability: .reliable, to: ["ada", "bob"])
        try await ada.transport.sendText("hello", topic: "law")
        try await bob.observer.wait(for: "ada's text") { $0.endsText }
        try await bob.sendFence()
        let events = try await ada.collectUntilFence()
        try require(
            !events.contains { $0.packet?.sender == "ada" || $0.textPart?.header.sender == "ada" },
            "A sender received what it sent itself."
        )
    }

    func addressedPacketsReachOnlyTheNamed() async throws {
        let (ada, bob) = try await joinPair()
        let cyd = try await join("cyd")
        try await ada.observer.wait(for: "cyd's join") { $0.isJoin(of: "cyd") }
        try await ada.transport.publish([7], topic: "law", reliability: .reliable, to: ["bob"])
        try await ada.sendFence()
        let named = try await bob.collectUntilFence().compactMap(\.packet)
        try require(named.map(\.payload) == [[7]], "The receiver that was named got \(named.count) packets.")
        let others = try await cyd.collectUntilFence().compactMap(\.packet)
        try require(others.isEmpty, "A receiver that was not named got the packet too.")
    }

    func unknownReceiverIsAnError() async throws {
        let (ada, bob) = try await joinPair()
        let code = await codeThrown { () async throws(TransportError) in
            try await ada.transport.publish([7], topic: "law", reliability: .reliable, to: ["bob", "nobody"])
        }
        try require(code == .unknownReceiver(identity: "nobody"), "Naming an unknown receiver gave \(shown(code)).")
        try await ada.sendFence()
        let received = try await bob.collectUntilFence().compactMap(\.packet)
        try require(received.isEmpty, "A packet with an unknown receiver reached the others.")
    }

    func publishingNeedsTheGrant() async throws {
        var mute = grant("mute")
        mute.canPublish = false
        mute.canPublishData = false
        let seat = try await join(mute)
        let packet = await codeThrown { () async throws(TransportError) in
            try await seat.transport.publish([7], topic: "law")
        }
        try require(packet == .notPermitted, "Publishing without the grant gave \(shown(packet)).")
        let text = await codeThrown { () async throws(TransportError) in
            try await seat.transport.sendText("hello", topic: "law")
        }
        try require(text == .notPermitted, "Sending text without the grant gave \(shown(text)).")
        let microphone = await codeThrown { () async throws(TransportError) in
            try await seat.transport.setMicrophone(enabled: true)
        }
        try require(microphone == .notPermitted, "A microphone without the grant gave \(shown(microphone)).")
    }

    func lossyPacketsAreMarked() async throws {
        let (ada, bob) = try await joinPair()
        // Any of them may be lost, hardly all of them.
        for number in 0..<20 {
            try await ada.transport.publish([UInt8(number)], topic: "law", reliability: .lossy, to: [])
        }
        let event = try await bob.observer.wait(for: "One of 20 lossy packets") { $0.packet != nil }
        try require(event.packet?.reliability == .lossy, "A lossy packet came as a reliable one.")
    }

    func roomsAreSeparate() async throws {
        let (ada, bob) = try await joinPair()
        let other = try await join("ada", room: "other")
        try await other.transport.publish([7], topic: "law")
        try await ada.sendFence()
        let events = try await bob.collectUntilFence().filter { !$0.isJoin(of: "ada") }
        try require(events.isEmpty, "Something of another room came: \(events).")
    }

    func packetsDoNotWaitForTheJoin() async throws {
        let ada = try await join("ada")
        try await factory.bringAbout(.joinsAnnouncedLate)
        let bob = try await join("bob")
        try await bob.transport.publish([7], topic: "law")
        let events = try await ada.observer.collect(until: "bob's packet") { $0.packet != nil }
        try require(
            !events.contains { $0.isJoin(of: "bob") },
            "The join was not late, so the law could not be checked."
        )
        try await ada.observer.wait(for: "bob's join") { $0.isJoin(of: "bob") }
    }

    private func shown(_ code: TransportError.Code?) -> String {
        code.map { "the error \($0)" } ?? "no error"
    }
}
