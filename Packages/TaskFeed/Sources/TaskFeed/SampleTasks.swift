/// Tasks for previews, demonstrations and the development server's scripted agent.
public enum SampleTasks {
    /// The events of two finished tasks, `sample-a` (completed) and `sample-b` (failed).
    ///
    /// - Parameter now: The time of a preview, in seconds since 1970; the tasks ended shortly before.
    /// - Returns: Seven events, each with the time at which it came.
    public static func events(now: Double) -> [TaskEvent] {
        let events: [(ago: Double, TaskEvent)] = [
            (300, .created("sample-a", description: "Compare offline map editors for tablets", at: now - 300)),
            (290, .step("sample-a", .thinking, "Which editors keep working without a network?")),
            (240, .step("sample-a", .toolCall, "web_search: offline map editors for tablets")),
            (180, .completed("sample-a", result: "Three editors fit; two of them read GeoPackage.", at: now - 180)),
            (120, .created("sample-b", description: "Find opening hours of the survey office", at: now - 120)),
            (110, .step("sample-b", .toolCall, "web_search: survey office opening hours")),
            (80, .failed("sample-b", error: "Search backend timed out after 30s", at: now - 80)),
        ]
        return timed(events.map { (now - $0.ago, $0.1) })
    }

    /// A store with both sample tasks.
    ///
    /// - Parameter now: The time of a preview, in seconds since 1970.
    /// - Returns: The store after all of ``events(now:)``.
    public static func store(now: Double) -> TaskStore {
        var store = TaskStore()
        for event in events(now: now) { store.fold(event) }
        return store
    }

    /// The eight events of a researching task: created, six steps, completed.
    ///
    /// An agent sends the ``TaskEvent/json`` of each when its ``TaskEvent/receivedAt`` has come.
    ///
    /// - Parameters:
    ///   - taskID: The task's id.
    ///   - topic: What is researched.
    ///   - startedAt: When the task is made, in seconds since 1970.
    ///   - interval: Seconds between two events.
    /// - Returns: The events in their order, each with the time at which it is due.
    public static func research(
        taskID: String,
        topic: String,
        startedAt: Double,
        interval: Double = 0.8
    ) -> [TaskEvent] {
        let events: [TaskEvent] = [
            .created(taskID, description: "Research: \(topic)", at: startedAt),
            .step(taskID, .thinking, "Planning how to research \(topic)."),
            .step(taskID, .toolCall, "web_search: \(topic)"),
            .step(taskID, .toolResult, "web_search: 8 results about \(topic)"),
            .step(taskID, .thinking, "Comparing what the results agree on."),
            .step(taskID, .toolResult, "3 sources agree, 1 is out of date."),
            .step(taskID, .text, "I have enough about \(topic) to sum up."),
            .completed(taskID, result: "Summary of \(topic): three sources agree.", at: startedAt + 7 * interval),
        ]
        return timed(events.enumerated().map { (startedAt + Double($0.offset) * interval, $0.element) })
    }

    private static func timed(_ events: [(time: Double, event: TaskEvent)]) -> [TaskEvent] {
        events.map { entry in
            var event = entry.event
            event.receivedAt = entry.time
            return event
        }
    }
}
