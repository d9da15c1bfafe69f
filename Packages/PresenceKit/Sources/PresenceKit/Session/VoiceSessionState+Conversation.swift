extension VoiceSessionState {
    /// How far the session is, as the inference of the phase wants to know it.
    var conversationSession: ConversationState.Session {
        switch self {
        case .idle: .idle
        case .connecting: .connecting
        case .waitingAgent: .waitingAgent
        case .ready: .ready
        case .failed: .failed
        }
    }
}
