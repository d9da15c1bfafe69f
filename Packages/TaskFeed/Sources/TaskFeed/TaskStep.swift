/// One thing a task said or did.
public struct TaskStep: Hashable, Sendable {
    /// Who speaks in a step.
    public enum Role: Hashable, Sendable {
        /// The agent thinks aloud.
        case thinking
        /// The agent calls a tool.
        case toolCall
        /// A tool answers.
        case toolResult
        /// The agent tells something.
        case text
        /// A role that this version does not know, by its name on the wire.
        case other(String)

        /// The role's name on the wire.
        public var name: String {
            switch self {
            case .thinking: "thinking"
            case .toolCall: "tool_call"
            case .toolResult: "tool_result"
            case .text: "text"
            case .other(let name): name
            }
        }

        /// The role of that name.
        public init(name: String) {
            switch name {
            case "thinking": self = .thinking
            case "tool_call": self = .toolCall
            case "tool_result": self = .toolResult
            case "text": self = .text
            default: self = .other(name)
            }
        }
    }

    /// Who speaks.
    public let role: Role
    /// What is said, within the bound on texts; not yet safe for a terminal.
    public let content: String
    /// When the step reached us, in seconds since 1970.
    public let time: Double?
    /// Whether the step came after the task had ended.
    public let isLate: Bool
    /// How many UTF-8 bytes were left out of the middle of a long text.
    public let omittedBytes: Int
}

/// The newest steps of a task in their order.
///
/// Appending costs the same however many there are; beyond the bound the oldest makes room.
public struct TaskSteps: Sendable {
    private var storage: [TaskStep] = []
    private var first = 0

    init() {}

    /// Adds a step and says whether the oldest one had to go.
    mutating func append(_ step: TaskStep, limit: Int) -> Bool {
        guard storage.count >= limit else {
            storage.append(step)
            return false
        }
        storage[first] = step
        first = (first + 1) % storage.count
        return true
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension TaskSteps: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { storage.count }
    public subscript(position: Int) -> TaskStep { storage[(first + position) % storage.count] }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension TaskSteps: Hashable {
    public static func == (one: Self, other: Self) -> Bool {
        one.elementsEqual(other)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for step in self { hasher.combine(step) }
    }
}
