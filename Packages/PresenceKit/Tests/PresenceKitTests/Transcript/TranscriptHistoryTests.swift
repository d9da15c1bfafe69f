import PresenceKit
import Testing
import TransportCore

struct TranscriptHistoryTests {
    @Test func keepsTheLastFiftyFinals() {
        var room = RoomSpeech()
        for number in 1...60 { room.say("Row \(number).", segment: "s\(number)", at: Double(number)) }
        room.say("partial", by: RoomSpeech.me, segment: "p", final: false, at: 99)
        _ = room.transcript.addNotice(id: "n", text: "Reconnected.", time: 100)
        let rows = TranscriptHistory.rows(of: room.transcript)
        #expect(rows.map(\.id) == (11...60).map { "s\($0)" })
        #expect(TranscriptHistory.read(TranscriptHistory.write(rows)) == rows)
    }

    @Test func writesOneObjectALine() {
        let rows = [
            TranscriptRow(id: "a", role: .user, text: "Hi \"you\"\n\u{1B}[0m é", isFinal: true, time: 1_756_540_000.25),
            TranscriptRow(id: "b", role: .agent, text: "Half", isFinal: false, time: 3),
            TranscriptRow(
                id: "c",
                role: .user,
                text: "Lost",
                isFinal: true,
                time: 4,
                isTruncated: true,
                delivery: .failed(reason: "The room is gone.")
            ),
        ]
        let expected = #"""
            {"final":true,"id":"a","role":"user","text":"Hi \"you\"\n\u001b[0m é","time":1756540000.25}
            {"final":true,"id":"c","not_sent":"The room is gone.","role":"user","text":"Lost","time":4.0,"truncated":true}

            """#
        #expect(String(decoding: TranscriptHistory.write(rows), as: UTF8.self) == expected)
        #expect(TranscriptHistory.read(TranscriptHistory.write(rows)) == [rows[0], rows[2]])
    }

    @Test(arguments: ["{", "[]\n", #"{"id":"a","role":"user","text":"x","final":true}"#, #"{"id":1}"#, "\u{0}"])
    func refusesWhatIsNoHistory(_ text: String) throws {
        #expect(TranscriptHistory.read(Array(text.utf8)) == nil)
        let storage = InMemoryTranscriptStorage(contents: Array(text.utf8))
        let loaded = try storage.load()
        #expect(loaded.rows.isEmpty && loaded.notice != nil)
        #expect(storage.setAside == [Array(text.utf8)])
        #expect(try storage.load().notice == nil)
    }

    @Test func ignoresUnknownFieldsAndBlankLines() {
        let text = "\n{\"id\":\"a\",\"role\":\"agent\",\"text\":\"x\",\"final\":true,\"time\":5,\"mood\":[1]}\r\n\n"
        #expect(TranscriptHistory.read(Array(text.utf8))?.map(\.time) == [5])
    }

    @Test func survivesAnyBytes() {
        var random = SeededRandom(seed: 6)
        let row = TranscriptRow(id: "a", role: .user, text: "Hi", isFinal: true, time: 1.5)
        let seed = TranscriptHistory.write([row, row])
        for _ in 0..<1_000 {
            var bytes = seed
            bytes[random.nextInt(below: bytes.count)] = UInt8(truncatingIfNeeded: random.next())
            if let rows = TranscriptHistory.read(bytes) {
                #expect(TranscriptHistory.read(TranscriptHistory.write(rows)) == rows, "\(bytes)")
            }
        }
    }

    @Test func clearEmptiesWhatIsStored() throws {
        let storage = InMemoryTranscriptStorage()
        storage.save([TranscriptRow(id: "a", role: .user, text: "Hi", isFinal: true, time: 1)])
        #expect(try storage.load().rows.count == 1)
        storage.clear()
        #expect(try storage.load() == LoadedTranscript(rows: []))
    }
}
