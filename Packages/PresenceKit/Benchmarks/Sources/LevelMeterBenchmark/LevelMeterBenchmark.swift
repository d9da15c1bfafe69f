import PresenceAudio
import PresenceKit

/// Reads a WAV file, measures each 20 ms, and lets every level move the conversation's state, as fast as it can.
@main
enum LevelMeterBenchmark {
    static func main() throws {
        let reader = try AudioFileReader(path: CommandLine.arguments[1])
        var meter = LevelMeter()
        var conversation = ConversationState()
        conversation.session = .ready
        var changes = 0
        while try reader.readFrames({ frames in
            meter.push(frames) { reading in
                conversation.hear(AudioLevel(source: .agent, level: reading.level, time: reading.end))
                changes += conversation.tick(at: reading.end).count
            }
        }) {}
        print("\(reader.frameCount) frames, \(changes) changes")
    }
}
