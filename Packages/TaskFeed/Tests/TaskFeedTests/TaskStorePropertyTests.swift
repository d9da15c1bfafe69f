import TaskFeed
import Testing
import TransportCore

struct TaskStorePropertyTests {
    private static let seeds = Array(UInt64(1)...20)
    private static let kinds: [TaskEvent.Kind] = [
        .created, .step, .step, .step, .completed, .failed, .canceled, .waiting, .other("progress"),
    ]

    private func randomEvent(_ random: inout SeededRandom, tasks: Int) -> TaskEvent {
        let kind = Self.kinds[random.nextInt(below: Self.kinds.count)]
        var event = TaskEvent(taskID: "task-\(random.nextInt(below: tasks))", kind: kind)
        if random.nextBool(probability: 0.8) { event.receivedAt = 1.7e9 + Double(random.nextInt(below: 4_000)) / 8 }
        if random.nextBool(probability: 0.3) { event.sequence = "\(random.nextInt(below: 3))" }
        let text = ["", "short", "é\u{1B}\"\n", String(repeating: "long ", count: 40)][random.nextInt(below: 4)]
        switch kind {
        case .created:
            event.description = text
            event.createdAt = 1.7e9 + Double(random.nextInt(below: 50))
        case .step, .other:
            event.role = [nil, .thinking, .other("critic")][random.nextInt(below: 3)]
            event.content = text
        case .completed: event.result = text
        case .failed: event.error = text
        case .canceled, .waiting: break
        }
        return event
    }

    private func randomEvents(_ seed: UInt64, count: Int = 400, tasks: Int = 12) -> [TaskEvent] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { _ in randomEvent(&random, tasks: tasks) }
    }

    private let limits = TaskLimits(tasks: 8, stepsPerTask: 5, bytesPerText: 64)

    @Test(arguments: seeds)
    func badgeEqualsARecountOfWhatChangesSay(_ seed: UInt64) {
        var store = TaskStore(limits: limits)
        var active: [String: Bool] = [:]
        for event in randomEvents(seed) {
            for change in store.fold(event) {
                switch change {
                case .added(let id): active[id] = true
                case .statusChanged(let id, let status): active[id] = status.isActive
                case .removed(let id):
                    #expect(active[id] == false, "an active task made room")
                    active[id] = nil
                case .filled, .stepAppended, .redelivered, .terminalRepeated, .ignored: break
                }
            }
            #expect(store.activeCount == active.values.count { $0 })
            #expect(store.count == active.count)
            #expect(store.count <= max(limits.tasks, store.activeCount + 1))
        }
    }

    @Test(arguments: seeds)
    func foldingIsDeterministicAndReplayEqualsLive(_ seed: UInt64) throws {
        let events = randomEvents(seed)
        var live = TaskStore(limits: limits)
        var again = TaskStore(limits: limits)
        var journal: [UInt8] = []
        for event in events {
            #expect(live.fold(event) == again.fold(event))
            journal += try TaskJournal.line(for: event.json, at: event.receivedAt)
        }
        var restored = TaskStore(limits: limits)
        #expect(restored.replay(journal) == [])
        #expect(live == again)
        #expect(restored == live)
        #expect(restored.json == live.json)
    }

    @Test(arguments: seeds)
    func theOrderOfDifferentTasksDoesNotMatter(_ seed: UInt64) {
        let events = randomEvents(seed)
        var live = TaskStore()
        for event in events { live.fold(event) }
        var random = SeededRandom(seed: seed &* 31)
        var queues = Dictionary(grouping: events, by: \.taskID).sorted { $0.key < $1.key }.map { $0.value[...] }
        var other = TaskStore()
        while !queues.isEmpty {
            let index = random.nextInt(below: queues.count)
            if let event = queues[index].popFirst() { other.fold(event) }
            if queues[index].isEmpty { queues.remove(at: index) }
        }
        let order = live.sortedTasks.map(\.id)
        #expect(order.compactMap { live[$0]?.json } == order.compactMap { other[$0]?.json })
    }

    @Test(arguments: seeds)
    func createdMayComeAtAnyTime(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let created = TaskEvent.created("a", description: "Compare", at: 1)
        let rest: [TaskEvent] = [.step("a", .text, "1"), .step("a", .text, "2"), .completed("a", result: "r", at: 2)]
        var events = rest
        events.insert(created, at: random.nextInt(below: rest.count + 1))
        var expected = TaskStore()
        for event in [created] + rest { expected.fold(event) }
        var store = TaskStore()
        for event in events { store.fold(event) }
        #expect(store.json == expected.json)
    }

    @Test(arguments: seeds)
    func clearKeepsExactlyTheActiveTasks(_ seed: UInt64) {
        var store = TaskStore(limits: limits)
        for event in randomEvents(seed, count: 60) { store.fold(event) }
        let active = store.sortedTasks.filter(\.status.isActive)
        store.clear()
        #expect(store.sortedTasks == active)
    }

    @Test func manyEventsKeepTheStoreWithinItsBounds() {
        var store = TaskStore(limits: TaskLimits(tasks: 50, stepsPerTask: 10))
        for index in 0..<10_000 {
            let id = "\(index / 20)"
            switch index % 20 {
            case 0: store.fold(.created(id, description: nil, at: Double(index)))
            case 19: store.fold(.completed(id, result: nil, at: Double(index)))
            default: store.fold(.step(id, .text, "\(index)"))
            }
        }
        #expect(store.count == 50)
        #expect(store.sortedTasks.allSatisfy { $0.steps.count == 10 && $0.droppedSteps == 8 })
        #expect(store.sortedTasks.first?.id == "499")
    }
}

/// Random and broken input: reading it must end with an event or an error, never otherwise.
struct TaskFeedFuzzTests {
    private static let seeds = Array(UInt64(1)...40)
    private static let samples: [[UInt8]] =
        SampleTasks.events(now: 1_756_540_000).map(\.json) + [
            Array(
                #"{"task_id":"a","event":"step","step":{"role":"x","content":{"a":[1,-2.5e+3,true,null,"\ud83d\ude00\u0041"]}}}"#
                    .utf8
            ),
            Array(
                #"{"t":1,"event":"data","topic":"tasks","payload_base64":"e30=","created_at":"2025-08-30T07:46:40Z"}"#
                    .utf8
            ),
            Array(#"{"hope_recording":1,"started_at":"5"}"#.utf8),
        ]

    private func survive(_ bytes: [UInt8]) {
        var store = TaskStore(limits: TaskLimits(tasks: 3, stepsPerTask: 2, bytesPerText: 64))
        _ = store.replay(bytes)
        if let event = try? TaskEvent(json: bytes) {
            store.fold(event)
            #expect((try? TaskEvent(json: event.json)) == event)
        }
        #expect(TaskPanel(store, now: 2e9).lines.isEmpty == false)
    }

    @Test(arguments: seeds)
    func randomBytes(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<50 {
            survive((0..<random.nextInt(below: 200)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        }
    }

    @Test(arguments: seeds)
    func randomJSONCharacters(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let alphabet = Array(#"{}[]",:\u0eE+-.1tfn l\n"#.utf8) + [0x0A, 0x1B, 0xC3, 0xFF]
        for _ in 0..<50 {
            survive(
                [UInt8(ascii: "{")]
                    + (0..<random.nextInt(below: 100)).map { _ in alphabet[random.nextInt(below: alphabet.count)] }
            )
        }
    }

    @Test(arguments: seeds)
    func mutatedMessages(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<40 {
            var bytes = Self.samples[random.nextInt(below: Self.samples.count)]
            for _ in 0...random.nextInt(below: 4) where !bytes.isEmpty {
                let index = random.nextInt(below: bytes.count)
                switch random.nextInt(below: 5) {
                case 0: bytes[index] = UInt8(truncatingIfNeeded: random.next())
                case 1: bytes.remove(at: index)
                case 2: bytes.insert(Array(#""\{}[],:"#.utf8)[random.nextInt(below: 8)], at: index)
                case 3: bytes.removeSubrange(index...)
                default: bytes.insert(contentsOf: bytes[index...].prefix(20), at: index)
                }
            }
            survive(bytes)
        }
    }

    @Test func everyCutOfEverySample() {
        for sample in Self.samples {
            for end in sample.indices { survive(Array(sample[..<end])) }
        }
    }
}
