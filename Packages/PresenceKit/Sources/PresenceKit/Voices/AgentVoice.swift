/// A voice that the agent can speak with.
public struct AgentVoice: Hashable, Identifiable, Sendable {
    /// The gender that a voice is offered under.
    public enum Gender: String, CaseIterable, Hashable, Sendable {
        /// Offered as a female voice.
        case female
        /// Offered as a male voice.
        case male
    }

    /// The kind of model that a voice is made with.
    public enum Family: String, CaseIterable, Hashable, Sendable {
        /// A high-definition voice, which takes its tone from what it says.
        case highDefinition
        /// A neural voice of one language.
        case neural
        /// A neural voice that speaks many languages.
        case multilingual

        /// The family's name for people.
        public var displayName: String {
            switch self {
            case .highDefinition: "HD"
            case .neural: "Neural"
            case .multilingual: "Multilingual"
            }
        }
    }

    /// The voice's public Azure name, such as `en-US-JennyNeural`.
    public let id: String
    /// The voice's name for people, unique in the catalog.
    public let displayName: String
    /// The voice's own language and region, as a BCP 47 tag.
    public let locale: String
    /// The gender that the voice is offered under.
    public let gender: Gender
    /// The kind of model that the voice is made with.
    public let family: Family
}
