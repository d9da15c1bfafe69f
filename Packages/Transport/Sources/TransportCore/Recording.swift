import Foundation

/// A recorded session: what happened on its connection, what was sent, and what the person did.
///
/// The format is JSON Lines in UTF-8: a header, then one line for each event with its time `t` in seconds since the
/// start, in whole milliseconds, never decreasing. Writing is stable: equal recordings are equal byte for byte.
public struct Recording: Hashable, Sendable {
    /// The first line.
    public struct Header: Hashable, Sendable {
        /// The room's name.
        public var room: String
        /// The identity of the participant whose session this was.
        public var local: String
        /// The time of day at `t` = 0, in seconds since 1970.
        public var startedAt: Double

        /// Creates a header.
        public init(room: String, local: String, startedAt: Double) {
            self.room = room
            self.local = local
            self.startedAt = startedAt
        }
    }

    /// Any line after the first.
    public struct Line: Hashable, Sendable {
        /// The time since the start.
        public var time: Duration
        /// What happened.
        public var event: RecordedEvent

        /// Creates a line.
        public init(time: Duration, event: RecordedEvent) {
            self.time = time
            self.event = event
        }
    }

    /// The newest version of the format, which is the one that is written.
    public static let version = 1

    /// Whose session it was, and when.
    public var header: Header
    /// What happened, in order.
    public var lines: [Line]

    /// Creates a recording.
    public init(header: Header, lines: [Line] = []) {
        self.header = header
        self.lines = lines
    }

    /// Reads a recording.
    ///
    /// - Parameter bytes: The whole file; blank lines and a missing last line break are fine.
    /// - Throws: ``RecordingError`` with the number of the line that cannot be read.
    public init(parsing bytes: some Collection<UInt8>) throws(RecordingError) {
        var header: Header?
        var lines: [Line] = []
        let bytes = Array(bytes)
        for text in JSONLines(bytes) {
            let fields = try RecordedFields(parsing: bytes[text.range], line: text.number)
            if header == nil {
                header = try Header(fields)
                continue
            }
            let line = Line(time: try fields.time(), event: try RecordedEvent(fields))
            if let last = lines.last, line.time < last.time {
                throw RecordingError(line: text.number, "its time lies before the line above it")
            }
            lines.append(line)
        }
        guard let header else { throw RecordingError(line: 1, "the header is missing") }
        self.init(header: header, lines: lines)
    }

    /// The time of the last line.
    public var duration: Duration {
        lines.last?.time ?? .zero
    }

    /// The whole file, ending in a line break.
    public var text: String {
        lines.reduce(into: header.text + "\n") { $0 += $1.text + "\n" }
    }
}

extension Recording.Header {
    /// The line as it stands in a file, without the line break.
    public var text: String {
        var line = RecordedLineWriter()
        line.add("hope_recording", .integer(Recording.version))
        line.add("room", room)
        line.add("local", local)
        line.add("started_at", .decimal(startedAt))
        return line.finish()
    }

    init(_ fields: RecordedFields) throws(RecordingError) {
        guard case .number(let version)? = fields.value["hope_recording"] else {
            throw fields.failure("it is not the header of a recording (“hope_recording” is missing)")
        }
        guard version.intValue == Recording.version else {
            throw fields.failure("version \(version) is not known; this program reads version \(Recording.version)")
        }
        self.init(
            room: try fields.string("room"),
            local: try fields.string("local"),
            startedAt: try fields.number("started_at")
        )
    }
}

extension Recording.Line {
    /// The line as it stands in a file, without the line break.
    public var text: String {
        var line = RecordedLineWriter()
        let milliseconds = max(0, time.inMilliseconds)
        let fraction = String(milliseconds % 1000 + 1000).dropFirst()
        line.add("t", .number(JSONNumber(unchecked: "\(milliseconds / 1000).\(fraction)")))
        event.write(to: &line)
        return line.finish()
    }
}

/// Why a recording cannot be read.
public struct RecordingError: Error, Hashable, Sendable {
    /// The number of the line, beginning with 1.
    public let line: Int
    /// What is wrong with it.
    public let reason: String

    init(line: Int, _ reason: String) {
        self.line = line
        self.reason = reason
    }
}

extension RecordingError: CustomStringConvertible {
    /// A sentence for people.
    public var description: String {
        "Line \(line) of the recording cannot be read: \(reason)."
    }
}

/// The fields of one line that is being read.
struct RecordedFields {
    let value: JSONValue
    let line: Int

    init(parsing text: some Collection<UInt8>, line: Int) throws(RecordingError) {
        do {
            value = try JSONValue(parsing: text)
        } catch {
            throw RecordingError(line: line, "\(error.reason) at column \(error.column)")
        }
        guard case .object = value else { throw RecordingError(line: line, "it is not a JSON object") }
        self.line = line
    }

    func failure(_ reason: String) -> RecordingError {
        RecordingError(line: line, reason)
    }

    func string(_ key: String) throws(RecordingError) -> String {
        guard case .string(let text)? = value[key] else { throw failure("“\(key)” has to be a string") }
        return text
    }

    func optionalString(_ key: String) throws(RecordingError) -> String? {
        value[key] == nil || value[key] == .null ? nil : try string(key)
    }

    func number(_ key: String) throws(RecordingError) -> Double {
        guard let number = value[key]?.doubleValue else { throw failure("“\(key)” has to be a number") }
        return number
    }

    func optionalNumber(_ key: String) throws(RecordingError) -> Double? {
        value[key] == nil || value[key] == .null ? nil : try number(key)
    }

    func flag(_ key: String, default fallback: Bool) throws(RecordingError) -> Bool {
        switch value[key] {
        case .bool(let flag): return flag
        case nil: return fallback
        default: throw failure("“\(key)” has to be true or false")
        }
    }

    func members(_ key: String) throws(RecordingError) -> [JSONValue.Member] {
        switch value[key] {
        case .object(let members): return members
        case nil: return []
        default: throw failure("“\(key)” has to be an object")
        }
    }

    func strings(_ key: String) throws(RecordingError) -> [String: String] {
        var strings: [String: String] = [:]
        for member in try members(key) {
            guard case .string(let text) = member.value else {
                throw failure("“\(key)” has to hold strings, “\(member.name)” is none")
            }
            strings[member.name] = text
        }
        return strings
    }

    func levels(_ key: String) throws(RecordingError) -> [String: Double] {
        guard value[key] != nil else { throw failure("“\(key)” is missing") }
        var levels: [String: Double] = [:]
        for member in try members(key) {
            guard let level = member.value.doubleValue else {
                throw failure("“\(key)” has to hold numbers, “\(member.name)” is none")
            }
            levels[member.name] = level
        }
        return levels
    }

    func list(_ key: String) throws(RecordingError) -> [String] {
        guard let value = value[key] else { return [] }
        guard case .array(let values) = value else { throw failure("“\(key)” has to be a list") }
        var list: [String] = []
        for value in values {
            guard case .string(let text) = value else { throw failure("“\(key)” has to hold strings") }
            list.append(text)
        }
        return list
    }

    func time() throws(RecordingError) -> Duration {
        let seconds = try number("t")
        guard (0..<1e9).contains(seconds) else { throw failure("“t” has to be from 0 to a thousand million") }
        return .milliseconds(Int((seconds * 1000).rounded()))
    }

    func payload() throws(RecordingError) -> [UInt8] {
        if let text = try optionalString("payload") { return Array(text.utf8) }
        guard let encoded = try optionalString("payload_base64") else {
            throw failure("“payload” or “payload_base64” is missing")
        }
        guard let data = Data(base64Encoded: encoded) else { throw failure("“payload_base64” is not Base64") }
        return Array(data)
    }
}

/// Puts one line together, field by field.
struct RecordedLineWriter {
    private var members: [JSONValue.Member] = []

    mutating func add(_ name: String, _ value: JSONValue) {
        members.append(JSONValue.Member(name: name, value: value))
    }

    mutating func add(_ name: String, _ value: String) {
        add(name, .string(value))
    }

    mutating func add(_ name: String, _ values: [String: String]) {
        add(name, .object(values.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: .string($0.value)) }))
    }

    mutating func add(_ name: String, levels: [String: Double]) {
        add(name, .object(levels.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: .decimal($0.value)) }))
    }

    mutating func add(payload: [UInt8]) {
        if let text = String(validating: payload, as: UTF8.self) {
            add("payload", text)
        } else {
            add("payload_base64", Data(payload).base64EncodedString())
        }
    }

    func finish() -> String {
        JSONValue.object(members).text
    }
}
