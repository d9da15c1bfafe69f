public import HopeTokens

/// What the wall shows: the six looks of the avatar.
///
/// The wall's own enum; an app maps its conversation phases to it.
public enum WallState: String, CaseIterable, Hashable, Sendable {
    /// Nobody talks and nothing is connected: dim and still.
    case idle
    /// A connection is being made: the wall breathes.
    case connecting
    /// The agent works on an answer: the wall breathes.
    case thinking
    /// The wall ripples, softly, with the level of the user's microphone.
    case listening
    /// The wall ripples with the level of the agent's voice and glows.
    case speaking
    /// Something went wrong: looks like idle, in idle's colour; the words beside the wall say what.
    case failed
}

extension WallState {
    /// The colour of the dots in this state, opaque.
    public var color: ColorValue {
        switch self {
        case .idle, .failed: ColorToken.wallIdle.value
        case .connecting: ColorToken.wallConnecting.value
        case .thinking: ColorToken.wallThinking.value
        case .listening: ColorToken.wallListening.value
        case .speaking: ColorToken.wallSpeaking.value
        }
    }

    /// The radius that the glow around the wall ends at in this state, in points.
    public var glowRadius: Double { self == .speaking ? 14 : 0 }

    /// Whether the dots of this state follow a level.
    public var followsLevel: Bool { self == .speaking || self == .listening }

    /// Whether the dots of this state stand still once they have arrived.
    public var isStill: Bool { self == .idle || self == .failed }
}
