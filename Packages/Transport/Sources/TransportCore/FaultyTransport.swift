import Synchronization

/// A transport on which things go wrong, the same way for the same seed.
///
/// Everything is decided when an event comes in, and late events are delivered by the clock, so on a ``ManualClock``
/// what is due has arrived when `advance` returns.
public final class FaultyTransport: Sendable {
    private struct Late {
        let due: Duration
        let number: UInt64
        let event: TransportEvent
    }

    private enum Link {
        case up
        case lost
        case over
    }

    private struct State {
        var random: SeededRandom
        var link = Link.up
        var wasUsed = false
        var packets = 0
        var late: [Late] = []
        var lastNumber: UInt64 = 0
        /// Ordered events do not overtake each other, however the jitter falls.
        var orderedUntil = Duration.zero
        /// What waits for the signal to come back.
        var held: [TransportEvent] = []
        var timers: [UInt64: ClockTimer] = [:]
        var microphoneFailures: Int

        mutating func makeNumber() -> UInt64 {
            lastNumber += 1
            return lastNumber
        }
    }

    private let base: any Transport
    private let clock: any Clock<Duration>
    private let stopwatch: Stopwatch
    private let faults: TransportFaults
    private let buffer: TransportEventBuffer
    private let state: Mutex<State>

    /// Wraps a transport that nobody has connected yet.
    ///
    /// - Parameters:
    ///   - base: The transport that would work.
    ///   - faults: What goes wrong.
    ///   - seed: Which packets it happens to.
    ///   - clock: What delays are measured on.
    ///   - maximumEvents: How many unread events there may be.
    public init(
        _ base: any Transport,
        faults: TransportFaults,
        seed: UInt64,
        clock: any Clock<Duration>,
        maximumEvents: Int = 4096
    ) {
        self.base = base
        buffer = TransportEventBuffer(maximumEvents: maximumEvents)
        self.faults = faults
        self.clock = clock
        stopwatch = Stopwatch(clock: clock)
        state = Mutex(State(random: SeededRandom(seed: seed), microphoneFailures: faults.microphoneFailures))
        if faults.connect == .passes {
            base.events.forward { [weak self] event in
                self?.receive(event) ?? .ended
            }
        }
    }

    // MARK: Coming in

    private func receive(_ event: TransportEvent) -> TransportEventBuffer.Outcome {
        let now = stopwatch.elapsed
        return state.withLock { state in
            if state.link == .over { return .ended }
            var copies = 1
            var extra = Duration.zero
            if case .data(let packet) = event, packet.reliability == .lossy || faults.breaksPromises {
                // Every packet draws the same numbers, so that one fault does not shift the others' luck.
                if state.random.nextBool(probability: faults.loss) { copies = 0 }
                if state.random.nextBool(probability: faults.duplication), copies > 0 { copies = 2 }
                if state.random.nextBool(probability: faults.reordering) { extra = faults.reorderingDelay }
            }
            var outcome = TransportEventBuffer.Outcome.accepted
            for _ in 0..<copies {
                let next = schedule(event, at: now, extra: extra, &state)
                if next != .accepted { outcome = next }
            }
            return outcome
        }
    }

    private func schedule(
        _ event: TransportEvent,
        at now: Duration,
        extra: Duration,
        _ state: inout State
    ) -> TransportEventBuffer.Outcome {
        var due = now + faults.delay
        if faults.jitter > .zero { due += faults.jitter * state.random.nextUnit() }
        if extra > .zero {
            due += extra
        } else {
            due = max(due, state.orderedUntil)
            state.orderedUntil = due
        }
        if due <= now, state.late.allSatisfy({ $0.due > now }) { return deliver(event, &state) }
        let number = state.makeNumber()
        let index = state.late.firstIndex { $0.due > due } ?? state.late.count
        state.late.insert(Late(due: due, number: number, event: event), at: index)
        arm(after: due - now, &state) { transport in transport.deliverDue() }
        return .accepted
    }

    private func arm(
        after delay: Duration,
        _ state: inout State,
        _ action: @escaping @Sendable (FaultyTransport) -> Void
    ) {
        let number = state.makeNumber()
        state.timers[number] = ClockTimer(on: clock, after: delay) { [weak self] in
            guard let self else { return }
            _ = self.state.withLock { $0.timers.removeValue(forKey: number) }
            action(self)
        }
    }

    private func deliverDue() {
        let now = stopwatch.elapsed
        state.withLock { state in
            while let first = state.late.first, first.due <= now {
                state.late.removeFirst()
                deliver(first.event, &state)
            }
        }
    }

    @discardableResult
    private func deliver(_ event: TransportEvent, _ state: inout State) -> TransportEventBuffer.Outcome {
        switch state.link {
        case .over: return .ended
        case .lost:
            if case .connection(.disconnected) = event { break }
            if event.survivesOutage { state.held.append(event) }
            return .accepted
        case .up: break
        }
        let outcome = buffer.append(event)
        if case .connection(.disconnected) = event { state.link = .over }
        if outcome != .accepted { state.link = .over }
        if case .data = event { countPacket(&state) }
        return outcome
    }

    /// Counts a packet that has passed, and lets the line fail if it was the last one to pass.
    private func countPacket(_ state: inout State) {
        guard state.link == .up else { return }
        state.packets += 1
        if state.packets == faults.cutAfterPackets {
            buffer.append(.connection(.disconnected(.signalLost)))
            finish(&state)
        } else if state.packets == faults.reconnectAfterPackets {
            state.link = .lost
            buffer.append(.connection(.reconnecting))
            arm(after: faults.outage, &state) { transport in transport.regainSignal() }
        }
    }

    private func regainSignal() {
        state.withLock { state in
            guard state.link == .lost else { return }
            state.link = .up
            buffer.append(.connection(.reconnected))
            let held = state.held
            state.held = []
            for event in held { deliver(event, &state) }
        }
    }

    private func finish(_ state: inout State) {
        state.link = .over
        state.late = []
        state.held = []
        state.timers = [:]
    }

    // MARK: Going out

    private func checkLink() throws(TransportError) {
        try state.withLock { state throws(TransportError) in
            switch state.link {
            case .up: break
            case .lost: throw TransportError(.notConnected)
            case .over: throw TransportError(.closed)
            }
        }
    }

    private func wait(_ duration: Duration) async throws(TransportError) {
        do {
            try await clock.sleep(for: duration)
        } catch {
            throw TransportError(.cancelled)
        }
    }

    private func failConnecting(
        after options: TransportOptions
    ) async throws(TransportError) {
        switch faults.connect {
        case .passes: return
        case .fails(let error, let delay):
            if delay > .zero { try await wait(delay) }
            throw error
        case .timesOut(let lateConnected):
            try await wait(options.roomTimeout)
            if let lateConnected {
                state.withLock { state in
                    arm(after: lateConnected, &state) { transport in
                        transport.buffer.append(.connection(.connected))
                    }
                }
            }
            throw TransportError(.timedOut)
        }
    }
}

extension TransportEvent {
    /// Whether a connection that comes back still owes it.
    fileprivate var survivesOutage: Bool {
        switch self {
        case .data(let packet): packet.reliability == .reliable
        case .speakers: false
        default: true
        }
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension FaultyTransport: Transport {
    public var events: TransportEvents { buffer.events }

    @discardableResult
    public func connect(
        to url: String,
        token: String,
        options: TransportOptions
    ) async throws(TransportError) -> JoinedRoom {
        if faults.connect == .passes {
            return try await base.connect(to: url, token: token, options: options)
        }
        let isFirst = state.withLock { state in
            let isFirst = !state.wasUsed && state.link == .up
            state.wasUsed = true
            return isFirst
        }
        guard isFirst else { throw TransportError(.closed, "This connection was used before; make a new one.") }
        buffer.append(.connection(.connecting))
        do throws(TransportError) {
            try await failConnecting(after: options)
            throw TransportError(.closed)
        } catch {
            state.withLock { $0.link = .over }
            // One that says `connected` after all must not have said that it is over.
            if case .timesOut(lateConnected: .some) = faults.connect, error.isTimeout { throw error }
            buffer.append(.connection(.disconnected(error.isTimeout ? .timedOut : .joinFailed)))
            throw error
        }
    }

    public func publish(
        _ payload: [UInt8],
        topic: String,
        reliability: Reliability,
        to identities: [String]
    ) async throws(TransportError) {
        try checkLink()
        try await base.publish(payload, topic: topic, reliability: reliability, to: identities)
        state.withLock { countPacket(&$0) }
    }

    public func openText(
        topic: String,
        attributes: [String: String],
        to identities: [String],
        id: String?,
        speaker: String?
    ) async throws(TransportError) -> any TextStreamWriter {
        try checkLink()
        let writer = try await base.openText(
            topic: topic,
            attributes: attributes,
            to: identities,
            id: id,
            speaker: speaker
        )
        return FaultyTextWriter(base: writer) { [weak self] () throws(TransportError) in
            guard let self else { throw TransportError(.closed) }
            try self.checkLink()
        }
    }

    public func setAttributes(_ attributes: [String: String]) async throws(TransportError) {
        try checkLink()
        try await base.setAttributes(attributes)
    }

    public func setMicrophone(enabled: Bool) async throws(TransportError) {
        try checkLink()
        let fails = state.withLock { state in
            guard enabled, state.microphoneFailures > 0 else { return false }
            state.microphoneFailures -= 1
            return true
        }
        if fails { throw TransportError(.unavailable, "The microphone could not be opened.") }
        try await base.setMicrophone(enabled: enabled)
    }

    public func publishLevel(_ level: Double) async throws(TransportError) {
        try checkLink()
        try await base.publishLevel(level)
    }

    public func disconnect(_ reason: DisconnectReason) async {
        let timers = state.withLock { state in
            let timers = state.timers
            finish(&state)
            return timers
        }
        for timer in timers.values { timer.cancel() }
        buffer.append(.connection(.disconnected(reason)))
        await base.disconnect(reason)
    }
}

/// Writes only while the line is up.
private struct FaultyTextWriter: TextStreamWriter {
    let base: any TextStreamWriter
    let checkLink: @Sendable () throws(TransportError) -> Void

    var id: String { base.id }

    func write(_ text: String) async throws(TransportError) {
        try checkLink()
        try await base.write(text)
    }

    func close(attributes: [String: String]) async throws(TransportError) {
        try checkLink()
        try await base.close(attributes: attributes)
    }

    func fail(_ reason: String) async {
        await base.fail(reason)
    }
}

/// Makes transports with the faults that are laid down for each attempt.
public final class FaultyTransportFactory: TransportFactory {
    private struct State {
        var attempts: [TransportFaults]
        var random: SeededRandom
        var made = 0
    }

    private let base: any TransportFactory
    private let clock: any Clock<Duration>
    private let state: Mutex<State>

    /// Wraps a factory.
    ///
    /// - Parameters:
    ///   - base: Makes the transports that would work.
    ///   - attempts: The faults of the first, second, … transport; later ones have none.
    ///   - seed: What each transport's seed is drawn from.
    ///   - clock: What delays are measured on.
    public init(
        _ base: any TransportFactory,
        attempts: [TransportFaults],
        seed: UInt64,
        clock: any Clock<Duration>
    ) {
        self.base = base
        self.clock = clock
        state = Mutex(State(attempts: attempts, random: SeededRandom(seed: seed)))
    }

    /// How many transports have been made.
    public var made: Int {
        state.withLock { $0.made }
    }

    /// Returns a transport with the next attempt's faults.
    ///
    /// - Throws: What the wrapped factory throws.
    public func makeTransport() throws(TransportError) -> any Transport {
        let transport = try base.makeTransport()
        let (faults, seed) = state.withLock { state in
            let faults = state.made < state.attempts.count ? state.attempts[state.made] : TransportFaults()
            state.made += 1
            return (faults, state.random.next())
        }
        return FaultyTransport(transport, faults: faults, seed: seed, clock: clock)
    }
}
