import Synchronization

/// One connection of a recording, played to a session by a ``SessionReplay``.
public final class ReplayTransport: Sendable {
    private enum Phase {
        case unused
        case connecting(CheckedContinuation<Result<Void, TransportError>, Never>?)
        case connected
        case reconnecting
        case over
    }

    private struct State {
        var phase = Phase.unused
        var lines: ArraySlice<Recording.Line>
        /// The streams that are open, and attributes that came since.
        var streams: [StreamKey: (header: TextStreamHeader, later: [String: String])] = [:]
        var timer: ClockTimer?
        var lastStream = 0

        var isOver: Bool {
            if case .over = phase { true } else { false }
        }
    }

    private struct StreamKey: Hashable {
        let sender: String
        let id: String
    }

    private let replay: SessionReplay
    private let hasLines: Bool
    private let waitsForConnected: Bool
    private let buffer = TransportEventBuffer()
    private let state: Mutex<State>

    init(_ lines: [Recording.Line]?, of replay: SessionReplay) {
        self.replay = replay
        hasLines = lines != nil
        waitsForConnected =
            lines?.contains {
                switch $0.event {
                case .connection(.connected), .connection(.disconnected): true
                default: false
                }
            } ?? false
        state = Mutex(State(lines: (lines ?? [])[...]))
    }

    deinit {
        state.withLock { $0.timer }?.cancel()
    }

    // MARK: Playing

    /// Plays everything that is due and sets a timer for the rest.
    private func play() {
        var resumption: (CheckedContinuation<Result<Void, TransportError>, Never>, Result<Void, TransportError>)?
        state.withLock { state in
            let now = replay.stopwatch.elapsed
            while let line = state.lines.first, line.time <= now {
                state.lines.removeFirst()
                if let outcome = apply(line, &state), case .connecting(let waiter?) = state.phase {
                    resumption = (waiter, outcome)
                }
                settlePhase(after: line.event, &state)
            }
            guard let next = state.lines.first, !state.isOver else {
                state.timer = nil
                return
            }
            state.timer = ClockTimer(on: replay.clock, after: next.time - now) { [weak self] in self?.play() }
        }
        if let (waiter, outcome) = resumption { waiter.resume(returning: outcome) }
    }

    /// Feeds a line, and says how connecting has ended when it did.
    private func apply(_ line: Recording.Line, _ state: inout State) -> Result<Void, TransportError>? {
        switch line.event {
        case .connection(.connecting): return nil
        case .connection(let connection):
            buffer.append(.connection(connection))
            switch connection {
            case .connected: return .success(())
            case .disconnected(.timedOut): return .failure(TransportError(.timedOut))
            case .disconnected(let reason):
                return .failure(TransportError(.unreachable, "In the recording this attempt failed: \(reason.message)"))
            default: return nil
            }
        case .joined(let participant): buffer.append(.participantJoined(participant))
        case .left(let identity): buffer.append(.participantLeft(identity: identity))
        case .attributes(let identity, let changed):
            buffer.append(.attributesChanged(identity: identity, changed: changed))
        case .data(let packet): buffer.append(.data(packet))
        case .speakers(let levels): buffer.append(.speakers(levels))
        case .text(let header, let text, let end): feed(header, text, end, at: line.time, &state)
        case .level, .sent, .action: break
        }
        return nil
    }

    private func settlePhase(after event: RecordedEvent, _ state: inout State) {
        guard case .connection(let connection) = event else { return }
        switch connection {
        case .connecting: break
        case .connected: state.phase = .connected
        case .reconnected:
            if case .reconnecting = state.phase { state.phase = .connected }
        case .reconnecting:
            // Before the connection stands this is no interruption of it, and connecting still waits.
            if case .connected = state.phase { state.phase = .reconnecting }
        case .disconnected: state.phase = .over
        }
    }

    private func feed(
        _ header: TextStreamHeader,
        _ text: String,
        _ end: RecordedEvent.TextEnd,
        at time: Duration,
        _ state: inout State
    ) {
        let key = StreamKey(sender: header.sender, id: header.id)
        var header = header
        if let open = state.streams[key] {
            state.streams[key]?.later.merge(header.attributes) { $1 }
            header = open.header
        } else {
            header.timestamp = header.timestamp ?? replay.recording.header.startedAt + time.inSeconds
            state.streams[key] = (header, [:])
            buffer.append(.text(TextStreamPart(header: header, content: .opened)))
        }
        if !text.isEmpty { buffer.append(.text(TextStreamPart(header: header, content: .chunk(text)))) }
        switch end {
        case .open: break
        case .ended:
            let later = state.streams.removeValue(forKey: key)?.later ?? [:]
            buffer.append(.text(TextStreamPart(header: header, content: .ended(attributes: later))))
        case .failed(let reason):
            state.streams[key] = nil
            buffer.append(.text(TextStreamPart(header: header, content: .failed(reason))))
        }
    }

    // MARK: What the session does

    private func checkConnected() throws(TransportError) {
        try state.withLock { state throws(TransportError) in
            switch state.phase {
            case .unused, .connecting, .reconnecting: throw TransportError(.notConnected)
            case .connected: break
            case .over: throw TransportError(.closed)
            }
        }
    }

    private func end(_ reason: DisconnectReason, _ error: TransportError) {
        let (waiter, timer) = state.withLock { state in
            let timer = state.timer
            state.timer = nil
            var waiter: CheckedContinuation<Result<Void, TransportError>, Never>?
            if case .connecting(let continuation) = state.phase { waiter = continuation }
            state.phase = .over
            return (waiter, timer)
        }
        timer?.cancel()
        buffer.append(.connection(.disconnected(reason)))
        waiter?.resume(returning: .failure(error))
    }

    private func waitForConnected() async throws(TransportError) {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation {
                (continuation: CheckedContinuation<Result<Void, TransportError>, Never>) in
                let isWaiting = state.withLock { state in
                    guard case .connecting = state.phase, !Task.isCancelled else { return false }
                    state.phase = .connecting(continuation)
                    return true
                }
                if isWaiting {
                    play()
                } else {
                    continuation.resume(returning: .failure(TransportError(Task.isCancelled ? .cancelled : .closed)))
                }
            }
        } onCancel: {
            end(.client, TransportError(.cancelled))
        }
        try result.get()
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ReplayTransport: Transport {
    public var events: TransportEvents { buffer.events }

    @discardableResult
    public func connect(
        to url: String,
        token: String,
        options: TransportOptions
    ) async throws(TransportError) -> JoinedRoom {
        let isFirst = state.withLock { state in
            guard case .unused = state.phase else { return false }
            state.phase = .connecting(nil)
            return true
        }
        guard isFirst else { throw TransportError(.closed, "This connection was used before; make a new one.") }
        buffer.append(.connection(.connecting))
        guard hasLines else {
            let error = TransportError(.unreachable, "The recording has no further connection.")
            end(.joinFailed, error)
            throw error
        }
        if waitsForConnected {
            try await waitForConnected()
        } else {
            // A recording made by hand may leave the connection's own lines out.
            buffer.append(.connection(.connected))
            state.withLock { $0.phase = .connected }
            play()
        }
        let header = replay.recording.header
        return JoinedRoom(name: header.room, local: Participant(identity: header.local, joinedAt: header.startedAt))
    }

    public func publish(
        _ payload: [UInt8],
        topic: String,
        reliability: Reliability,
        to identities: [String]
    ) async throws(TransportError) {
        try checkConnected()
        try DataPacket.checkSize(of: payload)
        replay.addSent(.sent(topic: topic, content: .data(payload, reliability), to: identities))
    }

    public func openText(
        topic: String,
        attributes: [String: String],
        to identities: [String],
        id: String?,
        speaker: String?
    ) async throws(TransportError) -> any TextStreamWriter {
        try checkConnected()
        let number = state.withLock { state in
            state.lastStream += 1
            return state.lastStream
        }
        return CollectingTextWriter(id: id ?? "replay-\(number)", base: nil) { [replay] text in
            replay.addSent(.sent(topic: topic, content: .text(text), to: identities))
        }
    }

    public func setAttributes(_ attributes: [String: String]) async throws(TransportError) {
        try checkConnected()
    }

    public func setMicrophone(enabled: Bool) async throws(TransportError) {
        try checkConnected()
    }

    public func publishLevel(_ level: Double) async throws(TransportError) {
        try checkConnected()
    }

    public func disconnect(_ reason: DisconnectReason) async {
        end(reason, TransportError(.closed))
    }
}

/// Collects what is written to a text stream and tells of the whole text when it is closed.
final class CollectingTextWriter: TextStreamWriter {
    private struct State {
        var text = ""
        var isEnded = false
    }

    let id: String
    private let base: (any TextStreamWriter)?
    private let whenClosed: @Sendable (String) -> Void
    private let state = Mutex(State())

    init(id: String, base: (any TextStreamWriter)?, whenClosed: @escaping @Sendable (String) -> Void) {
        self.id = id
        self.base = base
        self.whenClosed = whenClosed
    }

    func write(_ text: String) async throws(TransportError) {
        if state.withLock({ $0.isEnded }) {
            throw TransportError(.closed, "The text stream “\(id)” has ended; open a new one.")
        }
        try await base?.write(text)
        state.withLock { $0.text += text }
    }

    func close(attributes: [String: String]) async throws(TransportError) {
        let text = state.withLock { state -> String? in
            if state.isEnded { return nil }
            state.isEnded = true
            return state.text
        }
        guard let text else { return }
        try await base?.close(attributes: attributes)
        whenClosed(text)
    }

    func fail(_ reason: String) async {
        let wasOpen = state.withLock { state in
            let wasOpen = !state.isEnded
            state.isEnded = true
            return wasOpen
        }
        if wasOpen { await base?.fail(reason) }
    }
}
