import Synchronization

/// Plays a recording on a clock, to a session that takes it for a real connection.
///
/// Time 0 of the recording is the moment this value is created. Each connection of the recording, up to its
/// `disconnected`, is played to one transport, in order. What the session sends goes nowhere and is compared with what
/// was sent when the recording was made.
public final class SessionReplay: Sendable {
    private struct State {
        var connections: [[Recording.Line]]
        var sent: [RecordedEvent] = []
    }

    /// What is played.
    public let recording: Recording

    let clock: any Clock<Duration>
    let stopwatch: Stopwatch
    private let state: Mutex<State>

    /// Starts a replay at time 0.
    public init(_ recording: Recording, clock: any Clock<Duration>) {
        self.recording = recording
        self.clock = clock
        stopwatch = Stopwatch(clock: clock)
        var connections: [[Recording.Line]] = [[]]
        for line in recording.lines where line.event.isFed {
            connections[connections.count - 1].append(line)
            if case .connection(.disconnected) = line.event { connections.append([]) }
        }
        if let last = connections.last, last.isEmpty { connections.removeLast() }
        state = Mutex(State(connections: connections))
    }

    /// What the session has sent so far, as lines would say it.
    public var sent: [RecordedEvent] {
        state.withLock { $0.sent }
    }

    /// How what was sent differs from the recording, one sentence for each difference; empty when it does not.
    public var differences: [String] {
        let expected = recording.lines.map(\.event).filter(\.isSent)
        let actual = sent
        var differences: [String] = []
        for index in 0..<max(expected.count, actual.count) {
            let was = index < expected.count ? expected[index] : nil
            let now = index < actual.count ? actual[index] : nil
            if was == now { continue }
            let number = index + 1
            switch (was, now) {
            case (let was?, let now?): differences.append("Message \(number) is \(now.shown), was \(was.shown).")
            case (nil, let now?): differences.append("Message \(number) is new: \(now.shown).")
            case (let was?, nil): differences.append("Message \(number) is missing: \(was.shown).")
            case (nil, nil): break
            }
        }
        return differences
    }

    func addSent(_ event: RecordedEvent) {
        state.withLock { $0.sent.append(event) }
    }
}

extension SessionReplay: TransportFactory {
    /// Returns a transport that plays the recording's next connection.
    ///
    /// - Throws: Never; when the recording has no further connection, connecting is `unreachable`.
    public func makeTransport() throws(TransportError) -> any Transport {
        let lines = state.withLock { state in
            state.connections.isEmpty ? nil : state.connections.removeFirst()
        }
        return ReplayTransport(lines, of: self)
    }
}

extension RecordedEvent {
    /// Whether a replay feeds it to the session's connection.
    fileprivate var isFed: Bool {
        switch self {
        case .connection, .joined, .attributes, .left, .data, .text, .speakers: true
        case .level, .sent, .action: false
        }
    }

    fileprivate var isSent: Bool {
        if case .sent = self { true } else { false }
    }

    fileprivate var shown: String {
        Recording.Line(time: .zero, event: self).text
    }
}
