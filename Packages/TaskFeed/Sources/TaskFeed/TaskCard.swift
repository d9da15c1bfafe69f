public import HopeTokens

/// What is shown of one task.
///
/// Every text is safe for a terminal.
public struct TaskCard: Hashable, Sendable, Identifiable {
    /// The dot that stands for the task's status.
    public struct Dot: Hashable, Sendable {
        /// Its colour.
        public let color: ColorToken
        /// Whether it pulses, which only a running task's does.
        public let pulses: Bool

        /// The dot's opacity, 0…1, `seconds` after the pulse began; reduced motion keeps it at 1.
        public func opacity(at seconds: Double, reducedMotion: Bool = false) -> Double {
            pulses ? MotionToken.statusPulse.value(at: seconds, reducedMotion: reducedMotion).opacity : 1
        }
    }

    /// One step's row.
    public struct StepRow: Hashable, Sendable {
        /// The step's role in words.
        public let label: String
        /// The colour of the label.
        public let color: ColorToken
        /// What was said; may hold several lines.
        public let content: String
        /// Whether the step came after the task had ended.
        public let isLate: Bool
        /// The row in words: role, lateness, content.
        public let spokenLabel: String

        init(_ step: TaskStep) {
            (label, color) = Self.presentation(of: step.role)
            content = TerminalText.sanitized(step.content)
            isLate = step.isLate
            spokenLabel = (isLate ? "\(label), late" : label) + (content.isEmpty ? "" : ": \(content)")
        }

        private static func presentation(of role: TaskStep.Role) -> (String, ColorToken) {
            switch role {
            case .thinking: ("Thinking", .iris)
            case .toolCall: ("Tool call", .irisStrong)
            case .toolResult: ("Tool result", .inkMuted)
            case .text: ("Text", .ink)
            case .other(let name): (TerminalText.singleLine(name), .inkSoft)
            }
        }
    }

    /// The block that shows how a task ended.
    public struct Outcome: Hashable, Sendable {
        /// "Result" or "Error".
        public let label: String
        /// The block's colour.
        public let color: ColorToken
        /// The outcome; may hold several lines.
        public let text: String
    }

    /// The task's id as it is.
    public let id: String
    /// What the task is to do, on one line.
    public let title: String
    /// Where the task stands.
    public let status: TaskStatus
    /// The status in words.
    public let statusLabel: String
    /// The status as a dot.
    public let dot: Dot
    /// The steps in their order.
    public let steps: [StepRow]
    /// The result, the error, or both, where the task has them.
    public let outcomes: [Outcome]
    /// When the task ended, else when it was made, as "2 min ago"; nil when that is not known.
    public let time: String?
    /// What the reader should know besides: no news for long, steps or text left out.
    public let notes: [String]
    /// The card in words, its status included.
    public let spokenLabel: String

    /// Lays out a task.
    ///
    /// - Parameters:
    ///   - task: The task.
    ///   - now: Seconds since 1970.
    public init(_ task: TaskItem, now: Double) {
        id = task.id
        let description = TerminalText.singleLine(task.description ?? "")
        title = description.isEmpty ? "Task \(TerminalText.singleLine(task.id))" : description
        status = task.status
        statusLabel = task.status.label
        dot = Dot(color: task.status.color, pulses: task.status == .running)
        steps = task.steps.map(StepRow.init)
        outcomes = Self.outcomes(of: task)
        let since = task.status.isActive ? task.createdAt ?? task.firstSeenAt : task.completedAt ?? task.updatedAt
        time = since.map { RelativeTime.short(since: $0, now: now) }
        notes = Self.notes(on: task, now: now)

        var spoken = [title, statusLabel]
        if !steps.isEmpty { spoken.append("\(steps.count) step\(steps.count == 1 ? "" : "s")") }
        spoken += outcomes.map { "\($0.label): \(TerminalText.singleLine($0.text))" }
        if let since {
            let verb = task.status.isActive ? "Started" : "Ended"
            spoken.append("\(verb) \(RelativeTime.spoken(since: since, now: now))")
        }
        if let silent = task.silentSince(now: now) {
            spoken.append("No news since \(RelativeTime.spoken(since: silent, now: now))")
        }
        spokenLabel = spoken.map { $0.hasSuffix(".") ? $0 : $0 + "." }.joined(separator: " ")
    }

    private static func outcomes(of task: TaskItem) -> [Outcome] {
        var outcomes: [Outcome] = []
        if let result = task.result {
            outcomes.append(Outcome(label: "Result", color: .mint, text: TerminalText.sanitized(result)))
        }
        if let error = task.error {
            outcomes.append(Outcome(label: "Error", color: .danger, text: TerminalText.sanitized(error)))
        }
        return outcomes
    }

    private static func notes(on task: TaskItem, now: Double) -> [String] {
        var notes: [String] = []
        if let silent = task.silentSince(now: now) {
            notes.append("no news since \(RelativeTime.short(since: silent, now: now))")
        }
        if task.droppedSteps > 0 {
            notes.append("\(task.droppedSteps) earlier step\(task.droppedSteps == 1 ? "" : "s") left out")
        }
        if task.omittedBytes > 0 { notes.append("long text shortened by \(task.omittedBytes) bytes") }
        return notes
    }
}

extension TaskStatus {
    /// The status in words.
    public var label: String {
        switch self {
        case .pending: "Pending"
        case .running: "Running"
        case .waiting: "Waiting for you"
        case .completed: "Completed"
        case .failed: "Failed"
        case .canceled: "Canceled"
        }
    }

    /// The colour of the status dot.
    public var color: ColorToken {
        switch self {
        case .pending: .pendingTask
        case .running: .runningTask
        case .waiting: .waitingTask
        case .completed: .success
        case .failed: .failed
        case .canceled: .canceledTask
        }
    }
}
