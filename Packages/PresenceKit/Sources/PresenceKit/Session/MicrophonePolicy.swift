/// Whether the microphone should be on, as a function of everything that has a say in it.
///
/// Nothing else decides: whoever opens or closes the microphone asks here first, so that nothing that happens around
/// text mode can open it.
struct MicrophonePolicy: Hashable, Sendable {
    /// How far an interruption of the audio by the system, a telephone call say, has come.
    enum Interruption: Hashable, Sendable {
        /// There is none.
        case none
        /// Somebody else has the audio.
        case active
        /// It is over, but the system did not say to go on: the person decides.
        case overWithoutResuming
    }

    /// Whether the agent is there and listens.
    var isReady = false
    /// Whether the conversation is typed.
    var isTextMode = false
    /// Whether the person muted the microphone.
    var isMuted = false
    /// Whether the system took the audio away.
    var interruption = Interruption.none

    /// Whether the person is not heard although the conversation is spoken.
    var isSilenced: Bool { isMuted || interruption != .none }

    /// Whether the microphone should be on.
    var isOn: Bool { isReady && !isTextMode && !isSilenced }
}
