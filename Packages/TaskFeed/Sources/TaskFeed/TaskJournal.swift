import TransportCore

/// A line of a journal that cannot be read.
public struct TaskJournalError: Error, Hashable, Sendable {
    /// The line, counted from 1.
    public let line: Int
    /// What is wrong with it, as a sentence.
    public let reason: String
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension TaskJournalError: CustomStringConvertible {
    public var description: String { "Line \(line): \(reason)" }
}

/// Writes and reads task events as they came, one JSON object a line.
///
/// A plain journal holds the wire messages, each with an optional `t`: when it came, in seconds since 1970, or since
/// the journal's start when that is told to the reader. A Hope recording, known by the `hope_recording` of its first
/// line, is read as a journal too: its data packets of the topic `tasks` are the messages, and `started_at + t` is the
/// time; its other lines are passed over.
public enum TaskJournal {
    /// The journal's line for a message, ended by a new line.
    ///
    /// Everything in the message stands in the line, fields this version does not know included.
    ///
    /// - Parameters:
    ///   - message: The wire form of a task event.
    ///   - time: When it came, in seconds since 1970; nil leaves `t` as it stands in the message.
    /// - Returns: UTF-8, to be appended to the journal.
    /// - Throws: ``TaskEventError`` when the message is not a task event.
    public static func line(for message: [UInt8], at time: Double?) throws(TaskEventError) -> [UInt8] {
        let object = try TaskEvent.object(in: message)
        _ = try TaskEvent(object, receivedAt: time)
        var line: [UInt8]
        if let time {
            let stamp = JSONNumber(time).map { [JSONValue.Member(name: "t", value: .number($0))] } ?? []
            line = object.json(omitting: ["t"], prepending: stamp)
        } else {
            line = object.json()
        }
        line.append(UInt8(ascii: "\n"))
        return line
    }

    /// All events of a journal.
    ///
    /// - Parameters:
    ///   - bytes: A plain journal or a Hope recording, UTF-8.
    ///   - startedAt: The start of a plain journal whose `t` count from its start, in seconds since 1970.
    /// - Returns: The events in the order of their lines.
    /// - Throws: The first line that cannot be read; ``TaskJournalReader`` goes on after it.
    public static func events(in bytes: [UInt8], startedAt: Double? = nil) throws(TaskJournalError) -> [TaskEvent] {
        var reader = TaskJournalReader(bytes, startedAt: startedAt)
        var events: [TaskEvent] = []
        while let next = reader.next() { events.append(try next.get()) }
        return events
    }
}

extension TaskStore {
    /// Folds a journal and returns the lines that could not be read; all others are folded.
    ///
    /// - Parameters:
    ///   - journal: A plain journal or a Hope recording, UTF-8.
    ///   - startedAt: The start of a plain journal whose `t` count from its start, in seconds since 1970.
    /// - Returns: What is wrong with which line, in the order of the lines.
    public mutating func replay(_ journal: [UInt8], startedAt: Double? = nil) -> [TaskJournalError] {
        var reader = TaskJournalReader(journal, startedAt: startedAt)
        var errors: [TaskJournalError] = []
        while let next = reader.next() {
            switch next {
            case .success(let event): fold(event)
            case .failure(let error): errors.append(error)
            }
        }
        return errors
    }
}

/// Reads a journal event by event; a line that cannot be read is a failure, and reading goes on after it.
public struct TaskJournalReader: Sequence, IteratorProtocol, Sendable {
    private let bytes: [UInt8]
    private let startedAt: Double?
    private var lines: JSONLines
    private var recordingStart: Double?

    /// Reads a plain journal or a Hope recording.
    ///
    /// - Parameters:
    ///   - bytes: The journal, UTF-8; a byte order mark, blank lines and CR LF are allowed.
    ///   - startedAt: The start of a plain journal whose `t` count from its start, in seconds since 1970.
    public init(_ bytes: [UInt8], startedAt: Double? = nil) {
        self.bytes = bytes
        self.startedAt = startedAt
        lines = JSONLines(bytes)
    }

    /// The next event, or the next line that cannot be read.
    public mutating func next() -> Result<TaskEvent, TaskJournalError>? {
        while let line = lines.next() {
            do {
                if let event = try event(in: line.range) { return .success(event) }
            } catch {
                return .failure(TaskJournalError(line: line.number, reason: error.reason))
            }
        }
        return nil
    }

    private struct Unreadable: Error {
        var reason: String
    }

    private mutating func event(in range: Range<Int>) throws(Unreadable) -> TaskEvent? {
        let object: JSONObjectView
        do {
            object = try JSONObjectView(bytes, in: range)
        } catch {
            throw Unreadable(reason: "the line cannot be read: \(error.reason) (byte \(error.offset)).")
        }
        if let version = object.text("hope_recording") {
            recordingStart = object.time("started_at") ?? 0
            guard version == "1" else {
                throw Unreadable(reason: "recordings of version \(version.prefix(32)) are not known; use version 1.")
            }
            return nil
        }
        do {
            guard let recordingStart else { return try TaskEvent(object, receivedAt: plainTime(object.time("t"))) }
            guard let message = try message(in: object) else { return nil }
            return try TaskEvent(json: message, receivedAt: object.time("t").map { recordingStart + $0 })
        } catch let error as TaskEventError {
            throw Unreadable(reason: error.description)
        } catch let error as Unreadable {
            throw error
        } catch {
            throw Unreadable(reason: "the line cannot be read: \(error).")
        }
    }

    /// The task event that a line of a recording holds; nil for lines about other things.
    private func message(in object: JSONObjectView) throws(Unreadable) -> [UInt8]? {
        guard let event = object.text("event") else { throw Unreadable(reason: "the line has no \"event\".") }
        guard event == "data", object.text("topic") == TaskEvent.topic else { return nil }
        if let payload = object["payload"], payload.kind == .string {
            return Array(object.text(of: payload).utf8)
        }
        guard let encoded = object["payload_base64"], encoded.kind == .string else {
            throw Unreadable(reason: "the data packet has neither \"payload\" nor \"payload_base64\".")
        }
        guard let payload = Base64.decode(object.text(of: encoded)) else {
            throw Unreadable(reason: "\"payload_base64\" is not Base64.")
        }
        return payload
    }

    /// A small `t` without a known start says nothing about the time of day and is passed over.
    private func plainTime(_ time: Double?) -> Double? {
        guard let time else { return nil }
        if let startedAt { return startedAt + time }
        return time >= 1_000_000_000 ? time : nil
    }
}
