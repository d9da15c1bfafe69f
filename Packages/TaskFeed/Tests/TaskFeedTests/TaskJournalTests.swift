import TaskFeed
import Testing

struct TaskJournalTests {
    private func replay(_ journal: String, startedAt: Double? = nil) -> (TaskStore, [TaskJournalError]) {
        var store = TaskStore()
        let errors = store.replay(Array(journal.utf8), startedAt: startedAt)
        return (store, errors)
    }

    @Test func replayingGivesTheSameStore() throws {
        let events =
            SampleTasks.events(now: 1_756_540_000.125)
            + SampleTasks.research(taskID: "r", topic: "ice", startedAt: 1_756_540_001)
        var live = TaskStore()
        var journal: [UInt8] = []
        for event in events {
            live.fold(event)
            journal += try TaskJournal.line(for: event.json, at: event.receivedAt)
        }
        var restored = TaskStore()
        #expect(restored.replay(journal) == [])
        #expect(restored == live)
        #expect(restored.json == live.json)
        #expect(try TaskJournal.events(in: journal) == events)
    }

    @Test func keepsTheWholeMessageOnOneLine() throws {
        let message = Array(
            "{ \"task_id\": \"a\",\n \"event\": \"step\", \"new\": [ 1 , 2 ], \"t\": 3, \"content\": \"x\\ny\" }".utf8
        )
        #expect(
            String(decoding: try TaskJournal.line(for: message, at: 1_756_540_000.5), as: UTF8.self)
                == #"{"t":1756540000.5,"task_id":"a","event":"step","new":[1,2],"content":"x\ny"}"# + "\n"
        )
        #expect(String(decoding: try TaskJournal.line(for: message, at: nil), as: UTF8.self).contains(#""t":3"#))
        #expect(throws: TaskEventError.self) { try TaskJournal.line(for: Array("{}".utf8), at: 0) }
    }

    @Test func linesThatCannotBeReadAreNamedAndTheOthersFolded() {
        let (store, errors) = replay(
            "\u{FEFF}{\"task_id\":\"a\",\"event\":\"created\"}\r\n\n  \nnonsense\n{\"task_id\":\"a\"}\n{\"task_id\":\"b\",\"event\":\"completed\"}\n{\"task"
        )
        #expect(store.count == 2)
        #expect(errors.map(\.line) == [4, 5, 7])
        #expect(
            errors.first?.description == "Line 4: the line cannot be read: a value is missing or not JSON (byte 0)."
        )
        #expect(errors.dropFirst().first?.reason.contains(#"no "event""#) == true)
        #expect(throws: TaskJournalError.self) { try TaskJournal.events(in: Array("x".utf8)) }
    }

    @Test func readsAHopeRecording() {
        let (store, errors) = replay(
            #"""
            {"hope_recording":1,"room":"voice-demo","local":"me","started_at":1756540000.0}
            {"t":0.000,"event":"connection","state":"connected"}
            {"t":0.200,"event":"data","topic":"conversation-control","from":"agent-1","reliable":true,"payload":"{\"type\":\"agent_ready\"}"}
            {"t":1.500,"event":"data","topic":"tasks","from":"agent-1","reliable":true,"payload":"{\"task_id\":\"a\",\"event\":\"step\",\"content\":\"one\"}"}
            {"t":2.000,"event":"sent","topic":"tasks","reliable":true,"payload":"{\"task_id\":\"x\",\"event\":\"created\"}"}
            {"t":2.500,"event":"data","topic":"tasks","from":"agent-1","reliable":true,"payload_base64":"eyJ0YXNrX2lkIjoiYSIsImV2ZW50IjoiZmFpbGVkIiwiZXJyb3IiOiL/In0="}
            {"t":3.000,"event":"data","topic":"tasks","from":"agent-1","reliable":true,"payload":"not a task event"}
            {"t":3.000,"event":"data","topic":"tasks","from":"agent-1","reliable":true}
            {"t":3.000,"event":"data","topic":"tasks","from":"agent-1","reliable":true,"payload_base64":"?"}
            {"t":3.000}
            """#
        )
        #expect(errors.map(\.line) == [7, 8, 9, 10])
        #expect(store.count == 1)
        #expect(store["a"]?.steps.first?.time == 1_756_540_001.5)
        #expect(store["a"]?.error == "\u{FFFD}")
        #expect(store["a"]?.completedAt == 1_756_540_002.5)
    }

    @Test func refusesRecordingsOfAnotherVersion() {
        #expect(replay(#"{"hope_recording":2}"#).1.first?.reason.contains("version 2") == true)
    }

    @Test(
        arguments: [
            (1_756_540_000.5, nil, 1_756_540_000.5), (2.5, nil, nil), (2.5, 1_756_540_000, 1_756_540_002.5), (0, 7, 7),
        ] as [(Double, Double?, Double?)]
    )
    func timesOfAPlainJournal(_ t: Double, _ start: Double?, _ expected: Double?) {
        let (store, _) = replay(#"{"t":\#(t),"task_id":"a","event":"step"}"#, startedAt: start)
        #expect(store["a"]?.updatedAt == expected)
    }

    @Test("T5: one line of 5 MB")
    func readsAVeryLongLine() throws {
        let long = String(
            repeating: "\u{1B}[1m" + String(repeating: "a long \"text\" ", count: 40) + "\n",
            count: 10_000
        )
        var live = TaskStore()
        live.fold(.completed("a", result: long))
        let journal = try TaskJournal.line(for: TaskEvent.completed("a", result: long).json, at: nil)
        #expect(journal.count > 5_000_000)
        var restored = TaskStore()
        #expect(restored.replay(journal + journal.dropLast(5)).map(\.line) == [2])
        #expect(restored["a"]?.result == live["a"]?.result)
        #expect((restored["a"]?.result?.utf8.count ?? .max) < 256 * 1_024 + 64)
    }

    @Test func sampleResearchHasEightEvents() {
        let events = SampleTasks.research(taskID: "r", topic: "ice", startedAt: 10, interval: 2)
        #expect(events.map(\.kind.name) == ["created"] + Array(repeating: "step", count: 6) + ["completed"])
        #expect(Set(events.compactMap(\.role)) == [.thinking, .toolCall, .toolResult, .text])
        #expect(events.contains { $0.role == .toolCall && $0.content?.contains("web_search") == true })
        #expect(events.map(\.receivedAt) == [10, 12, 14, 16, 18, 20, 22, 24])
        #expect(events.allSatisfy { $0.json.count < 15_000 })
    }

    @Test func sampleTasksAreTheDocumentedTwo() {
        let store = SampleTasks.store(now: 1_000)
        #expect(store.count == 2)
        #expect(store["sample-a"]?.status == .completed)
        #expect(store["sample-a"]?.steps.count == 2)
        #expect(store["sample-b"]?.status == .failed)
        #expect(store["sample-b"]?.steps.count == 1)
        #expect(store["sample-b"]?.error == "Search backend timed out after 30s")
    }
}
