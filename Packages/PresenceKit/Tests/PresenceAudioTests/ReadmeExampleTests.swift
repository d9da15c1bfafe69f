import Foundation
import PresenceAudio
import PresenceKit
import Testing

func phases(of path: String) throws -> [ConversationState.Change] {
    let reader = try AudioFileReader(path: path)
    var conversation = ConversationState(policy: .steady)
    conversation.session = .ready
    var changes = conversation.tick(at: .zero)
    while let windows = try reader.nextWindows() {
        for window in windows {
            conversation.hear(AudioLevel(source: .agent, level: window.level, time: window.end))
            changes += conversation.tick(at: window.end)
        }
    }
    return changes
}

@Suite struct ReadmeExampleTests {
    @Test func followsAFile() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/voice.wav"
            // A second of silence, one of a tone, two of silence.
            let values = [Double](repeating: 0, count: 8_000) + tone(8_000) + [Double](repeating: 0, count: 16_000)
            try Data(WAVWriter(samples: .integers(bits: 16)).file(values)).write(to: URL(fileURLWithPath: path))
            let changes = try phases(of: path)
            #expect(changes.map(\.kind) == [.phase(.listening), .phase(.speaking), .phase(.thinking)])
            #expect(changes.map(\.time) == [.zero, .milliseconds(1_100), .milliseconds(2_800)])
        }
    }

    @Test func theReadmeShowsThisCode() throws {
        let test = URL(fileURLWithPath: #filePath)
        let readme = try String(
            contentsOf: test.deletingLastPathComponent().appendingPathComponent("../../README.md").standardized,
            encoding: .utf8
        )
        let source = try String(contentsOf: test, encoding: .utf8)
        let parts = readme.components(separatedBy: "<!-- example -->")
        try #require(parts.count == 3)
        let lines = parts[1].split(separator: "\n").filter { !$0.hasPrefix("```") }
        #expect(lines.count > 10)
        let known = Set(source.split(separator: "\n"))
        for line in lines {
            #expect(known.contains(line), "the README has a line that is not compiled: \(line)")
        }
    }
}
