/// Why a message is not a task event.
public enum TaskEventError: Error, Hashable, Sendable {
    /// The message is not one JSON object; `offset` counts bytes from its start.
    case notJSON(offset: Int, reason: String)
    /// A field that every task event has is absent, null or empty.
    case missing(field: String)
    /// The task id is longer than ``TaskEvent/longestTaskID``; `bytes` is its length.
    case idTooLong(bytes: Int)
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension TaskEventError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notJSON(let offset, let reason):
            "The task event cannot be read: \(reason) (byte \(offset)); send one JSON object in UTF-8."
        case .missing(let field):
            "The task event has no \"\(field)\"; send it as a string that is not empty."
        case .idTooLong(let bytes):
            "The task id is \(bytes) bytes long; use at most \(TaskEvent.longestTaskID)."
        }
    }
}
