import MediaMPV
import MediaSync
import Testing
import TransportCore

struct MPVLinesTests {
    @Test("A line may arrive in any pieces", arguments: 1...9)
    func pieces(size: Int) {
        let bytes = Array("{\"event\":\"idle\"}\n\n{\"title\":\"ü\"}\nrest".utf8)
        var lines = MPVLines()
        var cut: [String] = []
        for begin in stride(from: 0, to: bytes.count, by: size) {
            let piece = Array(bytes[begin..<min(begin + size, bytes.count)])
            cut += lines.append(piece).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(cut == ["{\"event\":\"idle\"}", "{\"title\":\"ü\"}"])
        #expect(lines.append(Array("\n".utf8)) == [Array("rest".utf8)])
    }

    @Test("A line that is too long is skipped, and the next is read")
    func tooLong() {
        var lines = MPVLines()
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: MPVLines.longestLine / 2 + 1)
        #expect(lines.append(piece).isEmpty)
        #expect(lines.append(piece).isEmpty)
        #expect(lines.append(piece + Array("\nnext\n".utf8)) == [Array("next".utf8)])
        let longest = [UInt8](repeating: UInt8(ascii: "x"), count: MPVLines.longestLine)
        #expect(lines.append(longest + [UInt8(ascii: "\n")]) == [longest])
    }

    @Test("No bytes can stop the reading", arguments: 0..<40)
    func fuzz(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let recorded = [
            RecordedMPV.greeting, RecordedMPV.lastSecond, RecordedMPV.replaced, RecordedMPV.notFound,
            RecordedMPV.soughtTheEnd,
        ]
        var dialogue = MPVDialogue()
        var lines = MPVLines()
        for round in 0..<30 {
            var bytes = Array(recorded.randomElement(using: &random)?.utf8 ?? "".utf8)
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.insert(contentsOf: Array("-1e400[{\"\\ud800".utf8), at: place)
                case 2: bytes.removeSubrange(place..<min(place + 20, bytes.count))
                default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
                }
                if bytes.isEmpty { bytes = [UInt8(ascii: "\n")] }
            }
            switch Int.random(in: 0..<6, using: &random) {
            case 0: dialogue.load(round + 1, at: .random(in: 0...100, using: &random), paused: .random(using: &random))
            case 1: dialogue.act { $0.play() }
            case 2: dialogue.act { $0.pause() }
            case 3: dialogue.act { $0.seek(to: .random(in: -5...100, using: &random)) }
            case 4: dialogue.act { $0.disconnect() }
            default: dialogue.act { if !$0.isConnected { $0.connect() } }
            }
            for line in lines.append(bytes) {
                if let message = MPVMessage(line) { dialogue.state.receive(message) }
            }
            dialogue.hear("")
        }
        for snapshot in dialogue.snapshots {
            guard let position = snapshot.position else { continue }
            #expect(position.seconds >= 0 && position.seconds.isFinite, "seed \(seed)")
            #expect(position.isAdvancing == (snapshot.phase == .playing), "seed \(seed)")
            #expect(position.seconds <= snapshot.duration ?? .infinity, "seed \(seed)")
        }
        let loads = dialogue.snapshots.map(\.load)
        #expect(loads == loads.sorted(), "seed \(seed)")

        // And afterwards it still plays.
        dialogue = MPVDialogue()
        dialogue.load(at: 1)
        dialogue.hear(RecordedMPV.lastSecond)
        #expect(dialogue.last?.phase == .ended)
    }
}
