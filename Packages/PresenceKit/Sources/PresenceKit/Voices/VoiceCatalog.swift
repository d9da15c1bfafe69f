/// The voices that a person can choose from; their ids are Azure's public voice names.
public enum VoiceCatalog {
    /// The voice of who has not chosen one.
    public static let defaultVoice = AgentVoice(
        id: "en-US-Ava:DragonHDOmniLatestNeural",
        displayName: "Ava HD Omni",
        locale: "en-US",
        gender: .female,
        family: .highDefinition
    )

    /// All voices, in the order of the picker.
    public static let all: [AgentVoice] = [
        defaultVoice,
        voice("Andrew", ":DragonHDOmniLatestNeural", " HD Omni", .male, .highDefinition),
        voice("Ava", ":DragonHDLatestNeural", " HD", .female, .highDefinition),
        voice("Andrew", ":DragonHDLatestNeural", " HD", .male, .highDefinition),
        voice("Emma", ":DragonHDLatestNeural", " HD", .female, .highDefinition),
        voice("Brian", ":DragonHDLatestNeural", " HD", .male, .highDefinition),
        voice("Ava", "MultilingualNeural", " Multilingual", .female, .multilingual),
        voice("Andrew", "MultilingualNeural", " Multilingual", .male, .multilingual),
        voice("Jenny", "Neural", "", .female, .neural),
        voice("Guy", "Neural", "", .male, .neural),
        voice("Aria", "Neural", "", .female, .neural),
        voice("Sonia", "Neural", "", .female, .neural, locale: "en-GB"),
        voice("Ryan", "Neural", "", .male, .neural, locale: "en-GB"),
    ]

    /// The voice with this id, or nil.
    ///
    /// - Parameter id: An Azure voice name; its case does not matter to Azure, nor here.
    /// - Returns: The voice as the catalog spells it.
    public static func voice(id: String) -> AgentVoice? {
        let wanted = id.lowercased()
        return all.first { $0.id.lowercased() == wanted }
    }

    private static func voice(
        _ name: String,
        _ model: String,
        _ suffix: String,
        _ gender: AgentVoice.Gender,
        _ family: AgentVoice.Family,
        locale: String = "en-US"
    ) -> AgentVoice {
        AgentVoice(
            id: "\(locale)-\(name)\(model)",
            displayName: name + suffix,
            locale: locale,
            gender: gender,
            family: family
        )
    }
}
