import Foundation
import TaskFeed
import Testing

struct TaskStoreJSONTests {
    private func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self)
    }

    @Test func printsEveryFieldWithNullForWhatIsNotKnown() {
        var store = TaskStore()
        store.fold(.created("a", description: "Compare", at: 1_756_540_000.25))
        store.fold(.step("a", .toolCall, "look"))
        store.fold(.completed("a", result: "done", at: 1_756_540_100))
        store.fold(.step("a", .other("critic"), "late"))
        store.fold(TaskEvent(taskID: "b", kind: .waiting, receivedAt: 5))
        #expect(
            text(store.json)
                == #"{"tasks":[{"task_id":"a","description":"Compare","status":"completed","steps":["#
                + #"{"role":"tool_call","content":"look","late":false},{"role":"critic","content":"late","late":true}],"#
                + #""result":"done","error":null,"created_at":1756540000.25,"completed_at":1756540100,"placeholder":false},"#
                + #"{"task_id":"b","description":null,"status":"waiting","steps":[],"result":null,"error":null,"#
                + #""created_at":null,"completed_at":null,"placeholder":true}],"badge":1}"#
        )
    }

    @Test func printsAnEmptyStore() {
        #expect(text(TaskStore().json) == #"{"tasks":[],"badge":0}"#)
    }

    @Test func badgeIsTheNumberAbove99() {
        var store = TaskStore()
        for index in 0..<120 { store.fold(.created("\(index)", description: nil)) }
        #expect(text(store.json).hasSuffix(#","badge":120}"#))
    }

    @Test func holdsNoByteThatATerminalActsUpon() throws {
        let hostile = "\u{1B}[2J\u{9B}31m\u{7F}\0\r\n\u{202E}\u{2028}é"
        var store = TaskStore()
        store.fold(.step(hostile, .other(hostile), hostile))
        store.fold(.failed(hostile, error: hostile))
        let output = text(store.json)
        #expect(
            !output.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) || $0 == "\u{202E}" }
        )
        let tasks =
            try #require(
                try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
            )["tasks"] as? [[String: Any]]
        #expect(tasks?.first?["error"] as? String == hostile)
        #expect(tasks?.first?["task_id"] as? String == hostile)
    }

    @Test func oneTaskIsPrintedAsInTheStore() {
        let store = SampleTasks.store(now: 1_000)
        let items = store.sortedTasks.map { text($0.json) }.joined(separator: ",")
        #expect(text(store.json) == #"{"tasks":[\#(items)],"badge":0}"#)
    }
}
