import PresenceKit
import Testing

struct VoiceCatalogTests {
    /// Name, gender and multilinguality as Azure lists them.
    private static let azure: [(String, AgentVoice.Gender, AgentVoice.Family)] = [
        ("en-US-Ava:DragonHDOmniLatestNeural", .female, .highDefinition),
        ("en-US-Andrew:DragonHDOmniLatestNeural", .male, .highDefinition),
        ("en-US-Ava:DragonHDLatestNeural", .female, .highDefinition),
        ("en-US-Andrew:DragonHDLatestNeural", .male, .highDefinition),
        ("en-US-Emma:DragonHDLatestNeural", .female, .highDefinition),
        ("en-US-Brian:DragonHDLatestNeural", .male, .highDefinition),
        ("en-US-AvaMultilingualNeural", .female, .multilingual),
        ("en-US-AndrewMultilingualNeural", .male, .multilingual),
        ("en-US-JennyNeural", .female, .neural),
        ("en-US-GuyNeural", .male, .neural),
        ("en-US-AriaNeural", .female, .neural),
        ("en-GB-SoniaNeural", .female, .neural),
        ("en-GB-RyanNeural", .male, .neural),
    ]

    @Test func hasThirteenVoicesThatAzureOffers() {
        #expect(VoiceCatalog.all.count == 13)
        #expect(VoiceCatalog.all.map(\.id) == Self.azure.map(\.0))
        #expect(VoiceCatalog.all.map(\.gender) == Self.azure.map(\.1))
        #expect(VoiceCatalog.all.map(\.family) == Self.azure.map(\.2))
    }

    @Test func namesAndIDsAreUniqueAndLocalesBeginTheID() {
        #expect(Set(VoiceCatalog.all.map { $0.id.lowercased() }).count == 13)
        #expect(Set(VoiceCatalog.all.map(\.displayName)).count == 13)
        #expect(VoiceCatalog.all.allSatisfy { $0.id.hasPrefix($0.locale + "-") })
    }

    @Test func theDefaultIsAvaInHighDefinition() {
        #expect(VoiceCatalog.defaultVoice.id == "en-US-Ava:DragonHDOmniLatestNeural")
        #expect(VoiceCatalog.all.first == VoiceCatalog.defaultVoice)
    }

    @Test func findsAVoiceInAnyCase() {
        #expect(VoiceCatalog.voice(id: "en-us-ava:dragonhdomnilatestneural") == VoiceCatalog.defaultVoice)
        #expect(VoiceCatalog.voice(id: "en-US-NobodyNeural") == nil)
    }
}
