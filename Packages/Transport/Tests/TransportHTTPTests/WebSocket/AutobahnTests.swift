import Testing
import TransportCore
import TransportHTTP

/// What the Autobahn suite asks of a peer, for both ends and in several splits each.
struct AutobahnTests {
    private func run(_ example: AutobahnCase, _ end: End, _ pieces: [[UInt8]]) throws {
        var peer = EchoPeer(end)
        for piece in pieces { try peer.receive(piece) }
        let frames = try #require(peer.frames, "what was sent is not whole frames")
        let last = try #require(frames.last, "nothing was sent")
        #expect(Array(frames.dropLast()) == example.echo)
        #expect(last.opcode == 8)
        let code = last.payload.count == 2 ? UInt16(last.payload[0]) << 8 | UInt16(last.payload[1]) : nil
        #expect(example.close.contains(code), "closed with \(code.map { "\($0)" } ?? "nothing")")
        #expect(peer.machine.state == .closed)
        // After its close frame the peer says nothing more, whatever comes.
        let count = peer.sent.count
        try peer.receive(RawFrame.ping().bytes(mask: end.mask(0)))
        #expect(peer.sent.count == count)
    }

    private func check(_ example: AutobahnCase, splits: ([UInt8]) -> [[[UInt8]]]) throws {
        for end in End.allCases {
            let hasClose = example.frames.contains { $0.opcode == 8 }
            let frames = end.wire(example.frames + (hasClose ? [] : [.close()]))
            try run(example, end, frames)
            for pieces in splits(Array(frames.joined())) { try run(example, end, pieces) }
        }
    }

    @Test(arguments: AutobahnCase.pings + AutobahnCase.reserved + AutobahnCase.fragmentation)
    func pingsReservedBitsOpcodesAndFragments(_ example: AutobahnCase) throws {
        try check(example, splits: Splits.all)
    }

    @Test(arguments: AutobahnCase.text)
    func textIsUTF8(_ example: AutobahnCase) throws {
        try check(example) { Splits.few(of: $0) }
    }

    @Test(arguments: AutobahnCase.closing)
    func closing(_ example: AutobahnCase) throws {
        try check(example) { bytes in bytes.count > 100_000 ? [[bytes]] : Splits.few(of: bytes) }
    }

    @Test(arguments: AutobahnCase.framing + AutobahnCase.large)
    func framesOfAllSizes(_ example: AutobahnCase) throws {
        try check(example) { bytes in
            // As 1.1.8 and 9.5 do it, besides each frame by itself.
            [[bytes], stride(from: 0, to: bytes.count, by: 997).map { Array(bytes[$0..<min(bytes.count, $0 + 997)]) }]
        }
    }

    // MARK: 6.4, bad text is refused at once

    @Test(arguments: End.allCases)
    func badTextIsRefusedInTheFrameThatHasIt(_ end: End) throws {
        for (valid, wrong) in [(11, 15), (12, 13)] {
            let text = AutobahnCase.kosme + [0xF4, 0x90, 0x80, 0x80] + Array("edited".utf8)
            var peer = EchoPeer(end)
            let first = RawFrame(opcode: 1, payload: Array(text[..<valid]), fin: false)
            try peer.receive(first.bytes(mask: end.mask(0)))
            #expect(peer.isOpen)
            let second = RawFrame(opcode: 0, payload: Array(text[valid..<wrong]), fin: false)
            try peer.receive(second.bytes(mask: end.mask(1)))
            #expect(peer.machine.state == .closed)
            #expect(peer.frames == [.close(1007)])
        }
    }

    @Test(arguments: End.allCases)
    func badTextIsRefusedWithinAFrame(_ end: End) throws {
        let text = AutobahnCase.kosme + [0xF4, 0x90, 0x80, 0x80] + Array("edited".utf8)
        let wire = RawFrame(opcode: 1, payload: text).bytes(mask: end.mask(3))
        let header = wire.count - text.count
        var peer = EchoPeer(end)
        try peer.receive(Array(wire[..<(header + 12)]))
        #expect(peer.isOpen)
        try peer.receive([wire[header + 12]])
        #expect(peer.machine.state == .closed)
        #expect(peer.frames == [.close(1007)])
    }

    // MARK: 10.1.1, sending in fragments

    @Test(arguments: End.allCases)
    func aMessageCanBeSentInFragments(_ end: End) throws {
        var machine = WebSocketMachine(role: end == .server ? .server : .client { 0x0102_0304 })
        let payload = [UInt8](repeating: UInt8(ascii: "*"), count: 65536)
        var start = 0
        while start < payload.count {
            let part = Array(payload[start..<min(payload.count, start + 1300)])
            try machine.sendFragment(
                start == 0 ? .text : .continuation,
                part,
                isFinal: start + part.count == payload.count
            )
            start += part.count
        }
        let frames = try #require(RawFrame.all(in: machine.takeOutgoing(), masked: end == .client))
        #expect(frames.count == 51)
        #expect(frames.map(\.opcode) == [1] + Array(repeating: 0, count: 50))
        #expect(frames.map(\.fin) == Array(repeating: false, count: 50) + [true])
        #expect(Array(frames.map(\.payload).joined()) == payload)
    }
}
