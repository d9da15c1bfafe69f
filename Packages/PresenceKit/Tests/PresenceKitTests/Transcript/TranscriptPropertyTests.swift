import Foundation
import PresenceKit
import Testing
import TransportCore

/// What holds for a transcript whatever the room does.
struct TranscriptPropertyTests {
    @Test(arguments: 1...40)
    func keepsItsPromises(_ seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        var room = RoomSpeech(limits: TranscriptLimits(rows: 25))
        var shown: [String: TranscriptRow] = [:]
        var open: [TextStreamHeader] = []
        let texts = ["", " ", "Yes", "yes ", "No.", "[warm] Yes", "Hello you", "Hello"]

        for step in 0..<300 {
            let comment: Comment = "seed \(seed), step \(step)"
            var changes: [TranscriptChange] = []
            switch random.nextInt(below: 10) {
            case 0...3:
                open.append(
                    room.begin(
                        by: random.nextBool(probability: 0.5) ? RoomSpeech.me : RoomSpeech.agent,
                        segment: random.nextBool(probability: 0.7) ? "s\(random.nextInt(below: 12))" : nil,
                        final: [nil, true, false][random.nextInt(below: 3)],
                        at: Double(random.nextInt(below: 40)) / 2
                    )
                )
            case 4...6:
                guard !open.isEmpty else { continue }
                let header = open[random.nextInt(below: open.count)]
                changes = room.add(.chunk(texts[random.nextInt(below: texts.count)]), to: header)
            case 7, 8:
                guard !open.isEmpty else { continue }
                let header = open.remove(at: random.nextInt(below: open.count))
                changes = room.add(
                    random.nextBool(probability: 0.8) ? .ended(attributes: [:]) : .failed("gone"),
                    to: header
                )
            default:
                switch random.nextInt(below: 8) {
                case 0: changes = room.transcript.interruptOpenStreams()
                case 1: changes = room.transcript.clear()
                default:
                    changes = room.transcript.addTyped(
                        id: "t\(step)",
                        text: texts[random.nextInt(below: texts.count)],
                        time: Double(random.nextInt(below: 40)) / 2
                    )
                }
            }

            // Who only listens to the changes has the same rows.
            for change in changes {
                switch change {
                case .row(let row, let isNew, let isNewFinal):
                    let old = shown[row.id]
                    #expect(isNew == (old == nil), comment)
                    #expect(isNewFinal == (row.isFinal && old?.isFinal != true), comment)
                    #expect(old?.isFinal != true || (row.isFinal && row.time == old?.time), comment)
                    shown[row.id] = row
                case .removed(let id):
                    #expect(shown.removeValue(forKey: id) != nil, comment)
                }
            }
            let rows = room.transcript.rows
            #expect(rows.count == shown.count && rows.allSatisfy { shown[$0.id] == $0 }, comment)
            #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.time <= $1.time }, comment)
            #expect(rows.allSatisfy { row in row.text.contains { !$0.isWhitespace } }, comment)
            #expect(rows.count <= 25, comment)
            #expect(!rows.contains { $0.role == .agent && $0.text.contains("[warm]") }, comment)
            #expect(room.transcript.newest(50, where: \.isFinal) == rows.filter(\.isFinal), comment)
        }
    }

    @Test func aHundredThousandRowsCostNoMoreEachThanATenth() {
        func fill(_ count: Int) -> Duration {
            var transcript = Transcript(localIdentity: "me", limits: TranscriptLimits(rows: 200_000))
            var random = SeededRandom(seed: 3)
            let start = processorTime()
            for number in 0..<count {
                let header = TextStreamHeader(
                    id: "\(number)",
                    topic: "lk.transcription",
                    sender: "me",
                    timestamp: Double(random.nextInt(below: 1_000_000)),
                    attributes: ["lk.segment_id": "\(number)"]
                )
                for content in [TextStreamPart.Content.opened, .chunk("\(number)"), .ended(attributes: [:])] {
                    _ = transcript.apply(TextStreamPart(header: header, content: content), receivedAt: 0)
                }
            }
            #expect(transcript.count == count)
            return processorTime() - start
        }
        let small = fill(10_000)
        let large = fill(100_000)
        // Linear growth is ten times; a cost per event that grew with the rows would be a hundred times.
        #expect(large < small * 40)
    }

    /// The time that this thread has computed, which other work on the machine does not lengthen.
    private func processorTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
