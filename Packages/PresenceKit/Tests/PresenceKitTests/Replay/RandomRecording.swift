import PresenceKit
import TransportCore

/// A recording whose lines are drawn from a seed: legal ones, in an order that no room would have.
struct RandomRecording {
    static func make(seed: UInt64) -> Recording {
        var random = SeededRandom(seed: seed)
        var recording = Recording(header: Recording.Header(room: "room", local: "me", startedAt: 1_756_540_000))
        var time = 0
        var isConnected = false
        for _ in 0..<(20 + random.nextInt(below: 60)) {
            time += random.nextBool(probability: 0.4) ? 0 : random.nextInt(below: 250)
            if random.nextBool(probability: 0.004) { time += 20_000 }
            recording.lines.append(Recording.Line(time: .milliseconds(time), event: event(&random, &isConnected)))
        }
        return recording
    }

    private static func event(_ random: inout SeededRandom, _ isConnected: inout Bool) -> RecordedEvent {
        let identity = ["me", "agent-1", "agent-2", "someone"][random.nextInt(below: 4)]
        switch random.nextInt(below: 16) {
        case 0, 1:
            if random.nextBool(probability: 0.6) {
                return .connection(random.nextBool(probability: 0.5) ? .reconnecting : .reconnected)
            }
            isConnected = true
            return .connection(.connected)
        case 2:
            isConnected = false
            let reasons = DisconnectReason.allCases
            return .connection(.disconnected(reasons[random.nextInt(below: reasons.count)]))
        case 3, 4: return .joined(Participant(identity: identity, kind: identity == "me" ? .standard : .agent))
        case 5: return .left(identity: identity)
        case 6: return .attributes(identity: identity, changed: ["lk.agent.state": "thinking"])
        case 7, 8:
            let message: ControlMessage = random.nextBool(probability: 0.8) ? .agentReady : .models(["sage"])
            return .data(DataPacket(topic: message.topic ?? "", sender: identity, payload: message.payload))
        case 9: return .data(DataPacket(topic: "tasks", sender: identity, payload: [0xFF]))
        case 10, 11:
            let header = TextStreamHeader(
                id: "stream-\(random.nextInt(below: 3))",
                topic: ConversationTopic.transcription,
                sender: identity,
                attributes: random.nextBool(probability: 0.5) ? [TranscriptAttribute.segment: "s"] : [:]
            )
            let ends: [RecordedEvent.TextEnd] = [.open, .ended, .failed("The sender left.")]
            let text = ["", "Hello", "   ", "Jazz."][random.nextInt(below: 4)]
            return .text(header, text: text, end: ends[random.nextInt(below: 3)])
        case 12: return .speakers(random.nextBool(probability: 0.7) ? [identity: random.nextUnit()] : [:])
        case 13: return .level(who: "microphone", level: random.nextUnit())
        default:
            let names = [
                "start", "mute", "text_mode", "interruption", "hang_up", "send_text", "voice", "model", "dance",
            ]
            let values: [RecordedEvent.Value?] = [nil, .bool(true), .bool(false), .text("sage"), .number(1)]
            return .action(
                name: names[random.nextInt(below: names.count)],
                value: values[random.nextInt(below: values.count)]
            )
        }
    }
}
