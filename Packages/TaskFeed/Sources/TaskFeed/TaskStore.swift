/// What folding one event did.
public enum TaskChange: Hashable, Sendable {
    /// A task became known.
    case added(id: String)
    /// A description or time that was missing was filled in.
    case filled(id: String)
    /// A step was appended; late when its task had ended before.
    case stepAppended(id: String, isLate: Bool)
    /// The task's status is another.
    case statusChanged(id: String, to: TaskStatus)
    /// The task made room for a new one, or was cleared.
    case removed(id: String)
    /// The event had been delivered already; nothing changed.
    case redelivered(id: String)
    /// The task had ended already; only the count of such events changed.
    case terminalRepeated(id: String)
    /// News of a finished task that had been removed; nothing changed.
    case ignored(id: String)

    /// The task that it is about.
    public var id: String {
        switch self {
        case .added(let id), .filled(let id), .stepAppended(let id, _), .statusChanged(let id, _), .removed(let id),
            .redelivered(let id), .terminalRepeated(let id), .ignored(let id):
            id
        }
    }
}

/// The background tasks of an agent, folded from their events.
///
/// Folding depends on nothing but the store and the event, and costs the same however many tasks there are.
public struct TaskStore: Hashable, Sendable {
    /// How much the store keeps.
    public let limits: TaskLimits

    private var items: [String: TaskItem] = [:]
    private var arrivals = 0
    /// Ids of finished tasks in the order in which they finished.
    private var finished = FIFOQueue<String>()
    /// Finished tasks that were removed: a late step must not bring them back as tasks that never end.
    private var removedIDs: Set<String> = []
    private var removedQueue = FIFOQueue<String>()

    /// Makes an empty store.
    public init(limits: TaskLimits = TaskLimits()) {
        self.limits = limits
    }

    /// The number of tasks.
    public var count: Int { items.count }

    /// The task of that id.
    public subscript(id: String) -> TaskItem? { items[id] }

    /// All tasks, the newest first; those of the same time in the order in which they became known.
    ///
    /// A task whose making is not known stands where its first news came; one without any time is taken as new.
    public var sortedTasks: [TaskItem] {
        items.values.sorted { one, other in
            let (oneTime, otherTime) = (one.sortTime, other.sortTime)
            return oneTime == otherTime ? one.arrival < other.arrival : oneTime > otherTime
        }
    }

    /// The number of pending, running and waiting tasks, counted from the tasks themselves.
    public var activeCount: Int {
        items.values.reduce(0) { $0 + ($1.status.isActive ? 1 : 0) }
    }

    /// Folds one event and says what it changed, in the order in which it happened.
    @discardableResult
    public mutating func fold(_ event: TaskEvent) -> [TaskChange] {
        var changes: [TaskChange] = []
        let id = event.taskID
        if items[id] == nil {
            if event.kind != .created, removedIDs.contains(id) { return [.ignored(id: id)] }
            makeRoom(for: 1, keeping: 0, changes: &changes)
            items[id] = TaskItem(id: id, arrival: arrivals, firstSeenAt: event.receivedAt)
            arrivals += 1
            changes.append(.added(id: id))
        }
        let wasActive = items[id]?.status.isActive ?? false
        items[id]?.fold(event, limits: limits, changes: &changes)
        if wasActive, event.kind.isTerminal {
            finished.append(id)
            // Where more tasks were active than fit, the one that just ended stays to be seen until the next ends.
            makeRoom(for: 0, keeping: 1, changes: &changes)
        }
        return changes
    }

    /// Removes finished tasks and keeps active ones.
    @discardableResult
    public mutating func clear() -> [TaskChange] {
        var changes: [TaskChange] = []
        while let id = finished.popFirst() {
            items[id] = nil
            remember(id)
            changes.append(.removed(id: id))
        }
        return changes
    }

    /// Removes everything, as if no event had come.
    @discardableResult
    public mutating func clearAll() -> [TaskChange] {
        let changes = items.values.sorted { $0.arrival < $1.arrival }.map { TaskChange.removed(id: $0.id) }
        self = TaskStore(limits: limits)
        return changes
    }

    /// Removes the tasks that finished first while there are more than fit beside `newcomers`.
    private mutating func makeRoom(for newcomers: Int, keeping kept: Int, changes: inout [TaskChange]) {
        while items.count + newcomers > limits.tasks, finished.count > kept, let oldest = finished.popFirst() {
            items[oldest] = nil
            remember(oldest)
            changes.append(.removed(id: oldest))
        }
    }

    private mutating func remember(_ id: String) {
        guard removedIDs.insert(id).inserted else { return }
        removedQueue.append(id)
        if removedQueue.count > max(limits.tasks, 500), let oldest = removedQueue.popFirst() {
            removedIDs.remove(oldest)
        }
    }
}

extension TaskItem {
    fileprivate var sortTime: Double {
        createdAt ?? firstSeenAt ?? .infinity
    }
}
