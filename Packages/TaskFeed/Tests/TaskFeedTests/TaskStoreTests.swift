import TaskFeed
import Testing

struct TaskStoreTests {
    private func store(_ events: TaskEvent..., limits: TaskLimits = TaskLimits()) -> TaskStore {
        var store = TaskStore(limits: limits)
        for event in events { store.fold(event) }
        return store
    }

    private func event(_ kind: TaskEvent.Kind, _ id: String = "a", at time: Double? = nil) -> TaskEvent {
        TaskEvent(taskID: id, kind: kind, receivedAt: time)
    }

    @Test("T1: ten created, seven completed, three of them twice: three are active")
    func countsActiveTasksFromTheTasks() {
        var store = TaskStore()
        for index in 0..<10 { store.fold(.created("\(index)", description: "Task \(index)")) }
        for index in 0..<7 { store.fold(.completed("\(index)", result: "r")) }
        for index in 0..<3 { store.fold(.completed("\(index)", result: "again")) }
        #expect(store.activeCount == 3)
        #expect(TaskPanel(store, now: 0).badge == "3")
        #expect(store["0"]?.repeatedTerminals == 1)
        #expect(store["0"]?.result == "r")
        #expect(store["5"]?.repeatedTerminals == 0)
    }

    @Test("T2: a step after completed is kept and marked late")
    func keepsLateSteps() {
        let store = store(
            .created("a", description: "d"),
            .step("a", .text, "1"),
            .completed("a", result: "r"),
            .step("a", .text, "2")
        )
        #expect(store["a"]?.status == .completed)
        #expect(store["a"]?.steps.map(\.content) == ["1", "2"])
        #expect(store["a"]?.steps.map(\.isLate) == [false, true])
    }

    @Test("T3: the first terminal event wins")
    func keepsTheFirstEnd() {
        let completed = store(.completed("a", result: "r", at: 1), .failed("a", error: "e", at: 2))
        #expect(completed["a"]?.status == .completed)
        #expect(completed["a"]?.result == "r")
        #expect(completed["a"]?.error == nil)
        #expect(completed["a"]?.completedAt == 1)
        let failed = store(.failed("a", error: "e", at: 2), .completed("a", result: "r", at: 1))
        #expect(failed["a"]?.status == .failed)
        #expect(failed["a"]?.result == nil)
        #expect(failed["a"]?.error == "e")
        #expect(failed["a"]?.completedAt == 2)
    }

    @Test("T4: events of an unknown task make a placeholder that created fills in")
    func fillsPlaceholders() {
        var store = store(.step("a", .text, "1"), .completed("a", result: "r"))
        #expect(store["a"]?.isPlaceholder == true)
        #expect(store["a"]?.description == nil)
        let changes = store.fold(.created("a", description: "Compare", at: 3))
        #expect(changes == [.filled(id: "a")])
        #expect(store.count == 1)
        #expect(store["a"]?.isPlaceholder == false)
        #expect(store["a"]?.description == "Compare")
        #expect(store["a"]?.createdAt == 3)
        #expect(store["a"]?.status == .completed)
        #expect(store["a"]?.steps.count == 1)
    }

    @Test func followsATaskThroughItsLife() {
        var store = TaskStore()
        #expect(store.fold(.created("a", description: "d", at: 1)) == [.added(id: "a"), .filled(id: "a")])
        #expect(store["a"]?.status == .pending)
        #expect(
            store.fold(.step("a", .thinking, "s"))
                == [.stepAppended(id: "a", isLate: false), .statusChanged(id: "a", to: .running)]
        )
        #expect(store.fold(event(.waiting)) == [.statusChanged(id: "a", to: .waiting)])
        #expect(store.activeCount == 1)
        #expect(store.fold(.step("a", .text, "go")).last == .statusChanged(id: "a", to: .running))
        #expect(store.fold(event(.canceled)) == [.statusChanged(id: "a", to: .canceled)])
        #expect(store["a"]?.error == nil)
        #expect(store.activeCount == 0)
        #expect(store.fold(event(.waiting)) == [])
        #expect(store["a"]?.status == .canceled)
    }

    @Test func secondCreatedFillsOnlyWhatWasEmpty() {
        let store = store(
            .created("a", description: ""),
            .created("a", description: "first", at: 1),
            .created("a", description: "second", at: 2)
        )
        #expect(store.count == 1)
        #expect(store["a"]?.description == "first")
        #expect(store["a"]?.createdAt == 1)
    }

    @Test func canceledTaskHasNoError() {
        var canceled = event(.canceled, at: 9)
        canceled.error = "ignored"
        let store = store(canceled)
        #expect(store["a"]?.status == .canceled)
        #expect(store["a"]?.error == nil)
        #expect(store["a"]?.completedAt == 9)
    }

    @Test func foldsARedeliveryOnce() {
        var step = TaskEvent.step("a", .text, "1")
        step.sequence = "1"
        var store = store(step)
        #expect(store.fold(step) == [.redelivered(id: "a")])
        #expect(store["a"]?.steps.count == 1)
        step.sequence = "2"
        store.fold(step)
        #expect(store["a"]?.steps.count == 2)
        step.sequence = nil
        step.eventID = "e"
        store.fold(step)
        store.fold(step)
        #expect(store["a"]?.steps.count == 3)
        step.eventID = nil
        store.fold(step)
        store.fold(step)
        #expect(store["a"]?.steps.count == 5)
    }

    @Test func aNumberIsOnlyARedeliveryForTheSameTaskAndEvent() {
        var created = TaskEvent.created("a", description: "d")
        created.sequence = "1"
        var step = TaskEvent.step("a", .text, "s")
        step.sequence = "1"
        var other = TaskEvent.step("b", .text, "s")
        other.sequence = "1"
        let store = store(created, step, other)
        #expect(store["a"]?.steps.count == 1)
        #expect(store["b"]?.steps.count == 1)
    }

    @Test func redeliveredEndIsNotCountedAsASecondEnd() {
        var end = TaskEvent.completed("a", result: "r")
        end.eventID = "e"
        #expect(store(end, end)["a"]?.repeatedTerminals == 0)
    }

    @Test func saysSinceWhenThereIsNoNews() {
        var store = store(event(.created, at: 1_000))
        #expect(store["a"]?.silentSince(now: 1_599.9) == nil)
        #expect(store["a"]?.silentSince(now: 1_600) == 1_000)
        #expect(store["a"]?.status == .pending)
        store.fold(event(.step, at: 1_700))
        #expect(store["a"]?.silentSince(now: 1_800) == nil)
        #expect(store["a"]?.silentSince(now: 2_300) == 1_700)
        store.fold(event(.completed, at: 1_800))
        #expect(store["a"]?.silentSince(now: 9_999) == nil)
    }

    @Test func sortsTheNewestFirstAndTiesByArrival() {
        let store = store(
            .created("old", description: nil, at: 1),
            .created("tie-1", description: nil, at: 2),
            .created("new", description: nil, at: 3),
            .created("tie-2", description: nil, at: 2)
        )
        #expect(store.sortedTasks.map(\.id) == ["new", "tie-1", "tie-2", "old"])
    }

    @Test func clearKeepsActiveTasks() {
        var store = store(
            .created("a", description: nil),
            .completed("b", result: nil),
            event(.waiting, "c"),
            event(.canceled, "d"),
            .failed("e", error: nil),
            .step("f", .text, "")
        )
        #expect(store.clear() == [.removed(id: "b"), .removed(id: "d"), .removed(id: "e")])
        #expect(store.sortedTasks.map(\.id) == ["a", "c", "f"])
        #expect(store.activeCount == 3)
        #expect(store.clear() == [])
    }

    @Test func newsOfAClearedTaskDoesNotBringItBack() {
        var store = store(.created("a", description: "d"), .completed("a", result: "r"))
        store.clear()
        #expect(store.fold(.step("a", .text, "late")) == [.ignored(id: "a")])
        #expect(store.fold(.failed("a", error: nil)) == [.ignored(id: "a")])
        #expect(store.count == 0)
        #expect(store.fold(.created("a", description: "anew")).first == .added(id: "a"))
        #expect(store.fold(.step("a", .text, "1")).contains(.stepAppended(id: "a", isLate: false)))
    }

    @Test func clearAllForgetsEverything() {
        var store = store(.created("a", description: nil), .completed("b", result: nil))
        #expect(store.clearAll() == [.removed(id: "a"), .removed(id: "b")])
        #expect(store == TaskStore())
    }

    @Test func theTaskThatFinishedFirstMakesRoom() {
        var store = store(
            .created("a", description: nil),
            .created("b", description: nil),
            .completed("b", result: nil),
            .completed("a", result: nil),
            limits: TaskLimits(tasks: 2)
        )
        #expect(store.fold(.created("c", description: nil)).first == .removed(id: "b"))
        #expect(store.sortedTasks.map(\.id) == ["a", "c"])
        #expect(store.fold(.step("b", .text, "late")) == [.ignored(id: "b")])
    }

    @Test func activeTasksNeverMakeRoom() {
        var store = store(limits: TaskLimits(tasks: 3))
        for index in 0..<10 { store.fold(.created("\(index)", description: nil)) }
        #expect(store.count == 10)
        #expect(store.activeCount == 10)
        for index in 0..<9 { store.fold(.completed("\(index)", result: nil)) }
        #expect(store.sortedTasks.map(\.id) == ["7", "8", "9"])
        store.fold(.created("new", description: nil))
        #expect(store.sortedTasks.map(\.id) == ["8", "9", "new"])
    }

    @Test func theTaskThatJustEndedStaysUntilTheNextEnds() {
        var store = store(
            .created("a", description: nil),
            .created("b", description: nil),
            limits: TaskLimits(tasks: 1)
        )
        #expect(store.fold(.completed("a", result: "r")) == [.statusChanged(id: "a", to: .completed)])
        #expect(store.fold(.completed("b", result: "r")).last == .removed(id: "a"))
        #expect(store.sortedTasks.map(\.id) == ["b"])
    }

    @Test func theOldestStepGoes() {
        var store = store(limits: TaskLimits(stepsPerTask: 3))
        for index in 0..<8 { store.fold(.step("a", .text, "\(index)")) }
        #expect(store["a"]?.steps.map(\.content) == ["5", "6", "7"])
        #expect(store["a"]?.droppedSteps == 5)
        #expect(TaskPanel(store, now: 0).cards.first?.notes == ["5 earlier steps left out"])
    }

    @Test func hasTheDocumentedBounds() {
        let limits = TaskLimits()
        #expect(limits.tasks == 500)
        #expect(limits.stepsPerTask == 2_000)
        #expect(limits.bytesPerText == 256 * 1_024)
        #expect(
            TaskLimits(tasks: -1, stepsPerTask: 0, bytesPerText: .min)
                == TaskLimits(tasks: 1, stepsPerTask: 1, bytesPerText: 64)
        )
    }

    @Test(
        "T5: of a very long text head and tail stay, and storing it again changes nothing",
        arguments: [
            ("x", 20_000_000), ("é", 200_000), ("😀", 100_000), ("€", 100_000), ("a😀", 100_000),
        ]
    )
    func keepsHeadAndTailOfLongTexts(_ unit: String, _ count: Int) throws {
        let text = String(repeating: unit, count: count)
        let first = store(.completed("a", result: text))
        let item = try #require(first["a"])
        let result = try #require(item.result)
        let parts = result.split(separator: "\n")
        try #require(parts.count == 3)
        let half = 128 * 1_024
        for part in [parts[0], parts[2]] {
            #expect((half - 3...half).contains(part.utf8.count))
            #expect(!part.unicodeScalars.contains("\u{FFFD}"))
        }
        #expect(text.hasPrefix(parts[0]))
        #expect(text.utf8.suffix(parts[2].utf8.count).elementsEqual(parts[2].utf8))
        let omitted = text.utf8.count - parts[0].utf8.count - parts[2].utf8.count
        #expect(item.omittedBytes == omitted)
        #expect(parts[1] == "[\u{2026} \(omitted) bytes left out \u{2026}]")
        #expect(store(.completed("a", result: result)) == first)
        #expect(TaskPanel(first, now: 0).cards.first?.notes == ["long text shortened by \(omitted) bytes"])
    }

    @Test func boundsEveryTextOfATask() {
        let long = String(repeating: "x", count: 1_000)
        let store = store(
            .created("a", description: long),
            .step("a", .other(long), long),
            .failed("a", error: long),
            limits: TaskLimits(bytesPerText: 100)
        )
        let item = store["a"]
        for text in [item?.description, item?.steps.first?.content, item?.error] {
            #expect((text?.utf8.count ?? .max) < 150)
        }
        #expect((item?.steps.first?.role.name.utf8.count ?? .max) < 300)
        #expect(item?.omittedBytes == 2_700)
        #expect(item?.steps.first?.omittedBytes == 900)
    }

    @Test func aTextThatOnlyLooksShortenedIsStillBounded() {
        for fake in ["\n[\u{2026} 99999999999999999999999 bytes left out \u{2026}]\n", "\n[\u{2026} 5 bytes"] {
            let text = String(repeating: "x", count: 50) + fake + String(repeating: "y", count: 5_000)
            let result = store(.completed("a", result: text), limits: TaskLimits(bytesPerText: 100))["a"]?.result
            #expect((result?.utf8.count ?? .max) < 150)
        }
    }

    @Test func aTextOfExactlyTheBoundStaysWhole() {
        let text = String(repeating: "x", count: 100)
        #expect(store(.completed("a", result: text), limits: TaskLimits(bytesPerText: 100))["a"]?.result == text)
    }

    @Test func numbersThatAreNotFiniteAreUnknownTimes() {
        var created = TaskEvent.created("a", description: nil, at: .nan)
        created.receivedAt = .infinity
        let item = store(created, .completed("a", result: nil, at: -.infinity))["a"]
        #expect(item?.createdAt == nil)
        #expect(item?.updatedAt == nil)
        #expect(item?.completedAt == nil)
    }

    @Test func endWithoutATimeEndsWhenItCame() {
        #expect(store(event(.failed, at: 42))["a"]?.completedAt == 42)
    }

    @Test func createdWithoutATimeWasMadeWhenItCameUntilTheAgentSaysBetter() {
        var store = store(event(.created, at: 42))
        #expect(store["a"]?.createdAt == 42)
        store.fold(.created("a", description: nil, at: 40))
        #expect(store["a"]?.createdAt == 40)
    }
}
