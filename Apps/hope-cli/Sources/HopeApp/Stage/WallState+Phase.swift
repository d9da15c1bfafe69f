internal import LedWall
internal import PresenceKit

extension WallState {
    /// The wall's look for a phase of the conversation.
    init(_ phase: ConversationState.Phase) {
        self =
            switch phase {
            case .idle: .idle
            case .connecting: .connecting
            case .listening: .listening
            case .thinking: .thinking
            case .speaking: .speaking
            case .failed: .failed
            }
    }
}
