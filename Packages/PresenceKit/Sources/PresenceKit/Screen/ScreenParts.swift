public import HopeTokens

/// A pictogram of the screens.
public enum ScreenGlyph: String, CaseIterable, Hashable, Sendable {
    /// The Hope glyph.
    case hope
    /// The list of tasks.
    case tasks
    /// What is playing.
    case media
    /// The settings.
    case settings
    /// Connecting again.
    case reconnecting
    /// No microphone.
    case microphoneOff
    /// Something failed.
    case warning
    /// Something went well.
    case check
    /// Something did not go well.
    case cross
    /// Something is going on.
    case progress

    /// One character that stands for it in a terminal.
    public var character: Character {
        switch self {
        case .hope: "◉"
        case .tasks: "☰"
        case .media: "♪"
        case .settings: "⚙"
        case .reconnecting: "↻"
        case .microphoneOff: "⊘"
        case .warning: "⚠"
        case .check: "✓"
        case .cross: "✗"
        case .progress: "…"
        }
    }
}

/// What the person can do on the screens.
public enum ScreenAction: Hashable, Sendable {
    /// Begin a conversation.
    case start
    /// Try again after a failure.
    case retry
    /// End the conversation, or the attempt to begin one.
    case end
    /// Send what stands in the field.
    case send
    /// Send a message again that was not sent.
    case resend(rowID: String)
    /// Talk in this mode from now on.
    case setMode(ConversationMode)
    /// Show the stored rows.
    case showEarlier
    /// Remove all rows, stored ones too.
    case clear
    /// Show the tasks.
    case openTasks
    /// Show the media panel.
    case openMedia
    /// Show the settings.
    case openSettings
    /// Use this server.
    case setServerURL
    /// Speak with this voice.
    case selectVoice(id: String)
    /// Think with this model.
    case selectModel(id: String)
    /// Test the connection.
    case testConnection
}

/// A button.
public struct ScreenButton: Hashable, Sendable {
    /// How a button stands out.
    public enum Style: Hashable, Sendable {
        /// A filled button, the one to press next.
        case prominent
        /// An outline in the colour of danger.
        case dangerOutline
        /// Words only, in the colour of what can be pressed.
        case plain
        /// Words only, in the colour of the text around them.
        case quiet
    }

    /// The words on the button.
    public let title: String
    /// What a screen reader says.
    public let spokenLabel: String
    /// How the button stands out.
    public let style: Style
    /// Whether it can be pressed.
    public let isEnabled: Bool
    /// What it does.
    public let action: ScreenAction

    init(_ title: String, spoken: String? = nil, _ style: Style, isEnabled: Bool = true, _ action: ScreenAction) {
        self.title = title
        spokenLabel = spoken ?? title
        self.style = style
        self.isEnabled = isEnabled
        self.action = action
    }

    /// The colour that fills the button, or nil.
    public var fill: ColorToken? { style == .prominent ? .iris : nil }

    /// The colour of the words.
    public var textColor: ColorToken {
        switch style {
        case .prominent: .onIris
        case .dangerOutline: .danger
        case .plain: .iris
        case .quiet: .ink
        }
    }

    /// The colour of the outline, or nil.
    public var outline: ColorToken? { style == .dangerOutline ? .danger : nil }

    /// The least height, in points.
    public var minimumHeight: Double { MetricToken.buttonHeight.value }

    /// The least side of what can be touched, in points.
    public var touchTarget: Double { MetricToken.touchTarget.value }
}

/// Words with their colour and role.
public struct ScreenText: Hashable, Sendable {
    /// The words.
    public let text: String
    /// Their role.
    public let role: TextRole
    /// Their colour.
    public let color: ColorToken

    init(_ text: String, _ role: TextRole, _ color: ColorToken) {
        self.text = text
        self.role = role
        self.color = color
    }
}
