import Testing
import TransportCore

@Suite struct TransportEventBufferTests {
    private func data(_ number: UInt8, _ reliability: Reliability = .reliable) -> TransportEvent {
        .data(DataPacket(topic: "t", sender: "s", payload: [number], reliability: reliability))
    }

    private func chunk(_ text: String) -> TransportEvent {
        let header = TextStreamHeader(id: "1", topic: "t", sender: "s")
        return .text(TextStreamPart(header: header, content: .chunk(text)))
    }

    @Test("When it is full, the oldest lossy packet or level goes first")
    func spareable() {
        let buffer = TransportEventBuffer(maximumEvents: 3)
        for event in [data(1), data(2, .lossy), .speakers(["a": 1]), data(3), data(4)] {
            #expect(buffer.append(event) == .accepted)
        }
        #expect(buffer.events.takeAvailable() == [data(1), data(3), data(4)])
    }

    @Test("A lossy packet that finds only reliable ones is the one that goes")
    func newcomerIsSpared() {
        let buffer = TransportEventBuffer(maximumEvents: 2)
        for event in [data(1), data(2), data(3, .lossy)] { #expect(buffer.append(event) == .accepted) }
        #expect(buffer.events.takeAvailable() == [data(1), data(2)])
    }

    @Test("A reliable overflow ends the buffer behind what it holds, instead of losing something in silence")
    func overflow() async {
        let buffer = TransportEventBuffer(maximumEvents: 2)
        #expect(buffer.append(data(1)) == .accepted)
        #expect(buffer.append(data(2)) == .accepted)
        #expect(buffer.append(data(3)) == .overflowed)
        #expect(buffer.append(data(4)) == .ended)
        var read: [TransportEvent] = []
        for await event in buffer.events { read.append(event) }
        #expect(read == [data(1), data(2), .connection(.disconnected(.readerTooSlow))])
    }

    @Test("Bytes are bounded as well, but a single event always fits")
    func byteLimit() {
        let buffer = TransportEventBuffer(maximumEvents: 100, maximumBytes: 10)
        let large = TransportEvent.data(DataPacket(topic: "t", sender: "s", payload: Array(repeating: 0, count: 50)))
        #expect(buffer.append(large) == .accepted)
        #expect(buffer.append(data(1)) == .overflowed)
    }

    @Test("Text of one stream is joined rather than lost when it is full")
    func mergedText() {
        let buffer = TransportEventBuffer(maximumEvents: 1)
        for text in ["a", "b", "c"] { #expect(buffer.append(chunk(text)) == .accepted) }
        #expect(buffer.events.takeAvailable() == [chunk("abc")])
    }

    @Test("A reader that waits gets the next event, and the end after disconnected")
    func waitingReader() async {
        let buffer = TransportEventBuffer()
        async let read = {
            var read: [TransportEvent] = []
            for await event in buffer.events { read.append(event) }
            return read
        }()
        buffer.append(data(1))
        buffer.append(.connection(.disconnected(.client)))
        buffer.append(.connection(.disconnected(.removed)))
        #expect(await read == [data(1), .connection(.disconnected(.client))])
    }

    @Test("A reader that is cancelled sees the end, and the next one goes on without a loss")
    func cancelledReader() async {
        let buffer = TransportEventBuffer()
        let reader = Task {
            var iterator = buffer.events.makeAsyncIterator()
            return await iterator.next()
        }
        reader.cancel()
        #expect(await reader.value == nil)
        buffer.append(data(1))
        var iterator = buffer.events.makeAsyncIterator()
        #expect(await iterator.next() == data(1))
    }

    @Test("Ten thousand events come out in order")
    func order() {
        let buffer = TransportEventBuffer(maximumEvents: 20_000)
        var read: [TransportEvent] = []
        for number in 0..<10_000 {
            buffer.append(data(UInt8(truncatingIfNeeded: number)))
            if number % 700 == 0 { read += buffer.events.takeAvailable() }
        }
        read += buffer.events.takeAvailable()
        #expect(read == (0..<10_000).map { data(UInt8(truncatingIfNeeded: $0)) })
    }
}
