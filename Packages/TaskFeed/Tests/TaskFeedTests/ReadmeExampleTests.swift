import Foundation
import TaskFeed
import Testing
import TransportCore

func follow(_ packets: [DataPacket], now: Double) throws -> TaskPanel {
    var store = TaskStore()
    for packet in packets {
        for change in try store.fold(packet, at: now) { print(change) }
    }
    print(String(decoding: store.json, as: UTF8.self))
    return TaskPanel(store, now: now)
}

struct ReadmeExampleTests {
    @Test func exampleStandsInThisFile() throws {
        let here = URL(filePath: #filePath)
        let package = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let readme = try String(contentsOf: package.appending(path: "README.md"), encoding: .utf8)
        let source = try String(contentsOf: here, encoding: .utf8).split(separator: "\n")
        let parts = readme.components(separatedBy: "<!-- example -->")
        try #require(parts.count == 3)
        let lines = parts[1].split(separator: "\n").filter { !$0.hasPrefix("```") }
        #expect(lines.count > 5)
        for line in lines { #expect(source.contains(line), "\(line)") }
    }

    @Test func exampleRuns() throws {
        let packets = SampleTasks.events(now: 0).map { DataPacket(topic: "tasks", sender: "agent-1", payload: $0.json) }
        #expect(try follow(packets, now: 0).cards.count == 2)
    }
}
