import Synchronization

/// Writes a recording of a session while it goes on.
///
/// Lines come from a ``RecordingTransport`` and from the session itself, and are stamped with the clock's time since the
/// recorder was made. The header is written first, as soon as the room is known; until then lines wait. A token that
/// the recorder was told of is replaced by `[token]` wherever it turns up.
public final class SessionRecorder: Sendable {
    private struct PendingText {
        var time: Duration
        var header: TextStreamHeader
        var text: String
    }

    private struct State {
        var header: Recording.Header
        var isHeaderWritten = false
        var isFinished = false
        var lastTime = Duration.zero
        var pendingText: PendingText?
        var waiting: [Recording.Line] = []
        var secrets: [String] = []
        var output: [String] = []
        var isWriting = false
    }

    private let state: Mutex<State>
    private let stopwatch: Stopwatch
    private let writeLine: @Sendable (String) -> Void

    /// Begins a recording at time 0.
    ///
    /// - Parameters:
    ///   - clock: What the times of the lines are read from.
    ///   - startedAt: The time of day now, in seconds since 1970.
    ///   - write: Takes each line, with its line break, in order; it must not wait.
    public init(
        clock: any Clock<Duration>,
        startedAt: Double,
        write: @escaping @Sendable (String) -> Void
    ) {
        stopwatch = Stopwatch(clock: clock)
        state = Mutex(State(header: Recording.Header(room: "", local: "", startedAt: startedAt)))
        writeLine = write
    }

    /// Says which room it is, which lets the header be written; later calls change nothing.
    public func begin(room: String, local: String) {
        change { state in
            if state.isHeaderWritten { return }
            state.header.room = room
            state.header.local = local
            Self.writeHeader(&state)
        }
    }

    /// Keeps a token out of the recording, whatever it turns up in.
    public func redact(_ token: String) {
        guard !token.isEmpty else { return }
        let secret = String(JSONValue.string(token).text.dropFirst().dropLast())
        change { state in
            if !state.secrets.contains(secret) { state.secrets.append(secret) }
        }
    }

    /// Records a line of the session's own: a level, an action, something sent.
    public func record(_ event: RecordedEvent) {
        let now = stopwatch.elapsed
        change { state in
            Self.flushText(&state)
            Self.add(event, at: now, &state)
        }
    }

    /// Records what came from a connection.
    public func record(_ event: TransportEvent) {
        let now = stopwatch.elapsed
        change { state in
            if case .text(let part) = event {
                Self.add(part, at: now, &state)
                return
            }
            Self.flushText(&state)
            if let event = RecordedEvent(event) { Self.add(event, at: now, &state) }
        }
    }

    /// Writes what is left; lines after this are ignored.
    public func finish() {
        change { state in
            Self.flushText(&state)
            Self.writeHeader(&state)
            state.isFinished = true
        }
    }

    /// Changes the state, then writes outside the lock; whoever writes also writes what others add meanwhile.
    private func change(_ body: (inout State) -> Void) {
        let mayWrite = state.withLock { state in
            if state.isFinished { return false }
            body(&state)
            if state.isWriting || state.output.isEmpty { return false }
            state.isWriting = true
            return true
        }
        guard mayWrite else { return }
        while true {
            let lines = state.withLock { state in
                let lines = state.output
                state.output = []
                if lines.isEmpty { state.isWriting = false }
                return lines
            }
            if lines.isEmpty { return }
            for line in lines { writeLine(line) }
        }
    }

    private static func writeHeader(_ state: inout State) {
        if state.isHeaderWritten { return }
        state.isHeaderWritten = true
        emit(state.header.text, &state)
        for line in state.waiting { emit(line.text, &state) }
        state.waiting = []
    }

    private static func emit(_ text: String, _ state: inout State) {
        var text = text
        for secret in state.secrets where text.containsBytes(of: secret) {
            text = text.replacing(secret, with: "[token]")
        }
        state.output.append(text + "\n")
    }

    private static func add(_ event: RecordedEvent, at time: Duration, _ state: inout State) {
        // Two threads may read the clock in one order and get here in the other.
        state.lastTime = max(state.lastTime, .milliseconds(time.inMilliseconds))
        let line = Recording.Line(time: state.lastTime, event: event)
        if state.isHeaderWritten {
            emit(line.text, &state)
        } else {
            state.waiting.append(line)
        }
    }

    /// Joins the parts of a stream that came within the same millisecond into one line.
    private static func add(_ part: TextStreamPart, at time: Duration, _ state: inout State) {
        let time = max(state.lastTime, .milliseconds(time.inMilliseconds))
        if let pending = state.pendingText,
            pending.header.id != part.header.id || pending.header.sender != part.header.sender || pending.time != time
        {
            flushText(&state)
        }
        var continued = part.header
        continued.attributes = [:]
        continued.timestamp = nil
        switch part.content {
        case .opened:
            flushText(&state)
            var header = part.header
            let lineTime = state.header.startedAt + Double(time.inMilliseconds) / 1000
            if let timestamp = header.timestamp, abs(timestamp - lineTime) < 0.0005 { header.timestamp = nil }
            state.pendingText = PendingText(time: time, header: header, text: "")
        case .chunk(let text):
            if state.pendingText == nil {
                state.pendingText = PendingText(time: time, header: continued, text: "")
            }
            state.pendingText?.text += text
        case .ended(let attributes):
            if !attributes.isEmpty {
                flushText(&state)
                continued.attributes = attributes
            }
            let pending = state.pendingText ?? PendingText(time: time, header: continued, text: "")
            state.pendingText = nil
            add(.text(pending.header, text: pending.text, end: .ended), at: time, &state)
        case .failed(let reason):
            let pending = state.pendingText ?? PendingText(time: time, header: continued, text: "")
            state.pendingText = nil
            add(.text(pending.header, text: pending.text, end: .failed(reason)), at: time, &state)
        }
    }

    private static func flushText(_ state: inout State) {
        guard let pending = state.pendingText else { return }
        state.pendingText = nil
        add(.text(pending.header, text: pending.text, end: .open), at: pending.time, &state)
    }
}

extension RecordedEvent {
    /// What a recording says of an event that has a line of its own; text streams need more than one event.
    init?(_ event: TransportEvent) {
        switch event {
        case .connection(let state): self = .connection(state)
        case .participantJoined(let participant): self = .joined(participant)
        case .participantLeft(let identity): self = .left(identity: identity)
        case .attributesChanged(let identity, let changed): self = .attributes(identity: identity, changed: changed)
        case .data(let packet): self = .data(packet)
        case .speakers(let levels): self = .speakers(levels)
        case .text: return nil
        }
    }
}

extension String {
    /// Whether `other` stands in this text, compared byte for byte; far quicker on long lines than comparing characters.
    fileprivate func containsBytes(of other: String) -> Bool {
        let needle = Array(other.utf8)
        guard let first = needle.first else { return true }
        let found = utf8.withContiguousStorageIfAvailable { bytes in
            var start = 0
            while start + needle.count <= bytes.count {
                if bytes[start] == first, needle.indices.allSatisfy({ bytes[start + $0] == needle[$0] }) { return true }
                start += 1
            }
            return false
        }
        return found ?? contains(other)
    }
}
