public import TransportCore

/// Something that changed in a conversation, in the order in which it happened.
public struct SessionChange: Hashable, Sendable {
    /// What can change.
    public enum Kind: Hashable, Sendable {
        /// The session is now this far.
        case session(VoiceSessionState)
        /// The connection broke and is being restored, or is back.
        case reconnecting(Bool)
        /// Who has the word is now this.
        case phase(ConversationState.Phase)
        /// The thinking chip is now shown, or hidden.
        case thinkingChip(Bool)
        /// Person and agent are now heard together, or no longer.
        case bargeIn(Bool)
        /// A row of the transcript is new or has changed, and now reads so.
        case row(TranscriptRow)
        /// The row with this id is gone.
        case removed(id: String)
        /// Something to say to somebody who does not look.
        case announce(String)
        /// A data packet on a topic that is passed on as it came, such as the tasks.
        case packet(DataPacket)
        /// The models that the agent offers; empty when there is no conversation.
        case models([String])
        /// The model that the agent confirmed; nil when it has not, or there is no conversation.
        case selectedModel(String?)
        /// The microphone was opened or closed.
        case microphone(isOn: Bool)
        /// Why the person cannot be heard; nil when it is over.
        case microphoneError(MicrophoneError?)
        /// Settings that the session shows or follows have changed.
        case settings
        /// A sentence for the person about something that could not be read or stored.
        case notice(String)
        /// A data packet, or a whole text stream, was handed to the room.
        case sent(topic: String, payload: [UInt8])
        /// The smoothed levels after a tick, 0...1; only in streams that ask for them.
        case levels(microphone: Double, agent: Double)
    }

    /// When, counted from the creation of the session.
    public let time: Duration
    /// What changed.
    public let kind: Kind

    /// Makes a change.
    public init(time: Duration, kind: Kind) {
        self.time = time
        self.kind = kind
    }
}
