public import TransportCore

/// What the app remembers between conversations.
///
/// Text mode is one value: the composer's Voice/Text control and the switch in Settings both show and change it.
public struct Settings: Hashable, Sendable {
    /// The server's address as the person typed it, or nil for none.
    public var serverURL: String?
    /// The id of the chosen voice; ``voice`` is the one to use.
    public var voiceID: String
    /// The id of the chosen model, or nil for the agent's own choice.
    public var modelID: String?
    /// Whether the person types instead of speaking.
    public var isTextMode: Bool
    /// How loud the agent is, 0...1.
    public var volume: Double {
        didSet { volume = Self.clamped(volume) }
    }
    /// Settings that nothing here knows, kept as they are.
    public var additional: [String: JSONValue]

    /// Makes settings; without arguments those of a new installation.
    ///
    /// - Parameters:
    ///   - serverURL: The server's address as typed.
    ///   - voiceID: The id of the chosen voice.
    ///   - modelID: The id of the chosen model.
    ///   - isTextMode: Whether the person types instead of speaking.
    ///   - volume: How loud the agent is; clamped to 0...1.
    ///   - additional: Settings that nothing here knows.
    public init(
        serverURL: String? = nil,
        voiceID: String = VoiceCatalog.defaultVoice.id,
        modelID: String? = nil,
        isTextMode: Bool = false,
        volume: Double = 1,
        additional: [String: JSONValue] = [:]
    ) {
        self.serverURL = serverURL
        self.voiceID = voiceID
        self.modelID = modelID
        self.isTextMode = isTextMode
        self.volume = Self.clamped(volume)
        self.additional = additional
    }

    /// The chosen voice, or the default one when the chosen one is not in the catalog.
    public var voice: AgentVoice { VoiceCatalog.voice(id: voiceID) ?? VoiceCatalog.defaultVoice }

    /// The mode of conversation that ``isTextMode`` stands for.
    public var mode: ConversationMode { isTextMode ? .text : .voice }

    private static func clamped(_ volume: Double) -> Double {
        volume.isNaN ? 1 : min(1, max(0, volume))
    }
}
