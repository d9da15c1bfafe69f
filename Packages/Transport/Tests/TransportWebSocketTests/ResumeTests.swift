import Synchronization
import Testing
import TransportCore
import TransportHTTP
import TransportWebSocket

@Suite(.timeLimit(.minutes(1))) struct ResumeTests {
    /// Publishes numbers, each once, whatever happens to the connection.
    private static func publish(_ numbers: Range<Int>, from guest: Guest) async throws {
        for number in numbers {
            while true {
                do throws(TransportError) {
                    try await guest.transport.publish(Array("\(number)".utf8), topic: "count")
                    break
                } catch {
                    guard error.code == .notConnected else { throw error }
                    try await Task.sleep(for: .milliseconds(5))
                }
            }
        }
        try await guest.transport.publish([], topic: "end")
    }

    @Test("Lines that are cut again and again lose and double nothing, in either direction")
    func flickeringLines() async throws {
        let bench = try RoomBench()
        try await bench.run {
            let (ada, bob) = (try await bench.join("ada"), try await bench.join("bob"))
            try await ada.wait(forJoinOf: "bob")
            let count = 400
            try await withThrowingTaskGroup(of: Void.self) { group in
                for guest in [ada, bob] {
                    group.addTask { try await Self.publish(0..<count, from: guest) }
                    group.addTask {
                        let events = try await guest.read { $0.packet?.topic == "end" }
                        let numbers = events.compactMap(\.packet).compactMap { $0.text.flatMap { Int($0) } }
                        #expect(numbers == Array(0..<count), "\(guest.identity) got \(numbers.count)")
                        let gone = events.contains { if case .participantLeft = $0 { true } else { false } }
                        #expect(!gone, "A connection that was taken up is nobody's leaving.")
                    }
                }
                group.addTask {
                    for _ in 0..<5 {
                        try await Task.sleep(for: .milliseconds(15))
                        ada.line.flicker()
                        try await Task.sleep(for: .milliseconds(10))
                        bob.line.flicker()
                    }
                }
                try await group.waitForAll()
            }
            #expect(bob.line.callCount > 1)
        }
    }

    @Test("What is published while the answer is on its way comes once")
    func unconfirmedRequests() async throws {
        let bench = try RoomBench()
        try await bench.run {
            let (ada, bob) = (try await bench.join("ada"), try await bench.join("bob"))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<100 {
                    group.addTask { try await ada.transport.publish([UInt8(number)], topic: "many") }
                }
                group.addTask { ada.line.flicker() }
                // Those that found the connection gone say so; those that were under way are done.
                var done = 0
                while let result = await group.nextResult() {
                    switch result {
                    case .success: done += 1
                    case .failure(let error):
                        #expect((error as? TransportError)?.code == .notConnected)
                    }
                }
                try await ada.read { $0 == .connection(.reconnected) }
                try await ada.transport.publish([], topic: "end")
                let received = try await bob.read { $0.packet?.topic == "end" }.compactMap(\.packet?.payload)
                #expect(received.count == done)
                #expect(Set(received).count == received.count)
            }
        }
    }

    @Test("Of what was missed, reliable packets follow and lossy ones do not")
    func lossyPacketsAreNotKept() async throws {
        let bench = try RoomBench()
        try await bench.run {
            let (ada, bob) = (try await bench.join("ada"), try await bench.join("bob"))
            ada.line.cut()
            try await ada.wait(for: .connection(.reconnecting))
            for number in 0..<20 {
                let reliability = number.isMultiple(of: 2) ? Reliability.reliable : .lossy
                try await bob.transport.publish([UInt8(number)], topic: "mixed", reliability: reliability, to: [])
            }
            try await bob.transport.publish([], topic: "end")
            ada.line.mend()
            let received = try await ada.read { $0.packet?.topic == "end" }.compactMap(\.packet?.payload.first)
            #expect(received == (0..<10).map { UInt8($0 * 2) })
        }
    }

    @Test("A text stream goes on over a lost line")
    func textStream() async throws {
        let bench = try RoomBench()
        try await bench.run {
            let (ada, bob) = (try await bench.join("ada"), try await bench.join("bob"))
            let writer = try await ada.transport.openText(topic: "lk.chat")
            try await writer.write("before, ")
            bob.line.flicker()
            ada.line.flicker()
            try await ada.wait(for: .connection(.reconnected))
            try await writer.write("after")
            try await writer.close()
            var text = ""
            try await bob.read { event in
                guard case .text(let part) = event else { return false }
                if case .chunk(let chunk) = part.content { text += chunk }
                if case .ended = part.content { return true }
                return false
            }
            #expect(text == "before, after")
        }
    }

    @Test("More than is kept ends in a new join, which both sides are told of")
    func tooMuchMissed() async throws {
        let bench = try RoomBench(configuration: RoomServer.Configuration(keptMessages: 20))
        try await bench.run {
            let (ada, bob) = (try await bench.join("ada"), try await bench.join("bob"))
            try await ada.wait(forJoinOf: "bob")
            try await ada.transport.setAttributes(["mood": "calm"])
            let writer = try await bob.transport.openText(topic: "lk.chat")
            try await writer.write("half")
            ada.line.cut()
            try await ada.wait(for: .connection(.reconnecting))
            for number in 0..<30 { try await bob.transport.publish([UInt8(number)], topic: "lost") }
            ada.line.mend()
            let events = try await ada.wait(for: .connection(.reconnected))
            #expect(events.count { $0.packet != nil } == 0)
            #expect(events.contains(.participantLeft(identity: "bob")))
            let joins = events.compactMap { event in
                if case .participantJoined(let participant) = event { participant.identity } else { nil }
            }
            #expect(joins == ["bob"])
            let ends = events.count { event in
                if case .text(let part) = event, case .failed = part.content { true } else { false }
            }
            #expect(ends == 1, "A text that was being received breaks off.")
            try await bob.wait(for: .participantLeft(identity: "ada"))
            try await bob.wait(forJoinOf: "ada")
            // What ada had said of itself is said again.
            try await bob.wait(for: .attributesChanged(identity: "ada", changed: ["mood": "calm"]))
        }
    }

    @Test("Whoever does not come back within the window has left")
    func windowPasses() async throws {
        let clock = ManualClock()
        let bench = try RoomBench(clock: clock)
        try await bench.run {
            let (ada, bob) = (try await bench.join("ada"), try await bench.join("bob"))
            ada.line.cut()
            try await ada.wait(for: .connection(.reconnecting))
            #expect(bench.rooms.hub.participants(in: "room").map(\.identity) == ["ada", "bob"])
            // The server knows of it as soon as it reads the end of the connection.
            while bench.rooms.hub.participants(in: "room").count == 2 {
                await clock.advance(by: .seconds(31))
                try await Task.sleep(for: .milliseconds(2))
            }
            try await bob.wait(for: .participantLeft(identity: "ada"))
            ada.line.mend()
            try await ada.wait(for: .connection(.reconnected))
            try await bob.wait(forJoinOf: "ada")
        }
    }

    @Test("A server that was killed and comes back with empty rooms is joined anew")
    func serverRestarts() async throws {
        let first = try RoomBench()
        let second = try RoomBench()
        let guests = Mutex<[Guest]>([])
        try await first.run {
            for identity in ["ada", "bob"] {
                let guest = try await first.join(identity)
                guests.withLock { $0.append(guest) }
            }
            try await second.run {
                let (ada, bob) = guests.withLock { ($0[0], $0[1]) }
                try await ada.wait(forJoinOf: "bob")
                ada.line.cut()
                bob.line.cut()
                for guest in [ada, bob] {
                    try await guest.wait(for: .connection(.reconnecting))
                    let error = await #expect(throws: TransportError.self) {
                        try await guest.transport.publish([1], topic: "now")
                    }
                    #expect(error?.code == .notConnected)
                    // The same tokens are good for the new server.
                    _ = second.tokens.make(InMemoryHub.Grant(room: "room", identity: guest.identity))
                    guest.line.redirect(to: second.server.port)
                    guest.line.mend()
                    let events = try await guest.wait(for: .connection(.reconnected))
                    #expect(events.contains(.participantLeft(identity: guest.identity == "ada" ? "bob" : "ada")))
                }
                try await ada.wait(forJoinOf: "bob")
                try await ada.transport.publish([7], topic: "again")
                try await bob.read { $0.packet?.payload == [7] }
            }
        }
    }

    @Test("Somebody whose place was taken meanwhile is told so and does not take it back")
    func replacedWhileAway() async throws {
        let bench = try RoomBench()
        try await bench.run {
            let ada = try await bench.join("ada")
            ada.line.cut()
            try await ada.wait(for: .connection(.reconnecting))
            let other = try bench.makeTransport()
            try await other.connect(
                to: bench.url,
                token: bench.tokens.make(InMemoryHub.Grant(room: "room", identity: "ada"))
            )
            ada.line.mend()
            #expect(await ada.end() == .duplicateIdentity)
            try await other.publish([1], topic: "still here")
        }
    }

    @Test("A token that has run out is replaced once")
    func freshToken() async throws {
        let bench = try RoomBench()
        try await bench.run {
            let renewals = Mutex(0)
            let ada = try await bench.join("ada") { () throws(TransportError) in
                renewals.withLock { $0 += 1 }
                return bench.tokens.make(InMemoryHub.Grant(room: "room", identity: "ada"))
            }
            bench.tokens.revoke(ada.token)
            ada.line.flicker()
            try await ada.wait(for: .connection(.reconnected))
            // The newest token is the one that is used from now on.
            ada.line.flicker()
            try await ada.wait(for: .connection(.reconnected))
            #expect(renewals.withLock { $0 } == 1)
        }
    }

    @Test("A token that is not accepted and cannot be replaced ends it")
    func noFreshToken() async throws {
        let bench = try RoomBench()
        try await bench.run {
            let ada = try await bench.join("ada")
            bench.tokens.revoke(ada.token)
            ada.line.flicker()
            #expect(await ada.end() == .joinFailed)
        }
    }

    @Test("Nobody takes up somebody else's connection")
    func foreignResume() async throws {
        let bench = try RoomBench()
        try await bench.run {
            let ada = try await RawGuest(bench, "ada")
            let eve = try await RawGuest(bench, "eve", resume: ada.resume)
            #expect(eve.welcome["resumed"] == false)
            #expect(eve.welcome["local"]?["identity"] == "eve")
            #expect(bench.rooms.hub.participants(in: "room").map(\.identity) == ["ada", "eve"])
        }
    }
}
