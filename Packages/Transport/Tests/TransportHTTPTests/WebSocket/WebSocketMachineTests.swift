import Testing
import TransportCore
import TransportHTTP

struct WebSocketMachineTests {
    private let client = WebSocketMachine.Role.client { 0x37FA_213D }

    // MARK: Bytes of RFC 6455, section 5.7

    @Test func sendsTheExamplesOfTheStandard() throws {
        var server = WebSocketMachine(role: .server)
        try server.send(text: "Hello")
        #expect(server.takeOutgoing() == [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F])
        #expect(server.takeOutgoing() == [])
        try server.sendFragment(.text, Array("Hel".utf8), isFinal: false)
        try server.sendFragment(.continuation, Array("lo".utf8), isFinal: true)
        #expect(server.takeOutgoing() == [0x01, 0x03, 0x48, 0x65, 0x6C, 0x80, 0x02, 0x6C, 0x6F])
        try server.ping(Array("Hello".utf8))
        #expect(server.takeOutgoing() == [0x89, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F])
        try server.send(binary: [UInt8](repeating: 0, count: 256))
        #expect(server.takeOutgoing().prefix(4) == [0x82, 0x7E, 0x01, 0x00])
        try server.send(binary: [UInt8](repeating: 0, count: 65536))
        #expect(server.takeOutgoing().prefix(10) == [0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0])

        var client = WebSocketMachine(role: client)
        try client.send(text: "Hello")
        #expect(client.takeOutgoing() == [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])
        try client.pong(Array("Hello".utf8))
        #expect(client.takeOutgoing() == [0x8A, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])
    }

    @Test func readsTheExamplesOfTheStandard() {
        var server = WebSocketMachine(role: .server)
        server.receive([0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])
        #expect(server.next() == .text("Hello"))
        #expect(server.next() == nil)
        var client = WebSocketMachine(role: client)
        client.receive([0x01, 0x03, 0x48, 0x65, 0x6C, 0x80, 0x02, 0x6C, 0x6F])
        #expect(client.next() == .text("Hello"))
    }

    @Test func aFrameForManyReceiversIsThatOfAServer() throws {
        var server = WebSocketMachine(role: .server)
        for count in [0, 125, 126, 65535, 65536] {
            let payload = [UInt8](repeating: 7, count: count)
            try server.send(binary: payload)
            #expect(server.takeOutgoing() == WebSocketFrameHeader.serverFrame(.binary, payload))
        }
    }

    // MARK: Masks

    @Test func masksOfAllLengthsAndPlaces() throws {
        // Pieces of every length move the mask's beginning to every place within a word.
        for count in 0...40 {
            let payload = (0..<count).map { UInt8($0 &* 37 & 255) }
            let wire = RawFrame(opcode: 2, payload: payload).bytes(mask: [0xA1, 0x02, 0xF3, 0x44])
            for pieces in Splits.all(of: wire) {
                var server = WebSocketMachine(role: .server)
                var events: [WebSocketEvent] = []
                for piece in pieces {
                    server.receive(piece)
                    while let event = server.next() { events.append(event) }
                }
                #expect(events == [.binary(payload)])
            }
        }
    }

    @Test(arguments: [(End.server, nil as [UInt8]?), (.client, [1, 2, 3, 4])])
    func aMaskOnTheWrongSideIsRefused(_ end: End, _ mask: [UInt8]?) throws {
        for frame in [AutobahnCase.hello, .ping(), .close()] {
            var peer = EchoPeer(end)
            try peer.receive(frame.bytes(mask: mask))
            #expect(peer.frames == [.close(1002)])
            guard case .failed(let error) = peer.events.last else {
                Issue.record("not refused")
                return
            }
            #expect(error.code == .protocolViolation)
        }
    }

    // MARK: Lengths

    @Test(arguments: [(0, 2), (125, 2), (125, 8), (126, 8), (65535, 8)])
    func aLengthIsWrittenInTheShortestWay(_ count: Int, _ width: Int) throws {
        var peer = EchoPeer(.server)
        let payload = [UInt8](repeating: 1, count: count)
        try peer.receive(RawFrame(opcode: 2, payload: payload, lengthBytes: width).bytes(mask: [1, 2, 3, 4]))
        #expect(peer.frames == [.close(1002)])
    }

    @Test(arguments: [
        [0x82, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 1],
        [0x82, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF] as [UInt8],
    ])
    func aLengthWithItsHighestBitIsRefused(_ header: [UInt8]) throws {
        var peer = EchoPeer(.server)
        try peer.receive(header)
        #expect(peer.frames == [.close(1002)])
    }

    @Test func aLargeFrameIsRefusedByItsHeaderAlone() throws {
        var peer = EchoPeer(.server, limits: WebSocketLimits(frameBytes: 1000, messageBytes: 2000))
        try peer.receive([0x82, 0xFE, 0x03, 0xE9, 1, 2, 3, 4])
        #expect(peer.frames == [.close(1009)])
    }

    @Test func aLargeMessageIsRefusedWhereverItsPartsAreCut() throws {
        let limits = WebSocketLimits(frameBytes: 1000, messageBytes: 2000)
        for (sizes, code) in [([1000, 1000], UInt16(1000)), ([1000, 1000, 1], 1009), ([1000, 999, 2], 1009)] {
            var peer = EchoPeer(.client, limits: limits)
            for (index, size) in sizes.enumerated() {
                let payload = [UInt8](repeating: 0, count: size)
                let frame = RawFrame(opcode: index == 0 ? 2 : 0, payload: payload, fin: index == sizes.count - 1)
                try peer.receive(frame.bytes(mask: nil))
            }
            try peer.receive(RawFrame.close().bytes(mask: nil))
            #expect(peer.frames?.last == .close(code))
        }
    }

    @Test func theLimitIsOfOneMessageNotOfTheConnection() throws {
        var peer = EchoPeer(.client, limits: WebSocketLimits(frameBytes: 10, messageBytes: 10))
        for _ in 0..<5 { try peer.receive(RawFrame.text("0123456789").bytes(mask: nil)) }
        #expect(peer.events == Array(repeating: .text("0123456789"), count: 5))
    }

    @Test(arguments: [8, 9, 10] as [UInt8])
    func aControlFrameThatIsNotTheLastIsRefusedByItself(_ opcode: UInt8) throws {
        var peer = EchoPeer(.server)
        try peer.receive(RawFrame(opcode: opcode, fin: false).bytes(mask: [1, 2, 3, 4]))
        #expect(peer.frames == [.close(1002)])
    }

    // MARK: Closing

    @Test func theOtherSideClosesFirst() throws {
        var server = WebSocketMachine(role: .server)
        server.receive(RawFrame.close(4001, "bye").bytes(mask: [9, 8, 7, 6]))
        #expect(server.next() == .close(WebSocketCloseCode(rawValue: 4001), reason: "bye"))
        #expect(server.state == .closed)
        #expect(RawFrame.all(in: server.takeOutgoing(), masked: false) == [.close(4001)])
        #expect(server.next() == nil)
        #expect(throws: WebSocketError.self) { try server.send(text: "late") }
        server.connectionLost()
        #expect(server.next() == nil)
    }

    @Test func thisSideClosesFirst() throws {
        var client = WebSocketMachine(role: client)
        try client.close(.goingAway, reason: "leaving")
        #expect(client.state == .closing)
        #expect(RawFrame.all(in: client.takeOutgoing(), masked: true) == [.close(1001, "leaving")])
        #expect(throws: WebSocketError.self) { try client.send(text: "late") }
        #expect(throws: WebSocketError.self) { try client.ping() }
        #expect(throws: WebSocketError.self) { try client.close() }
        // What was under way still arrives, but a ping is not answered any more.
        client.receive(RawFrame.ping("p").bytes(mask: nil) + RawFrame.text("t").bytes(mask: nil))
        #expect(client.next() == .ping([UInt8(ascii: "p")]))
        #expect(client.next() == .text("t"))
        client.receive(RawFrame.close(1001).bytes(mask: nil))
        #expect(client.next() == .close(.goingAway, reason: ""))
        #expect(client.takeOutgoing() == [])
        #expect(client.state == .closed)
    }

    @Test func aLostConnectionIsAFailure() throws {
        var client = WebSocketMachine(role: client)
        client.receive(RawFrame.text("last").bytes(mask: nil) + [0x81])
        client.connectionLost()
        #expect(client.next() == .text("last"))
        guard case .failed(let error) = client.next() else {
            Issue.record("not a failure")
            return
        }
        #expect(error.code == .connectionLost)
        #expect(error.closeCode == .abnormal)
        #expect(client.takeOutgoing() == [])
        #expect(client.state == .closed)
        #expect(client.next() == nil)
    }

    @Test(arguments: [1004, 1005, 1006, 1015, 999, 5000, 0] as [UInt16])
    func aCodeThatCannotBeSentIsNotSent(_ code: UInt16) throws {
        var server = WebSocketMachine(role: .server)
        if code == WebSocketCloseCode.noStatus.rawValue {
            #expect(throws: WebSocketError.self) { try server.close(.noStatus, reason: "words") }
            try server.close(.noStatus)
            #expect(server.takeOutgoing() == [0x88, 0x00])
        } else {
            #expect(throws: WebSocketError.self) { try server.close(WebSocketCloseCode(rawValue: code)) }
            #expect(server.state == .open)
            #expect(server.takeOutgoing() == [])
        }
    }

    // MARK: What cannot be sent

    @Test func controlFramesAreShort() throws {
        var server = WebSocketMachine(role: .server)
        try server.ping([UInt8](repeating: 0, count: 125))
        #expect(throws: WebSocketError.self) { try server.ping([UInt8](repeating: 0, count: 126)) }
        #expect(throws: WebSocketError.self) { try server.pong([UInt8](repeating: 0, count: 126)) }
        #expect(throws: WebSocketError.self) { try server.close(.normal, reason: String(repeating: "ä", count: 62)) }
        #expect(RawFrame.all(in: server.takeOutgoing(), masked: false)?.count == 1)
    }

    @Test func messagesDoNotMix() throws {
        var server = WebSocketMachine(role: .server)
        #expect(throws: WebSocketError.self) { try server.sendFragment(.continuation, [], isFinal: true) }
        #expect(throws: WebSocketError.self) { try server.sendFragment(.ping, [], isFinal: true) }
        try server.sendFragment(.text, [], isFinal: false)
        #expect(throws: WebSocketError.self) { try server.send(text: "another") }
        try server.ping()
        try server.sendFragment(.continuation, [], isFinal: true)
        try server.send(text: "another")
        #expect(RawFrame.all(in: server.takeOutgoing(), masked: false)?.map(\.opcode) == [1, 9, 0, 1])
    }

    @Test(.timeLimit(.minutes(1)))
    func singleBytesCostNoMoreThanBlocks() throws {
        let payload = [UInt8](repeating: UInt8(ascii: "v"), count: 300_000)
        var server = WebSocketMachine(role: .server)
        for byte in RawFrame(opcode: 1, payload: payload).bytes(mask: [1, 2, 3, 4]) {
            server.receive([byte])
            if let event = server.next() { #expect(event == .text(String(decoding: payload, as: UTF8.self))) }
        }
        #expect(server.state == .open)
        // Many small messages that nobody has asked for yet.
        let small = Array(repeating: RawFrame.ping().bytes(mask: [1, 2, 3, 4]), count: 100_000).joined()
        server.receive(Array(small))
        var count = 0
        while server.next() != nil {
            count += 1
            server.receive([])
        }
        #expect(count == 100_000)
    }

    // MARK: Damage

    @Test(arguments: End.allCases)
    func damagedFramesAreReadTheSameInEverySplit(_ end: End) throws {
        let corpus = (AutobahnCase.pings + AutobahnCase.reserved + AutobahnCase.fragmentation + AutobahnCase.text)
            .map { Array(end.wire($0.frames + [.close()]).joined()) }
        for seed in 0..<HTTPParserFuzzTests.rounds {
            var random = SeededRandom(seed: seed)
            let wire = HTTPParserFuzzTests.mutated(
                corpus[random.nextInt(below: corpus.count)],
                with: corpus,
                using: &random
            )
            var whole = EchoPeer(end)
            try whole.receive(wire)
            #expect(whole.frames != nil, "seed \(seed)")
            for pieces in [wire.map { [$0] }, Splits.pieces(of: wire, largest: 20, using: &random)] {
                var peer = EchoPeer(end)
                for piece in pieces { try peer.receive(piece) }
                #expect(peer.events == whole.events, "seed \(seed)")
                #expect(peer.sent == whole.sent, "seed \(seed)")
            }
        }
    }
}
