extension TaskEvent {
    /// Reads the wire form.
    ///
    /// Reading is tolerant: `description` and the times may stand in `task` or beside it, a step may be nested in
    /// `step`, texts may be any JSON, times may be numbers, numeric strings or ISO 8601. A time that cannot be read is
    /// taken as absent; unknown fields are passed over; an unknown event keeps everything it says in ``content``.
    ///
    /// - Parameters:
    ///   - bytes: One JSON object in UTF-8.
    ///   - receivedAt: When it reached us, in seconds since 1970.
    /// - Throws: ``TaskEventError`` that says what is wrong with the message.
    public init(json bytes: [UInt8], receivedAt: Double? = nil) throws(TaskEventError) {
        try self.init(Self.object(in: bytes, range: 0..<bytes.count), receivedAt: receivedAt)
    }

    static func object(in bytes: [UInt8], range: Range<Int>) throws(TaskEventError) -> JSONObject {
        do {
            return try JSONReader.object(in: bytes, range: range)
        } catch {
            throw .notJSON(offset: error.offset, reason: error.reason)
        }
    }

    init(_ message: JSONObject, receivedAt: Double?) throws(TaskEventError) {
        guard let id = message.text("task_id"), !id.isEmpty else { throw .missing(field: "task_id") }
        guard id.utf8.count <= Self.longestTaskID else { throw .idTooLong(bytes: id.utf8.count) }
        guard let name = message.text("event"), !name.isEmpty else { throw .missing(field: "event") }
        self.init(taskID: id, kind: Kind(name: name), receivedAt: receivedAt)

        let task = message.object("task")
        description = task?.text("description") ?? message.text("description")
        createdAt = task?.time("created_at") ?? message.time("created_at")
        eventID = message.text("event_id")
        sequence = message.text("seq")
        switch kind {
        case .created:
            break
        case .step, .waiting:
            let step = message.object("step")
            role = (step?.text("role") ?? message.text("role")).map(TaskStep.Role.init(name:))
            content = step?.text("content") ?? message.text("content")
            if kind == .step, step == nil, content == nil { content = message.text("step") }
        case .completed, .failed, .canceled:
            result = message.text("result") ?? task?.text("result")
            error = message.text("error") ?? task?.text("error")
            completedAt = message.time("completed_at") ?? task?.time("completed_at")
        case .other:
            role = message.text("role").map(TaskStep.Role.init(name:))
            content = message.text("content") ?? Self.leftover(of: message)
        }
    }

    /// What an unknown event says beside the fields that every event has.
    private static func leftover(of message: JSONObject) -> String? {
        let known: Set<String> = ["type", "task_id", "event", "event_id", "seq", "t", "role"]
        var writer = JSONWriter()
        writer.beginObject()
        var isEmpty = true
        for member in message.members where !known.contains(member.key) {
            switch member.value.kind {
            case .string: writer.member(member.key, member.value.text(in: message.bytes))
            default: writer.member(member.key, json: member.value.text(in: message.bytes))
            }
            isEmpty = false
        }
        writer.endObject()
        return isEmpty ? nil : String(decoding: writer.bytes, as: UTF8.self)
    }

    /// The wire form: one compact JSON object in UTF-8, the same bytes for the same event.
    ///
    /// Fields that are nil are left out. Reading it gives the same event, but for ``receivedAt`` and for numbers that
    /// are not finite.
    public var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("type", "task_event")
        writer.member("task_id", taskID)
        writer.member("event", kind.name)
        if let eventID { writer.member("event_id", eventID) }
        if let sequence {
            if let number = Int(sequence), String(number) == sequence {
                writer.member("seq", number)
            } else {
                writer.member("seq", sequence)
            }
        }
        if kind == .created {
            writer.beginObject("task")
            writeTask(to: &writer)
            writer.endObject()
        } else {
            writeTask(to: &writer)
        }
        if let role { writer.member("role", role.name) }
        if let content { writer.member("content", content) }
        if let result { writer.member("result", result) }
        if let error { writer.member("error", error) }
        if let completedAt { writer.member("completed_at", completedAt) }
        writer.endObject()
        return writer.bytes
    }

    private func writeTask(to writer: inout JSONWriter) {
        if let description { writer.member("description", description) }
        if let createdAt { writer.member("created_at", createdAt) }
    }
}
