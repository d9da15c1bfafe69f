import TransportCore

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
        try self.init(Self.object(in: bytes), receivedAt: receivedAt)
    }

    static func object(in bytes: [UInt8]) throws(TaskEventError) -> JSONObjectView {
        do {
            return try JSONObjectView(bytes)
        } catch {
            throw .notJSON(offset: error.offset, reason: error.reason)
        }
    }

    init(_ message: JSONObjectView, receivedAt: Double?) throws(TaskEventError) {
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
    private static func leftover(of message: JSONObjectView) -> String? {
        let known: Set<String> = ["type", "task_id", "event", "event_id", "seq", "t", "role"]
        guard message.members.contains(where: { !known.contains($0.name) }) else { return nil }
        return String(decoding: message.json(omitting: known), as: UTF8.self)
    }

    /// The wire form: one compact JSON object in UTF-8, the same bytes for the same event.
    ///
    /// Fields that are nil are left out. Reading it gives the same event, but for ``receivedAt`` and for numbers that
    /// are not finite.
    public var json: [UInt8] {
        var members: [JSONValue.Member] = []
        func add(_ name: String, _ value: JSONValue) {
            if value != .null { members.append(.init(name: name, value: value)) }
        }
        add("type", "task_event")
        add("task_id", .string(taskID))
        add("event", .string(kind.name))
        add("event_id", .string(eventID))
        if let sequence, let number = Int(sequence), String(number) == sequence {
            add("seq", .integer(number))
        } else {
            add("seq", .string(sequence))
        }
        var task: [JSONValue.Member] = []
        if let description { task.append(.init(name: "description", value: .string(description))) }
        if let createdAt { task.append(.init(name: "created_at", value: .number(createdAt))) }
        if kind == .created {
            add("task", .object(task))
        } else {
            members += task
        }
        add("role", .string(role?.name))
        add("content", .string(content))
        add("result", .string(result))
        add("error", .string(error))
        if let completedAt { members.append(.init(name: "completed_at", value: .number(completedAt))) }
        return JSONValue.object(members).bytes
    }
}

extension JSONObjectView {
    /// The member as a time in seconds since 1970, when it can be read as one.
    func time(_ name: String) -> Double? {
        guard let member = self[name], member.kind == .string || member.kind == .number else { return nil }
        guard member.byteCount <= 64 else { return nil }
        return WireTime.seconds(from: text(of: member))
    }
}
