/// One piece of news about a background task, as it stands on the wire.
///
/// Wire form: a UTF-8 JSON object with `task_id` and `event`, sent reliably on the topic ``topic``. Times are seconds
/// since 1970.
public struct TaskEvent: Hashable, Sendable {
    /// The topic on which an agent sends task events.
    public static let topic = "tasks"

    /// The longest accepted task id, in UTF-8 bytes.
    public static let longestTaskID = 1_024

    /// What happened to a task.
    public enum Kind: Hashable, Sendable {
        /// The task was made; it has not begun.
        case created
        /// The task said or did something.
        case step
        /// The task ended with a result.
        case completed
        /// The task ended with an error.
        case failed
        /// The task was called off.
        case canceled
        /// The task cannot go on without the user.
        case waiting
        /// An event that this version does not know, by its name on the wire.
        case other(String)

        /// The event's name on the wire.
        public var name: String {
            switch self {
            case .created: "created"
            case .step: "step"
            case .completed: "completed"
            case .failed: "failed"
            case .canceled: "canceled"
            case .waiting: "waiting"
            case .other(let name): name
            }
        }

        /// The event of that name; "cancelled" is read as "canceled".
        public init(name: String) {
            switch name {
            case "created": self = .created
            case "step": self = .step
            case "completed": self = .completed
            case "failed": self = .failed
            case "canceled", "cancelled": self = .canceled
            case "waiting": self = .waiting
            default: self = .other(name)
            }
        }

        /// Whether nothing but late steps is expected after it.
        public var isTerminal: Bool {
            switch self {
            case .completed, .failed, .canceled: true
            case .created, .step, .waiting, .other: false
            }
        }
    }

    /// The task's id; never empty.
    public var taskID: String
    /// What happened.
    public var kind: Kind
    /// What the task is to do, where the event says so.
    public var description: String?
    /// Who speaks in a step; nil means ``TaskStep/Role/text``.
    public var role: TaskStep.Role?
    /// The text of a step, or what an event without a form of its own says; other JSON as compact JSON text.
    public var content: String?
    /// The outcome of a task that ended; other JSON as compact JSON text.
    public var result: String?
    /// Why a task failed; other JSON as compact JSON text.
    public var error: String?
    /// When the agent made the task, in seconds since 1970.
    public var createdAt: Double?
    /// When the task ended by the agent's clock, in seconds since 1970.
    public var completedAt: Double?
    /// The id of this very event, by which a redelivery is known.
    public var eventID: String?
    /// The event's number among those of its task, by which a redelivery is known when there is no event id.
    public var sequence: String?
    /// When the event reached us, in seconds since 1970; not part of the wire form.
    public var receivedAt: Double?

    /// Makes an event of the given kind whose other fields are empty.
    public init(taskID: String, kind: Kind, receivedAt: Double? = nil) {
        self.taskID = taskID
        self.kind = kind
        self.receivedAt = receivedAt
    }
}

extension TaskEvent {
    /// A task was made.
    public static func created(_ taskID: String, description: String?, at createdAt: Double? = nil) -> Self {
        var event = Self(taskID: taskID, kind: .created)
        event.description = description
        event.createdAt = createdAt
        return event
    }

    /// A task said or did something.
    public static func step(_ taskID: String, _ role: TaskStep.Role, _ content: String) -> Self {
        var event = Self(taskID: taskID, kind: .step)
        event.role = role
        event.content = content
        return event
    }

    /// A task ended with a result.
    public static func completed(_ taskID: String, result: String?, at completedAt: Double? = nil) -> Self {
        var event = Self(taskID: taskID, kind: .completed)
        event.result = result
        event.completedAt = completedAt
        return event
    }

    /// A task ended with an error.
    public static func failed(_ taskID: String, error: String?, at completedAt: Double? = nil) -> Self {
        var event = Self(taskID: taskID, kind: .failed)
        event.error = error
        event.completedAt = completedAt
        return event
    }
}
