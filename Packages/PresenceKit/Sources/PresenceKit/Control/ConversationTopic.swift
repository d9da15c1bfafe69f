/// The topics of the packets and text streams that a conversation uses.
public enum ConversationTopic {
    /// Readiness and mode, as reliable data packets in both directions.
    public static let conversationControl = "conversation-control"
    /// Voice and model, as reliable data packets in both directions.
    public static let voiceControl = "voice-control"
    /// Task events, as reliable data packets from the agent.
    public static let tasks = "tasks"
    /// What is playing, as data packets to the agent.
    public static let mediaState = "media-state"
    /// Typed messages, as text streams to the agent.
    public static let chat = "lk.chat"
    /// Transcript segments of both speakers, as text streams.
    public static let transcription = "lk.transcription"
}
