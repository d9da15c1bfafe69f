/// Where a task stands.
public enum TaskStatus: String, Hashable, Sendable, CaseIterable {
    /// Made, not begun.
    case pending
    /// At work.
    case running
    /// Cannot go on without the user.
    case waiting
    /// Ended with a result.
    case completed
    /// Ended with an error.
    case failed
    /// Called off.
    case canceled

    /// Whether the task still counts on the badge.
    public var isActive: Bool {
        switch self {
        case .pending, .running, .waiting: true
        case .completed, .failed, .canceled: false
        }
    }
}

/// What is known about one background task.
///
/// Texts are within the store's bounds and not yet safe for a terminal. Times are seconds since 1970.
public struct TaskItem: Hashable, Sendable, Identifiable {
    /// How long an active task may be without news before the panel says so, in seconds.
    public static let silenceInterval = 600.0

    /// The task's id.
    public let id: String
    /// What the task is to do; nil while only later events have come.
    public private(set) var description: String?
    /// Where the task stands.
    public private(set) var status = TaskStatus.pending
    /// The newest steps.
    public private(set) var steps = TaskSteps()
    /// The outcome of a task that ended.
    public private(set) var result: String?
    /// Why the task failed.
    public private(set) var error: String?
    /// When the task was made: by the agent's clock, else when its `created` reached us.
    public private(set) var createdAt: Double?
    /// When the newest news came.
    public private(set) var updatedAt: Double?
    /// When the task ended: by the agent's clock, else when the news reached us.
    public private(set) var completedAt: Double?
    /// Whether the task is known only from later events; a `created` fills it in.
    public private(set) var isPlaceholder = true
    /// How many of the oldest steps had to go.
    public private(set) var droppedSteps = 0
    /// How many UTF-8 bytes were left out of long texts, those of dropped steps included.
    public private(set) var omittedBytes = 0
    /// How many further terminal events came after the first and changed nothing.
    public private(set) var repeatedTerminals = 0

    /// The task's place in the order in which tasks became known.
    let arrival: Int
    /// When the first news of the task reached us.
    let firstSeenAt: Double?
    /// The longest name of a role that is kept whole, in UTF-8 bytes.
    private static let longestRole = 256
    private var isCreatedAtEstimated = false
    private var lastDelivery: Delivery?

    private struct Delivery: Hashable {
        var kind: TaskEvent.Kind
        var eventID: String?
        var sequence: String?

        /// Nil for an event that bears no id, or names too long to be kept.
        init?(_ event: TaskEvent) {
            guard event.eventID != nil || event.sequence != nil else { return nil }
            let lengths = [event.kind.name, event.eventID ?? "", event.sequence ?? ""].map(\.utf8.count)
            guard lengths.allSatisfy({ $0 <= TaskEvent.longestTaskID }) else { return nil }
            (kind, eventID, sequence) = (event.kind, event.eventID, event.sequence)
        }

        /// Whether both are the same event; events that bear no id never are.
        func isRedelivery(of other: Delivery) -> Bool {
            guard kind == other.kind else { return false }
            if let eventID, let otherID = other.eventID { return eventID == otherID }
            if let sequence, let otherSequence = other.sequence { return sequence == otherSequence }
            return false
        }
    }

    init(id: String, arrival: Int, firstSeenAt: Double?) {
        self.id = id
        self.arrival = arrival
        self.firstSeenAt = firstSeenAt
    }

    /// Since when there was no news of an active task, once that is ten minutes ago; else nil.
    ///
    /// - Parameter now: Seconds since 1970.
    /// - Returns: The time of the last news, in seconds since 1970.
    public func silentSince(now: Double) -> Double? {
        guard status.isActive, let updatedAt, now - updatedAt >= Self.silenceInterval else { return nil }
        return updatedAt
    }

    /// Folds one event of this task and adds what it changed to `changes`.
    mutating func fold(_ event: TaskEvent, limits: TaskLimits, changes: inout [TaskChange]) {
        let delivery = Delivery(event)
        if let lastDelivery, let delivery, delivery.isRedelivery(of: lastDelivery) {
            changes.append(.redelivered(id: id))
            return
        }
        lastDelivery = delivery
        if event.kind.isTerminal, !status.isActive {
            repeatedTerminals += 1
            changes.append(.terminalRepeated(id: id))
            return
        }

        touch(event)
        fill(from: event, limits: limits, changes: &changes)
        switch event.kind {
        case .created:
            break
        case .step:
            append(event.role ?? .text, event.content ?? "", event, limits: limits, changes: &changes)
            if status == .pending || status == .waiting { setStatus(.running, changes: &changes) }
        case .waiting:
            if let content = event.content {
                append(event.role ?? .text, content, event, limits: limits, changes: &changes)
            }
            if status.isActive, status != .waiting { setStatus(.waiting, changes: &changes) }
        case .other(let name):
            append(event.role ?? .other(name), event.content ?? "", event, limits: limits, changes: &changes)
        case .completed, .failed, .canceled:
            result = event.result.map { shorten($0, limits) }
            if event.kind == .failed { error = event.error.map { shorten($0, limits) } }
            completedAt = Self.finite(event.completedAt) ?? Self.finite(event.receivedAt)
            setStatus(event.kind.terminalStatus, changes: &changes)
        }
    }

    private mutating func touch(_ event: TaskEvent) {
        let time = Self.finite(event.receivedAt) ?? Self.finite(event.completedAt) ?? Self.finite(event.createdAt)
        if let time { updatedAt = max(updatedAt ?? time, time) }
    }

    /// Takes over what was empty.
    private mutating func fill(from event: TaskEvent, limits: TaskLimits, changes: inout [TaskChange]) {
        var filled = false
        if description?.isEmpty ?? true, let text = event.description, description != text {
            description = shorten(text, limits)
            filled = true
        }
        if createdAt == nil || isCreatedAtEstimated, let time = Self.finite(event.createdAt) {
            createdAt = time
            isCreatedAtEstimated = false
            filled = true
        } else if createdAt == nil, event.kind == .created, let time = Self.finite(event.receivedAt) {
            createdAt = time
            isCreatedAtEstimated = true
            filled = true
        }
        if event.kind == .created, isPlaceholder {
            isPlaceholder = false
            filled = true
        }
        if filled { changes.append(.filled(id: id)) }
    }

    private mutating func append(
        _ role: TaskStep.Role,
        _ content: String,
        _ event: TaskEvent,
        limits: TaskLimits,
        changes: inout [TaskChange]
    ) {
        let text = ShortenedText(content, limit: limits.bytesPerText)
        omittedBytes += text.omittedBytes
        let name = ShortenedText(role.name, limit: Self.longestRole)
        let step = TaskStep(
            role: name.omittedBytes > 0 ? .other(name.text) : role,
            content: text.text,
            time: Self.finite(event.receivedAt),
            isLate: !status.isActive,
            omittedBytes: text.omittedBytes
        )
        if steps.append(step, limit: limits.stepsPerTask) { droppedSteps += 1 }
        changes.append(.stepAppended(id: id, isLate: step.isLate))
    }

    private mutating func shorten(_ text: String, _ limits: TaskLimits) -> String {
        let shortened = ShortenedText(text, limit: limits.bytesPerText)
        omittedBytes += shortened.omittedBytes
        return shortened.text
    }

    private mutating func setStatus(_ new: TaskStatus, changes: inout [TaskChange]) {
        status = new
        changes.append(.statusChanged(id: id, to: new))
    }

    private static func finite(_ time: Double?) -> Double? {
        guard let time, time.isFinite else { return nil }
        return time
    }
}

extension TaskEvent.Kind {
    /// The status in which a terminal event leaves its task.
    fileprivate var terminalStatus: TaskStatus {
        switch self {
        case .failed: .failed
        case .canceled: .canceled
        case .completed, .created, .step, .waiting, .other: .completed
        }
    }
}
