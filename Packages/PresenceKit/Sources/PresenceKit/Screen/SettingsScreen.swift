public import HopeTokens

/// The settings as a view, a terminal or a page draws them: a pure function of a snapshot.
public struct SettingsScreen: Hashable, Sendable {
    /// The server's address.
    public struct ServerField: Hashable, Sendable {
        /// What the row is called.
        public let title = "Server URL"
        /// The address as typed.
        public let text: String
        /// Why it cannot be used, or nil.
        public let error: ScreenText?
        /// What the row says when it takes effect later, or nil.
        public let note: ScreenText?
    }

    /// A choice of a picker.
    public struct Choice: Hashable, Identifiable, Sendable {
        /// The id of the voice or model.
        public let id: String
        /// Its name.
        public let title: String
        /// What else there is to know, or nil.
        public let detail: String?
        /// Whether it is the chosen one.
        public let isSelected: Bool
    }

    /// A row that opens a picker.
    public struct Picker: Hashable, Sendable {
        /// What the row is called.
        public let title: String
        /// The chosen one's name, or what to do to get a choice.
        public let value: String
        /// The choices; empty when there is nothing to choose from.
        public let choices: [Choice]
    }

    /// The switch for typing.
    public struct TextModeSwitch: Hashable, Sendable {
        /// What the row is called.
        public let title = "Text mode"
        /// Whether it is on: the same stored value as the composer's control.
        public let isOn: Bool
    }

    /// A step of the connection test.
    public struct TestStep: Hashable, Sendable {
        /// What was tried.
        public let title: String
        /// How it went: a pictogram.
        public let glyph: ScreenGlyph
        /// How it went: words, with what was found or what to do.
        public let text: ScreenText
        /// The pictogram's colour.
        public let color: ColorToken
    }

    /// The pictogram at the top.
    public let glyph = ScreenGlyph.hope
    /// The name at the top.
    public let title = "Hope Voice"
    /// The server's address.
    public let server: ServerField
    /// The voices.
    public let voice: Picker
    /// The models.
    public let model: Picker
    /// The switch for typing.
    public let textMode: TextModeSwitch
    /// The button that tests the connection.
    public let connectionTest: ScreenButton
    /// The steps of the last test, in order.
    public let testSteps: [TestStep]

    /// Decides what the screen shows.
    ///
    /// - Parameter snapshot: Everything that it is drawn from.
    public init(_ snapshot: ConversationSnapshot) {
        let settings = snapshot.settings
        server = ServerField(
            text: settings.serverURL ?? "",
            error: snapshot.serverURLError.map { ScreenText($0, .caption, .error) },
            note: snapshot.session.isActive
                ? ScreenText("A new address takes effect after hanging up", .caption, .inkMuted) : nil
        )
        voice = Picker(
            title: "Voice",
            value: settings.voice.displayName,
            choices: VoiceCatalog.all.map { voice in
                Choice(
                    id: voice.id,
                    title: voice.displayName,
                    detail: "\(voice.locale) · \(voice.gender.rawValue) · \(voice.family.displayName)",
                    isSelected: voice == settings.voice
                )
            }
        )
        model = Self.modelPicker(snapshot)
        textMode = TextModeSwitch(isOn: settings.isTextMode)
        connectionTest = ScreenButton(
            snapshot.isTestingConnection ? "Testing…" : "Connection test",
            spoken: "Test the connection",
            .plain,
            isEnabled: !snapshot.isTestingConnection && snapshot.serverURLError == nil,
            .testConnection
        )
        testSteps = snapshot.connectionTest.map(Self.testStep)
    }

    private static func modelPicker(_ snapshot: ConversationSnapshot) -> Picker {
        guard snapshot.session == .ready else {
            return Picker(title: "Model", value: "Start a conversation…", choices: [])
        }
        guard let models = snapshot.models else {
            return Picker(title: "Model", value: "Waiting for the list…", choices: [])
        }
        let chosen = snapshot.confirmedModel ?? snapshot.settings.modelID
        return Picker(
            title: "Model",
            value: chosen ?? "Hope’s choice",
            choices: models.map { Choice(id: $0, title: $0, detail: nil, isSelected: $0 == chosen) }
        )
    }

    private static func testStep(_ step: ConnectionTestStep) -> TestStep {
        var words: [String] = []
        let glyph: ScreenGlyph
        let color: ColorToken
        switch step.isOK {
        case true?: (glyph, color) = (.check, .success)
        case false?: (glyph, color) = (.cross, .failed)
        case nil: (glyph, color) = (.progress, .inkMuted)
        }
        words.append(step.isOK.map { $0 ? "OK" : "Failed" } ?? "Testing…")
        if let milliseconds = step.milliseconds, milliseconds.isFinite {
            words.append("\(Int(min(max(milliseconds, 0), 86_400_000).rounded())) ms")
        }
        if !step.message.isEmpty { words.append(step.message) }
        return TestStep(
            title: step.name,
            glyph: glyph,
            text: ScreenText(words.joined(separator: " · "), .caption, color),
            color: color
        )
    }
}
