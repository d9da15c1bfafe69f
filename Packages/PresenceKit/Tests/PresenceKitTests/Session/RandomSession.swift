import PresenceKit
import Synchronization
import TransportCore

/// A session to which everything happens that can, in an order and at times drawn from a seed.
struct RandomSession: Sendable {
    private static let busy = AudioLevelSourceError(.readFailed, thing: "The microphone", reason: "is busy")
    private static let denied = AudioLevelSourceError(.accessDenied, thing: "The microphone", reason: "is not allowed")

    let seed: UInt64

    /// What was found to be wrong, and everything that the session said.
    struct Outcome: Sendable {
        var problems: [String] = []
        var changes: [SessionChange] = []
        var reachedReady = false
    }

    func run() async throws -> Outcome {
        var random = SeededRandom(seed: seed)
        let clock = ManualClock()
        let world = SessionWorld(
            faults: (0..<4).map { _ in Self.faults(&random) },
            settings: Settings(isTextMode: random.nextBool(probability: 0.3)),
            microphone: (0..<random.nextInt(below: 8)).map { _ in Self.opening(&random, clock) },
            tokens: (0..<random.nextInt(below: 4)).map { _ in Self.answer(&random) },
            policy: random.nextBool(probability: 0.5) ? .steady : .web,
            hub: .init(joinAnnouncementDelay: .milliseconds(random.nextInt(below: 2) * 700)),
            seed: random.next(),
            clock: clock
        ) { limits in
            limits.agentTimeout = .seconds(3)
            limits.firstSampleTimeout = .milliseconds(600)
            limits.microphonePause = .milliseconds(200)
            limits.transportOptions.roomTimeout = .seconds(1)
        }
        let first = random
        let outcome = Box(Outcome())
        try await world.run { world in
            var random = first
            if random.nextBool(probability: 0.7) {
                await world.session.start()
                await world.advance(1.5)
                let agent = try await world.joinAgent()
                try await agent.say(.agentReady)
                await world.advance(0.3)
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<(15 + random.nextInt(below: 20)) {
                    if random.nextBool(probability: 0.1) {
                        // Without waiting for it, so that it meets whatever comes next.
                        group.addTask { await world.session.hangUp() }
                    } else {
                        try await Self.act(world, &random)
                    }
                    if random.nextBool(probability: 0.7) {
                        await world.advance(Double(random.nextInt(below: 8)) / 10)
                        await world.settle()
                        await Self.check(world, outcome)
                    }
                }
            }
            await world.session.hangUp()
            await Self.checkAfterHangingUp(world, outcome)
        }
        var result = outcome.value
        result.changes = world.log.changes
        result.problems += Self.illegalStates(world.log.states)
        result.reachedReady = world.log.states.contains(.ready)
        let calls = world.wakeLock.calls
        if calls.enumerated().contains(where: { $0.element != ($0.offset.isMultiple(of: 2) ? .acquire : .release) }) {
            result.problems.append("The wake lock was asked for and given back out of turn: \(calls.map(\.rawValue)).")
        }
        return result
    }

    // MARK: What is drawn

    private static func faults(_ random: inout SeededRandom) -> TransportFaults {
        var faults = TransportFaults()
        switch random.nextInt(below: 10) {
        case 0: faults.connect = .timesOut(lateConnected: .milliseconds(300))
        case 1: faults.connect = .timesOut(lateConnected: nil)
        case 2: faults.connect = .fails(TransportError(.refused(status: 403)), after: .milliseconds(200))
        default: break
        }
        if random.nextBool(probability: 0.5) {
            faults.delay = .milliseconds(random.nextInt(below: 300))
            faults.jitter = .milliseconds(random.nextInt(below: 200))
        }
        if random.nextBool(probability: 0.4) {
            faults.loss = 0.1
            faults.duplication = 0.2
            faults.reordering = 0.2
            faults.breaksPromises = random.nextBool(probability: 0.5)
        }
        if random.nextBool(probability: 0.2) { faults.cutAfterPackets = 1 + random.nextInt(below: 12) }
        if random.nextBool(probability: 0.3) { faults.reconnectAfterPackets = 1 + random.nextInt(below: 8) }
        faults.outage = .milliseconds(200 + random.nextInt(below: 1500))
        faults.microphoneFailures = random.nextInt(below: 4)
        return faults
    }

    private static func opening(_ random: inout SeededRandom, _ clock: ManualClock) -> ProbeAudioLevelSource.Opening {
        switch random.nextInt(below: 7) {
        case 0: .silent
        case 1: .fails(busy)
        case 2: .fails(denied)
        case 3: .breaks(busy)
        case 4: .ends
        case 5: .opensAfter(.milliseconds(400), clock)
        default: .works
        }
    }

    private static func answer(_ random: inout SeededRandom) -> CountingTokenProvider.Answer {
        switch random.nextInt(below: 3) {
        case 0: .failure(TransportError(.timedOut), after: .milliseconds(300))
        case 1: .token(after: .milliseconds(500))
        default: .token(after: .zero)
        }
    }

    private static func act(_ world: SessionWorld, _ random: inout SeededRandom) async throws {
        let session = world.session
        switch random.nextInt(below: 26) {
        case 0...3: await session.start()
        case 4: await session.hangUp()
        case 5: await session.setMuted(random.nextBool(probability: 0.5))
        case 6, 7: await session.setTextMode(random.nextBool(probability: 0.5))
        case 8: await session.interruptionBegan()
        case 9: await session.interruptionEnded(shouldResume: random.nextBool(probability: 0.7))
        case 10: await session.send("Message \(random.nextInt(below: 4))")
        case 11:
            for row in await session.snapshot.rows { await session.retry(row.id) }
        case 12: await session.selectVoice("en-US-JennyNeural")
        case 13: await session.selectModel("sage")
        case 14: await session.setServerURL(random.nextBool(probability: 0.5) ? "ftp://x" : nil)
        case 15: await session.clearTranscript()
        case 16: world.microphone.say(random.nextUnit())
        case 17:
            if let agent = world.peers.withLock({ $0.last }) { await agent.transport.disconnect() }
        case 18: world.hub.loseSignal(of: "me", in: SessionWorld.room)
        case 19:
            world.hub.restoreSignal(
                of: "me",
                in: SessionWorld.room,
                resuming: random.nextBool(probability: 0.5)
            )
        case 20: world.hub.remove("me", from: SessionWorld.room)
        default: try await actAsAgent(world, &random)
        }
    }

    private static func actAsAgent(_ world: SessionWorld, _ random: inout SeededRandom) async throws {
        guard let agent = world.peers.withLock({ $0.last }), random.nextBool(probability: 0.8) else {
            let agent = try await world.joinAgent("agent-\(random.nextInt(below: 3))")
            try await agent.say(.agentReady)
            return
        }
        do {
            switch random.nextInt(below: 6) {
            case 0: try await agent.say(.agentReady)
            case 1: try await agent.say(.models(["sage", "swift"]))
            case 2:
                let segment = "s\(random.nextInt(below: 5))"
                try await agent.transcribe(
                    "Text of \(segment)",
                    segment: segment,
                    isFinal: random.nextBool(probability: 0.6)
                )
            case 3:
                let writer = try await agent.transport.openText(
                    topic: ConversationTopic.transcription,
                    attributes: [TranscriptAttribute.segment: "open"]
                )
                try await writer.write("Half a sen")
            case 4: try await agent.transport.publishLevel(random.nextUnit())
            default: try await agent.transport.setAttributes(["lk.agent.state": "thinking"])
            }
        } catch is TransportError {
            // It has left, or was replaced by one of the same name.
        }
    }

    // MARK: What always holds

    private static func check(_ world: SessionWorld, _ outcome: Box<Outcome>) async {
        let snapshot = await world.session.snapshot
        var problems: [String] = []
        if snapshot.settings.isTextMode, world.microphone.isOpen {
            problems.append("The microphone is on in text mode.")
        }
        if snapshot.session != .ready, world.microphone.isOpen {
            problems.append("The microphone is on without agent.")
        }
        if snapshot.isMuted, world.microphone.isOpen { problems.append("The microphone is on although muted.") }
        if world.microphone.overlaps > 0 { problems.append("The microphone was started while it was started.") }
        let isInRoom = snapshot.session == .waitingAgent || snapshot.session == .ready
        if world.wakeLock.isHeld != isInRoom { problems.append("The wake lock is held: \(world.wakeLock.isHeld).") }
        if Set(snapshot.rows.map(\.id)).count != snapshot.rows.count { problems.append("Two rows have one id.") }
        if snapshot.isReconnecting, !snapshot.session.isActive { problems.append("Nothing is there to reconnect.") }
        if snapshot.microphoneError != nil, snapshot.session != .ready { problems.append("An error without agent.") }
        let expectsIdle = snapshot.session == .idle
        if (snapshot.phase == .idle) != expectsIdle { problems.append("The phase is \(snapshot.phase.rawValue).") }
        if !snapshot.session.isActive {
            if world.hub.participants(in: SessionWorld.room).contains(where: { $0.identity == "me" }) {
                problems.append("It is still in the room.")
            }
            let open = snapshot.rows.filter { !$0.isFinal && !$0.isInterrupted && $0.role == .agent }
            if !open.isEmpty { problems.append("A row is open without a conversation.") }
        }
        let time = world.clock.now.offset.inMilliseconds
        outcome.value.problems += problems.map { "\(time) ms, \(snapshot.session): \($0)" }
    }

    private static func checkAfterHangingUp(_ world: SessionWorld, _ outcome: Box<Outcome>) async {
        if await world.session.state != .idle { outcome.value.problems.append("It is not idle after hanging up.") }
        await check(world, outcome)
        await world.advance(3)
        let count = world.log.changes.count
        await world.advance(5)
        if world.log.changes.count != count { outcome.value.problems.append("Something late changed something.") }
        await check(world, outcome)
    }

    private static func illegalStates(_ states: [VoiceSessionState]) -> [String] {
        var problems: [String] = []
        var last = VoiceSessionState.idle
        for state in states {
            let isLegal =
                switch (last, state) {
                case (.idle, .connecting), (.failed, .connecting), (.connecting, .waitingAgent),
                    (.waitingAgent, .ready),
                    (.ready, .waitingAgent), (_, .idle), (.connecting, .failed), (.waitingAgent, .failed),
                    (.ready, .failed):
                    true
                default: false
                }
            if !isLegal { problems.append("It went from \(last) to \(state).") }
            last = state
        }
        return problems
    }
}

/// A value that tasks of one thread share.
final class Box<Value: Sendable>: Sendable {
    private let storage: Mutex<Value>

    init(_ value: Value) {
        storage = Mutex(value)
    }

    var value: Value {
        get { storage.withLock { $0 } }
        set { storage.withLock { $0 = newValue } }
    }
}
