/// Everything that the conversation's screens are drawn from, at one moment.
public struct ConversationSnapshot: Hashable, Sendable {
    /// How large the reader has the text.
    public enum TextSize: Hashable, Sendable {
        /// One of the sizes of everyday use.
        case standard
        /// One of the sizes that are larger than those.
        case accessibility
    }

    /// How far the conversation has come.
    public var session = VoiceSessionState.idle
    /// Whether the room's connection is being made again.
    public var isReconnecting = false
    /// Who has the word.
    public var phase = ConversationState.Phase.idle
    /// Whether thinking has lasted long enough to say so.
    public var showsThinkingChip = false
    /// Whether the person muted the microphone.
    public var isMuted = false
    /// Why there is no microphone, a sentence, or nil.
    public var microphoneError: String?
    /// The microphone's level, 0...1.
    public var microphoneLevel = 0.0
    /// The agent's level, 0...1.
    public var agentLevel = 0.0

    /// The transcript's rows, oldest first, stored ones included.
    public var rows: [TranscriptRow] = []
    /// How long ago rows appeared, in seconds; rows without an entry do not enter.
    public var rowAges: [String: Double] = [:]
    /// Whether the reader has scrolled away from the newest row.
    public var isScrolledUp = false
    /// Whether the person asked for the stored rows while idle.
    public var showsEarlierRows = false
    /// What stands in the composer's field.
    public var draft = ""

    /// The stored settings.
    public var settings = Settings()
    /// Why the server's address cannot be used, a sentence, or nil.
    public var serverURLError: String?
    /// The models that the agent offers, or nil when it has not said.
    public var models: [String]?
    /// The model that the agent confirmed, or nil.
    public var confirmedModel: String?
    /// The steps of the connection test that was run last.
    public var connectionTest: [ConnectionTestStep] = []
    /// Whether a connection test is running.
    public var isTestingConnection = false

    /// The number of tasks that are not finished.
    public var activeTasks = 0
    /// Whether a task failed that the person has not seen yet.
    public var hasFailedTask = false

    /// The reader's distance from UTC, in seconds.
    public var utcOffset = 0
    /// Whether the reader asked for less motion.
    public var reducedMotion = false
    /// How large the reader has the text.
    public var textSize = TextSize.standard

    /// Makes the snapshot of an app that was just opened.
    public init() {}
}

/// One step of the connection test, with its outcome.
public struct ConnectionTestStep: Hashable, Sendable {
    /// What was tried, such as `tls`.
    public var name: String
    /// Whether it went well; nil while it runs.
    public var isOK: Bool?
    /// How long it took, in milliseconds; nil while it runs.
    public var milliseconds: Double?
    /// What was found, or what to do when it failed.
    public var message: String

    /// Makes a step.
    ///
    /// - Parameters:
    ///   - name: What was tried.
    ///   - isOK: Whether it went well; nil while it runs.
    ///   - milliseconds: How long it took.
    ///   - message: What was found, or what to do.
    public init(name: String, isOK: Bool?, milliseconds: Double? = nil, message: String = "") {
        self.name = name
        self.isOK = isOK
        self.milliseconds = milliseconds
        self.message = message
    }
}
