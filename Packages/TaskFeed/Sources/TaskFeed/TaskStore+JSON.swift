extension TaskStore {
    /// The store as one compact JSON object: `{"tasks":[…],"badge":n}`, tasks as in ``sortedTasks``.
    ///
    /// Names are those of the wire; what is not known is null. The same store gives the same bytes.
    public var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.beginArray("tasks")
        for task in sortedTasks { task.write(to: &writer) }
        writer.endArray()
        writer.member("badge", activeCount)
        writer.endObject()
        return writer.bytes
    }
}

extension TaskItem {
    /// The task as one compact JSON object, as it stands in ``TaskStore/json``.
    public var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("task_id", id)
        writer.member("description", description)
        writer.member("status", status.rawValue)
        writer.beginArray("steps")
        for step in steps {
            writer.beginObject()
            writer.member("role", step.role.name)
            writer.member("content", step.content)
            writer.member("late", step.isLate)
            writer.endObject()
        }
        writer.endArray()
        writer.member("result", result)
        writer.member("error", error)
        writer.member("created_at", createdAt)
        writer.member("completed_at", completedAt)
        writer.member("placeholder", isPlaceholder)
        writer.endObject()
    }
}
