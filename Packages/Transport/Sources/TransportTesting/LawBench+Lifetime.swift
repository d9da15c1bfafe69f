import TransportCore

extension LawBench {
    private func shown(_ code: TransportError.Code?) -> String {
        code.map { "the error \($0)" } ?? "no error"
    }

    /// Checks that every call says how things stand, rather than doing nothing in silence.
    private func requireEveryCall(of transport: any Transport, toThrow expected: TransportError.Code) async throws {
        let calls: [(String, @Sendable () async throws(TransportError) -> Void)] = [
            ("publish", { () async throws(TransportError) in try await transport.publish([1], topic: "law") }),
            ("openText", { () async throws(TransportError) in _ = try await transport.openText(topic: "law") }),
            ("sendText", { () async throws(TransportError) in try await transport.sendText("x", topic: "law") }),
            ("setAttributes", { () async throws(TransportError) in try await transport.setAttributes(["a": "b"]) }),
            ("setMicrophone", { () async throws(TransportError) in try await transport.setMicrophone(enabled: true) }),
            ("publishLevel", { () async throws(TransportError) in try await transport.publishLevel(0.5) }),
        ]
        for (name, call) in calls {
            let code = await codeThrown(by: call)
            try require(code == expected, "\(name) gave \(shown(code)) instead of \(expected).")
        }
    }

    func nothingWorksBeforeConnecting() async throws {
        let guest = try await factory.makeGuest(grant("ada"))
        try await requireEveryCall(of: guest.transport, toThrow: .notConnected)
        await guest.transport.disconnect()
    }

    func connectsOnlyOnce() async throws {
        let guest = try await factory.makeGuest(grant("ada"))
        try await guest.transport.connect(to: guest.url, token: guest.token)
        let code = await codeThrown { () async throws(TransportError) in
            try await guest.transport.connect(to: guest.url, token: guest.token)
        }
        try require(code == .closed, "Connecting a second time gave \(shown(code)).")
        await guest.transport.disconnect()
    }

    func badTokenIsUnauthorized() async throws {
        let guest = try await factory.makeGuest(grant("ada"))
        let observer = TransportObserver(guest.transport, clock: factory.clock)
        let code = await codeThrown { () async throws(TransportError) in
            try await guest.transport.connect(to: guest.url, token: factory.invalidToken)
        }
        try require(code == .unauthorized, "A bad token gave \(shown(code)).")
        let events = try await observer.collect(until: "disconnected") { $0.disconnectReason != nil }
        try require(!events.contains(.connection(.connected)), "A refused transport said connected.")
        try require(await observer.hasEnded(), "The events of a refused transport do not end.")
        try await requireEveryCall(of: guest.transport, toThrow: .closed)
    }

    func cancelledConnectEnds() async throws {
        let guest = try await factory.makeGuest(grant("ada"))
        let observer = TransportObserver(guest.transport, clock: factory.clock)
        let code = await withTaskGroup(of: TransportError.Code?.self) { group in
            group.cancelAll()
            group.addTask {
                await codeThrown { () async throws(TransportError) in
                    try await guest.transport.connect(to: guest.url, token: guest.token)
                }
            }
            return await group.next() ?? nil
        }
        try require(code == .cancelled, "A cancelled connect gave \(shown(code)).")
        try require(await observer.hasEnded(), "The events of a cancelled transport do not end.")
        try await requireEveryCall(of: guest.transport, toThrow: .closed)
    }

    func disconnectEndsEverything() async throws {
        let (ada, bob) = try await joinPair()
        await ada.transport.disconnect()
        await ada.transport.disconnect(.agentError)
        let end = try await ada.observer.wait(for: "disconnected") { $0.disconnectReason != nil }
        try require(end.disconnectReason == .client, "Hanging up ended with \(end).")
        let after = await ada.observer.next(within: .seconds(1))
        try require(after == nil, "After the end came \(after.map { "\($0)" } ?? "").")
        try require(await ada.observer.hasEnded(), "The events do not end.")
        try await requireEveryCall(of: ada.transport, toThrow: .closed)
        try await bob.observer.wait(for: "ada's leaving") { $0 == .participantLeft(identity: "ada") }
    }

    func disconnectBeforeConnectWins() async throws {
        let guest = try await factory.makeGuest(grant("ada"))
        await guest.transport.disconnect()
        let code = await codeThrown { () async throws(TransportError) in
            try await guest.transport.connect(to: guest.url, token: guest.token)
        }
        try require(code == .closed, "Connecting after hanging up gave \(shown(code)).")
    }

    private func requireEnd(
        _ reason: DisconnectReason,
        after situation: TransportSituation,
        within limit: Duration = .seconds(5)
    ) async throws -> Seat {
        let (ada, bob) = try await joinPair()
        try await factory.bringAbout(situation)
        let end = try await ada.observer.wait(within: limit, for: "disconnected") { $0.disconnectReason != nil }
        try require(end.disconnectReason == reason, "It ended with \(end), not \(reason).")
        try require(await ada.observer.hasEnded(), "The events do not end.")
        try await requireEveryCall(of: ada.transport, toThrow: .closed)
        return bob
    }

    func removalSaysSo() async throws {
        let bob = try await requireEnd(.removed, after: .removed(identity: "ada", room: Self.room))
        try await bob.observer.wait(for: "ada's leaving") { $0 == .participantLeft(identity: "ada") }
    }

    func closedRoomSaysSo() async throws {
        let bob = try await requireEnd(.roomClosed, after: .roomClosed(room: Self.room))
        try await bob.observer.wait(for: "bob's end") { $0.disconnectReason == .roomClosed }
    }

    func shutdownSaysSo() async throws {
        let bob = try await requireEnd(.serverShutdown, after: .serverDown)
        try await bob.observer.wait(for: "bob's end") { $0.disconnectReason == .serverShutdown }
    }

    func slowReaderBlocksNobody() async throws {
        let (ada, bob) = try await joinPair()
        let cyd = try await join("cyd")
        // Bob does not read. Cyd does, and keeps getting everything.
        var sent = 0
        var hasLeft = false
        while !hasLeft, sent < 16_384 {
            for _ in 0..<64 {
                let payload =
                    withUnsafeBytes(of: UInt32(sent).bigEndian) { Array($0) } + [UInt8](repeating: 0x61, count: 4096)
                try await ada.transport.publish(payload, topic: "law")
                sent += 1
            }
            try await ada.sendFence(to: ["cyd"])
            let events = try await cyd.collectUntilFence()
            try require(
                events.filter { $0.packet != nil }.count == 64,
                "A reader got less because another did not read."
            )
            hasLeft = events.contains(.participantLeft(identity: "bob"))
        }
        try require(hasLeft, "A reader who does not read has no end: \(sent) packets are kept for it.")
        let events = try await bob.observer.collect(until: "bob's end") { $0.disconnectReason != nil }
        try require(events.last?.disconnectReason == .readerTooSlow, "The slow reader's end is \(events.suffix(1)).")
        for (number, packet) in events.compactMap(\.packet).enumerated() {
            let read = packet.payload.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            try require(read == number, "The slow reader lost packet \(number) in silence.")
        }
    }

    func lostSignalSaysReconnecting() async throws {
        let (ada, bob) = try await joinPair()
        try await factory.bringAbout(.signalLost(identity: "ada", room: Self.room))
        try await ada.observer.wait(within: .seconds(60), for: "reconnecting") { $0 == .connection(.reconnecting) }
        try await requireEveryCall(of: ada.transport, toThrow: .notConnected)
        try await factory.bringAbout(.signalRestored(identity: "ada", room: Self.room))
        try await ada.observer.wait(within: .seconds(60), for: "reconnected") { $0 == .connection(.reconnected) }
        try await ada.transport.publish([7], topic: "law")
        try await bob.observer.wait(for: "ada's packet") { $0.packet?.payload == [7] }
        await ada.transport.disconnect()
    }

    func missedReliablePacketsFollow() async throws {
        let (ada, bob) = try await joinPair()
        try await factory.bringAbout(.signalLost(identity: "ada", room: Self.room))
        try await ada.observer.wait(within: .seconds(60), for: "reconnecting") { $0 == .connection(.reconnecting) }
        for number in 0..<10 { try await bob.transport.publish([UInt8(number)], topic: "law") }
        try await factory.bringAbout(.signalRestored(identity: "ada", room: Self.room))
        try await ada.observer.wait(within: .seconds(60), for: "reconnected") { $0 == .connection(.reconnected) }
        try await bob.sendFence()
        let received = try await ada.collectUntilFence().compactMap(\.packet?.payload)
        try require(received == (0..<10).map { [UInt8($0)] }, "Of what was missed came \(received).")
    }

    func signalLostForGoodEnds() async throws {
        let situation = TransportSituation.signalLost(identity: "ada", room: Self.room)
        let bob = try await requireEnd(.signalLost, after: situation, within: .seconds(60))
        try await bob.observer.wait(within: .seconds(60), for: "ada's leaving") {
            $0 == .participantLeft(identity: "ada")
        }
    }
}
