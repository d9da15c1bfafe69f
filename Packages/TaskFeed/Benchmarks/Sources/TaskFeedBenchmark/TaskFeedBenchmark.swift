import TaskFeed

/// Prints how the cost of folding grows, and what a very long result costs: medians of five runs.
@main
struct TaskFeedBenchmark {
    static func main() throws {
        for count in [100, 10_000, 1_000_000] {
            let events = events(count)
            let folding = median { () -> Int in
                var store = TaskStore()
                for event in events { store.fold(event) }
                return store.count
            }
            let journal = events.flatMap { $0.json + [UInt8(ascii: "\n")] }
            let replaying = median { () -> Int in
                var store = TaskStore()
                return store.replay(journal).count
            }
            print(
                "\(count) events: fold \(perEvent(folding, count)) ns each, replay \(perEvent(replaying, count)) ns each"
            )
        }
        for (name, unit) in [
            ("plain", "0123456789abcdef"), ("two-byte letters", "\u{43F}\u{440}\u{438}\u{432}\u{435}\u{442}, \u{43C}"),
            ("lines", "    let text = \"a line of a program\"\n"), ("terminal colours", "\u{1B}[31mred\u{1B}[0m, "),
            ("two in five escaped", "line \"1\"\n\t\\"),
        ] {
            let text = String(repeating: unit, count: 20_000_000 / unit.utf8.count)
            let event = TaskEvent.completed("a", result: text, at: 0)
            let message = event.json
            let journal = message + [UInt8(ascii: "\n")]
            print("20 MB result, \(name): fold \(milliseconds { TaskStore().folding(event) }) ms, ", terminator: "")
            print(
                "read and fold \(try milliseconds { TaskStore().folding(try TaskEvent(json: message)) }) ms, ",
                terminator: ""
            )
            print(
                "from a journal \(milliseconds { () -> Int in var store = TaskStore(); return store.replay(journal).count }) ms"
            )
        }
        let list =
            "[" + Array(repeating: "{ \"name\" : 12345678901234567890 }", count: 600_000).joined(separator: ", ") + "]"
        let message = Array("{\"task_id\":\"a\",\"event\":\"completed\",\"result\":\(list)}".utf8)
        print(
            "20 MB result, JSON: read and fold \(try milliseconds { TaskStore().folding(try TaskEvent(json: message)) }) ms"
        )
    }

    /// A hundred tasks at once, ten steps each, then the next hundred.
    private static func events(_ count: Int) -> [TaskEvent] {
        (0..<count).map { index in
            let (round, place) = (index / 1_200, index % 1_200)
            let id = "task-\(round)-\(place % 100)"
            var event: TaskEvent
            switch place / 100 {
            case 0: event = .created(id, description: "A task of the benchmark", at: Double(index))
            case 11: event = .completed(id, result: "Done with everything there was to do", at: Double(index))
            default: event = .step(id, .thinking, "Thinking about what there is to do next")
            }
            event.sequence = String(index)
            return event
        }
    }

    private static func median(_ body: () throws -> some Any) rethrows -> Duration {
        var times: [Duration] = []
        for _ in 0..<5 { times.append(try ContinuousClock().measure { _ = try body() }) }
        return times.sorted()[2]
    }

    private static func milliseconds(_ body: () throws -> some Any) rethrows -> Double {
        (try median(body) / .milliseconds(1) * 10).rounded() / 10
    }

    private static func perEvent(_ time: Duration, _ count: Int) -> Int {
        Int(time / .nanoseconds(1)) / count
    }
}

extension TaskStore {
    fileprivate func folding(_ event: TaskEvent) -> Int {
        var copy = self
        return copy.fold(event).count
    }
}
