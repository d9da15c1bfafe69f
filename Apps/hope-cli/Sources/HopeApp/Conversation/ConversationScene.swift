internal import LedWall
internal import PresenceKit
internal import TransportCore

/// A conversation on the wall as it changes.
struct ConversationScene: WallScene {
    private let changes: Mailbox<SessionChange>
    private let onChange: (SessionChange) throws -> Void
    /// Changes that have come, and are due later: those of a replay.
    private var waiting: [SessionChange] = []
    private let speed: Double
    private var motion: WallMotion
    private var phase = ConversationState.Phase.idle
    private var microphone = 0.0
    private var agent = 0.0
    private var showsThinkingChip = false
    private var isWaitingForAgent = false
    private var caption = ""

    /// Makes a scene of what a mailbox brings.
    ///
    /// - Parameters:
    ///   - changes: The mailbox; the scene is over when it is closed and everything in it has been shown.
    ///   - speed: How much faster than the changes' own times it goes; nil to show each as it comes.
    ///   - motion: What moves the dots.
    ///   - onChange: Told each change when it is shown.
    init(
        _ changes: Mailbox<SessionChange>,
        speed: Double? = nil,
        motion: WallMotion = WallMotion(),
        onChange: @escaping (SessionChange) throws -> Void
    ) {
        self.changes = changes
        self.speed = speed ?? .infinity
        self.motion = motion
        self.onChange = onChange
    }

    var isSettled: Bool { motion.isSettled }
    var isOver: Bool { changes.isDrained && waiting.isEmpty }

    var status: String {
        let words =
            switch phase {
            case .idle: "Ready"
            case .connecting: isWaitingForAgent ? "Waiting for Hope…" : "Connecting…"
            case .listening: "Listening"
            case .thinking: showsThinkingChip ? "Thinking…" : "Thinking"
            case .speaking: "Speaking"
            case .failed: "Failed"
            }
        return caption.isEmpty ? words : "\(words)  ·  \(caption)"
    }

    mutating func advance(to now: Duration) throws -> Bool {
        waiting += changes.take()
        let due = waiting.prefix { speed == .infinity || $0.time <= now * speed }
        waiting.removeFirst(due.count)
        for change in due {
            follow(change.kind)
            try onChange(change)
        }
        return !due.isEmpty
    }

    mutating func picture(at now: Duration) -> WallPicture {
        let level =
            switch phase {
            case .speaking: agent
            case .listening: microphone
            default: 0.0
            }
        return motion.picture(for: WallInput(state: WallState(phase), level: level, seconds: now / .seconds(1)))
    }

    private mutating func follow(_ kind: SessionChange.Kind) {
        switch kind {
        case .session(let state): isWaitingForAgent = state == .waitingAgent
        case .phase(let phase): self.phase = phase
        case .thinkingChip(let isShown): showsThinkingChip = isShown
        case .levels(let microphone, let agent):
            self.microphone = microphone
            self.agent = agent
        case .row(let row): caption = "\(row.role.spokenName): \(row.text)"
        case .notice(let text): caption = text
        default: break
        }
    }
}
