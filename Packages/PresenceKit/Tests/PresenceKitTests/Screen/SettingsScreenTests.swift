import HopeTokens
import PresenceKit
import Testing

struct SettingsScreenTests {
    @Test func hasGlyphNameAndTheThirteenVoices() {
        var snapshot = ConversationSnapshot()
        snapshot.settings = Settings(serverURL: "https://hope", voiceID: "en-US-JennyNeural", isTextMode: true)
        let screen = SettingsScreen(snapshot)
        #expect(screen.glyph == .hope && screen.title == "Hope Voice")
        #expect(
            screen.server.title == "Server URL" && screen.server.text == "https://hope" && screen.server.error == nil
        )
        #expect(screen.voice.choices.count == 13)
        #expect(screen.voice.choices.filter(\.isSelected).map(\.id) == ["en-US-JennyNeural"])
        #expect(screen.voice.value == "Jenny")
        #expect(screen.textMode.isOn)
        #expect(ConversationScreen(snapshot).composer.start != nil)
    }

    @Test func theSwitchAndTheComposerShowTheSameValue() {
        for isTextMode in [true, false] {
            var snapshot = ConversationSnapshot()
            snapshot.session = .ready
            snapshot.settings.isTextMode = isTextMode
            #expect(SettingsScreen(snapshot).textMode.isOn == isTextMode)
            #expect(ConversationScreen(snapshot).composer.modeControl?.selected == (isTextMode ? .text : .voice))
        }
    }

    @Test func modelsAreTheSessions() {
        var snapshot = ConversationSnapshot()
        snapshot.models = ["old"]
        #expect(SettingsScreen(snapshot).model.value == "Start a conversation…")
        #expect(SettingsScreen(snapshot).model.choices.isEmpty)
        snapshot.session = .ready
        snapshot.models = nil
        #expect(SettingsScreen(snapshot).model.choices.isEmpty)
        snapshot.models = ["a", "b"]
        snapshot.settings.modelID = "a"
        #expect(SettingsScreen(snapshot).model.choices.filter(\.isSelected).map(\.id) == ["a"])
        snapshot.confirmedModel = "b"
        #expect(SettingsScreen(snapshot).model.choices.filter(\.isSelected).map(\.id) == ["b"])
        #expect(SettingsScreen(snapshot).model.value == "b")
    }

    @Test func anInvalidAddressShowsItsReason() {
        var snapshot = ConversationSnapshot()
        snapshot.serverURLError = "“ftp://x” is not a server address."
        let screen = SettingsScreen(snapshot)
        #expect(screen.server.error?.text == "“ftp://x” is not a server address.")
        #expect(screen.server.error?.color.value == ColorToken.danger.value)
        #expect(!screen.connectionTest.isEnabled)
    }

    @Test func testStepsSayHowTheyWentInWordsAndColour() {
        var snapshot = ConversationSnapshot()
        snapshot.connectionTest = [
            ConnectionTestStep(name: "name", isOK: true, milliseconds: 1.6, message: "127.0.0.1"),
            ConnectionTestStep(name: "tcp", isOK: false, milliseconds: .nan, message: "Start the server."),
            ConnectionTestStep(name: "tls", isOK: nil),
        ]
        let steps = SettingsScreen(snapshot).testSteps
        #expect(steps.map(\.text.text) == ["OK · 2 ms · 127.0.0.1", "Failed · Start the server.", "Testing…"])
        #expect(steps.map(\.glyph) == [.check, .cross, .progress])
        #expect(steps[0].color.value == ColorToken.mint.value && steps[1].color.value == ColorToken.danger.value)
    }

    @Test func aNewAddressTakesEffectAfterHangingUp() {
        var snapshot = ConversationSnapshot()
        #expect(SettingsScreen(snapshot).server.note == nil)
        snapshot.session = .ready
        #expect(SettingsScreen(snapshot).server.note != nil)
    }
}
