public import TransportCore

/// How long a session waits, how often it tries, and what it asks for.
public struct VoiceSessionConfiguration: Sendable {
    /// How eagerly the phase follows the levels.
    public var policy: InferencePolicy
    /// What every token is asked for.
    public var tokenRequest: TokenRequest
    /// Time limits of a connection and the name of the client.
    public var transportOptions: TransportOptions
    /// How often joining is tried in all; only a time-out leads to another try.
    public var joinAttempts: Int
    /// How long the agent may take to be ready, after joining and after it has left.
    public var agentTimeout: Duration
    /// How often the microphone is tried in all.
    public var microphoneAttempts: Int
    /// How long an opened microphone may give nothing before the try has failed.
    public var firstSampleTimeout: Duration
    /// How long to wait before the microphone is tried again.
    public var microphonePause: Duration
    /// Topics whose packets are passed on as they come.
    public var forwardedTopics: Set<String>

    /// Creates a configuration; the defaults are those of the app.
    public init(
        policy: InferencePolicy = .steady,
        tokenRequest: TokenRequest = TokenRequest(),
        transportOptions: TransportOptions = TransportOptions(),
        joinAttempts: Int = 3,
        agentTimeout: Duration = .seconds(30),
        microphoneAttempts: Int = 3,
        firstSampleTimeout: Duration = .seconds(2),
        microphonePause: Duration = .milliseconds(500),
        forwardedTopics: Set<String> = [ConversationTopic.tasks]
    ) {
        self.policy = policy
        self.tokenRequest = tokenRequest
        self.transportOptions = transportOptions
        self.joinAttempts = max(1, joinAttempts)
        self.agentTimeout = agentTimeout
        self.microphoneAttempts = max(1, microphoneAttempts)
        self.firstSampleTimeout = firstSampleTimeout
        self.microphonePause = microphonePause
        self.forwardedTopics = forwardedTopics
    }
}
