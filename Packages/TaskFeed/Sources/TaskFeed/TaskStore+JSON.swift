public import TransportCore

extension TaskStore {
    /// The store as one compact JSON object: `{"tasks":[…],"badge":n}`, tasks as in ``sortedTasks``.
    ///
    /// Names are those of the wire; what is not known is null. The same store gives the same bytes.
    public var json: [UInt8] {
        JSONValue.object(["tasks": .array(sortedTasks.map(\.jsonValue)), "badge": .integer(activeCount)]).bytes
    }
}

extension TaskItem {
    /// The task as one compact JSON object, as it stands in ``TaskStore/json``.
    public var json: [UInt8] { jsonValue.bytes }

    /// The task as it stands in ``TaskStore/json``, to be put into other JSON.
    public var jsonValue: JSONValue {
        [
            "task_id": .string(id),
            "description": .string(description),
            "status": .string(status.rawValue),
            "steps": .array(
                steps.map { ["role": .string($0.role.name), "content": .string($0.content), "late": .bool($0.isLate)] }
            ),
            "result": .string(result),
            "error": .string(error),
            "created_at": .number(createdAt),
            "completed_at": .number(completedAt),
            "placeholder": .bool(isPlaceholder),
        ]
    }
}
