internal import LedWall
internal import PresenceKit

/// What a voice does to the wall: levels become a phase, phase and level become pictures.
///
/// A pure value. It ticks its conversation on a grid of 20 ms from 0, the length of a level's frame, so what happens does
/// not depend on how often it is drawn.
struct WallStage {
    /// The grid that the conversation is ticked on.
    static let tick: Duration = .milliseconds(20)

    private(set) var conversation: ConversationState
    private var motion: WallMotion
    private let heldState: WallState?
    private var ticks = 0

    /// Makes a stage whose session is ready; it keeps a held look whatever is heard.
    init(
        policy: InferencePolicy = .steady,
        grid: WallGrid = .standard,
        reducesMotion: Bool = false,
        heldState: WallState? = nil
    ) {
        conversation = ConversationState(policy: policy)
        conversation.session = .ready
        motion = WallMotion(grid: grid, reducesMotion: reducesMotion)
        self.heldState = heldState
    }

    /// The look that is shown.
    var state: WallState { heldState ?? WallState(conversation.phase) }

    /// Whether further pictures would look like the last one.
    var isSettled: Bool { motion.isSettled }

    /// Goes on to a time: hears what the feed has, tick by tick.
    ///
    /// - Returns: What changed on the way, in order.
    mutating func advance(to now: Duration, hearing levels: some Sequence<AudioLevel>) -> [ConversationState.Change] {
        var changes: [ConversationState.Change] = []
        var iterator = levels.makeIterator()
        var pending = iterator.next()
        while Self.tick * ticks <= now {
            let time = Self.tick * ticks
            while let level = pending, level.time <= time {
                conversation.hear(level)
                pending = iterator.next()
            }
            changes += conversation.tick(at: time)
            ticks += 1
        }
        while let level = pending {
            conversation.hear(level)
            pending = iterator.next()
        }
        return changes
    }

    /// The picture of a moment; call it in the order of the times.
    mutating func picture(at now: Duration) -> WallPicture {
        motion.picture(
            for: WallInput(state: state, level: level, seconds: now / .seconds(1))
        )
    }

    /// The level that the dots follow: the phase's own, or in a held look whichever voice is louder.
    private var level: Double {
        heldState == nil ? conversation.level : max(conversation.agentLevel, conversation.microphoneLevel)
    }
}
